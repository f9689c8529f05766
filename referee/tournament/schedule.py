"""Who meets whom in which round, in which seat, and who deals first; at two seats by Berger tables.

Berger tables are those of the FIDE Handbook, C.05, Annex 1. They are made by the circle method:
the last entrant stays where it is, the others move half the field on after every round.

The written rule:

S1  Each pair meets once a cycle (Berger tables).
S2  The entrant named first in a pairing sits at seat a and leads to the first trick of the
    match, so seat b deals first (our reading of *white*).
S3  Within a cycle each entrant leads first as often as not, give or take one (Berger tables:
    the colours of the entrant that stays alternate).
S4  Every second cycle is the first with the seats exchanged (C.05, double round robins).
S5  In an odd field the entrant paired with the highest, missing number has a bye: one entrant
    a round, and nobody twice in a cycle (C.05 Annex 1).
S6  An entrant that withdraws is not paired again. Who should have met it has a bye, and the
    rest of the schedule stands, since no other pairing would keep S1.

At three seats, and at four where the two sides are not teams (those have rules of their own, in `teams`):

S7  At three seats any two entrants meet equally often in a cycle, and as seldom as a design allows:
    once to six times, by the size of the field (`designs.threes`).
S8  At four seats a and c are partners against b and d, and partners change: any two entrants are
    partners once in a cycle and adversaries twice, or both twice as often (`designs.fours`, which
    also says for which fields this is only nearly so).
S9  Everybody sits in every seat equally often in a cycle, give or take one. Every further cycle
    moves all seats on, so that three cycles at three seats and four at four come out even.
S10 The entrant named first leads and the one named last deals first (S2 for any number of seats),
    so that first deals are as even as the seats.
S11 Rounds are as full as the tables allow: who is in none of a round has a bye, all of them the same
    number wherever all play the same number of matches.

A match nobody could finish for a withdrawal is not played, however many seats it has (S6).
`balance` states how even a schedule is.

The handbook's advice to swap the last two rounds of a first cycle is not taken: it spares a
chess player three times the same colour in a row, which means nothing to a program.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from referee.tournament import designs

LEADS_FIRST = 0
"""The seat (0 is a) that leads to the first trick of every scheduled match (S2)."""

DEALS_FIRST = 1
"""The seat (1 is b) that deals first in every scheduled match of two (S2); of more it is the last (S10)."""

_MOVED_ON = {3: (0, 1, 2), 4: (0, 2, 1, 3)}
"""By the number of seats: how far everybody moves on in one cycle after the other (S9).

At four the second cycle puts everybody opposite, which evens out what one cycle leaves of two matches.
"""


class TournamentError(ValueError):
    """Says what is wrong with a field or a result, where, and what would be right."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match to be played: its place in the schedule, its seats and its first dealer.

    `number` runs from 1 without gaps through cycles, rounds and tables, each counted from 1;
    the seed of the match hangs on it. `seats` are two to four bots in the order a, b, c, d;
    at four a bot may play for both seats of its side. `first_dealer` is a seat.
    """

    number: int
    cycle: int
    round: int
    table: int
    seats: tuple[str, ...]
    first_dealer: int


@dataclass(frozen=True, slots=True)
class Bye:
    """One entrant without a match in one round of one cycle."""

    cycle: int
    round: int
    entrant: str


def round_robin(entrants: Sequence[str], *, cycles: int) -> tuple[Pairing, ...]:
    """Every pair of `entrants` meets once in each of `cycles`, by Berger tables.

    The first entrant is number 1 of the tables. Rules S1 to S5.

    Raises TournamentError for fewer than two entrants, for one entered twice, or for less
    than one cycle.

    >>> [pairing.seats for pairing in round_robin("ABC", cycles=1)]
    [('B', 'C'), ('A', 'B'), ('C', 'A')]
    """
    check_entrants(entrants)
    _check_cycles(cycles)
    places = [
        (cycle, turn, table, seats)
        for cycle in range(1, cycles + 1)
        for turn in range(1, _rounds(len(entrants)) + 1)
        for table, seats in enumerate(_tables(len(entrants), cycle, turn=turn), start=1)
    ]
    return tuple(
        Pairing(
            number=number,
            cycle=cycle,
            round=turn,
            table=table,
            seats=(entrants[first], entrants[second]),
            first_dealer=DEALS_FIRST,
        )
        for number, (cycle, turn, table, (first, second)) in enumerate(places, start=1)
    )


def tables(entrants: Sequence[str], *, seats: int, cycles: int) -> tuple[Pairing, ...]:
    """The schedule of a field in which everybody plays for itself alone, at tables of 2, 3 or 4 `seats`.

    Two seats: `round_robin`. Three: rules S7, S9 to S11. Four: partners change, S8 to S11.

    Raises TournamentError for fewer entrants than seats, for one entered twice, for less than one
    cycle or another number of seats.

    >>> [pairing.seats for pairing in tables("ABCDEFG", seats=3, cycles=1)][:3]
    [('A', 'B', 'D'), ('B', 'C', 'E'), ('C', 'D', 'F')]
    """
    if seats not in (2, *_MOVED_ON):
        raise TournamentError(f"seats is {seats}: a table has 2, 3 or 4")
    if seats == 2:
        return round_robin(entrants, cycles=cycles)
    check_entrants(entrants, least=seats)
    _check_cycles(cycles)
    rounds = designs.threes(len(entrants)) if seats == 3 else designs.fours(len(entrants))
    places = [
        (cycle, turn, table, _moved_on(players, cycle))
        for cycle in range(1, cycles + 1)
        for turn, playing in enumerate(rounds, start=1)
        for table, players in enumerate(playing, start=1)
    ]
    return tuple(
        Pairing(
            number=number,
            cycle=cycle,
            round=turn,
            table=table,
            seats=tuple(entrants[player] for player in players),
            first_dealer=seats - 1,
        )
        for number, (cycle, turn, table, players) in enumerate(places, start=1)
    )


def sides(seats: int) -> tuple[tuple[int, ...], ...]:
    """The seats that play together: each alone, but at four those opposite each other.

    >>> sides(4)
    ((0, 2), (1, 3))
    """
    return ((0, 2), (1, 3)) if seats == 4 else tuple((seat,) for seat in range(seats))


def byes(pairings: Iterable[Pairing], entrants: Sequence[str]) -> tuple[Bye, ...]:
    """Every entrant that sits out a round of `pairings`, in the order of rounds and entrants.

    Marks a withdrawal's byes too (S6), given the pairings `still_to_play` and who is left.
    """
    check_entrants(entrants)
    seated: dict[tuple[int, int], set[str]] = {}
    for pairing in pairings:
        seated.setdefault((pairing.cycle, pairing.round), set()).update(pairing.seats)
    return tuple(
        Bye(cycle=cycle, round=turn, entrant=entrant)
        for (cycle, turn), playing in sorted(seated.items())
        for entrant in entrants
        if entrant not in playing
    )


def still_to_play(
    pairings: Iterable[Pairing],
    finished: Collection[int],
    *,
    withdrawn: Collection[str] = (),
) -> tuple[Pairing, ...]:
    """The pairings not among the `finished` numbers and without a `withdrawn` entrant (S6)."""
    return tuple(
        pairing
        for pairing in pairings
        if pairing.number not in finished and not any(bot in withdrawn for bot in pairing.seats)
    )


def check_entrants(entrants: Sequence[str], *, least: int = 2) -> None:
    """Raise TournamentError unless at least so many entrants are named, each of them once."""
    if len(entrants) < least:
        field = "1 entrant" if len(entrants) == 1 else f"{len(entrants)} entrants"
        at = "" if least == 2 else f" at {least} seats"
        raise TournamentError(f"the field has {field}: a tournament{at} needs {least}")
    seen: set[str] = set()
    for place, entrant in enumerate(entrants, start=1):
        if entrant in seen:
            raise TournamentError(f"entrant {place}, {entrant!r}, was entered before: each bot enters once")
        seen.add(entrant)


def _check_cycles(cycles: int) -> None:
    if cycles < 1:
        raise TournamentError(f"cycles is {cycles}: a round robin has at least 1 cycle")


def _moved_on(players: tuple[int, ...], cycle: int) -> tuple[int, ...]:
    """The players of a table of the first cycle, each so many seats further on in another (S9)."""
    steps = _MOVED_ON[len(players)]
    by = steps[(cycle - 1) % len(steps)]
    return players[-by:] + players[:-by]


def _rounds(size: int) -> int:
    """An even field needs one round fewer than it has entrants, an odd one as many."""
    return size - 1 + size % 2


def _tables(size: int, cycle: int, *, turn: int) -> list[tuple[int, int]]:
    """Who meets whom in one round, as places in the field from 0, first leader first."""
    even = size + size % 2
    ring = even - 1
    shift = (turn - 1) * (even // 2)
    pairs = [((low + shift) % ring, (ring - low + shift) % ring) for low in range(even // 2)]
    pairs[0] = _with_the_fixed(shift % ring, ring, turn=turn)
    played = [pair for pair in pairs if max(pair) < size]
    return played if cycle % 2 else [(second, first) for first, second in played]


def _with_the_fixed(opponent: int, fixed: int, *, turn: int) -> tuple[int, int]:
    """The entrant that never moves leads first in every second round (S3)."""
    return (opponent, fixed) if turn % 2 else (fixed, opponent)
