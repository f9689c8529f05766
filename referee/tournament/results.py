"""Results of matches, what is wrong with them, and what a withdrawal makes of those that are missing.

The rules T1 to T4 of `standings` are carried out here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from referee.tournament.schedule import Pairing, TournamentError, sides

WALKOVER = "walkover"
"""The cause of a match that a withdrawal decided before it was played (T4)."""

VOID = "void"
"""The cause of a pairing nobody is left to play (T4)."""

_WORDS = {2: "two", 3: "three", 4: "four"}


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one pairing, as the record holds it.

    `number` is the pairing's. `seats` are entrants: where teams play, each stands at both its seats.
    `winner` is a seat, whose partner has won with it, or the very seats that won, or None for a void
    match. `game_points` stand in the order of the seats, the same for partners; `cause` is the match's.
    """

    number: int
    seats: tuple[str, ...]
    winner: int | tuple[int, ...] | None
    game_points: tuple[int, ...]
    cause: str

    @property
    def winners(self) -> frozenset[str]:
        """The entrants at the seats that won."""
        return sum_of(self).winners


@dataclass(frozen=True, slots=True)
class Sum:
    """What so many results with the same seats and the same winner come to: their game points are added.

    As every figure of the tables is a sum, results may be added before or after, by whoever does that best.
    """

    seats: tuple[str, ...]
    winner: int | tuple[int, ...] | None
    game_points: tuple[int, ...]
    times: int = 1

    @property
    def won_at(self) -> tuple[int, ...]:
        """The seats that won; none of void matches."""
        if self.winner is None:
            return ()
        if isinstance(self.winner, tuple):
            return self.winner
        return next(side for side in sides(len(self.seats)) if self.winner in side)

    @property
    def winners(self) -> frozenset[str]:
        """The entrants at the seats that won."""
        return frozenset(self.seats[seat] for seat in self.won_at)


@dataclass(frozen=True, slots=True)
class Due:
    """How many pairings of the schedule have these seats, and how many of them no result that counts."""

    seats: tuple[str, ...]
    times: int
    unfinished: int


def sum_of(match: Played) -> Sum:
    """One result as a sum of one."""
    return Sum(match.seats, match.winner, match.game_points)


def walkovers(results: Iterable[Played], planned: Iterable[Pairing], withdrawn: Collection[str]) -> tuple[Played, ...]:
    """What becomes of each pairing that a withdrawn entrant did not finish (T4); `planned` seats entrants.

    The pairings of a struck entrant are struck with it: they are no walkovers.
    """
    played, schedule = tuple(results), tuple(planned)
    finished = {match.number for match in played if match.winner is not None}
    gone = struck(played, schedule, withdrawn)
    return tuple(
        _walkover(pairing, withdrawn)
        for pairing in schedule
        if pairing.number not in finished
        and any(entrant in withdrawn for entrant in pairing.seats)
        and not gone.intersection(pairing.seats)
    )


def struck(results: Iterable[Played], planned: Iterable[Pairing], withdrawn: Collection[str]) -> frozenset[str]:
    """The withdrawn entrants that finished fewer than half of their `planned` matches (T3)."""
    return struck_of(map(sum_of, results), (Due(pairing.seats, 1, 0) for pairing in planned), withdrawn)


def struck_of(sums: Iterable[Sum], due: Iterable[Due], withdrawn: Collection[str]) -> frozenset[str]:
    """T3, of sums; `due` are at least all pairings of those that have withdrawn."""
    finished: Counter[str] = Counter()
    for result in sums:
        for entrant in set(result.seats) if result.winner is not None else ():
            finished[entrant] += result.times
    planned: Counter[str] = Counter()
    for pairings in due:
        for entrant in set(pairings.seats):
            planned[entrant] += pairings.times
    return frozenset(entrant for entrant in withdrawn if 2 * finished[entrant] < planned[entrant])


def walkovers_of(due: Iterable[Due], withdrawn: Collection[str], *, struck: Collection[str]) -> tuple[Sum, ...]:
    """T4, of sums; `struck` are those of T3."""
    return tuple(
        Sum(pairings.seats, _left(pairings.seats, withdrawn), (0,) * len(pairings.seats), pairings.unfinished)
        for pairings in due
        if pairings.unfinished
        and any(entrant in withdrawn for entrant in pairings.seats)
        and not set(struck).intersection(pairings.seats)
    )


def check_results(results: Iterable[Played], entrants: Sequence[str]) -> None:
    """Raise TournamentError, naming the pairing, for a result that cannot be.

    Namely for an entrant or winner that is none, one entrant on two sides, game points that do not fit
    the seats or are negative where none can be, or one pairing with two results that count.
    """
    field_of = frozenset(entrants)
    counted: set[int] = set()
    for match in results:
        _check_seats(match, field_of)
        _check_outcome(match)
        if match.winner is not None and match.number in counted:
            raise TournamentError(f"pairing {match.number} has two results that count: one of them must be void")
        if match.winner is not None:
            counted.add(match.number)


def _check_seats(match: Played, entrants: frozenset[str]) -> None:
    where = f"the result of pairing {match.number}"
    if len(match.seats) not in _WORDS:
        raise TournamentError(f"{where} has {len(match.seats)} seats: a match has 2, 3 or 4")
    for entrant in match.seats:
        if entrant not in entrants:
            raise TournamentError(f"{where} seats {entrant!r}, which is no entrant")
    side_of = {seat: side for side in sides(len(match.seats)) for seat in side}
    for seat, entrant in enumerate(match.seats):
        if match.seats.index(entrant) not in side_of[seat]:
            allowed = "has two sides" if len(match.seats) == 4 else f"has {_WORDS[len(match.seats)]} bots"
            raise TournamentError(f"{where} seats {entrant!r} twice: a match {allowed}")


def _check_outcome(match: Played) -> None:
    where, seats = f"the result of pairing {match.number}", range(len(match.seats))
    allowed = "it is seat 0, seat 1 or None" if len(seats) == 2 else "it is a seat, the seats that won, or None"
    named = match.winner if isinstance(match.winner, tuple) else (match.winner,)
    if match.winner is not None and not set() < set(named) < set(seats):
        raise TournamentError(f"{where} has winner {match.winner!r}: {allowed}")
    if len(match.game_points) != len(seats):
        raise TournamentError(f"{where} has game points {match.game_points}: {len(seats)} seats have one figure each")
    if any(match.game_points[seat] != match.game_points[side[0]] for side in sides(len(seats)) for seat in side):
        raise TournamentError(f"{where} has game points {match.game_points}: partners score together")
    if min(match.game_points) < 0 and len(seats) < 4:  # with bids a side that fails loses points (D-06)
        raise TournamentError(f"{where} has game points {match.game_points}: none is below 0")


def _walkover(pairing: Pairing, withdrawn: Collection[str]) -> Played:
    winner, nobody = _left(pairing.seats, withdrawn), (0,) * len(pairing.seats)
    cause = VOID if winner is None else WALKOVER
    return Played(pairing.number, pairing.seats, winner, game_points=nobody, cause=cause)


def _left(seats: tuple[str, ...], withdrawn: Collection[str]) -> int | tuple[int, ...] | None:
    """The seats whose entrants have not withdrawn, as the winner of a walkover; None where there are none."""
    here = tuple(seat for seat, entrant in enumerate(seats) if entrant not in withdrawn)
    if not here:
        return None
    return here[0] if len(seats) == 2 else here
