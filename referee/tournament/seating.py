"""Who sits in which seat, so that everybody sits in every seat equally often.

Two passes. The first goes over the tables a few times and gives each the order of seats that suits
its players best so far, which leaves little to do. The second sees to that: where somebody sits in
one seat two or more times oftener than in another, the two seats are exchanged along a chain of
tables, each time with whom the exchange would burden next, until it comes to somebody whom it suits.
There always is such a chain, for at every table both seats are taken once. At four the second pass
exchanges partners only, and on which side everybody sits is left to the first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import permutations
from typing import Final

from referee.tournament.packing import Round, Table

_PARTNERED: Final = 4
"""At so many seats those opposite each other are partners."""

_SWEEPS: Final = 12

_OPPOSITE = tuple(order for order in permutations(range(_PARTNERED)) if (order[0] - order[2]) % 2 == 0)
_ORDERS: Final = {3: tuple(permutations(range(3))), _PARTNERED: _OPPOSITE}
"""By the number of seats: the ways to seat a table anew that part no partners."""

_EXCHANGES: Final = {3: ((0, 1), (0, 2), (1, 2)), _PARTNERED: ((0, 2), (1, 3))}
"""By the number of seats: the pairs of seats that a chain may exchange."""


def seated(rounds: Sequence[Round], *, size: int) -> tuple[Round, ...]:
    """The same tables with the seats exchanged until each of `size` players sits in each equally often, give or take one.

    That is certain at three seats. At four it is certain where everybody sits on both sides equally
    often, give or take one, which is found but for 4 players, among whom it cannot be. Tables that
    suit already are left alone, and so are the sides of four where all are on both equally often.

    >>> seated([((0, 1, 2),), ((0, 1, 2),), ((0, 1, 2),)], size=3)
    (((1, 2, 0),), ((2, 0, 1),), ((0, 1, 2),))
    """
    tables = [table for each in rounds for table in each]
    sat = [[0] * len(tables[0]) for _ in range(size)]
    for table in tables:
        _count(sat, table, 1)
    _sweep(tables, sat)
    _exchange(tables, sat)
    left = iter(tables)
    return tuple(tuple(next(left) for _ in each) for each in rounds)


def _sweep(tables: list[Table], sat: list[list[int]]) -> None:
    """The first pass: `tables` and how often everybody has `sat` where are changed in place."""
    orders = _ORDERS[len(tables[0])]
    if len(tables[0]) == _PARTNERED and all(a + c == b + d for a, b, c, d in sat):
        orders = tuple(order for order in orders if order[0] % 2 == 0)
    for sweep in range(_SWEEPS):
        if all(max(counts) - min(counts) <= (sum(counts) % len(counts) > 0) for counts in sat):
            return
        for number, table in enumerate(tables):
            _count(sat, table, -1)
            start = (sweep + number) % len(orders)  # of equals another wins every time, or nothing would ever move on
            anew = [tuple(table[seat] for seat in order) for order in orders[start:] + orders[:start]]
            tables[number] = min(anew, key=lambda table: sum(sat[player][seat] for seat, player in enumerate(table)))
            _count(sat, tables[number], 1)


def _exchange(tables: list[Table], sat: list[list[int]]) -> None:
    """The second pass, in place. It comes to an end: every chain brings the seats of its first player closer."""
    pairs = _EXCHANGES[len(tables[0])]
    moved = True
    while moved:
        moved = False
        for more, less in (*pairs, *((other, one) for one, other in pairs)):
            for player, counts in enumerate(sat):
                while counts[more] - counts[less] > 1:
                    for number in _chain(tables, sat, player, more=more, less=less):
                        _count(sat, tables[number], -1)
                        exchanged = list(tables[number])
                        exchanged[more], exchanged[less] = exchanged[less], exchanged[more]
                        tables[number] = tuple(exchanged)
                        _count(sat, tables[number], 1)
                    moved = True


def _chain(tables: Sequence[Table], sat: Sequence[Sequence[int]], player: int, *, more: int, less: int) -> list[int]:
    """The shortest chain of tables from `player`, too often in seat `more`, to one who is oftener in `less`."""
    at: dict[int, list[int]] = {}
    for number, table in enumerate(tables):
        at.setdefault(table[more], []).append(number)
    came_by: dict[int, int] = {}
    waiting = deque([player])
    while sat[waiting[0]][less] <= sat[waiting[0]][more]:
        for number in at.get(waiting.popleft(), ()):
            if tables[number][less] not in came_by:
                came_by[tables[number][less]] = number
                waiting.append(tables[number][less])
    chain, last = [], waiting[0]
    while last != player:
        chain.append(came_by[last])
        last = tables[chain[-1]][more]
    return chain


def _count(sat: list[list[int]], table: Table, by: int) -> None:
    for seat, player in enumerate(table):
        sat[player][seat] += by
