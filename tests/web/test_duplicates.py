"""Salts and duplicate tournaments over HTTP: who is told what, page included."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from referee.service import Service, advancing
from tests.service.playing_along import Bot, drawn, matches_of, play_on, register, tournament
from tests.web.asking import bearer, check


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    return [register(service, name) for name in ("Ada", "Bea", "Cyd")]


def test_a_salt_is_given_over_http(client: FlaskClient, seated: list[Bot]) -> None:
    ada, bea, cyd = (bearer(bot.token) for bot in seated)
    body = {"bots": [bot.id for bot in seated[:2]], "wait_for_salts_ms": 60_000}
    made = client.post("/v1/matches", json=body, headers=ada).get_json()
    where = f"/v1/matches/{made['id']}/salt"
    given = client.put(where, json={"salt": "5a" * 32}, headers=ada)
    assert (given.status_code, given.get_json()["commitment"]) == (200, made["commitment"])
    check(client.put(where, json={"salt": "5b" * 32}, headers=ada), 409, "salt/given")
    check(client.put(where, json={"salt": "5b" * 32}, headers=cyd), 403, "match/not_seated")
    check(client.put(where, json={"salt": "5B" * 32}, headers=bea), 422, "request/invalid")
    check(client.put(where, json={"salt": "5b" * 32}), 401, "auth/token_missing")


def test_a_salt_for_a_tournament_is_shown_there(client: FlaskClient, service: Service, seated: list[Bot]) -> None:
    organiser = bearer("organiser-for-tests")
    body = {"name": "cup", "entrants": [bot.id for bot in seated], "duplicate": "paired"}
    cup = client.post("/v1/tournaments", json=body, headers=organiser).get_json()["id"]
    given = client.put(f"/v1/tournaments/{cup}/salt", json={"salt": "5a" * 32}, headers=bearer(seated[0].token))
    assert given.status_code == 200
    shown = client.get(f"/v1/tournaments/{cup}").get_json()
    assert shown["salts"] == {seated[0].id: "5a" * 32}
    assert (shown["duplicate"], shown["relabel"], shown["planned"]) == ("paired", True, 6)
    client.post(f"/v1/tournaments/{cup}/start", headers=organiser)
    late = client.put(f"/v1/tournaments/{cup}/salt", json={"salt": "5c" * 32}, headers=bearer(seated[1].token))
    check(late, 409, "salt/too_late")


def test_what_was_played_is_told_when_the_packs_are_over(
    client: FlaskClient, service: Service, seated: list[Bot]
) -> None:
    cup = tournament(service, seated, duplicate="paired")
    advancing.advance(service)
    live = next(row for row in matches_of(service, cup) if row["state"] == "live")
    seated_there = next(bot for bot in seated if bot.id in live["bots"])
    outside = next(bot for bot in seated if bot.id not in live["bots"])
    one = f"/v1/matches/{live['id']}"
    for path in ("events", "rulings", "view"):
        assert client.get(f"{one}/{path}", headers=bearer(seated_there.token)).status_code == 200
        check(client.get(f"{one}/{path}", headers=bearer(outside.token)), 403, "match/packs_in_play")
        check(client.get(f"{one}/{path}"), 403, "match/packs_in_play")
    streamed = client.get(f"{one}/events", headers={"Accept": "text/event-stream"})
    assert streamed.status_code == 403
    text = client.get(f"{one}/log", headers={"Accept": "text/plain", **bearer(outside.token)})
    assert text.status_code == 403
    page = client.get(f"/matches/{live['id']}")
    assert page.status_code == 200
    assert "same packs" in page.text
    assert client.get(f"/matches/{live['id']}/table").status_code == 403

    play_on(service, seated, drawn(1))
    for path in ("events", "rulings", "view", "log"):
        assert client.get(f"{one}/{path}").status_code == 200
    assert "same packs. Until" not in client.get(f"/matches/{live['id']}").text
    page = client.get(f"/tournaments/{cup}")
    assert "In comparison" in page.text
    assert "every match is played twice" in page.text
