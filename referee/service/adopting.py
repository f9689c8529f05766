"""Which matches a playing job takes in hand, how many, and in which order.

A job plays a chunk. It begins with 50 matches at most and may take 50 more each second, so that what it leaves is there for
workers that are free. Bots that answer at once keep it busy, and then 200 are enough: more would only wait longer for each
other. Bots that think cost it nothing but memory, and so it takes up to 500 of those: whoever thinks long must not fill the
places of others.

Fair shares: of the matches that wait, the tournament comes first that has the fewest in hand (whatever is played outside of
tournaments counts as one), and within it the bots that have the fewest; else the oldest. So one of 5,000 matches keeps none
of 10 waiting for longer than it takes the next match to end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from referee.service.base import Service

STEP = 50
MOST = 200
MOST_THINKING = 500
BUSY = 0.7

_TOLD = ("lease", "over", "tournament", "bots")


@dataclass(frozen=True, slots=True)
class Waiting:
    """A match that is pushed and in nobody's hand, or in ours: whose it is and who plays in it."""

    match: str
    tournament: str
    bots: tuple[str, ...]


@dataclass(slots=True)
class Chunk:
    """How many matches a job may have in hand now, and when (seconds) it measured how busy it is."""

    allowed: int = STEP
    measured: float = 0.0
    worked: float = 0.0

    def measure(self, held: int, *, at: float, worked: float) -> None:
        """Sets anew what is allowed, with so many in hand; `worked` seconds of processor time by `at` of the clock.

        >>> chunk = Chunk(measured=10.0, worked=3.0)
        >>> chunk.measure(180, at=11.0, worked=3.1)
        >>> chunk.allowed
        230
        >>> chunk.measure(180, at=12.0, worked=4.1)
        >>> chunk.allowed
        200
        """
        is_busy = worked - self.worked > BUSY * (at - self.measured)
        self.allowed = min(held + STEP, MOST if is_busy else MOST_THINKING)
        self.measured, self.worked = at, worked


def unheld(service: Service, *, held: Collection[str]) -> list[Waiting]:
    """Are the pushed matches that are not over and that no job holds, oldest first."""
    others = [match_id for match_id in service.live.members("pushed") if match_id not in held]
    now = service.clock.now_ms()
    found = zip(others, service.live.some_of_each(others, _TOLD), strict=True)
    return [
        Waiting(match_id, fields.get("tournament", b"").decode(), tuple(fields["bots"].decode().split(",")))
        for match_id, fields in found
        if "bots" in fields and "over" not in fields and int(fields.get("lease", b"") or 0) <= now
    ]


def fairly(waiting: Sequence[Waiting], held: Iterable[Waiting]) -> list[Waiting]:
    """Puts what waits (the oldest first) into the order in which it is to be taken, beside what is held.

    >>> big = [Waiting(f"m{n}", "big", ("x", "y")) for n in range(3)]
    >>> [each.match for each in fairly([*big, Waiting("n0", "small", ("x", "y"))], held=big[:1])]
    ['n0', 'm0', 'm1', 'm2']
    """
    held = list(held)
    of_bots = Counter(bot for each in held for bot in set(each.bots))
    turns: list[tuple[int, int, Waiting]] = []
    for place, each in enumerate(waiting):
        turns.append((max(of_bots[bot] for bot in each.bots), place, each))
        of_bots.update(set(each.bots))
    of_tournaments = Counter(each.tournament for each in held)
    ordered: list[tuple[int, int, Waiting]] = []
    for place, (_, _, each) in enumerate(sorted(turns, key=lambda turn: turn[:2])):
        ordered.append((of_tournaments[each.tournament], place, each))
        of_tournaments[each.tournament] += 1
    return [each for _, _, each in sorted(ordered, key=lambda turn: turn[:2])]
