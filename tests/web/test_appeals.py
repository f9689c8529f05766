"""Appeals and overruling over HTTP, and the page of a match that was overruled."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.service import Service, advancing
from tests.web.asking import bearer, check
from tests.web.test_journey import Table, register

ORGANISER = bearer("organiser-for-tests")
DECISION = {"winner": "a", "score": {"a": 3, "b": 0}, "reason": "The <b>clock</b> was ours."}


@pytest.fixture
def finished(client: FlaskClient, service: Service) -> Table:
    """A friendly that has ended by a false declaration, which is its case 1."""
    bots = [register(client, name) for name in ("north", "south")]
    body = {"bots": [bot for bot, _ in bots], "overrides": {"target": 1}}
    made = client.post("/v1/matches", json=body, headers=bearer(bots[0][1]))
    advancing.advance(service)
    table = Table(client, made.get_json()["id"], {"a": bots[0][1], "b": bots[1][1]})
    while client.get(f"/v1/matches/{table.match}").get_json()["state"] == "live":
        seat, prompt = table.asked()
        act = (prompt["own_risk"] or prompt["lawful"])[0]
        assert table.act(seat, {"version": prompt["version"], **act}).status_code == 200
    return table


def posted(table: Table, what: str, headers: dict[str, str], body: Any = None) -> Any:
    return table.client.post(f"/v1/matches/{table.match}/rulings/{what}", json=body, headers=headers)


def test_an_appeal_shows_both_and_that_they_agree(finished: Table) -> None:
    answer = posted(finished, "1/appeal", bearer(finished.tokens["a"]))
    assert answer.status_code == 200, answer.text
    body = answer.get_json()
    assert (body["agree"], body["recorded"], body["case"]) == (True, body["derived"], 1)
    key = {**bearer(finished.tokens["a"]), "Idempotency-Key": "one"}
    assert posted(finished, "1/appeal", key).data == posted(finished, "1/appeal", key).data == answer.data
    check(posted(finished, "7/appeal", ORGANISER), 404, "ruling/unknown")
    check(posted(finished, "0/appeal", ORGANISER), 404, "request/not_found")
    check(posted(finished, "1/appeal", {}), 401, "auth/token_missing")


def test_an_organiser_overrules_and_the_pages_say_so(finished: Table) -> None:
    client, match = finished.client, finished.match
    check(posted(finished, "1/overrule", bearer(finished.tokens["a"]), DECISION), 403, "auth/organiser_only")
    check(posted(finished, "1/overrule", ORGANISER, {"winner": "a"}), 422, "request/invalid")
    check(posted(finished, "1/overrule", ORGANISER, {**DECISION, "winner": "c"}), 422, "match/unfit")
    once = {**ORGANISER, "Idempotency-Key": "decision"}
    answer = posted(finished, "1/overrule", once, DECISION)
    assert answer.status_code == 200, answer.text
    assert posted(finished, "1/overrule", once, DECISION).data == answer.data
    shown = client.get(f"/v1/matches/{match}").get_json()
    assert (shown["winner"], shown["cause"], shown["score"]) == ("a", "overruled", {"a": 3, "b": 0})
    log = client.get(f"/v1/matches/{match}/log").get_json()
    assert [event["type"] for event in log["events"]].count("overruled") == 1
    assert log["events"][-1] == answer.get_json()["event"]
    page = client.get(f"/matches/{match}?at=99999").text
    assert "Overruled by the organiser on case 1: a wins 3:0" in page
    assert "The &lt;b&gt;clock&lt;/b&gt; was ours." in page
    assert "<b>clock</b>" not in page
    view = client.get(f"/v1/matches/{match}/view").get_json()
    assert (view["over"], view["view"]["score"]) == (True, {"a": 3, "b": 0})
