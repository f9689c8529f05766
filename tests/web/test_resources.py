"""Bots, tournaments and pages of lists over HTTP against the real service."""

import json
import re
import threading
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.laws import book as law_book
from referee.service import Caller, Service, advancing
from referee.service import bots as use_bots
from referee.service import checks as use_checks
from referee.service import health as use_health
from referee.service import matches as use_matches
from referee.service import rulesets as use_rulesets
from referee.service import tournaments as use_tournaments
from tests.web.asking import bearer, check
from tests.web.test_journey import register

ORGANISER = bearer("organiser-for-tests")


def create(client: FlaskClient, **fields: Any) -> dict[str, Any]:
    """Create a tournament and return it."""
    made = client.post("/v1/tournaments", json={"name": "cup", **fields}, headers=ORGANISER)
    assert made.status_code == 201, made.text
    body: dict[str, Any] = made.get_json()
    assert made.headers["Location"] == f"/v1/tournaments/{body['id']}"
    return body


def test_a_bot_is_registered_changed_given_a_new_token_and_taken_out(client: FlaskClient) -> None:
    bot, token = register(client, "north", chores=["deal"], language="Ünï", concurrency=3)
    found = client.get(f"/v1/bots/{bot}").get_json()
    assert (found["name"], found["chores"], found["language"], found["concurrency"]) == ("north", ["deal"], "Ünï", 3)
    changed = client.patch(f"/v1/bots/{bot}", json={"accepts_friendlies": False}, headers=bearer(token))
    assert changed.get_json()["accepts_friendlies"] is False
    rotated = client.post(f"/v1/bots/{bot}/token", headers=bearer(token)).get_json()["token"]
    check(client.patch(f"/v1/bots/{bot}", json={"version": "2"}, headers=bearer(token)), 401, "auth/token_unknown")
    other = register(client, "south")[1]
    check(client.patch(f"/v1/bots/{bot}", json={"version": "2"}, headers=bearer(other)), 403, "auth/not_yours")
    gone = client.delete(f"/v1/bots/{bot}", headers=bearer(rotated))
    assert (gone.status_code, gone.get_data()) == (204, b"")
    assert client.get(f"/v1/bots/{bot}").get_json()["state"] == "deleted"
    check(client.get("/v1/bots/bot_nobody"), 404, "bot/unknown")


def test_a_registration_repeated_under_its_key_is_one_bot_and_the_same_bytes(client: FlaskClient) -> None:
    headers = {"Idempotency-Key": "0f8fad5b-d9cb-469f-a165-70867728950e"}
    first = client.post("/v1/bots", json={"name": "north"}, headers=headers)
    again = client.post("/v1/bots", json={"name": "north"}, headers=headers)
    assert first.status_code == again.status_code == 201
    assert first.get_data() == again.get_data()
    assert first.headers["Location"] == again.headers["Location"]
    assert len(client.get("/v1/bots").get_json()["bots"]) == 1
    check(client.post("/v1/bots", json={"name": "south"}, headers=headers), 409, "key/reused")
    check(client.post("/v1/bots", json={"name": "west"}, headers={"Idempotency-Key": "short"}), 422, "key/unfit")
    refused = client.post("/v1/bots", json={"name": "west"}, headers={"Idempotency-Key": "short"}).get_json()
    assert refused["errors"][0]["header"] == "Idempotency-Key"


def test_a_misfit_does_not_use_up_its_key(client: FlaskClient) -> None:
    headers = {"Idempotency-Key": "7c9e6679-7425-40de-944b-e07fc1f90ae7"}
    check(client.post("/v1/bots", json={"nom": "north"}, headers=headers), 422, "request/invalid")
    assert client.post("/v1/bots", json={"name": "north"}, headers=headers).status_code == 201


def test_a_refusal_is_replayed_under_its_key_too(client: FlaskClient) -> None:
    register(client, "north")
    headers = {"Idempotency-Key": "16fd2706-8baf-433b-82eb-8c7fada847da"}
    first = client.post("/v1/bots", json={"name": "north"}, headers=headers)
    again = client.post("/v1/bots", json={"name": "north"}, headers=headers)
    check(first, 409, "bot/name_taken")
    assert first.get_data() == again.get_data()


def test_while_the_first_runs_the_same_request_is_told_to_wait(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on, answers, plain = threading.Event(), threading.Event(), [], use_bots.register

    def slow(*args: Any, **kwargs: Any) -> dict[str, Any]:
        begun.set()
        assert go_on.wait(60), "the second request did not come back within a minute"
        return plain(*args, **kwargs)

    monkeypatch.setattr(use_bots, "register", slow)
    headers = {"Idempotency-Key": "c56a4180-65aa-42ec-a945-5fd21dec0538"}

    def ask() -> None:
        answers.append(app.test_client().post("/v1/bots", json={"name": "north"}, headers=headers))

    first = threading.Thread(target=ask)
    first.start()
    try:
        assert begun.wait(60), "the first request did not begin within a minute"
        check(app.test_client().post("/v1/bots", json={"name": "north"}, headers=headers), 409, "key/in_progress")
    finally:
        go_on.set()
        first.join(60)
    assert [answer.status_code for answer in answers] == [201]


def test_a_list_is_walked_by_its_links(client: FlaskClient) -> None:
    names = [f"bot-{number}" for number in range(7)]
    for name in names:
        register(client, name)
    path, seen = "/v1/bots?limit=3", []
    for _ in range(3):
        answer = client.get(path)
        seen += [bot["name"] for bot in answer.get_json()["bots"]]
        links = dict(
            reversed(pair)
            for pair in re.findall(r'<([^>]+)>; rel="(\w+)"', answer.headers["Link"])  # by relation
        )
        assert links["first"] == "/v1/bots?limit=3"
        path = links.get("next", "")
    assert (path, seen) == ("", names)
    check(client.get("/v1/bots?cursor=nonsense"), 400, "page/cursor_unknown")


def test_a_tournament_goes_its_way(client: FlaskClient, service: Service) -> None:
    bots = [register(client, name) for name in ("north", "south", "west")]
    made = create(client, entrants=[bots[0][0]], open_entry=True, cycles=2, overrides={"target": 3})
    base = f"/v1/tournaments/{made['id']}"
    assert made["state"] == "created"
    assert made["seed"] is None
    entered = client.post(f"{base}/entries", json={"bot": bots[1][0]}, headers=bearer(bots[1][1]))
    assert entered.status_code == 201
    again = client.post(f"{base}/entries", json={"bot": bots[1][0]}, headers=ORGANISER)
    check(again, 409, "tournament/entered_twice")
    other = client.post(f"{base}/entries", json={"bot": bots[2][0]}, headers=bearer(bots[1][1]))
    check(other, 403, "auth/not_yours")
    started = client.post(f"{base}/start", headers=ORGANISER)
    assert started.get_json()["state"] == "running"
    advancing.advance(service)
    matches = client.get(f"{base}/matches").get_json()["matches"]
    assert [match["number"] for match in matches] == [1, 2]
    assert client.get(f"{base}/matches?state=live").get_json()["matches"][0]["state"] == "live"
    assert len(client.get(f"{base}/standings").get_json()["standings"]) == 2
    assert len(client.get(f"{base}/crosstable").get_json()["rows"]) == 2
    assert client.post(f"{base}/pause", headers=ORGANISER).get_json()["state"] == "paused"
    assert client.post(f"{base}/resume", headers=ORGANISER).get_json()["state"] == "running"
    page = client.get(f"/tournaments/{made['id']}").text
    assert "north" in page
    assert made["commitment"] in page
    cancelled = client.post(f"{base}/cancel", headers=ORGANISER).get_json()
    assert cancelled["state"] == "cancelled"
    assert len(cancelled["seed"]) == 64
    assert client.get(f"{base}/export").get_json()["tournament"]["id"] == made["id"]


def test_a_fresh_tournament_has_a_page(client: FlaskClient) -> None:
    made = create(client)
    assert client.get(f"/tournaments/{made['id']}").status_code == 200
    assert client.get(f"/v1/tournaments/{made['id']}/crosstable").get_json()["rows"] == []
    assert client.get(f"/v1/tournaments/{made['id']}/standings").get_json()["standings"] == []


@pytest.mark.parametrize(
    ("overrides", "code", "place", "said"),
    [
        ({"targt": 3}, "unknown_option", "/overrides/targt", "(nearest: target); GET /v1/rulesets/house lists them"),
        ({"a/b~c": 3}, "unknown_option", "/overrides/a~1b~0c", "no such option"),
        ({"target": "x"}, "wrong_type", "/overrides/target", 'found "x"'),
        ({"target": True}, "wrong_type", "/overrides/target", "found true"),
        ({"target": 0}, "out_of_range", "/overrides/target", "a whole number from 1 to"),
        ({"trump_method": "?"}, "unknown_value", "/overrides/trump_method", "turn_13th"),
        ({"hand_size": 2}, "contradiction", "/overrides/packet", "packet = 3"),
    ],
)
def test_an_option_that_is_none_is_refused_and_told_what_is_allowed(
    client: FlaskClient, overrides: dict[str, Any], code: str, place: str, said: str
) -> None:
    answer = client.post("/v1/tournaments", json={"name": "cup", "overrides": overrides}, headers=ORGANISER)
    problem = check(answer, 422, f"ruleset/{code}")
    assert problem["errors"][0]["pointer"] == place
    assert said in problem["errors"][0]["detail"]
    assert ".toml" not in answer.text


def test_calls_by_players_are_taken(client: FlaskClient) -> None:
    answer = client.post("/v1/tournaments", json={"name": "cup", "calls": "players"}, headers=ORGANISER)
    assert (answer.status_code, answer.get_json()["calls"]) == (201, "players")
    answer = client.post("/v1/tournaments", json={"name": "cup", "calls": "nobody"}, headers=ORGANISER)
    problem = check(answer, 422, "request/invalid")
    assert [error["pointer"] for error in problem["errors"]] == ["/calls"]


def test_a_friendly_needs_the_token_of_one_of_its_bots(client: FlaskClient) -> None:
    bots = [register(client, name) for name in ("north", "south", "west")]
    body = {"bots": [bots[0][0], bots[1][0]]}
    check(client.post("/v1/matches", json=body), 401, "auth/token_missing")
    check(client.post("/v1/matches", json=body, headers=bearer(bots[2][1])), 403, "auth/not_yours")
    made = client.post("/v1/matches", json=body, headers=bearer(bots[1][1]))
    assert made.status_code == 201
    assert made.headers["Location"] == f"/v1/matches/{made.get_json()['id']}"
    for wrong in ([bots[0][0]], [bots[0][0]] * 5, "bot_1", [1, 2]):
        check(client.post("/v1/matches", json={"bots": wrong}, headers=bearer(bots[0][1])), 422, "request/invalid")
    three = {"bots": [*body["bots"], bots[2][0]]}
    check(client.post("/v1/matches", json=three, headers=bearer(bots[0][1])), 422, "match/unfit")


def test_friendlies_are_bounded_in_number_and_length(client: FlaskClient) -> None:
    bots = [register(client, name) for name in ("north", "south")]
    body = {"bots": [bot for bot, _ in bots], "clock": {"act_ms": 3_600_000}}
    problem = check(client.post("/v1/matches", json=body, headers=bearer(bots[0][1])), 422, "request/invalid")
    (error,) = problem["errors"]
    assert error["pointer"] == "/clock/act_ms"
    assert "60000" in error["detail"]
    body["clock"] = {"act_ms": 60_000, "bank_ms": 600_000, "grace_ms": 5_000, "absence_ms": 120_000}
    answers = [client.post("/v1/matches", json=body, headers=bearer(bots[0][1])) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 201, 409]
    problem = check(answers[4], 409, "match/too_many_friendlies")
    assert (problem["bot"], problem["most"]) == (bots[0][0], 4)


def test_health_and_readiness(client: FlaskClient) -> None:
    assert client.get("/v1/health").get_json()["status"] == "ok"
    ready = client.get("/v1/ready")
    assert ready.status_code == 200
    assert ready.get_json()["checks"]["redis"] == "ok"


def test_nothing_under_v1_is_kept_by_a_cache(client: FlaskClient) -> None:
    for path in ("/v1/bots", "/v1/health", "/v1/nothing", "/v1/rulesets/house"):
        assert client.get(path).headers["Cache-Control"] == "no-store"


def test_nothing_that_a_use_case_answers_is_lost_on_the_way(client: FlaskClient, service: Service) -> None:
    bots = [register(client, name) for name in ("north", "south")]
    ids = [bot for bot, _ in bots]
    trn = create(client, entrants=ids)["id"]
    client.post(f"/v1/tournaments/{trn}/start", headers=ORGANISER)
    advancing.advance(service)
    mat = client.get(f"/v1/tournaments/{trn}/matches").get_json()["matches"][0]["id"]
    organiser = Caller("organiser")
    check = use_checks.start_check(service, ids[0], caller=organiser, fields={})
    for path, answer in [
        (f"bots/{ids[0]}", use_bots.get_bot(service, ids[0], caller=organiser)),
        (f"bots/{ids[0]}/checks/{check['id']}", use_checks.get_check(service, ids[0], number=1, caller=organiser)),
        (f"matches/{mat}", use_matches.get_match(service, mat)),
        (f"tournaments/{trn}", use_tournaments.get_tournament(service, trn)),
        (f"tournaments/{trn}/standings", use_tournaments.standings(service, trn)),
        (f"tournaments/{trn}/crosstable", use_tournaments.crosstable(service, trn)),
        (f"tournaments/{trn}/export", json.loads(b"".join(use_tournaments.export(service, trn)))),
        ("rulesets/pagat", use_rulesets.get_ruleset(service, "pagat")),
        ("laws/IR-20", law_book.law_json("IR-20")),
        ("ready", use_health.ready(service)),
    ]:
        assert client.get(f"/v1/{path}", headers=ORGANISER).get_json() == answer, path
