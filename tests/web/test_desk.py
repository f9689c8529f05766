"""The desk over HTTP: answers without a token, refusals with place and cure, and no more than so many a minute."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.service import rates
from tests.match.test_desk import BAD, LEAD
from tests.web.asking import bearer, check

#: What the schema refuses before the desk reads it, by the place it names.
BY_SCHEMA = {
    "no text": "/start",
    "too many acts": "/acts",
    "claim by nobody": "/claim/by",
    "unknown member": "/moves",
    "chores": "/chores/a/0",
    "conduct": "/conduct",
    "no log": "/log",
}


@pytest.fixture(autouse=True)
def generous(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "DESK", rates.Policy("desk", 10_000, 60))


def test_a_question_is_answered_without_a_token(client: FlaskClient) -> None:
    answer = client.post("/v1/adjudications", json={"start": LEAD, "acts": ["b AH"], "claim": {"by": "a", "number": 1}})
    assert answer.status_code == 200, answer.text
    body = answer.get_json()
    assert body["verdict"] == "ruled"
    [ruled] = body["rulings"]
    assert ruled["laws"][0]["id"] == "IR-31"
    assert ruled["laws"][0]["citations"][0]["place"]
    assert {each["option"]: each["after"].rsplit("| ", 1)[1] for each in ruled["options"]} == {
        "undo": "a leads",
        "accept": "a follows",
    }
    assert client.post("/v1/adjudications", json={"start": LEAD}, headers=bearer("not-a-token")).status_code == 200


def test_an_act_is_classified(client: FlaskClient) -> None:
    for act, verdict in (
        ("a KS", "lawful"),
        ("b AH", "irregular"),
        ({"seat": "a", "act": "play", "card": "AS"}, "impossible"),
    ):
        answer = client.post("/v1/validations", json={"position": LEAD, "act": act})
        assert (answer.status_code, answer.get_json()["verdict"]) == (200, verdict), answer.text
    body = check(client.post("/v1/validations", json={"position": LEAD, "act": "a dance"}), 422, "desk/act")
    assert body["errors"][0]["pointer"] == "/act"


@pytest.mark.parametrize("name", BAD)
def test_acceptance_6_a_bad_question_names_the_place_and_the_cure(client: FlaskClient, name: str) -> None:
    body, code, pointer, cure = BAD[name]
    answer = client.post("/v1/adjudications", json=body)
    if name in BY_SCHEMA:
        found = check(answer, 422, "request/invalid")
        assert BY_SCHEMA[name] in {each["pointer"] for each in found["errors"]}
        return
    found = check(answer, 404 if code == "ruleset/unknown" else 422, code)
    assert found["errors"][0]["pointer"] == pointer
    assert cure in found["detail"]


def test_acceptance_6_a_megabyte_is_refused(client: FlaskClient) -> None:
    raw = json.dumps({"start": LEAD, "acts": ["a KS"] * 140_000})
    headers = {"Content-Type": "application/json"}
    assert len(raw) > 1_000_000
    check(client.post("/v1/adjudications", data=raw, headers=headers), 413, "request/too_large")
    check(client.post("/v1/validations", data=raw, headers=headers), 413, "request/too_large")


def test_what_is_deeper_than_anything_is_refused(client: FlaskClient) -> None:
    deep: Any = "x"
    for _ in range(20):
        deep = {"act": deep}
    check(client.post("/v1/adjudications", json={"start": LEAD, "acts": [deep]}), 400, "request/malformed")


def test_so_many_questions_a_minute_from_one_address(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "DESK", rates.Policy("desk", 3, 3600))
    asked = {"position": LEAD, "act": "a KS"}
    for left in (2, 1, 0):
        answer = client.post("/v1/validations", json=asked)
        assert answer.status_code == 200
        assert answer.headers["RateLimit-Policy"] == '"desk";q=3;w=3600'
        assert answer.headers["RateLimit"].startswith(f'"desk";r={left};t=')
    refused = client.post("/v1/adjudications", json={"start": LEAD})
    check(refused, 429, "request/too_many")
    assert 1 <= int(refused.headers["Retry-After"]) <= 3600
    assert refused.headers["RateLimit"].startswith('"desk";r=0;t=')
    elsewhere = client.post("/v1/validations", json=asked, environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert elsewhere.status_code == 200


def test_a_position_may_be_written_on_several_lines(client: FlaskClient) -> None:
    answer = client.post("/v1/validations", json={"position": LEAD.replace(" | ", "\n| "), "act": "a KS"})
    assert answer.status_code == 200, answer.text
    check(client.post("/v1/validations", json={"position": "\x00", "act": "a KS"}), 422, "request/invalid")
