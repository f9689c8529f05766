"""The referee in process: for every act a prompt, a ruling if need be, the event and its hash."""

from __future__ import annotations

import hashlib
import itertools
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

from referee import match
from referee.rules import rulesets
from tests.bench.pairs import Sample

ACTS = 2000
CLOSE = {"act": "close"}
CLOCK = match.Clock(act_ms=10_000, bank_ms=60_000, grace_ms=250, absence_ms=60_000)


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match played to its end, as bytes: the log as `referee verify` reads it."""

    log: bytes
    acts: int


def terms(number: int) -> match.Terms:
    """A match of two bots that draw themselves, so that every draw is an act with a prompt."""
    seats = tuple(match.Seating(f"bot_{name}", name, frozenset({"draw"})) for name in ("left", "right"))
    return match.Terms(
        match_id=f"mat_bench{number}",
        ruleset=rulesets.named("house"),
        seats=seats,
        conduct="adjudicate",
        calls="referee",
        clock=CLOCK,
        first_dealer=number % 2,
        opened_at="2026-01-01T00:00:00Z",
        tournament=None,
    )


def playing(number: int, *, lines: list[bytes]) -> Iterator[match.Match]:
    """Play a match of random lawful acts, giving it after every act; `lines` gathers its events.

    Nobody closes or declares, so that every deal is played out, as in `engine.lawful_deals`.
    """
    dice = random.Random(number)
    step = match.open_match(terms(number), seed(number))
    lines += step.lines
    now = step.match
    while not now.is_over:
        seat = now.asked[0]
        lawful = match.prompt(now, seat)["lawful"]
        body = lawful[int(dice.random() * len(lawful))]
        while body == CLOSE:
            body = lawful[int(dice.random() * len(lawful))]
        step = match.act(now, seat, body, ms=5)
        now = step.match
        lines += step.lines
        yield now


def seed(number: int) -> bytes:
    """A match seed for the bench."""
    return hashlib.sha256(b"bench %d" % number).digest()


def acts_with_prompts(number: int, *, acts: int = ACTS) -> Sample:
    """Play matches until `acts` acts are done: prompt, pick, act, event, hash.

    What the attendant does (shuffles, cuts, packets) is inside the measured time and is not
    counted as an act.
    """
    done = 0
    started = time.process_time()
    for match_number in itertools.count(1000 * number):
        for _ in itertools.islice(playing(match_number, lines=[]), acts - done):
            done += 1
        if done == acts:
            return Sample(done, time.process_time() - started)
    raise AssertionError("unreachable: numbers do not end")


def whole_match(number: int) -> PlayedMatch:
    """Play one match to its end and give its log."""
    lines: list[bytes] = []
    states = list(playing(number, lines=lines))
    return PlayedMatch(match.finished_log(states[-1], lines, seed(number)), len(states))


def verifying(log: bytes, *, acts: int) -> Sample:
    """Verify a finished log once; the units are the acts that bots did in it."""
    started = time.process_time()
    verdict = match.verify(log)
    spent = time.process_time() - started
    if not verdict.ok:
        raise AssertionError(f"a log of the bench does not verify: {verdict.problem}")
    return Sample(acts, spent)
