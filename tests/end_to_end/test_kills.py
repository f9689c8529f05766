"""Workers, web processes and Valkey are killed (as -9) in a tournament: every result is right all the same."""

import hashlib
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import orjson
import pytest

from referee import match
from referee import settings as environment
from referee.launcher import bots, demo
from referee.launcher.stack import Shape, Stack
from referee.launcher.wire import RefusedError, UnreachableError
from referee.settings import Settings

LIMIT = 400.0
pytestmark = pytest.mark.timeout(LIMIT + 60)

LINE_UP = (
    replace(bots.SAMPLES["careful"], push=True),
    bots.SAMPLES["greedy"],
    bots.SAMPLES["tidy"],
    bots.SAMPLES["random"],
)
KILLS: tuple[Callable[[Stack], None], ...] = (
    lambda stack: stack.kill_worker(0),
    lambda stack: stack.kill_web(),
    lambda stack: stack.kill_redis(),
    lambda stack: stack.kill_worker(),
    lambda stack: stack.kill_web(0),
    lambda stack: (stack.kill_redis(), stack.kill_worker(), stack.kill_web()),
)


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings for a referee of its own; short absence and act limits would blame bots for what the kills cost."""
    monkeypatch.delenv("REFEREE_REDIS_URL", raising=False)
    monkeypatch.delenv("REFEREE_DATABASE_URL", raising=False)
    return replace(environment.read(), data=tmp_path / "data", allow_private_push=True)


def facts(stack: Stack, tournament: str) -> dict | None:
    """The tournament as the service tells it, or nothing while it is down."""
    try:
        return stack.organiser.get(f"/v1/tournaments/{tournament}")
    except (UnreachableError, RefusedError):
        return None


def until_played(stack: Stack, tournament: str, number: int, notes: list[str]) -> dict:
    """Poll until that many matches are over, or the tournament is."""
    end = time.monotonic() + LIMIT
    seen: dict | None = None
    while time.monotonic() < end:
        seen = facts(stack, tournament) or seen
        if seen and (seen["played"] >= number or seen["state"] == "finished"):
            return seen
        time.sleep(0.1)
    raise AssertionError(f"not {number} matches over within {LIMIT:.0f} s: {seen}; {notes[-10:]}")


def test_every_pairing_has_one_result_whatever_is_killed(settings: Settings) -> None:
    notes: list[str] = []
    with Stack(settings, Shape(web=2, workers=2), note=notes.append) as stack, demo.seated(LINE_UP, stack) as players:
        tournament = demo.start_tournament(stack.organiser, [bot.id for bot in players], "0b" * 32)
        for done, kill in enumerate(KILLS, start=1):
            until_played(stack, tournament, done, notes)
            kill(stack)
        last = until_played(stack, tournament, 12, notes)
        assert (last["state"], last["played"], last["planned"]) == ("finished", 12, 12), (last, notes)
        matches = demo.all_matches(stack.organiser, tournament)
        logs = [
            stack.organiser.fetch(f"/v1/matches/{each['id']}/log", accept="application/x-ndjson") for each in matches
        ]
        standings = stack.organiser.get(f"/v1/tournaments/{tournament}/standings")["standings"]
    ids = sorted(bot.id for bot in players)
    pairings = Counter(tuple(sorted(seat["bot"] for seat in each["seats"].values())) for each in matches)
    assert pairings == dict.fromkeys(combinations(ids, 2), 2), pairings
    assert sum(row["wins"] for row in standings) == 12
    assert {row["played"] for row in standings} == {6}
    for each, log in zip(matches, logs, strict=True):
        assert_whole(each, log)


def assert_whole(played: dict, log: bytes) -> None:
    """The chain has no gap, every ruling follows, and the result in the record is the log's last word."""
    *lines, sealed = log.rstrip(b"\n").split(b"\n")
    before = "0" * 64
    for number, line in enumerate(lines, start=1):
        event = orjson.loads(line)
        assert (event["n"], event["prev"]) == (number, before), f"{played['id']}: event {number}"
        before = hashlib.sha256(line).hexdigest()
    assert orjson.loads(sealed)["head"] == before
    verdict = match.verify(log)
    assert verdict.ok, f"{played['id']}: {verdict.problem}"
    last = orjson.loads(lines[-1])
    assert last["type"] == "match_ended"
    assert last["winner"] == played["winner"], (last, played)
