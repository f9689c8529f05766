"""Tables of two pairs with changing partners, for fields too large to be on file: near a whist tournament.

The players of an odd field stand in a circle, and so do those of an even one but the last. In every
round the pairs are those that stand equally far to the left and right of one place, the middle, as
in a round robin; who stands there has the last for a partner, or rests. The middle moves on by one
a round. Which pairs share a table is the same in every round, so it settles from which distances the
players are adversaries: it is chosen so that all distances come up equally often, as nearly as is
found by exchanging pairs.
"""

from __future__ import annotations

from collections import Counter

from referee.tournament.packing import Table

_Couple = tuple[int, int]
"""Two pairs that share a table, each named by how far its players stand from the middle, the farther first."""


def of(size: int) -> list[Table]:
    """Every table of one cycle for 4 or more players, in no order of rounds.

    Any two are partners once; but where the size is 2 or 3 above a multiple of 4 one pair a round has
    no adversaries and rests. Any two are adversaries twice, those at some few distances more or less often.

    >>> of(5)
    [(2, 1, 3, 4), (3, 2, 4, 0), (4, 3, 0, 1), (0, 4, 1, 2), (1, 0, 2, 3)]
    """
    circle = size - 1 + size % 2
    farthest = [*range(circle // 2, 0, -1), *([] if size % 2 else [0])]
    if len(farthest) % 2:
        farthest.remove(1)
    couples = _even(list(zip(farthest[::2], farthest[1::2], strict=True)), circle)
    return [_table(couple, middle, circle) for middle in range(circle) for couple in couples]


def _even(couples: list[_Couple], circle: int) -> list[_Couple]:
    """The couples after every exchange of two pairs that makes the distances of adversaries more even."""
    count = Counter(distance for couple in couples for distance in _distances(couple, circle))
    improved = True
    while improved:
        improved = False
        for first in range(len(couples)):
            for second in range(first):
                before = (couples[first], couples[second])
                for after in _exchanged(*before):
                    change = Counter(distance for couple in after for distance in _distances(couple, circle))
                    change.subtract(distance for couple in before for distance in _distances(couple, circle))
                    if sum((count[distance] + by) ** 2 - count[distance] ** 2 for distance, by in change.items()) < 0:
                        couples[first], couples[second] = after
                        count.update(change)
                        improved = True
                        break
    return couples


def _exchanged(first: _Couple, second: _Couple) -> tuple[tuple[_Couple, _Couple], ...]:
    """The two other ways to make two couples of four pairs."""
    a, b, c, d = sorted((*first, *second), reverse=True)
    ways = (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
    return tuple(way for way in ways if way not in ((first, second), (second, first)))


def _distances(couple: _Couple, circle: int) -> tuple[int, ...]:
    """How far adversaries of a table stand apart, each distance for two meetings of the four.

    The last player, in the middle's pair, meets the two others once in all rounds whatever their distance.
    """
    far, near = couple
    apart = (far - near, far + near) if near else (far,)
    return tuple(min(distance, circle - distance) for distance in apart)


def _table(couple: _Couple, middle: int, circle: int) -> Table:
    far, near = couple
    partner = (middle - near) % circle if near else circle
    return (middle + far) % circle, (middle + near) % circle, (middle - far) % circle, partner
