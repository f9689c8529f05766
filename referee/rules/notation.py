"""A text notation for positions and moves, so that a case fits on a few lines.

A position is a row of sections split by `|`, the last saying who does what next:

    a:AH TH KS | b:9H JC QC | stock:* | turn-up:KC | dealer:b | tricks:a:AS+9S | a leads

A `*` at the end of `stock` stands for every card named nowhere, in the order S H D C, each suit from the ace down;
without it each card of the pack must be named.  What follows from the rest may be left out:
`trump` with a turn-up, `leader`, `called`, `strict`, `to-draw`, `drawn`, `seen`.

In cutting for deal `cuts` has the card that each seat has cut, and `stock` what nobody has lifted yet:

    stock:KC QC JC 9C | cuts:a:TC | b cuts for deal

When nobody is left to cut, the last section is `all have cut`.

Errors: `NotationError` (a `ValueError`) says which section, what was found and what is right.
"""

from referee.rules.moves import read_move, write_move
from referee.rules.reading import read_position
from referee.rules.tokens import NotationError
from referee.rules.writing import write_position

__all__ = ["NotationError", "read_move", "read_position", "write_move", "write_position"]
