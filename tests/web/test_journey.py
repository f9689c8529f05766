"""A friendly from registration to the log, over HTTP against the real service: what a bot author meets."""

import json
import random
import re
import threading
from dataclasses import dataclass
from typing import Any

import orjson
import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee import match as matches
from referee.service import Service, advancing
from referee.store import match_rows
from referee.web import steps
from tests.web.asking import bearer, check

CARDS = frozenset(rank + suit for rank in "ATKQJ9" for suit in "SHDC")


@dataclass
class Table:
    """A live friendly of pull bots, and what is needed to play at it."""

    client: FlaskClient
    match: str
    tokens: dict[str, str]

    def view(self, seat: str | None) -> dict[str, Any]:
        headers = bearer(self.tokens[seat]) if seat else {}
        found: dict[str, Any] = self.client.get(f"/v1/matches/{self.match}/view", headers=headers).get_json()
        return found

    def prompts(self, seat: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.client.get("/v1/turns", headers=bearer(self.tokens[seat])).get_json()[
            "prompts"
        ]
        return found

    def act(self, seat: str, body: dict[str, Any], **headers: str) -> Any:
        return self.client.post(
            f"/v1/matches/{self.match}/acts", json=body, headers={**bearer(self.tokens[seat]), **headers}
        )

    def asked(self) -> tuple[str, dict[str, Any]]:
        """Return the seat that is asked and its prompt."""
        return next((seat, prompt) for seat in self.tokens for prompt in self.prompts(seat))

    def play_on(self, acts: int, choose: random.Random) -> None:
        """Play lawful acts, as many or until the match is over."""
        for _ in range(acts):
            if self.client.get(f"/v1/matches/{self.match}").get_json()["state"] != "live":
                return
            seat, prompt = self.asked()
            act = choose.choice(prompt["lawful"])
            assert self.act(seat, {"version": prompt["version"], **act}).status_code == 200


def register(client: FlaskClient, name: str, **more: Any) -> tuple[str, str]:
    """Register a bot; return its id and token."""
    made = client.post("/v1/bots", json={"name": name, **more})
    assert made.status_code == 201, made.text
    body = made.get_json()
    assert made.headers["Location"] == f"/v1/bots/{body['bot']['id']}"
    return body["bot"]["id"], body["token"]


@pytest.fixture
def table(client: FlaskClient, service: Service) -> Table:
    return seated(client, service, target=2)


def seated(client: FlaskClient, service: Service, *, target: int) -> Table:
    """Open a friendly of two bots to so many game points."""
    bots = [register(client, name) for name in ("north", "south")]
    made = client.post(
        "/v1/matches",
        json={"bots": [bot for bot, _ in bots], "overrides": {"target": target}},
        headers=bearer(bots[0][1]),
    )
    assert made.status_code == 201, made.text
    advancing.advance(service)
    return Table(client, made.get_json()["id"], {"a": bots[0][1], "b": bots[1][1]})


def test_a_friendly_is_played_to_its_end_and_its_log_verifies(table: Table) -> None:
    table.play_on(2000, random.Random(7))
    found = table.client.get(f"/v1/matches/{table.match}").get_json()
    assert found["state"] == "done", found
    assert len(found["seed"]) == 64
    base = f"/v1/matches/{table.match}"
    ndjson = table.client.get(f"{base}/log", headers={"Accept": "application/x-ndjson"})
    assert ndjson.mimetype == "application/x-ndjson"
    assert matches.verify(ndjson.get_data()).ok
    document = table.client.get(f"{base}/log").get_json()
    lines = [orjson.loads(line) for line in ndjson.get_data().splitlines()]
    assert document["events"] == lines[:-1]
    assert document["seal"] == lines[-1]
    text = table.client.get(f"{base}/log", headers={"Accept": "text/plain"})
    assert text.mimetype == "text/plain"
    assert len(text.text.splitlines()) > 20
    assert table.client.get(f"{base}/events?after=0").get_json()["events"] == lines[:-1]
    check(table.client.get(f"{base}/log", headers={"Accept": "image/png"}), 406, "request/not_acceptable")
    check(table.act("a", {"version": found["version"], "act": "draw"}), 409, "act/match_over")


def test_the_page_steps_through_the_finished_log(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.play_on(2000, random.Random(3))
    first = table.client.get(f"/matches/{table.match}")
    assert first.status_code == 200
    assert "step 1 of" in first.text
    count = int(first.text.split("step 1 of ")[1].split("<")[0])
    for at in (2, count // 2, count):
        page = table.client.get(f"/matches/{table.match}?at={at}")
        assert page.status_code == 200
        assert f"step {at} of {count}" in page.text
    monkeypatch.setattr(steps.matches, "replay", lambda _log: pytest.fail("what was looked at is gone through again"))
    assert f"step {count} of {count}" in table.client.get(f"/matches/{table.match}?at={count}").text
    monkeypatch.undo()
    for odd in ("0", "-3", "99999", "x"):
        assert table.client.get(f"/matches/{table.match}?at={odd}").status_code == 200


def test_the_page_of_a_finished_match_leads_on(client: FlaskClient, service: Service) -> None:
    """Each deal by its number and attempt to its first act; the log in three files; rulings and winner in words."""
    table = seated(client, service, target=4)
    while table.client.get(f"/v1/matches/{table.match}").get_json()["state"] == "live":
        seat, prompt = table.asked()
        chosen = next((act for act in prompt["own_risk"] if act["act"] == "declare"), prompt["lawful"][0])
        assert table.act(seat, {"version": prompt["version"], **chosen}).status_code == 200
    shown = table.client.get(f"/v1/matches/{table.match}").get_json()
    page = table.client.get(f"/matches/{table.match}").text
    assert f"won by {shown['seats'][shown['winner']]['name']} ({shown['winner']})" in page
    begun = [event for event in _events(table) if event["type"] == "deal_begun" and event["deal"]]
    assert len(begun) > 1
    for event in begun:
        name = f"deal {event['deal']}" + (f", attempt {event['attempt']}" if event["attempt"] > 1 else "")
        [(at, before)] = re.findall(rf'\?at=(\d+)"([^>]*)>{name}</a>', page)
        there = table.client.get(f"/matches/{table.match}?at={at}").text
        assert "aria-current" in before or event is not begun[0]
        assert f"<h2>Steps of {name}</h2>" in there
        first = int(re.findall(r'What happened in this step">\s*<li value="(\d+)"', there)[0])
        assert first > event["n"]
        between = [each["type"] for each in _events(table) if event["n"] < each["n"] < first]
        assert set(between) <= {"acted"}, "only the attendant's acts lie between"
    ruled = [event for event in _events(table) if event["type"] == "ruled"]
    assert len(ruled) == page.count('class="ruling"') > 0
    assert "the law prescribes what follows" in page
    assert "PRESCRIBED" not in page
    assert "is awarded" in page
    base = f"/matches/{table.match}/log"
    for form, accept in (("json", "application/json"), ("ndjson", "application/x-ndjson"), ("txt", "text/plain")):
        assert f'href="{base}.{form}"' in page
        saved = table.client.get(f"{base}.{form}")
        assert "attachment" in saved.headers["Content-Disposition"]
        assert saved.data == table.client.get(f"/v1{base}", headers={"Accept": accept}).data
    assert table.client.get(f"{base}.exe").status_code == 404


def _events(table: Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = table.client.get(f"/v1/matches/{table.match}/events").get_json()["events"]
    return found


def test_a_surrogate_in_an_override_is_refused(table: Table) -> None:
    headers = {**bearer(table.tokens["a"]), "Content-Type": "application/json"}
    for value in ("\ud800", "a\x00", ["\ud800"]):
        raw = json.dumps({"bots": ["bot_1", "bot_2"], "overrides": {"trump_method": value}})
        problem = check(table.client.post("/v1/matches", data=raw, headers=headers), 422, "request/invalid")
        assert problem["errors"][0]["pointer"] == "/overrides/trump_method"


def test_the_same_key_gives_the_same_bytes_and_one_act(table: Table) -> None:
    seat, prompt = table.asked()
    body = {"version": prompt["version"], **prompt["lawful"][0]}
    first = table.act(seat, body, **{"Idempotency-Key": "once"})
    again = table.act(seat, body, **{"Idempotency-Key": "once"})
    assert (first.status_code, first.get_data(), first.mimetype) == (200, again.get_data(), again.mimetype)
    version = table.view(None)["version"]
    other = {"version": prompt["version"], **prompt["lawful"][-1]}
    check(table.act(seat, other, **{"Idempotency-Key": "once"}), 409, "key/reused")
    assert table.view(None)["version"] == version


def test_of_two_acts_for_one_version_one_is_taken(table: Table) -> None:
    seat, prompt = table.asked()
    first, second = ({"version": prompt["version"], **act} for act in prompt["lawful"][:2])
    assert table.act(seat, first).status_code == 200
    check(table.act(seat, second), 409, "act/stale_version")


def test_what_is_no_act_is_refused_with_its_place_and_changes_nothing(table: Table) -> None:
    seat, prompt = table.asked()
    before = table.view(None)["version"]
    version = prompt["version"]
    for body, place in [
        ({"version": version, "act": "play", "card": "1Z"}, "/card"),
        ({"version": version, "act": "play", "card": True}, "/card"),
        ({"version": version, "act": "play", "card": {"rank": "A"}}, "/card"),
        ({"version": version, "act": "play"}, "/card"),
        ({"version": version, "act": "peek"}, "/act"),
        ({"act": "draw"}, "/version"),
        ({"version": float(version), "act": "draw"}, "/version"),
        ({"version": str(version), "act": "draw"}, "/version"),
        ({"version": True, "act": "draw"}, "/version"),
        ({"version": version, "act": "draw", "cards": 1.0}, "/cards"),
        ({"version": version, "act": "play", "card": "AS", "cord": 1}, "/cord"),
    ]:
        problem = check(table.act(seat, body), 422, "act/unreadable")
        assert [error["pointer"] for error in problem["errors"]] == [place], body
        assert problem["errors"][0]["detail"]
    raw = b'{"version":%d,"act":"play","card":"AS","card":"AS"}' % version
    answer = table.client.post(
        f"/v1/matches/{table.match}/acts",
        data=raw,
        headers={**bearer(table.tokens[seat]), "Content-Type": "application/json"},
    )
    check(answer, 400, "act/unreadable")
    assert table.view(None)["version"] == before


def test_a_card_not_held_is_impossible_and_changes_nothing(table: Table) -> None:
    seat, prompt = table.asked()
    missing = sorted(CARDS - set(prompt["view"]["hand"]))[0]
    check(table.act(seat, {"version": prompt["version"], "act": "play", "card": missing}), 409, "act/impossible")
    assert table.view(None)["version"] == prompt["version"]


def test_a_seat_is_shown_to_its_token_alone(table: Table) -> None:
    """SCENARIOS 48 and 49."""
    hands = {seat: set(table.view(seat)["view"]["hand"]) for seat in "ab"}
    assert len(hands["a"]) == len(hands["b"]) == 6
    assert not hands["a"] & hands["b"]
    for seat, other in (("a", "b"), ("b", "a")):
        told = table.client.get(f"/v1/matches/{table.match}/view", headers=bearer(table.tokens[seat])).text
        assert not any(f'"{card}"' in told for card in hands[other])
    stranger = register(table.client, "stranger")[1]
    for headers in ({}, bearer(stranger), bearer("organiser-for-tests")):
        answer = table.client.get(f"/v1/matches/{table.match}/view", headers=headers)
        assert answer.get_json()["seat"] is None
        assert not any(f'"{card}"' in answer.text for card in hands["a"] | hands["b"])


def test_nothing_open_to_all_holds_a_hidden_card_or_the_seed_while_the_match_lives(
    table: Table, service: Service
) -> None:
    """SCENARIOS 49 and 50."""
    choose = random.Random(5)
    seed = _seed_of(service, table.match)
    for _ in range(12):
        table.play_on(1, choose)
        hidden = {card for seat in "ab" for card in table.view(seat)["view"]["hand"]}
        hidden -= set(table.view("a")["view"]["open"])
        base = f"/v1/matches/{table.match}"
        for path in (
            base,
            f"{base}/view",
            f"{base}/rulings",
            f"/matches/{table.match}",
            f"/matches/{table.match}/table",
        ):
            text = table.client.get(path).text
            assert seed not in text
            assert not any(f'"{card}"' in text for card in hidden), path
        events = table.client.get(f"{base}/events")
        assert seed not in events.text
    check(table.client.get(f"{base}/log"), 409, "match/not_over")


def _seed_of(service: Service, match_id: str) -> str:
    with service.record.reading() as connection:
        return str(match_rows.by_id(connection, match_id)["seed"])


def test_a_long_poll_is_answered_by_the_next_act(app: Flask, table: Table) -> None:
    seat, prompt = table.asked()
    other = "b" if seat == "a" else "a"
    answers: list[Any] = []

    def wait() -> None:
        with app.test_client() as client:
            answers.append(client.get(f"/v1/matches/{table.match}/events?after={prompt['version']}&wait=25").get_json())

    thread = threading.Thread(target=wait)
    thread.start()
    try:
        assert table.act(seat, {"version": prompt["version"], **prompt["lawful"][0]}).status_code == 200
    finally:
        thread.join(timeout=60)
    assert answers, "the poll was not answered within a minute"
    assert answers[0]["events"][0]["n"] == prompt["version"] + 1
    assert table.prompts(other) or table.prompts(seat)
