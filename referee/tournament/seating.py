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

    Table after table takes the order that suits its players best, until all are suited. Tables that
    suit already are left alone, and so are the sides of four where all are on both equally often. The
    result is as even as was found, which `balance` tells.
    """
    tables = [table for each in rounds for table in each]
    seats = len(tables[0])
    orders = _ORDERS[seats]
    sat = [[0] * seats for _ in range(size)]
    for table in tables:
        _count(sat, table, 1)
    if seats == PARTNERED and all(a + c == b + d for a, b, c, d in sat):
        orders = tuple(order for order in orders if order[0] % 2 == 0)
    for sweep in range(MOST_SWEEPS):
        if all(is_even(counts) for counts in sat):
            break
        for number, table in enumerate(tables):
            _count(sat, table, -1)
            start = (sweep + number) % len(orders)  # of equals another wins every time, or nothing would ever move on
            anew = [tuple(table[seat] for seat in order) for order in orders[start:] + orders[:start]]
            tables[number] = min(anew, key=lambda table: sum(sat[player][seat] for seat, player in enumerate(table)))
            _count(sat, tables[number], 1)
    left = iter(tables)
    return tuple(tuple(next(left) for _ in each) for each in rounds)


def is_even(counts: Sequence[int]) -> bool:
    """Tell whether one player's times in each seat are as even as their sum allows."""
    return max(counts) - min(counts) <= (sum(counts) % len(counts) > 0)


def _count(sat: list[list[int]], table: Table, by: int) -> None:
    for seat, player in enumerate(table):
        sat[player][seat] += by
