"""Who sits in which seat, so that everybody sits in every seat equally often."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Final

from referee.tournament.packing import Round, Table

PARTNERED: Final = 4
"""At so many seats two sides play, each of two that sit opposite (R-01, sections 4.3 and 4.4)."""

MOST_SWEEPS = 40
"""So often all tables are gone over. Fields up to 100 need far fewer, but for those that cannot come out even."""

_OPPOSITE = tuple(
    (first, second, third, fourth)
    for first, second, third, fourth in permutations(range(PARTNERED))
    if abs(first - third) == PARTNERED // 2
)
_ORDERS: Final = {3: tuple(permutations(range(3))), PARTNERED: _OPPOSITE}
"""By the number of seats: the ways to seat a table anew that part no partners."""


def seated(rounds: Sequence[Round], *, size: int) -> tuple[Round, ...]:
    """The same tables with the seats exchanged until each of `size` players sits in each equally often, give or take one.

    At four seats everybody is on either side as often, too: then two cycles are even where the second
    puts everybody opposite. Table after table takes the order that suits its players best, until all are suited. Tables that
    suit already are left alone. The result is as even as was found, which `balance` tells.
    """
    tables = [table for each in rounds for table in each]
    seats = len(tables[0])
    orders = _ORDERS[seats]
    sat = [[0] * seats for _ in range(size)]
    for table in tables:
        _count(sat, table, 1)
    for sweep in range(MOST_SWEEPS):
        if all(is_even(counts) for counts in sat):
            break
        for number, table in enumerate(tables):
            _count(sat, table, -1)
            start = (sweep + number) % len(orders)  # of equals another wins every time, or nothing would ever move on
            anew = [tuple(table[seat] for seat in order) for order in orders[start:] + orders[:start]]
            tables[number] = min(anew, key=lambda table: sum(_times(sat[who], seat) for seat, who in enumerate(table)))
            _count(sat, tables[number], 1)
    left = iter(tables)
    return tuple(tuple(next(left) for _ in each) for each in rounds)


def is_even(counts: Sequence[int]) -> bool:
    """Tell whether one player's times in each seat, and on each side of four, are as even as their sum allows."""
    seats = len(counts)
    sides = [counts[seat] + counts[seat - 2] for seat in (0, 1)] if seats == PARTNERED else []
    played = sum(counts)
    return all(max(times) - min(times) <= (played % len(times) > 0) for times in (counts, sides) if times)


def _times(counts: Sequence[int], seat: int) -> int:
    """How often a player has sat in a seat; at four, how often on its side besides."""
    return counts[seat] + (counts[seat] + counts[seat - 2]) * (len(counts) == PARTNERED)


def _count(sat: list[list[int]], table: Table, by: int) -> None:
    for seat, player in enumerate(table):
        sat[player][seat] += by
