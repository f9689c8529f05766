"""Tables of three for fields of any size: any two players meet equally often, and as seldom as can be.

Four constructions, by what the size leaves when divided by 6: Bose's for 3, Skolem's for 1, theirs
over a square that is not symmetric for 0 and 4, and differences in a circle for 5 and 2. Players stand
in three columns of `rows` each, player 3 * row + column, and one besides where the size asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations

from referee.tournament.packing import Table

_Square = Callable[[int, int], int]

_COLUMNS = range(3)


def of(size: int) -> list[Table]:
    """Every table of one cycle for 3 or more players but 6, in no order of rounds or seats.

    Any two meet once where the size leaves 1 or 3 by 6, twice where it leaves 0 or 4, three times where
    it leaves 5, six times where it leaves 2.

    >>> of(5)[:2]
    [(4, 0, 1), (0, 1, 2)]
    """
    rows = size // 3
    if size % 3 == 2:
        return list(_circle(size) if size % 2 else _circle_and_one(size))
    if size % 6 == 1:
        return [*_halves_of_rows(rows), *_mixed(_half_idempotent(rows), rows, both_ways=False)]
    both_ways = size % 2 == 0
    square = _idempotent(rows) if rows % 2 else _idempotent_with_one(rows - 1)
    whole_rows = _rows_of_four(rows) if size % 3 else _rows(rows, times=1 + both_ways)
    return [*whole_rows, *_mixed(square, rows, both_ways=both_ways)]


def _circle(size: int) -> Iterator[Table]:
    """An odd field in a circle: everybody with each two that stand equally far to the left and right."""
    for far in range(1, (size - 1) // 2 + 1):
        for middle in range(size):
            yield (middle - far) % size, middle, (middle + far) % size


def _circle_and_one(size: int) -> Iterator[Table]:
    """The tables of the circle twice, but one kind once: its meetings at distances 1, 1 and 2 are for the one outside."""
    circle, outside = size - 1, size - 1
    yield from _circle(circle)
    for table in _circle(circle):
        if (table[2] - table[1]) % circle != 1:
            yield table
    for distance in (1, 1, 2):
        for player in range(circle):
            yield player, outside, (player + distance) % circle


def _mixed(square: _Square, rows: int, *, both_ways: bool) -> Iterator[Table]:
    """Two of a column with the one of the next column whom the square names."""
    for first, second in permutations(range(rows), 2):
        if both_ways or first < second:
            for column in _COLUMNS:
                yield (
                    3 * first + column,
                    3 * second + column,
                    3 * square(first, second) + (column + 1) % 3,
                )


def _rows(rows: int, *, times: int) -> Iterator[Table]:
    for row in range(rows):
        for _ in range(times):
            yield 3 * row, 3 * row + 1, 3 * row + 2


def _rows_of_four(rows: int) -> Iterator[Table]:
    """Each row and the one besides: all four threes of them."""
    for row in range(rows):
        yield 3 * row, 3 * row + 1, 3 * row + 2
        for column in _COLUMNS:
            yield 3 * row + column, 3 * row + (column + 1) % 3, 3 * rows


def _halves_of_rows(rows: int) -> Iterator[Table]:
    """Each row of the first half, and one of a row of the second half with one of the first and the one besides."""
    half = rows // 2
    for row in range(half):
        yield 3 * row, 3 * row + 1, 3 * row + 2
        for column in _COLUMNS:
            yield 3 * rows, 3 * (row + half) + column, 3 * row + (column + 1) % 3


def _idempotent(odd: int) -> _Square:
    """A symmetric Latin square of odd order in which every row meets itself in itself."""
    return lambda x, y: (x + y) * (odd + 1) // 2 % odd


def _half_idempotent(even: int) -> _Square:
    """A symmetric Latin square of even order in which the first and second half of the rows meet themselves alike."""
    return lambda x, y: (x + y) % even // 2 + (x + y) % 2 * even // 2


def _idempotent_with_one(odd: int) -> _Square:
    """A Latin square of even order in which every row meets itself in itself.

    One of odd order with `odd` as a further row and column, for which the cells beside the diagonal
    give up what stands in them.
    """

    def square(x: int, y: int) -> int:
        if x == odd or y == odd:
            return odd if x == y else (x - 1 if y == odd else y - 2) % odd
        return odd if (y - x) % odd == 1 else (2 * x - y) % odd

    return square
