"""Tables of three and of four for a whole cycle: who sits with whom in which round, and where.

Players are places in the field from 0, a table is its players in the order of the seats, a round is
tables that seat nobody twice. Fields of the sizes in `designs.toml` take their tables from there,
made by turning a few of them round a circle; all others are built by `triples` and `partnerships`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

from referee.tournament import partnerships, triples
from referee.tournament.packing import Round, Table, packed
from referee.tournament.seating import seated


def threes(size: int) -> tuple[Round, ...]:
    """Tables of three at which any two of `size` players, 3 or more, meet equally often and as seldom as can be.

    That is once where the size is 1 or 3 above a multiple of 6, twice for 0 and 4, three times for 5
    and six times for 2: no smaller number divides the players' meetings into tables, and for these
    numbers there always is a design (Hanani, *The existence and construction of balanced incomplete
    block designs*, 1961). Everybody sits in every seat equally often, give or take one.

    >>> threes(7)[:2]
    (((0, 1, 3),), ((1, 2, 4),))
    """
    turned = _turned("three", size)
    return seated(turned or packed(triples.of(size), size=size), size=size)


def fours(size: int) -> tuple[Round, ...]:
    """Tables of two pairs at which partners change, for 4 or more players; seats a and c are one pair.

    Up to the largest size on file any two are partners once and adversaries twice in a cycle, and
    twice as often where the size is 2 or 3 above a multiple of 4: a whist tournament (E. H. Moore,
    *Tactical Memoranda*, 1896), which there is for every field of 0 or 1 above a multiple of 4
    (Baker, *Whist tournaments*, 1975). Larger fields get the tables of `partnerships`, which come
    near it. Everybody sits in every seat equally often, give or take one; of four players one cannot.
    """
    turned = _turned("four", size)
    return seated(turned or packed(partnerships.of(size), size=size), size=size)


@cache
def _on_file() -> Mapping[str, Any]:
    text = (resources.files("referee.tournament") / "designs.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _turned(kind: str, size: int) -> tuple[Round, ...]:
    """The rounds of the design on file for a field; nothing where there is none."""
    design = _on_file()[kind].get(str(size))
    if design is None:
        return ()
    turns: Final = design["turns"]
    rounds = [
        tuple(_turn(table, turn, turns=turns, size=size) for table in _tables(text))
        for text in design.get("rounds", ())
        for turn in range(turns)
    ]
    for text in design.get("standing", ()):
        (table,) = _tables(text)
        rounds.append(_without_repeats(_turn(table, turn, turns=turns, size=size) for turn in range(turns)))
    loose = [
        _turn(table, turn, turns=turns, size=size)
        for text in design.get("tables", ())
        for table in _tables(text)
        for turn in range(turns)
    ]
    return tuple(rounds) + packed(loose, size=size)


def _tables(text: str) -> Iterator[Table]:
    return (tuple(int(player) for player in table.split()) for table in text.split("|"))


def _turn(table: Table, turn: int, *, turns: int, size: int) -> Table:
    """The table after so many turns; a place left over from the circles stays where it is."""
    still = size - size % turns
    return tuple(player if player >= still else player - player % turns + (player + turn) % turns for player in table)


def _without_repeats(tables: Iterator[Table]) -> Round:
    """A table that its turns bring back to itself, in another order, is played once."""
    return tuple({frozenset(table): table for table in tables}.values())
