"""Rule-sets of one's own over HTTP: stored, listed, read, refused, and shown on their pages."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.rules import rulesets
from referee.service import Service
from referee.service import rulesets as use_rulesets
from tests.web.asking import bearer, check
from tests.web.test_journey import register

ORGANISER = bearer("organiser-for-tests")
CLUB: dict[str, Any] = {"name": "club", "base": "house", "title": "The club's", "options": {"target": 3}}


def store(client: FlaskClient, headers: dict[str, str] = ORGANISER, **fields: Any) -> Any:
    return client.post("/v1/rulesets", json={**CLUB, **fields}, headers=headers)


def test_a_set_is_stored_once_and_read_by_its_name(client: FlaskClient, service: Service) -> None:
    bot, token = register(client, "north")
    first = store(client, bearer(token))
    assert (first.status_code, first.headers["Location"]) == (201, "/v1/rulesets/club")
    made = first.get_json()
    assert (made["name"], made["base"], made["stored_by"], made["overrides"]) == ("club", "house", bot, {"target": 3})
    meaning = rulesets.OPTIONS["target"].meaning
    assert made["differences"] == [{"option": "target", "value": 3, "house": 7, "meaning": meaning}]
    again = store(client)
    assert (again.status_code, again.get_data()) == (200, first.get_data())
    assert client.get("/v1/rulesets/club").get_json() == made == use_rulesets.get_ruleset(service, "club")
    problem = check(store(client, bearer(token), options={"target": 4}), 409, "ruleset/name_taken")
    assert "'club'" in problem["detail"]


def test_a_request_repeated_under_its_key_is_answered_by_the_same_bytes(client: FlaskClient) -> None:
    headers = {**ORGANISER, "Idempotency-Key": "once"}
    first, again = store(client, headers), store(client, headers)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.get_data() == again.get_data()
    check(store(client, headers, name="other"), 409, "key/reused")


def test_the_list_is_walked_by_its_links(client: FlaskClient, service: Service) -> None:
    for name in ("zeta", "alpha"):
        assert store(client, name=name).status_code == 201
    whole = client.get("/v1/rulesets").get_json()
    assert [each["name"] for each in whole["rulesets"]] == [*rulesets.names(), "alpha", "zeta"]
    assert whole["next"] is None
    assert {each["base"] for each in whole["rulesets"]} == {None, "house"}
    found, path = [], "/v1/rulesets?limit=1"
    while path:
        answer = client.get(path)
        found += answer.get_json()["rulesets"]
        following = answer.get_json()["next"]
        path = f"/v1/rulesets?limit=1&cursor={following}" if following else ""
        assert bool(path) == ('rel="next"' in answer.headers["Link"])
    assert found == whole["rulesets"]
    assert found == list(use_rulesets.list_rulesets(service).items)
    check(client.get("/v1/rulesets?cursor=nonsense"), 400, "page/cursor_unknown")


@pytest.mark.parametrize(
    ("fields", "status", "code", "pointers"),
    [
        ({"options": {"targt": 3}}, 422, "ruleset/unknown_option", ["/options/targt"]),
        ({"options": {"target": 0}}, 422, "ruleset/out_of_range", ["/options/target"]),
        ({"options": {"trump_method": "?"}}, 422, "ruleset/unknown_value", ["/options/trump_method"]),
        ({"options": {"target": ["x"]}}, 422, "ruleset/wrong_type", ["/options/target"]),
        ({"options": {"hand_size": 2}}, 422, "ruleset/contradiction", ["/options/packet", "/options/hand_size"]),
        ({"title": " "}, 422, "ruleset/unfit", ["/title"]),
        ({"name": "Club"}, 422, "request/invalid", ["/name"]),
        ({"name": "c" * 41}, 422, "request/invalid", ["/name"]),
        ({"about": "x" * 1001}, 422, "request/invalid", ["/about"]),
        ({"options": {"target": {}}}, 422, "request/invalid", ["/options/target"]),
        ({"options": None}, 422, "request/invalid", ["/options"]),
        ({"colour": 1}, 422, "request/invalid", ["/colour"]),
        ({"name": "pagat"}, 409, "ruleset/name_taken", []),
        ({"name": "cruce"}, 409, "ruleset/name_taken", []),
        ({"base": "bridge"}, 404, "ruleset/unknown", []),
    ],
)
def test_what_cannot_be_stored_is_refused_with_its_places(
    client: FlaskClient, fields: dict[str, Any], status: int, code: str, pointers: list[str]
) -> None:
    answer = store(client, **fields)
    problem = check(answer, status, code)
    assert [error["pointer"] for error in problem.get("errors", [])] == pointers
    assert ".toml" not in answer.text
    assert len(client.get("/v1/rulesets").get_json()["rulesets"]) == len(rulesets.names())


def test_who_stores_must_be_known(client: FlaskClient) -> None:
    check(client.post("/v1/rulesets", json=CLUB), 401, "auth/token_missing")
    check(store(client, bearer("nobody")), 401, "auth/token_unknown")


def test_it_can_be_named_wherever_a_rule_set_can(client: FlaskClient) -> None:
    store(client)
    (bot, token), (other, _) = register(client, "north"), register(client, "south")
    cup = client.post("/v1/tournaments", json={"name": "cup", "ruleset": "club"}, headers=ORGANISER)
    assert (cup.status_code, cup.get_json()["ruleset"], cup.get_json()["options"]["target"]) == (201, "club", 3)
    friendly = client.post("/v1/matches", json={"bots": [bot, other], "ruleset": "club"}, headers=bearer(token))
    assert (friendly.status_code, friendly.get_json()["ruleset"]) == (201, "club")
    checked = client.post(f"/v1/bots/{bot}/checks", json={"ruleset": "club"}, headers=bearer(token))
    assert checked.status_code in (201, 202), checked.text
    assert client.get(f"/tournaments/{cup.get_json()['id']}").status_code == 200
    unknown = client.post("/v1/tournaments", json={"name": "cup", "ruleset": "clubb"}, headers=ORGANISER)
    assert "GET /v1/rulesets" in check(unknown, 404, "ruleset/unknown")["detail"]


def test_its_page_says_whence_it_is_and_what_differs(client: FlaskClient) -> None:
    bot, token = register(client, "north")
    store(client, bearer(token), base="foster", title="<i>Ours</i>", about="<i>At</i> Ada's.")
    for page in (client.get("/rulesets/club").text, client.get("/rulesets").text):
        assert "<i>Ours" not in page
        assert "&lt;i&gt;Ours" in page
        assert bot in page
    page = client.get("/rulesets/club").text
    assert "&lt;i&gt;At&lt;/i&gt; Ada" in page
    assert 'Derived from <a href="/rulesets/foster">foster</a>' in page
    differing = page.split("What differs from the house rules")[1].split("Every option")[0]
    assert "<code>target</code>" in differing
    assert "<code>marriage_proof</code>" in differing
    assert "<code>pack</code>" not in differing
    assert 'data-label="Source">override<' in page
    assert "What differs from the house rules" not in client.get("/rulesets/house").text
    assert client.get("/rulesets/nothing", headers={"Accept": "text/html"}).status_code == 404
    check(client.get("/v1/rulesets/nothing"), 404, "ruleset/unknown")


def test_the_list_of_pages_goes_on(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("alpha", "zeta"):
        store(client, name=name)
    plain = use_rulesets.list_rulesets
    monkeypatch.setattr(use_rulesets, "list_rulesets", lambda *args, **kwargs: plain(*args, **kwargs, limit=1))
    path, names = "/rulesets", []
    while path:
        page = client.get(path).text
        names.append(page.split('href="/rulesets/')[1].split('"')[0])
        path = page.split('rel="next" href="')[1].split('"')[0] if 'rel="next"' in page else ""
    assert names == [*rulesets.names(), "alpha", "zeta"]
