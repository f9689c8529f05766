"""The act route: what is no act is refused with its place; the rest is handed on as it is."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.service import Caller, Reply
from referee.service import acts as use_acts
from tests.web.asking import BOT, bearer, check

ACTS = "/v1/matches/mat_1/acts"
KEYED = {**bearer(BOT), "Content-Type": "application/json"}


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the use case was asked, in order."""
    asked: list[dict[str, Any]] = []

    def act(_service: Any, match_id: str, **rest: Any) -> Reply:
        asked.append({"match": match_id, **rest})
        return Reply(200, b'{"match":"mat_1","taken":42,"version":44,"over":false,"rulings":[]}')

    monkeypatch.setattr(use_acts, "act", act)
    return asked


def test_an_act_is_handed_on_with_its_bytes_and_key(hollow: FlaskClient, taken: list[dict[str, Any]]) -> None:
    raw = b'{"version":41, "act":"play","card":"AS"}'
    answer = hollow.post(ACTS, data=raw, headers={**KEYED, "Idempotency-Key": "k-1"})
    assert answer.status_code == 200
    assert answer.mimetype == "application/json"
    assert answer.get_json()["taken"] == 42
    body = {"version": 41, "act": "play", "card": "AS"}
    told = {"match": "mat_1", "caller": Caller("bot", "bot_1"), "body": body, "raw": raw, "key": "k-1", "lay": 0}
    assert taken == [told]


@pytest.mark.parametrize(
    "raw",
    [
        b'{"version":41,"act":"play","card":"AS","card":"TS"}',
        b'{"version":41,"act":"play"',
        b"AS",
        b"",
        b'["play"]',
        b'{"version":NaN,"act":"play"}',
        b'{"version":1' + b"0" * 400 + b',"act":"play"}',
    ],
)
def test_what_is_no_json_object_is_an_unreadable_act(
    hollow: FlaskClient, taken: list[dict[str, Any]], raw: bytes
) -> None:
    check(hollow.post(ACTS, data=raw, headers=KEYED), 400, "act/unreadable")
    assert taken == []


def test_a_double_key_is_named_with_its_place(hollow: FlaskClient) -> None:
    body = check(hollow.post(ACTS, data=b'{"card":"AS","card":"AS"}', headers=KEYED), 400, "act/unreadable")
    assert body["errors"][0]["pointer"] == "/card"
    assert "each key once" in body["errors"][0]["detail"]


def test_an_act_needs_json_a_token_and_a_fit_key(hollow: FlaskClient, taken: list[dict[str, Any]]) -> None:
    act = {"version": 41, "act": "draw"}
    check(hollow.post(ACTS, json=act), 401, "auth/token_missing")
    check(hollow.post(ACTS, data=act, headers=bearer(BOT)), 415, "request/content_type")
    wide = {**bearer(BOT), "Content-Type": "application/json; charset=utf-16"}
    check(hollow.post(ACTS, data=b'{"version":41,"act":"draw"}', headers=wide), 415, "request/content_type")
    for key in ("", "two words", "ä", "x" * 201):
        answer = hollow.post(ACTS, json=act, headers={**bearer(BOT), "Idempotency-Key": key})
        check(answer, 422, "key/unfit")
    assert taken == []
