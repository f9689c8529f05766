"""Batches over HTTP: what is no batch is refused whole; what is no act is a verdict, the one a single act would get."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.service import Caller, Reply, Service, ServiceProblem, advancing, memory
from referee.service import batches as use_batches
from referee.service.batches import MOST_ACTS, Batch
from referee.service.taking import Taken
from referee.web import play
from tests.web.asking import BOT, bearer, check
from tests.web.test_journey import register

ACTS = "/v1/acts"
KEYED = {**bearer(BOT), "Content-Type": "application/json"}
REPLY = b'{"match":"mat_1","taken":42,"version":44,"over":false,"rulings":[]}'


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the use case was asked, in order."""
    heard: list[dict[str, Any]] = []

    def act_all(_service: Any, posted: list[Any], **rest: Any) -> Batch:
        heard.append({"posted": posted, **rest})
        refused = ServiceProblem(409, "act/irregular", title="Irregular", detail="Not now.", lawful=[])
        taken = (("mat_1", Taken(Reply(200, REPLY))), ("mat_2", Taken(refused)), (None, Taken(KeyError("seed 1234"))))
        return Batch(taken, None if rest["wait"] is None else ({"match": "mat_3"},))

    monkeypatch.setattr(use_batches, "act_all", act_all)
    return heard


def test_a_batch_is_handed_on_and_its_verdicts_come_as_they_were_kept(
    hollow: FlaskClient, asked: list[dict[str, Any]]
) -> None:
    acts = [{"match": "mat_1", "version": 41, "act": "draw"}, 7]
    answer = hollow.post(ACTS, json={"acts": acts, "wait": 2, "most": 5}, headers={**KEYED, "Idempotency-Key": "k-1"})
    assert asked == [{"posted": acts, "caller": Caller("bot", "bot_1"), "key": "k-1", "wait": 2.0, "most": 5, "lay": 0}]
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    assert REPLY in answer.data
    first, second, third = answer.get_json()["verdicts"]
    assert (first["match"], first["status"]) == ("mat_1", 200)
    assert (second["match"], second["status"]) == ("mat_2", 409)
    assert second["body"] == {
        "type": "/problems/act/irregular",
        "code": "act/irregular",
        "title": "Irregular",
        "status": 409,
        "detail": "Not now.",
        "lawful": [],
        "instance": "/v1/matches/mat_2/acts",
    }
    assert (third["match"], third["status"], third["body"]["code"]) == (None, 500, "service/error")
    assert "1234" not in answer.text
    assert answer.get_json()["prompts"] == [{"match": "mat_3"}]


def test_without_wait_there_are_no_prompts(hollow: FlaskClient, asked: list[dict[str, Any]]) -> None:
    assert "prompts" not in hollow.post(ACTS, json={"acts": []}, headers=KEYED).get_json()
    assert asked[0]["wait"] is None
    assert "prompts" in hollow.post(ACTS, json={"acts": [], "wait": 0}, headers=KEYED).get_json()


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, ["/acts"]),
        ({"acts": {}}, ["/acts"]),
        ({"acts": [{}] * (MOST_ACTS + 1)}, ["/acts"]),
        ({"acts": [], "wait": 31}, ["/wait"]),
        ({"acts": [], "wait": -1}, ["/wait"]),
        ({"acts": [], "wait": 1.0}, ["/wait"]),
        ({"acts": [], "wait": True}, ["/wait"]),
        ({"acts": [], "wait": None}, ["/wait"]),
        ({"acts": [], "wait": 1, "most": 0}, ["/most"]),
        ({"acts": [], "wait": 1, "most": 201}, ["/most"]),
        ({"acts": [], "most": 2.0}, ["/most"]),
        ({"acts": 1, "wait": "1", "key": "k"}, ["/key", "/acts", "/wait"]),
    ],
)
def test_what_is_no_batch_is_refused_whole_with_its_places(
    hollow: FlaskClient, asked: list[dict[str, Any]], body: dict[str, Any], pointers: list[str]
) -> None:
    problem = check(hollow.post(ACTS, json=body, headers=KEYED), 422, "request/invalid")
    assert [each["pointer"] for each in problem["errors"]] == pointers
    assert asked == []


def test_a_batch_needs_json_a_token_and_a_fit_key(hollow: FlaskClient, asked: list[dict[str, Any]]) -> None:
    check(hollow.post(ACTS, json={"acts": []}), 401, "auth/token_missing")
    check(hollow.post(ACTS, data=b'{"acts":[]}', headers=bearer(BOT)), 415, "request/content_type")
    check(hollow.post(ACTS, data=b'{"acts":[{"act":1,"act":2}]}', headers=KEYED), 400, "request/malformed")
    check(hollow.post(ACTS, data=b'{"acts":[' + b" " * 65536 + b"]}", headers=KEYED), 413, "request/too_large")
    answer = hollow.post(ACTS, json={"acts": []}, headers={**KEYED, "Idempotency-Key": "two words"})
    check(answer, 422, "key/unfit")
    assert asked == []


@pytest.fixture
def pair(client: FlaskClient, service: Service) -> list[tuple[str, str]]:
    """Two bots with tokens, in one friendly; the first is asked."""
    bots = [register(client, name) for name in ("north", "south")]
    body = {"bots": [bot for bot, _ in bots]}
    assert client.post("/v1/matches", json=body, headers=bearer(bots[0][1])).status_code == 201
    advancing.advance(service)
    return sorted(bots, key=lambda bot: not prompts(client, bot[1]))


def prompts(client: FlaskClient, token: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/v1/turns", headers=bearer(token)).get_json()["prompts"]
    return found


def test_every_verdict_is_what_one_act_would_be_answered(client: FlaskClient, pair: list[tuple[str, str]]) -> None:
    token = pair[0][1]
    (prompt,) = prompts(client, token)
    alone = client.post(f"/v1/matches/{prompt['match']}/acts", json={"act": "draw"}, headers=bearer(token))
    wrong = [{"match": prompt["match"], "act": "draw"}, {"match": "mat_0", "act": "draw"}, "x", {"match": "\ud800"}]
    keyed = [{**prompt["lawful"][0], "match": prompt["match"], "version": prompt["version"], "key": "\udfff"}]
    surrogate = [{"match": prompt["match"], "version": prompt["version"], "act": "\ud800", "key": "k"}]
    raw = json.dumps({"acts": [*wrong, *keyed, *surrogate]})
    answer = client.post(ACTS, data=raw, headers={**bearer(token), "Content-Type": "application/json"})
    verdicts = answer.get_json()["verdicts"]
    codes = ["act/unreadable", "match/unknown", "act/unreadable", "act/unreadable", "key/unfit", "act/unreadable"]
    assert [(each["status"], each["body"]["code"]) for each in verdicts] == [
        (422 if code != "match/unknown" else 404, code) for code in codes
    ]
    (error,) = alone.get_json()["errors"]
    placed = [{**error, "pointer": "/acts/0" + error["pointer"]}]
    assert {**verdicts[0]["body"], "clock": 0} == {**alone.get_json(), "clock": 0, "errors": placed}
    places = [error["pointer"] for each in verdicts[2:] for error in each["body"].get("errors", [])]
    assert places == ["/acts/2", "/acts/3/match", "/acts/4/key", "/acts/5/act"]


def test_a_single_act_comes_with_the_next_prompt_where_that_is_asked_for(
    client: FlaskClient, pair: list[tuple[str, str]]
) -> None:
    (bot, other), answers = [token for _, token in pair], []
    (prompt,) = prompts(client, bot)
    path = f"/v1/matches/{prompt['match']}/acts?wait=30"

    def post() -> None:
        body = {"version": prompt["version"], **prompt["lawful"][0]}
        with client.application.test_client() as own:
            answers.append(own.post(path, json=body, headers=bearer(bot)))

    thread = threading.Thread(target=post)
    thread.start()
    while thread.is_alive():
        for each in prompts(client, other):
            body = {"match": each["match"], "version": each["version"], **each["lawful"][0]}
            client.post(ACTS, json={"acts": [body]}, headers=bearer(other))
        thread.join(0.01)
    (answer,) = answers
    assert answer.status_code == 200
    assert answer.get_json()["prompt"]["seat"] == prompt["seat"]
    assert answer.get_json()["prompt"]["version"] >= answer.get_json()["version"] > prompt["version"]
    check(client.post(path.replace("30", "31"), json={}, headers=bearer(bot)), 422, "request/invalid")
    check(client.post(path.replace("wait", "weight"), json={}, headers=bearer(bot)), 422, "request/invalid")
    check(client.post(path, json={"version": 1}, headers=bearer(bot)), 409, "act/stale_version")


def lines_of(stream: Iterator[bytes]) -> Iterator[bytes]:
    rest = b""
    for part in stream:
        *whole, rest = (rest + part).split(b"\n")
        yield from whole
    assert rest == b"", "the stream ends with a whole line"


def test_the_stream_begins_with_what_waits_and_ends_when_it_was_to_last(
    client: FlaskClient, pair: list[tuple[str, str]]
) -> None:
    token = pair[0][1]
    answer = client.get("/v1/stream?seconds=0", headers=bearer(token))
    assert (answer.status_code, answer.mimetype) == (200, "application/x-ndjson")
    (line,) = lines_of(iter([answer.data]))
    (prompt,) = prompts(client, token)
    assert {**json.loads(line), "clock": 0} == {**prompt, "clock": 0, "line": 1}
    assert client.get("/v1/stream?seconds=0&after=1", headers=bearer(token)).data == b"\n"
    check(client.get("/v1/stream?after=-1", headers=bearer(token)), 422, "request/invalid")
    assert client.get("/v1/stream?seconds=0", headers=bearer(pair[1][1])).data == b"\n"
    check(client.get("/v1/stream?seconds=601", headers=bearer(token)), 422, "request/invalid")
    check(client.get("/v1/stream"), 401, "auth/token_missing")
    check(client.get("/v1/stream", headers=bearer("organiser-for-tests")), 403, "auth/bot_only")


def test_a_stream_that_is_replaced_says_so_in_its_last_line(client: FlaskClient, pair: list[tuple[str, str]]) -> None:
    token = pair[0][1]
    first = client.get("/v1/stream", headers=bearer(token), buffered=False)
    lines = lines_of(first.iter_encoded())
    assert json.loads(next(lines))["match"]
    with client.application.test_client() as other:
        other.get("/v1/stream?seconds=0", headers=bearer(token))
        *quiet, last = lines
    assert set(quiet) <= {b""}
    problem = json.loads(last)
    assert (problem["status"], problem["code"], problem["type"]) == (
        409,
        "stream/replaced",
        "/problems/stream/replaced",
    )


def test_a_stream_ends_when_its_token_is_no_longer_good(
    client: FlaskClient, pair: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "HEARTBEAT_S", 0.01)
    monkeypatch.setattr(memory, "TOKEN_SECONDS", 0.0)
    bot, token = pair[1]
    stream = client.get("/v1/stream", headers=bearer(token), buffered=False)
    lines = lines_of(stream.iter_encoded())
    assert next(lines) == b""
    with client.application.test_client() as other:
        other.post(f"/v1/bots/{bot}/token", headers=bearer(token))
    *quiet, last = lines
    assert set(quiet) <= {b""}
    assert json.loads(last)["code"] == "auth/token_unknown"
