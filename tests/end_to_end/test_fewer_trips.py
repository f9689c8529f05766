"""Bots that act in batches and follow streams, against real processes: replies lost, connections cut, stores killed."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from referee import match
from referee import settings as environment
from referee.launcher.stack import Shape, Stack
from referee.launcher.wire import RefusedError, UnreachableError, Wire

LIMIT = 240.0
pytestmark = pytest.mark.timeout(LIMIT + 120)
CLOCK = {"act_ms": 60_000, "bank_ms": 600_000, "grace_ms": 5_000, "absence_ms": 120_000}
MATCHES = 4


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stack]:
    """A referee of two web processes and a worker."""
    monkeypatch.delenv("REFEREE_REDIS_URL", raising=False)
    monkeypatch.delenv("REFEREE_DATABASE_URL", raising=False)
    with Stack(replace(environment.read(), data=tmp_path / "data"), Shape(web=2, workers=1)) as running:
        yield running


@dataclass
class Bot:
    """A registered bot: how it asks, and the keys it has used."""

    id: str
    wire: Wire
    keys: int = 0

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Posts until there is an answer, whatever is killed meanwhile."""
        end = time.monotonic() + LIMIT
        while True:
            try:
                return self.wire.post(path, body)
            except (UnreachableError, RefusedError) as problem:
                if isinstance(problem, RefusedError) and problem.status < 500:
                    raise
                assert time.monotonic() < end, problem
                time.sleep(0.05)

    def posted(self, prompt: dict[str, Any]) -> dict[str, Any]:
        """An act of a batch that answers a prompt."""
        self.keys += 1
        key = f"{self.id}-{self.keys}"
        return {"match": prompt["match"], "version": prompt["version"], "key": key, **prompt["lawful"][-1]}


@pytest.fixture
def pair(stack: Stack) -> list[Bot]:
    """Two bots."""
    return [registered(stack, name) for name in ("left", "right")]


def registered(stack: Stack, name: str) -> Bot:
    made = Wire(stack.url).post("/v1/bots", {"name": name, "concurrency": 20})
    return Bot(made["bot"]["id"], Wire(stack.url, made["token"]))


def started(stack: Stack, pair: list[Bot]) -> str:
    """A tournament of a few short matches between the two."""
    fields = {"name": "cup", "cycles": MATCHES, "overrides": {"target": 2}, "clock": CLOCK}
    made = stack.organiser.post("/v1/tournaments", {**fields, "entrants": [bot.id for bot in pair]})
    stack.organiser.post(f"/v1/tournaments/{made['id']}/start")
    return str(made["id"])


def is_over(stack: Stack, cup: str) -> bool:
    try:
        return bool(stack.organiser.get(f"/v1/tournaments/{cup}")["state"] == "finished")
    except (UnreachableError, RefusedError):
        return False


def until(happened: Callable[[], bool], what: str, seen: Callable[[], object] = lambda: "") -> None:
    end = time.monotonic() + LIMIT
    while not happened():
        assert time.monotonic() < end, f"not within {LIMIT:.0f} s: {what}; {seen()}"
        time.sleep(0.05)


def assert_whole(stack: Stack, cup: str) -> None:
    """Every match was played out by the bots themselves, and its log verifies."""
    listed = stack.organiser.get(f"/v1/tournaments/{cup}/matches")["matches"]
    assert len(listed) == MATCHES
    for each in listed:
        log = stack.organiser.fetch(f"/v1/matches/{each['id']}/log", accept="application/x-ndjson")
        verdict = match.verify(log)
        assert verdict.ok, f"{each['id']}: {verdict.problem}"
        assert each["cause"] not in ("time", "no_show", "conduct"), each


def test_batches_sent_twice_on_two_connections_play_every_match_once(stack: Stack, pair: list[Bot]) -> None:
    cup = started(stack, pair)
    prompts: dict[str, list[dict[str, Any]]] = {bot.id: [] for bot in pair}
    seen: list[list[str]] = []

    def play_round() -> bool:
        for bot in pair:
            stray = {"match": "mat_0", "version": 1, "act": "close"}
            listed = [*(bot.posted(prompt) for prompt in prompts[bot.id]), stray]
            answers: list[dict[str, Any]] = []
            sending = [
                threading.Thread(target=lambda: answers.append(bot.post("/v1/acts", {"acts": listed, "wait": 1})))  # noqa: B023
                for _ in range(2)
            ]
            for each in sending:
                each.start()
            for each in sending:
                each.join(LIMIT)
            first, second = answers
            assert first["verdicts"] == second["verdicts"]
            *good, last = first["verdicts"]
            assert {each["status"] for each in good} <= {200}, good
            assert (last["status"], last["body"]["code"]) == (404, "match/unknown")
            newest = {prompt["match"]: prompt for prompt in [*first["prompts"], *second["prompts"]]}
            prompts[bot.id] = list(newest.values())
            seen.append(sorted(newest))
        return is_over(stack, cup)

    until(play_round, "the tournament is played", lambda: seen[-4:])
    assert_whole(stack, cup)


@dataclass
class Follower:
    """A bot that answers what its stream tells; `cut` closes the connection under it, as a network does."""

    bot: Bot
    streams: int = 0
    acts: int = 0
    line: int = 0
    twice: int = 0
    seen: set[tuple[str, str, int]] = field(default_factory=set)
    ended: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)
    open: http.client.HTTPConnection | None = None

    def run(self) -> None:
        """Follows stream after stream until it is stopped."""
        while not self.stop.is_set():
            try:
                self._follow()
            except (OSError, http.client.HTTPException, AttributeError, ValueError) as problem:
                self.ended.append(repr(problem))
                time.sleep(0.05)

    def cut(self) -> None:
        """Closes the connection, wherever it stands."""
        with suppress(OSError, AttributeError):  # it may be closed at this very moment
            self.open.sock.shutdown(socket.SHUT_RDWR)

    def _follow(self) -> None:
        address = urlsplit(self.bot.wire.url)
        with closing(http.client.HTTPConnection(address.hostname, address.port, timeout=15)) as self.open:
            self.open.request(
                "GET", f"/v1/stream?after={self.line}", headers={"Authorization": f"Bearer {self.bot.wire.token}"}
            )
            answer = self.open.getresponse()
            if answer.status != 200:
                raise ValueError(f"status {answer.status}")
            self.streams += 1
            for line in iter(answer.readline, b""):
                if self.stop.is_set():
                    return
                if line.endswith(b"\n") and line.strip():
                    self._answer(json.loads(line))
        self.ended.append("its end")

    def _answer(self, prompt: dict[str, Any]) -> None:
        if "lawful" not in prompt:
            self.ended.append(prompt["code"])
            return
        self.line, what = prompt["line"], (prompt["match"], prompt["seat"], prompt["version"])
        self.twice += what in self.seen
        self.seen.add(what)
        verdict = self.bot.post("/v1/acts", {"acts": [self.bot.posted(prompt)]})["verdicts"][0]
        assert verdict["status"] == 200 or verdict["body"]["code"] in ("act/stale_version", "act/match_over"), verdict
        self.acts += verdict["status"] == 200


@pytest.mark.parametrize("store", [False, True])
def test_streams_that_are_cut_lose_no_prompt_and_give_none_twice_unless_the_store_was_killed(
    stack: Stack, pair: list[Bot], store: bool
) -> None:
    followers = [Follower(bot) for bot in pair]
    threads = [threading.Thread(target=each.run) for each in followers]
    for thread in threads:
        thread.start()

    def progress() -> object:
        return [(each.streams, each.acts, each.ended[-5:]) for each in followers]

    try:
        until(lambda: all(each.streams for each in followers), "both streams are open", progress)
        cup = started(stack, pair)
        troubles = [followers[0].cut, lambda: stack.kill_web(0), followers[1].cut, lambda: stack.kill_web(1)]
        if store:
            troubles.insert(1, stack.kill_redis)
        for number, trouble in enumerate(troubles, start=1):
            until(
                lambda least=10 * number: sum(each.acts for each in followers) >= least or is_over(stack, cup),
                f"acts before trouble {number}",
                progress,
            )
            trouble()
        until(lambda: is_over(stack, cup), "the tournament is played", progress)
        until(lambda: all(each.streams >= 2 for each in followers), "both have opened another stream", progress)
    finally:
        for each in followers:
            each.stop.set()
            each.cut()
        for thread in threads:
            thread.join(LIMIT)
    assert store or not any(each.twice for each in followers), progress()
    assert_whole(stack, cup)


def test_a_second_stream_ends_the_first_at_whichever_process_it_is(stack: Stack, pair: list[Bot]) -> None:
    address, headers = urlsplit(stack.url), {"Authorization": f"Bearer {pair[0].wire.token}"}

    def opened() -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
        connection.request("GET", "/v1/stream", headers=headers)
        return connection, connection.getresponse()

    first = opened()
    assert first[1].readline() == b"\n"  # it is told at once that it stands
    second = opened()
    assert second[1].readline() == b"\n"
    lines = first[1].read().splitlines()
    assert json.loads(lines[-1])["code"] == "stream/replaced"
    for connection, answer in (first, second):
        answer.close()
        connection.close()
