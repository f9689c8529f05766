"""Two hundred matches at once with the bots on the same cores: how long after an act is the next prompt in hand?

Every match is between two bots, so what is timed is the whole way of an act: posted by the one, written, the other
woken, its prompt in its hands. Nothing is left out of it but what the bots themselves take.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.bench.bots import Batcher, Ledger, Single
from tests.bench.hub import Hub, hub
from tests.bench.over_http import Bot
from tests.bench.pairs import percentile
from tests.bench.seating import Ground

MATCHES = 200
THOUGHT = 0.2
WARM_UP = 0.5


@dataclass(frozen=True, slots=True)
class Tempo:
    """What a crowd did: acts counted and in how many seconds, and of each act the referee's and the bot's part in ms."""

    acts: int
    seconds: float
    overhead_ms: list[float] = field(repr=False)
    own_ms: list[float] = field(repr=False)

    @property
    def rate(self) -> float:
        """Acts a second."""
        return self.acts / self.seconds

    def overhead(self, percent: int) -> float:
        """That percentile of the referee's part, in ms."""
        return percentile(self.overhead_ms, percent)


def in_batches(on: Ground, *, bots: int, matches: int, seconds: float) -> Tempo:
    """Have instant bots play so many matches in batches, everybody against everybody else."""
    made = on.bots(bots, name="batcher", concurrency=1000)
    ids = on.plan([_pair(made, number) for number in range(matches)])
    on.until_open(ids)
    with hub(on.stack.port) as opened:
        ledger = Ledger()
        players = [Batcher(opened, bot, random.Random(number), ledger) for number, bot in enumerate(made)]
        return _played(opened, ids, ledger, [each.begin for each in players], seconds=seconds)


def one_by_one(on: Ground, *, matches: int, seconds: float, thought: float) -> Tempo:
    """Have so many pairs of bots play a match each, an act a request; they think for so long until the time is over."""
    made = on.bots(2 * matches, name=f"thinker {thought}", concurrency=1)
    ids = on.plan(list(zip(made[::2], made[1::2], strict=True)))
    on.until_open(ids)
    with hub(on.stack.port) as opened:
        ledger, dice = Ledger(), random.Random(66)
        over = time.perf_counter() + WARM_UP + thought + seconds

        def thinks() -> float:
            return thought if time.perf_counter() < over else 0.0

        players = [Single(opened, bot, random.Random(number), ledger, thinks) for number, bot in enumerate(made)]
        begins = [_after(opened, each.begin, dice.random() * thought) for each in players]
        return _played(opened, ids, ledger, begins, seconds=seconds + thought)


def _after(opened: Hub, begin: Callable[[], None], seconds: float) -> Callable[[], None]:
    return lambda: opened.at(time.perf_counter() + seconds, begin)


def _played(
    opened: Hub, matches: Sequence[str], ledger: Ledger, begins: Sequence[Callable[[], None]], *, seconds: float
) -> Tempo:
    """Play the matches out; counted is what happened while all were on, for so many seconds after the warm-up."""
    started = time.perf_counter() + WARM_UP
    for begin in begins:
        begin()
    opened.run(lambda: len(ledger.over) == len(matches))
    ended = min(started + seconds, *ledger.over.values())
    counted = [took * 1e3 for at, took in ledger.overheads if started <= at < ended]
    own = [took * 1e3 for took in ledger.own]
    return Tempo(len(counted), ended - started, counted, own)


def _pair(bots: Sequence[Bot], number: int) -> tuple[Bot, Bot]:
    """Everybody sits with everybody else in turn."""
    count = len(bots)
    first, apart = number % count, 1 + number // count % (count - 1)
    return bots[first], bots[(first + apart) % count]
