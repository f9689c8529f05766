"""Duplicate: deals that several tables play with the same packs, compared with each other.

The written rule:

D1  Deals are compared that have the same packs, deal number, attempt and dealer. A deal that was dealt afresh at one
    table only is therefore left out, and so is one that not all got to. (`_comparable`)
D2  What a side has of a deal are its game points less those of each adversary side in turn, without what was
    carried over from drawn deals. (`_own`)
D3  `paired`: the same packs are played twice with seats exchanged, and an entrant's figure is what it has of both
    deals together. So a program against itself has 0 over every pair. (`_paired`)
D4  `field`: every table of a round plays the same packs, and an entrant's figure is what it has of the deal less
    what those in its seat at every other table have of theirs, one table after the other. (`_field`)
D5  A void match, one that was overruled, and one of a struck entrant are not compared (T1, T3); one replayed on
    packs of its own has nobody to be compared with.
D6  The sum of an entrant's figures comes before all else in the table; T5 to T10 part those level.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.tournament.schedule import sides

KINDS = ("none", "paired", "field")


@dataclass(frozen=True, slots=True)
class Deal:
    """One scored deal: `attempt` is that which counted, `dealer` a seat, `points` the game points won in it by seat."""

    number: int
    attempt: int
    dealer: int
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Playing:
    """What one table made of some packs; `seats` are entrants, where teams play each at both its seats."""

    packs: str
    seats: tuple[str, ...]
    deals: tuple[Deal, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """By entrant: the sum of its figures, and in how many comparisons of a deal it has one."""

    net: Mapping[str, int] = field(default_factory=dict)
    deals: Mapping[str, int] = field(default_factory=dict)


def compare(playings: Iterable[Playing], *, kind: str, struck: Collection[str] = ()) -> Compared:
    """Compare what tables made of the same packs, `paired` or `field`.

    >>> one = Playing("p", ("x", "y"), (Deal(1, 1, 1, (2, 0)), Deal(2, 1, 0, (0, 1))))
    >>> two = Playing("p", ("y", "x"), (Deal(1, 1, 1, (3, 0)), Deal(2, 2, 0, (0, 1))))
    >>> compare([one, two], kind="paired").net, compare([one, two], kind="paired").deals
    ({'x': -1, 'y': 1}, {'x': 2, 'y': 2})
    """
    tables: dict[str, list[Playing]] = defaultdict(list)
    for playing in playings:
        tables[playing.packs].append(playing)
    return compare_tables(tables.values(), kind=kind, struck=struck)


def compare_tables(tables: Iterable[Sequence[Playing]], *, kind: str, struck: Collection[str] = ()) -> Compared:
    """The same as `compare`, of tables that come packs by packs: all that played the same ones together, and once."""
    net: Counter[str] = Counter()
    deals: Counter[str] = Counter()
    for those in tables:
        together = [playing for playing in those if not set(struck).intersection(playing.seats)]
        for each in together:
            for entrant, figure, count in _figures(each, together, kind):
                net[entrant] += figure
                deals[entrant] += count
    return Compared(dict(net), dict(deals))


def _figures(here: Playing, together: Sequence[Playing], kind: str) -> list[tuple[str, int, int]]:
    others = [other for other in together if other is not here]
    return _paired(here, others) if kind == "paired" else _field(here, others)


def _paired(here: Playing, others: Sequence[Playing]) -> list[tuple[str, int, int]]:
    shared = [deal for deal in here.deals if len(others) == 1 and _comparable(deal, others[0]) is not None]
    return [(entrant, sum(_own(deal, seat) for deal in shared), len(shared)) for seat, entrant in _first_seats(here)]


def _field(here: Playing, others: Sequence[Playing]) -> list[tuple[str, int, int]]:
    pairs = [(deal, there) for deal in here.deals for other in others if (there := _comparable(deal, other))]
    return [
        (entrant, sum(_own(deal, seat) - _own(there, seat) for deal, there in pairs), len(pairs))
        for seat, entrant in _first_seats(here)
    ]


def _comparable(deal: Deal, other: Playing) -> Deal | None:
    same = (deal.number, deal.attempt, deal.dealer)
    return next((there for there in other.deals if (there.number, there.attempt, there.dealer) == same), None)


def _own(deal: Deal, seat: int) -> int:
    playing = sides(len(deal.points))
    against = sum(deal.points[side[0]] for side in playing if seat not in side)
    return (len(playing) - 1) * deal.points[seat] - against


def _first_seats(playing: Playing) -> list[tuple[int, str]]:
    return [(side[0], playing.seats[side[0]]) for side in sides(len(playing.seats))]
