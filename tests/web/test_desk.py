"""The desk over HTTP: answers without a token, refusals with place and cure, and no more than so many a minute."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.service import rates
from tests.match.test_desk import BAD, LEAD
from tests.web.asking import bearer, check

#: A window that never ends while a test runs.
FOREVER = 10**9

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


FOUR = (
    "a:AH TH KH 9S 8S AC KC 7D | b:QH JH 9H AS JS TC QC AD | c:8H 7H TS KS JC 9C 8C TD | d:QS 7S 7C KD QD JD 9D 8D"
    " | trump:S | a leads"
)
SIX_EACH = "a:AS TS KS QS AH 9H | b:JS TH KH AD TD 9C | c:9S QH JH KD AC TC | d:9D QD JD KC QC JC"


def test_tables_of_three_and_four_are_heard(client: FlaskClient) -> None:
    asked = {"ruleset": "four_handed", "start": FOUR, "acts": ["c 8C"], "score": {"b": 3, "d": 3}, "chores": {"d": []}}
    body = client.post("/v1/adjudications", json=asked).get_json()
    [ruled] = body["rulings"]
    assert (ruled["laws"][0]["id"], ruled["offender"], ruled["elector"]) == ("IR-96", "c", "b")
    assert "exposed:8C" in ruled["options"][0]["after"]
    assert body["score"] == {"a": 0, "b": 3, "c": 0, "d": 3}
    bids = {
        "ruleset": "cruce",
        "start": f"{SIX_EACH} | a bids",
        "acts": ["a bid 1", "b bid 1"],
        "score": {"a": -2, "c": -2},
    }
    assert client.post("/v1/adjudications", json=bids).get_json()["position"].endswith("cancelled:b:1 | b bids")
    pack = "AS TS KS QS JS 9S AH TH KH QH JH 9H AD TD KD QD JD 9D AC TC KC QC JC 9C"
    dealt = {"ruleset": "three_handed", "deal": {"pack": pack}, "claim": {"by": "c", "number": 5}}
    moves = ["c shuffle", "a cut 9", "c deal a 3", "c deal b 3", "c deal a 4"]
    body = client.post("/v1/adjudications", json={**dealt, "acts": moves}).get_json()
    assert (body["verdict"], body["rulings"][0]["laws"][0]["id"]) == ("ruled", "IR-06"), body["why"]
    act = {"seat": "c", "act": "play", "card": "8C"}
    found = client.post("/v1/validations", json={"ruleset": "four_handed", "position": FOUR, "act": act}).get_json()
    assert (found["verdict"], found["objections"][0]["law"]) == ("irregular", "IR-96")


@pytest.mark.parametrize(
    ("body", "pointer", "cure"),
    [
        ({"ruleset": "three_handed", "start": FOUR}, "/start", "d"),
        ({"ruleset": "four_handed", "start": FOUR, "acts": ["a AH"], "claim": {"by": "c", "number": 1}}, "/claim/number", "own"),
        ({"start": LEAD, "acts": ["a KS", "c 8C"]}, "/acts/1", "they are a, b"),
        ({"start": LEAD, "score": {"c": 1}}, "/score", "by seat"),
        ({"ruleset": "four_handed", "start": FOUR, "score": {"a": -1}}, "/score/a", "0 to"),
        ({"ruleset": "cruce", "start": f"{SIX_EACH} | a leads"}, "/start", "bids:a:1"),
        ({"ruleset": "cruce", "start": f"{SIX_EACH} | bids:a:1 | c bids"}, "/start", "seat b bids next"),
        ({"ruleset": "cruce", "start": f"{SIX_EACH} | bids:a:5 b:- c:- d:- | a leads"}, "/start", "out:c"),
        ({"ruleset": "cruce", "start": f"{SIX_EACH} | bids:a:1 b:- c:- d:- | out:c | a leads"}, "/start", "left out"),
        ({"ruleset": "cruce", "start": f"{SIX_EACH} | bids:a:1 b:- c:2 d:- | a leads"}, "/start", "seat c has bid highest"),
        ({"ruleset": "four_handed", "start": FOUR.replace("a leads", "bids:a:1 | a leads")}, "/start", "nobody bids"),
        ({"ruleset": "four_handed", "start": FOUR.replace("a leads", "out:b | a leads")}, "/start", "takes part"),
        (
            {"ruleset": "four_handed", "start": FOUR.replace("7D |", "|").replace("a leads", "table:a:7D | c follows")},
            "/start",
            "seat b plays next",
        ),
        (
            {"ruleset": "three_handed", "start": LEAD.replace("dealer:b", "dealer:c").replace("a leads", "c leads")},
            "/start",
            "takes no part",
        ),
        (
            {"ruleset": "three_handed", "start": LEAD.replace("b:AH", "c:AH").replace("dealer:b", "dealer:c")},
            "/start",
            "holds no cards",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_at_a_table_of_more_is_told_its_place(
    client: FlaskClient, body: dict[str, object], pointer: str, cure: str
) -> None:
    answer = client.post("/v1/adjudications", json=body)
    assert answer.status_code == 422, answer.text
    found = answer.get_json()
    assert found["errors"][0]["pointer"] == pointer
    assert cure in found["detail"]


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
    monkeypatch.setattr(rates, "DESK", rates.Policy("desk", 3, FOREVER))
    asked = {"position": LEAD, "act": "a KS"}
    for left in (2, 1, 0):
        answer = client.post("/v1/validations", json=asked)
        assert answer.status_code == 200
        assert answer.headers["RateLimit-Policy"] == f'"desk";q=3;w={FOREVER}'
        assert answer.headers["RateLimit"].startswith(f'"desk";r={left};t=')
    refused = client.post("/v1/adjudications", json={"start": LEAD})
    check(refused, 429, "request/too_many")
    assert 1 <= int(refused.headers["Retry-After"]) <= FOREVER
    assert refused.headers["RateLimit"].startswith('"desk";r=0;t=')
    elsewhere = client.post("/v1/validations", json=asked, environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert elsewhere.status_code == 200


def test_a_position_may_be_written_on_several_lines(client: FlaskClient) -> None:
    answer = client.post("/v1/validations", json={"position": LEAD.replace(" | ", "\n| "), "act": "a KS"})
    assert answer.status_code == 200, answer.text
    check(client.post("/v1/validations", json={"position": "\x00", "act": "a KS"}), 422, "request/invalid")
