"""The short way of what bots ask all day answers, byte for byte, as the long way does, and takes only what is as usual."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder

from referee.service import Service, advancing
from referee.web.hot import EXTENSION, Hot
from tests.web.asking import bearer
from tests.web.test_journey import register

JSON = "application/json"
Asked = dict[str, Any]


@pytest.fixture
def bots(client: FlaskClient) -> list[tuple[str, str]]:
    """Two registered bots: id and token."""
    return [register(client, "Usual"), register(client, "Other")]


@pytest.fixture
def token(bots: list[tuple[str, str]]) -> str:
    """The token of a registered bot."""
    return bots[0][1]


@pytest.fixture
def table(client: FlaskClient, service: Service, bots: list[tuple[str, str]], token: str) -> str:
    """A live friendly of the two."""
    body = {"bots": [bot for bot, _ in bots], "ruleset": "house"}
    made = client.post("/v1/matches", json=body, headers=bearer(token)).get_json()
    advancing.advance(service)
    return str(made["id"])


def environ(method: str, path: str, **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = EnvironBuilder(path=path, method=method, **more).get_environ()
    return made


def said(app: Any, environ: dict[str, Any]) -> tuple[str, dict[str, str], bytes]:
    """What an application answers: status, headers, body."""
    heard: list[Any] = []
    pieces = app(environ, lambda *told: heard.extend(told))
    body = b"".join(pieces)
    if hasattr(pieces, "close"):
        pieces.close()
    return heard[0][:3], {name.title(): value for name, value in heard[1]}, body


def without_times(body: bytes) -> Any:
    found = json.loads(body)
    for told in (found, *(found.get("prompts") or ())):
        if "clock" in told:
            told["clock"]["left_ms"] = 0
    return found


def asked(table: str, token: str) -> Iterator[Asked]:
    """Requests as bots make them, answered and refused, none of which changes what the next is answered."""
    own, act = bearer(token), f"/v1/matches/{table}/acts"
    yield {"method": "GET", "path": "/v1/turns", "headers": own}
    yield {"method": "GET", "path": "/v1/turns?wait=0&most=7", "headers": own}
    yield {"method": "GET", "path": "/v1/turns?wait=0", "headers": bearer("tok_of_nobody")}
    for path in (act, act + "?wait=0", act + "?wait=3", "/v1/matches/mat_0fnobody/acts"):
        yield {"method": "POST", "path": path, "headers": own, "json": {"version": -1, "act": "draw"}}
    for raw in (b" ", b"[1]", b"{", b'{"act":1,"act":2}', b'{"acts":1}', b'{"acts":[7],"wait":31,"more":1}', b"\xff{}"):
        yield {"method": "POST", "path": "/v1/acts", "headers": own, "data": raw, "content_type": JSON}
        yield {"method": "POST", "path": act, "headers": own, "data": raw, "content_type": JSON}
    for batch in (
        {"acts": []},
        {"acts": [], "wait": 0, "most": 3},
        {"acts": [{"match": "mat_1", "version": 1}, 7, {}]},
    ):
        yield {"method": "POST", "path": "/v1/acts", "headers": own, "json": batch}
    for key in ("k-1", "a key", "", "k" * 201):
        keyed = {**own, "Idempotency-Key": key}
        yield {"method": "POST", "path": "/v1/acts", "headers": keyed, "json": {"acts": [], "wait": 0}}


def test_the_short_way_says_what_the_long_way_says(app: Flask, table: str, token: str) -> None:
    hot: Hot = app.extensions[EXTENSION]
    met = set()
    for each in asked(table, token):
        short, long = said(hot, environ(**each)), said(hot.others, environ(**each))
        assert short[0] == long[0], each
        assert without_times(short[2]) == without_times(long[2]), each
        kept = {name: value for name, value in long[1].items() if name != "Content-Length"}
        assert {name: value for name, value in short[1].items() if name != "Content-Length"} == kept, each
        assert int(short[1]["Content-Length"]) == len(short[2]), each
        met.add(short[0])
    assert met == {"200", "400", "401", "404", "409", "422"}


def test_what_is_as_usual_goes_the_short_way(
    app: Flask, table: str, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hot: Hot = app.extensions[EXTENSION]

    def never(*_: Any) -> Any:
        raise AssertionError("a usual request went the long way")

    monkeypatch.setattr(hot, "others", never)
    for each in asked(table, token):
        said(hot, environ(**each))


@pytest.mark.parametrize(
    "unusual",
    [
        {"method": "HEAD", "path": "/v1/turns"},
        {"method": "GET", "path": "/v1/turns/"},
        {"method": "GET", "path": "/v1/turns?wait=31"},
        {"method": "GET", "path": "/v1/turns?wait=01"},
        {"method": "GET", "path": "/v1/turns?wait=1&wait=1"},
        {"method": "GET", "path": "/v1/turns?most=0"},
        {"method": "GET", "path": "/v1/turns?most=201"},
        {"method": "GET", "path": "/v1/turns?most=1wait=1"},
        {"method": "GET", "path": "/v1/turns?&most=1"},
        {"method": "POST", "path": "/v1/acts?wait=1", "json": {}},
        {"method": "POST", "path": "/v1/acts", "data": b"{}", "content_type": "text/plain"},
        {"method": "POST", "path": "/v1/acts", "data": b" " * 65537, "content_type": JSON},
        {"method": "POST", "path": "/v1/matches/mat_1/acts?wait=31", "json": {}},
        {"method": "POST", "path": "/v1/matches/mat_1/acts?wait=1&x=1", "json": {}},
        {"method": "POST", "path": "/v1/matches/bot_1/acts", "json": {}},
        {"method": "PUT", "path": "/v1/acts", "json": {}},
        {"method": "POST", "path": "/v1/turns", "json": {}},
    ],
    ids=lambda unusual: f"{unusual['method']} {unusual['path']}",
)
def test_what_is_not_goes_the_long_way_and_nothing_of_it_is_read(app: Flask, token: str, unusual: Asked) -> None:
    hot: Hot = app.extensions[EXTENSION]
    made = environ(**unusual, headers=bearer(token))
    before = made["wsgi.input"].tell()
    assert hot.answer(made) is None
    assert made["wsgi.input"].tell() == before


@pytest.mark.parametrize("authorization", ["", "Bearer", "Basic dTpw", "Bearer a b"])
def test_who_shows_no_token_goes_the_long_way(app: Flask, authorization: str) -> None:
    hot: Hot = app.extensions[EXTENSION]
    assert hot.answer(environ("GET", "/v1/turns", headers={"Authorization": authorization})) is None


def test_an_error_nobody_foresaw_is_a_problem_that_tells_nothing_of_it(
    app: Flask, token: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: Any, **__: Any) -> Any:
        raise KeyError("seed 1234")

    monkeypatch.setattr("referee.service.turns.get_turns", fails)
    hot: Hot = app.extensions[EXTENSION]
    each: Asked = {"method": "GET", "path": "/v1/turns", "headers": bearer(token)}
    short, long = said(hot, environ(**each)), said(hot.others, environ(**each))
    assert short == long
    assert short[0] == "500"
    assert b"1234" not in short[2]
    assert any("seed 1234" in str(record.exc_info) for record in caplog.records)


def test_a_request_is_counted_under_its_route_either_way(app: Flask, client: FlaskClient, token: str) -> None:
    def counted() -> float:
        line = 'referee_requests_total{method="GET",route="/v1/turns",status="200"}'
        told = client.get("/v1/metrics").text.splitlines()
        return next((float(each.rpartition(" ")[2]) for each in told if each.startswith(line)), 0.0)

    hot: Hot = app.extensions[EXTENSION]
    before = counted()
    for way in (hot, hot.others):
        said(way, environ("GET", "/v1/turns", headers=bearer(token)))
    assert counted() == before + 2
