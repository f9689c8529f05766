"""Faults of other services that show over HTTP: 3, 5, 6, 9, 10, 17, 54 of the scenario list."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.service import Service, advancing
from referee.service import matches as use_matches
from referee.web import streams
from tests.web.asking import bearer, check
from tests.web.conftest import app, client  # noqa: F401 - fixtures
from tests.web.test_journey import Table, register, seated

ORGANISER = bearer("organiser-for-tests")


@pytest.fixture
def table(client: FlaskClient, service: Service) -> Table:  # noqa: F811
    return seated(client, service, target=1)


def friendly(client: FlaskClient, service: Service, **more: Any) -> Table:  # noqa: F811
    """A friendly of two bots that are registered for it."""
    bots = [register(client, f"bot {random.random()}") for _ in range(2)]
    body = {"bots": [bot for bot, _ in bots], **more}
    made = client.post("/v1/matches", json=body, headers=ORGANISER)
    assert made.status_code == 201, made.text
    advancing.advance(service)
    return Table(client, made.get_json()["id"], {"a": bots[0][1], "b": bots[1][1]})


def test_scenario_3_an_act_against_the_rules_is_409_with_objections_lawful_acts_and_the_clock(
    client: FlaskClient,  # noqa: F811
    service: Service,
) -> None:
    table = friendly(client, service, conduct="enforce", overrides={"strict_play": "follow_only"})
    seat, prompt = table.asked()
    other = "b" if seat == "a" else "a"
    card = table.view(other)["view"]["hand"][0]
    refused = check(table.act(other, {"version": prompt["version"], "act": "play", "card": card}), 409, "act/irregular")
    assert refused["objections"]
    assert "lawful" not in refused  # it is not asked
    closing = check(table.act(seat, {"version": prompt["version"], "act": "draw"}), 409, "act/irregular")
    assert closing["objections"]
    assert closing["lawful"] == prompt["lawful"]
    assert closing["clock"]["left_ms"] > 0
    assert table.asked()[1]["version"] == prompt["version"]
    missing = next(card for card in ("AS", "KS", "AH", "KH") if card not in prompt["view"]["hand"])
    check(table.act(seat, {"version": prompt["version"], "act": "play", "card": missing}), 409, "act/impossible")


def test_scenario_5_turns_and_the_end_are_one_ordered_feed_and_nothing_is_asked_after_it(table: Table) -> None:
    table.play_on(500, random.Random(5))
    events = table.client.get(f"/v1/matches/{table.match}/events?after=0").get_json()
    assert [event["n"] for event in events["events"]] == list(range(1, len(events["events"]) + 1))
    assert [event["type"] for event in events["events"]].count("match_ended") == 1
    assert events["events"][-1]["type"] == "match_ended"
    assert events["over"]
    assert table.prompts("a") == table.prompts("b") == []
    for seat in "ab":
        shown = table.view(seat)
        assert (shown["over"], shown["asked"], "prompt" in shown) == (True, False, False)


def test_scenario_6_a_bot_that_comes_from_another_address_goes_on_with_its_token_alone(
    app: Flask,  # noqa: F811
    table: Table,
) -> None:
    seat, prompt = table.asked()
    elsewhere = {"REMOTE_ADDR": "198.51.100.7"}
    roaming, headers = app.test_client(), bearer(table.tokens[seat])
    found = roaming.get("/v1/turns", headers=headers, environ_overrides=elsewhere).get_json()["prompts"]
    assert [each["version"] for each in found] == [prompt["version"]]
    body = {"version": prompt["version"], **prompt["lawful"][0]}
    path = f"/v1/matches/{table.match}/acts"
    assert roaming.post(path, json=body, headers=headers, environ_overrides=elsewhere).status_code == 200
    table.play_on(500, random.Random(6))
    assert table.client.get(f"/v1/matches/{table.match}").get_json()["state"] == "done"


def test_scenario_9_a_stream_with_nothing_to_tell_says_that_it_lives_within_15_seconds(
    client: FlaskClient,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert streams.HEARTBEAT_S <= 15
    waited: list[float] = []

    def nothing(*_: Any, wait: float = 0.0, **__: Any) -> tuple[tuple[bytes, ...], bool]:
        waited.append(wait)
        return (), len(waited) > 3

    monkeypatch.setattr(use_matches, "get_events", nothing)
    told = client.get("/v1/matches/mat_1/events", headers={"Accept": "text/event-stream"}).text
    assert told.count(": alive\n\n") == 2
    assert set(waited[1:]) == {streams.HEARTBEAT_S}  # so long each silence is held, and no longer


def test_scenario_10_of_two_connections_of_one_bot_one_act_is_taken_and_the_other_is_told_why(
    app: Flask,  # noqa: F811
    table: Table,
) -> None:
    seat, _ = table.asked()
    headers, path = bearer(table.tokens[seat]), f"/v1/matches/{table.match}/acts"
    one, two = app.test_client(), app.test_client()
    prompts = [each.get("/v1/turns", headers=headers).get_json()["prompts"][0] for each in (one, two)]
    assert prompts[0]["version"] == prompts[1]["version"]
    bodies = [{"version": each["version"], **each["lawful"][-n]} for n, each in enumerate(prompts)]
    assert one.post(path, json=bodies[0], headers=headers).status_code == 200
    late = check(two.post(path, json=bodies[1], headers=headers), 409, "act/stale_version")
    assert late["version"] > prompts[1]["version"]
    assert "fetch the prompt again" in late["detail"]


def test_scenario_54_a_seed_that_is_given_changes_no_rule_and_no_value(
    client: FlaskClient,  # noqa: F811
    service: Service,
) -> None:
    headers = []
    for more in ({}, {"seed": "5e" * 32}):
        table = friendly(client, service, **more)
        [first, *_] = client.get(f"/v1/matches/{table.match}/events?after=0").get_json()["events"]
        headers.append({what: first[what] for what in ("ruleset", "conduct", "calls", "clock", "law_book", "engine")})
    assert headers[0] == headers[1]
