"""Sharing out tables among rounds, so that nobody plays twice in a round and the rounds are few."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

Table: TypeAlias = tuple[int, ...]
"""Players, as places in the field, in the order of their seats."""

Round: TypeAlias = tuple[Table, ...]
"""Tables that seat nobody twice."""

PATIENCE = 1_000
"""So many tables are moved to do without one round more; then the rounds stand."""

MOST_MOVED = 2_500
"""Schedules of more tables keep the rounds they were first given, which are some ten in a hundred too many."""

_STAYS = 20
"""A table that was moved on is not moved back for at least so many moves: else two would drive each other out."""


def packed(tables: Sequence[Table], *, size: int) -> tuple[Round, ...]:
    """Every one of `tables` in a round, for a field of `size`; the rounds are few, and mostly not the fewest there are.

    Tables keep their order within a round. The same tables give the same rounds.

    >>> packed([(0, 1), (0, 2), (2, 3), (1, 3)], size=4)
    (((0, 1), (2, 3)), ((0, 2), (1, 3)))
    """
    if not tables:
        return ()
    fewest = -(-len(tables) // (size // len(tables[0])))
    rounds = _first_fit(tables, size)
    while len(tables) <= MOST_MOVED and max(rounds) + 1 > fewest:
        fewer = _without_one(tables, rounds)
        if fewer is None:
            break
        rounds = fewer
    found: list[list[Table]] = [[] for _ in range(max(rounds) + 1)]
    for table, number in zip(tables, rounds, strict=True):
        found[number].append(table)
    return tuple(tuple(each) for each in found)


def _first_fit(tables: Sequence[Table], size: int) -> list[int]:
    """The first round of each table in which all its players are still free."""
    playing = [0] * size  # a bit a round
    rounds = []
    for table in tables:
        taken = 0
        for player in table:
            taken |= playing[player]
        free = ~taken & (taken + 1)
        for player in table:
            playing[player] |= free
        rounds.append(free.bit_length() - 1)
    return rounds


def _without_one(tables: Sequence[Table], rounds: Sequence[int]) -> list[int] | None:
    """The round of each table when the smallest round is given up, or nothing if that takes too long.

    Its tables are put elsewhere one by one, each where it drives out the fewest, and those follow.
    """
    held: list[dict[int, int]] = [{} for _ in range(max(rounds) + 1)]  # by round and player: the table
    for number, (table, place) in enumerate(zip(tables, rounds, strict=True)):
        held[place].update(dict.fromkeys(table, number))
    smallest = min(range(len(held)), key=lambda place: (len(held[place]), -place))
    waiting = deque(dict.fromkeys(held.pop(smallest).values()))
    barred: dict[tuple[int, int], int] = {}
    for move in range(PATIENCE):
        if not waiting:
            return _places(held, len(tables))
        number = waiting.popleft()
        place = min(
            range(len(held)),
            key=lambda r: _cost(held[r], tables[number], is_barred=barred.get((number, r), 0) > move),
        )
        for loser in dict.fromkeys(held[place][player] for player in tables[number] if player in held[place]):
            for player in tables[loser]:
                del held[place][player]
            barred[loser, place] = move + _STAYS + loser % _STAYS
            waiting.append(loser)
        held[place].update(dict.fromkeys(tables[number], number))
    return None


def _cost(held: dict[int, int], table: Table, *, is_barred: bool) -> tuple[bool, int]:
    """How dear it is to put a table into a round: by how many it drives out, unless it was driven out of there itself."""
    losers = {held[player] for player in table if player in held}
    return bool(losers) and is_barred, len(losers)


def _places(held: Sequence[dict[int, int]], count: int) -> list[int]:
    rounds = [0] * count
    for place, tables in enumerate(held):
        for number in tables.values():
            rounds[number] = place
    return rounds
