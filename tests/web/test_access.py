"""Tokens: who is let in, and what is said to those who are not."""

import pytest
from flask.testing import FlaskClient

from tests.web.asking import BOT, ORGANISER, bearer, check

TOURNAMENT = {"name": "cup"}


def test_without_a_token_it_is_401_and_says_how(hollow: FlaskClient) -> None:
    answer = hollow.post("/v1/tournaments", json=TOURNAMENT)
    check(answer, 401, "auth/token_missing")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("header", ["Basic eA==", "Bearer", "Bearer a b", "bearer", "Bearer \u00fc", "token-of-a-bot"])
def test_another_kind_of_authorization_is_401(hollow: FlaskClient, header: str) -> None:
    answer = hollow.get("/v1/turns", headers={"Authorization": header})
    check(answer, 401, "auth/token_unknown")
    assert "Bearer" in answer.headers["WWW-Authenticate"]


def test_an_unknown_token_is_401_even_where_none_is_needed(hollow: FlaskClient) -> None:
    check(hollow.get("/v1/bots/bot_1", headers=bearer("x")), 401, "auth/token_unknown")


def test_a_bot_is_not_the_organiser(hollow: FlaskClient) -> None:
    check(hollow.post("/v1/tournaments", json=TOURNAMENT, headers=bearer(BOT)), 403, "auth/organiser_only")
    check(hollow.post("/v1/tournaments/trn_1/start", headers=bearer(BOT)), 403, "auth/organiser_only")


def test_the_token_comes_before_the_body(hollow: FlaskClient) -> None:
    check(hollow.post("/v1/tournaments", data=b"nonsense"), 401, "auth/token_missing")
    check(
        hollow.post("/v1/tournaments", data=b"nonsense", content_type="application/json", headers=bearer(ORGANISER)),
        400,
        "request/malformed",
    )
