"""Two things measured in turn, and their ratio pair by pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median, quantiles


@dataclass(frozen=True, slots=True)
class Sample:
    """One run: how many units of work were done in how many seconds."""

    units: int
    seconds: float

    @property
    def per_unit(self) -> float:
        """Microseconds a unit."""
        return self.seconds / self.units * 1e6


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some figures, and the least and greatest of them."""

    middle: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Pairs:
    """What the runs of both sides took, microseconds a unit, run by run."""

    ours: tuple[float, ...]
    theirs: tuple[float, ...]

    @property
    def times_as_fast(self) -> Spread:
        """How many times as fast ours is, pair by pair."""
        return spread([theirs / ours for ours, theirs in zip(self.ours, self.theirs, strict=True)])

    @property
    def times_the_cost(self) -> Spread:
        """How many times theirs ours costs, pair by pair."""
        return spread([ours / theirs for ours, theirs in zip(self.ours, self.theirs, strict=True)])


Run = Callable[[int], Sample]
"""Does one run, given its number from 0; equal numbers mean equal work."""


def paired(ours: Run, theirs: Run, *, rounds: int) -> Pairs:
    """Run both sides `rounds` times after a warm-up, the side that goes first alternating."""
    ours(0)
    theirs(0)
    left: list[float] = []
    right: list[float] = []
    for number in range(1, rounds + 1):
        if number % 2:
            left.append(ours(number).per_unit)
            right.append(theirs(number).per_unit)
        else:
            right.append(theirs(number).per_unit)
            left.append(ours(number).per_unit)
    return Pairs(tuple(left), tuple(right))


def spread(figures: Sequence[float]) -> Spread:
    """Median, least and greatest of at least one figure."""
    return Spread(median(figures), min(figures), max(figures))


def percentile(figures: Sequence[float], percent: int) -> float:
    """That percentile of at least two figures, 1 to 99."""
    return quantiles(figures, n=100, method="inclusive")[percent - 1]
