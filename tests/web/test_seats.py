"""A bot in several seats says whose view it wants, and refusals name the bots concerned and nothing that is not there."""

import random

import pytest
from flask.testing import FlaskClient

from referee.service import Service, advancing
from tests.web.asking import bearer, check
from tests.web.test_journey import Table, register

ORGANISER = bearer("organiser-for-tests")


@pytest.fixture
def partners(client: FlaskClient, service: Service) -> Table:
    """A table of four: north in both seats of one side, east and west in the others."""
    (north, token), (east, east_token), (west, west_token) = (
        register(client, name, concurrency=4) for name in ("north", "east", "west")
    )
    body = {"bots": [north, east, north, west], "ruleset": "four_handed", "overrides": {"target": 1}}
    made = client.post("/v1/matches", json=body, headers=bearer(token))
    assert made.status_code == 201, made.text
    advancing.advance(service)
    return Table(client, made.get_json()["id"], {"a": token, "b": east_token, "c": token, "d": west_token})


def test_a_bot_in_both_partner_seats_sees_the_one_it_names_else_the_one_asked_else_the_first(partners: Table) -> None:
    path = f"/v1/matches/{partners.match}/view"
    north = bearer(partners.tokens["a"])
    hands = {}
    for seat in "ac":
        shown = partners.client.get(f"{path}?seat={seat}", headers=north).get_json()
        assert shown["seat"] == shown["view"]["seat"] == seat
        hands[seat] = set(shown["view"]["hand"])
    assert len(hands["a"]) == len(hands["c"]) == 8
    assert not hands["a"] & hands["c"]
    seen = set()
    for _ in range(8):
        seat, prompt = next(
            (p["seat"], p) for token in set(partners.tokens.values()) for p in _prompts(partners, token)
        )
        left_out = partners.client.get(path, headers=north).get_json()
        assert left_out["seat"] == (seat if seat in "ac" else "a")
        seen.add(left_out["seat"])
        named = partners.client.get(f"{path}?seat={seat}", headers=bearer(partners.tokens[seat])).get_json()
        assert (named["asked"], named["prompt"]["seat"]) == (True, seat)
        assert partners.act(seat, {"version": prompt["version"], **prompt["lawful"][0]}).status_code == 200
    assert seen == {"a", "c"}


def _prompts(table: Table, token: str) -> list[dict]:
    return table.client.get("/v1/turns", headers=bearer(token)).get_json()["prompts"]


def test_a_seat_that_is_another_s_is_refused_live_and_afterwards(partners: Table) -> None:
    path = f"/v1/matches/{partners.match}/view"
    stranger = register(partners.client, "stranger")[1]

    def refused() -> None:
        for headers, seat in (
            (bearer(partners.tokens["a"]), "b"),
            (bearer(stranger), "a"),
            ({}, "a"),
            (ORGANISER, "a"),
        ):
            body = check(partners.client.get(f"{path}?seat={seat}", headers=headers), 403, "match/not_seated")
            assert f"Seat {seat}" in body["detail"]
        check(partners.client.get(f"{path}?seat=e", headers=bearer(stranger)), 422, "request/invalid")

    refused()
    partners.play_on(2000, random.Random(1))
    assert partners.client.get(f"/v1/matches/{partners.match}").get_json()["state"] == "done"
    refused()
    assert partners.client.get(f"{path}?seat=c", headers=bearer(partners.tokens["c"])).get_json()["seat"] == "c"


def test_who_asks_for_a_friendly_of_strangers_is_told_of_all_of_them(client: FlaskClient) -> None:
    bots = [register(client, name) for name in ("north", "south", "stranger")]
    body = {"bots": [bots[0][0], bots[1][0]]}
    for headers, status, code in (({}, 401, "auth/token_missing"), (bearer(bots[2][1]), 403, "auth/not_yours")):
        told = client.post("/v1/matches", json=body, headers=headers)
        detail = check(told, status, code)["detail"]
        if status == 403:
            assert f"one of {bots[0][0]}, {bots[1][0]}" in detail


def test_a_tournament_that_is_refused_is_named_nowhere(client: FlaskClient) -> None:
    """It was never made, so nobody could look for it."""
    north, south = (register(client, name)[0] for name in ("north", "south"))
    twice = client.post("/v1/tournaments", json={"name": "cup", "entrants": [north, north]}, headers=ORGANISER)
    assert "trn_" not in str(check(twice, 409, "tournament/entered_twice"))
    teams = [{"bots": [north], "name": "Aces"}, {"bots": [south], "name": "aces"}]
    body = {"name": "cup", "ruleset": "four_handed", "teams": teams}
    assert "trn_" not in str(
        check(client.post("/v1/tournaments", json=body, headers=ORGANISER), 409, "entry/name_taken")
    )
    assert client.get("/v1/tournaments").get_json()["tournaments"] == []
