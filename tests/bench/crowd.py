"""Two hundred matches at once with the bots on the same cores: how long after an act is the next prompt in hand?

Every match is between two bots, as in a tournament. So what is timed is the whole way of an act: posted by the one,
written, the other woken wherever it waits, its prompt in its hands. Taken off is only what the bots themselves take.
Bots that play in batches are few and in many matches each; those that send an act a request have one match, as a bot
has that thinks about one thing at a time.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.bench.bots import Batcher, Ledger, Single
from tests.bench.hub import hub
from tests.bench.over_http import Bot
from tests.bench.pairs import percentile
from tests.bench.report import Measure
from tests.bench.seating import Ground, ground


@dataclass(frozen=True, slots=True)
class Size:
    """How many matches at once, how many bots share them where they play in batches, for how long is counted (s).

    Nothing counts before the `warm_up`, nor after the first match is over: then there are fewer at once.
    """

    matches: int = 200
    batchers: int = 8
    thought: float = 0.2
    warm_up: float = 1.0
    seconds: float = 8.0


@dataclass(frozen=True, slots=True)
class Tempo:
    """What a crowd did: in how many seconds, and of each act the referee's and the bot's part in ms."""

    seconds: float
    overhead_ms: list[float] = field(repr=False)
    own_ms: list[float] = field(repr=False)

    @property
    def rate(self) -> float:
        """Acts a second."""
        return len(self.overhead_ms) / self.seconds

    def overhead(self, percent: int) -> float:
        """That percentile of the referee's part, in ms."""
        return percentile(self.overhead_ms, percent)


def figures(size: Size | None = None) -> Iterator[Measure]:
    """Measure a crowd three times: instant and in batches, thinking and act by act, instant and act by act."""
    size = size or Size()
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as data, ground(Path(data)) as on:
        who = f"{size.matches} matches, instant, in batches"
        batches = in_batches(on, size)
        yield Measure("crowd_batch_p50", f"{who}: overhead, median", batches.overhead(50), "ms", "at most", 12)
        yield Measure("crowd_batch_p99", f"{who}: overhead, 99th perc.", batches.overhead(99), "ms", "at most", 40)
        yield Measure("crowd_batch_rate", f"{who}: acts", batches.rate, "a second", "at least", 10_000)
        yield Measure("crowd_batch_own", f"{who}: the bot's own time", median(batches.own_ms), "ms")
        on.verified(on.planned)

        first = len(on.planned)
        thinking, instant = one_by_one(on, size)
        who = f"{size.matches} matches, {size.thought * 1000:.0f} ms thought, act by act"
        yield Measure("crowd_think_p50", f"{who}: overhead, median", thinking.overhead(50), "ms", "at most", 3)
        yield Measure("crowd_think_p99", f"{who}: overhead, 99th perc.", thinking.overhead(99), "ms", "at most", 15)
        yield Measure("crowd_think_rate", f"{who}: acts", thinking.rate, "a second")
        yield Measure("crowd_think_own", f"{who}: the bot's own time", median(thinking.own_ms), "ms")
        who = f"{size.matches} matches, instant, act by act"
        yield Measure("crowd_single_rate", f"{who}: acts", instant.rate, "a second", "at least", 3000)
        yield Measure("crowd_single_p50", f"{who}: overhead, median", instant.overhead(50), "ms")
        yield Measure("crowd_single_p99", f"{who}: overhead, 99th perc.", instant.overhead(99), "ms")
        on.verified(on.planned[first:])


def in_batches(on: Ground, size: Size) -> Tempo:
    """Have instant bots play in batches, everybody against everybody else, until all matches are over."""
    made = on.bots(size.batchers, name="batcher", concurrency=1000)
    ids = on.plan([_pair(made, number) for number in range(size.matches)])
    on.until_open(ids)
    with hub(on.stack.port) as opened:
        ledger = Ledger()
        began = time.perf_counter()
        for number, bot in enumerate(made):
            Batcher(opened, bot, random.Random(number), ledger).begin()
        opened.run(lambda: len(ledger.over) == len(ids))
    return _tempo(ledger, began + size.warm_up, began + size.warm_up + size.seconds)


def one_by_one(on: Ground, size: Size) -> tuple[Tempo, Tempo]:
    """Have pairs of bots play a match each, an act a request, at first thinking about each, then as fast as they can."""
    made = on.bots(2 * size.matches, name="single", concurrency=1)
    ids = on.plan(list(zip(made[::2], made[1::2], strict=True)))
    on.until_open(ids)
    with hub(on.stack.port) as opened:
        ledger, dice = Ledger(), random.Random(66)
        began = time.perf_counter()
        thinks_until = began + size.thought + size.warm_up + size.seconds

        def thinks() -> float:
            return size.thought if time.perf_counter() < thinks_until else 0.0

        for number, bot in enumerate(made):
            player = Single(opened, bot, random.Random(number), ledger, thinks)
            opened.at(began + dice.random() * size.thought, player.begin)
        opened.run(lambda: len(ledger.over) == len(ids))
    instant = thinks_until + size.thought
    return (
        _tempo(ledger, began + size.thought + size.warm_up, thinks_until),
        _tempo(ledger, instant, instant + size.seconds),
    )


def _tempo(ledger: Ledger, started: float, ended: float) -> Tempo:
    """What happened from one time to the other, as long as all matches were on."""
    ended = min(ended, *ledger.over.values())
    if ended <= started:
        raise ValueError("a match was over before anything was counted: let more be played or less thought")
    return Tempo(
        ended - started,
        [took * 1e3 for at, took in ledger.overheads if started <= at < ended],
        [took * 1e3 for at, took in ledger.own if started <= at < ended],
    )


def _pair(bots: Sequence[Bot], number: int) -> tuple[Bot, Bot]:
    """Give the pairs of a ring: everybody sits with everybody else in turn."""
    count = len(bots)
    first, apart = number % count, 1 + number // count % (count - 1)
    return bots[first], bots[(first + apart) % count]
