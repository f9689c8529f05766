"""Every refusal is a problem of one shape with a known code, whoever raised it."""

import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.exceptions import ServiceUnavailable

import referee
from referee.service import ServiceProblem
from referee.service import acts as use_acts
from referee.service import bots as use_bots
from referee.web.codes import CODES
from tests.web.asking import BOT, ORGANISER, bearer, check


def test_an_unknown_address_is_a_problem(hollow: FlaskClient) -> None:
    for path in ("/v1/nothing", "/v1/bots/1", "/v1/bots/bot_a%00b", "/nothing"):
        assert "/openapi.yaml" in check(hollow.get(path), 404, "request/not_found")["detail"]


def test_a_wrong_method_keeps_the_allow_header(hollow: FlaskClient) -> None:
    answer = hollow.delete("/v1/tournaments")
    check(answer, 405, "request/method_not_allowed")
    assert {"GET", "POST"} <= set(re.split(r",\s*", answer.headers["Allow"]))


def test_a_body_that_is_too_large_is_413(hollow: FlaskClient) -> None:
    headers = {"Content-Type": "application/json"}
    check(hollow.post("/v1/bots", data=b'{"name":"' + b"x" * 70_000 + b'"}', headers=headers), 413, "request/too_large")


def test_a_form_is_no_body(hollow: FlaskClient) -> None:
    check(hollow.post("/v1/bots", data={"name": "x"}), 415, "request/content_type")


def test_a_misfit_names_its_place(hollow: FlaskClient) -> None:
    body = check(
        hollow.post(
            "/v1/tournaments",
            json={"name": "x", "cycles": "2", "clock": {"act_ms": 1.5}, "entrants": ["bot_1", 7], "sede": 1},
            headers=bearer(ORGANISER),
        ),
        422,
        "request/invalid",
    )
    assert {error["pointer"] for error in body["errors"]} == {"/cycles", "/clock/act_ms", "/entrants/1", "/sede"}


def test_a_misfit_in_the_address_names_the_parameter(hollow: FlaskClient) -> None:
    for query in ("limit=0", "limit=1.0", "limit=1&limit=2", "wiat=3"):
        body = check(hollow.get(f"/v1/tournaments?{query}"), 422, "request/invalid")
        assert body["errors"][0]["parameter"] == query.split("=")[0]


def test_a_failure_of_ours_tells_nothing_of_the_inside(hollow: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any, **_kwargs: Any) -> None:
        raise RuntimeError("seed 1234")

    monkeypatch.setattr(use_bots, "get_bot", fail)
    answer = hollow.get("/v1/bots/bot_1")
    check(answer, 500, "service/error")
    assert "1234" not in answer.text


def test_headers_of_an_http_exception_survive(hollow: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any, **_kwargs: Any) -> None:
        raise ServiceUnavailable("later", retry_after=7)

    monkeypatch.setattr(use_bots, "get_bot", fail)
    answer = hollow.get("/v1/bots/bot_1")
    check(answer, 503, "service/not_ready")
    assert answer.headers["Retry-After"] == "7"


def test_a_use_case_that_refuses_keeps_its_members(hollow: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: Any, **_kwargs: Any) -> None:
        raise ServiceProblem(
            409, "act/irregular", title="Irregular", detail="Not now.", objections=[{"code": "out_of_turn"}], lawful=[]
        )

    monkeypatch.setattr(use_acts, "act", refuse)
    act = {"version": 1, "act": "close"}
    body = check(hollow.post("/v1/matches/mat_1/acts", json=act, headers=bearer(BOT)), 409, "act/irregular")
    assert body["objections"] == [{"code": "out_of_turn"}]
    assert body["instance"] == "/v1/matches/mat_1/acts"


def test_a_browser_gets_a_page_outside_the_api(hollow: FlaskClient) -> None:
    answer = hollow.get("/nothing", headers={"Accept": "text/html,*/*;q=0.8"})
    assert answer.status_code == 404
    assert answer.mimetype == "text/html"
    check(hollow.get("/v1/nothing", headers={"Accept": "text/html"}), 404, "request/not_found")


def test_every_code_in_the_source_is_in_the_table_and_every_row_is_used() -> None:
    source = Path(referee.__file__).parent
    text = "\n".join(file.read_text("utf-8") for file in source.rglob("*.py"))
    families = "act|auth|bot|check|claim|desk|entry|key|law|match|page|push|request|ruleset|ruling|salt|service|stream|tournament"
    used = set(re.findall(rf'"((?:{families})/[a-z_]+)"', text))
    assert used - set(CODES) == set()
    composed = {f"{what}/unknown" for what in ("bot", "check", "entry", "tournament")}
    composed |= {"tournament/not_running", "tournament/not_paused"}
    composed |= {f"ruleset/{what}" for what in ("unknown_value", "out_of_range", "wrong_type")}
    assert set(CODES) - used == composed


def test_every_code_has_a_page_that_its_type_points_at(hollow: FlaskClient) -> None:
    listed = hollow.get("/problems").text
    for code in CODES:
        page = hollow.get(f"/problems/{code}")
        assert page.status_code == 200
        assert code in page.text
        assert code in listed
