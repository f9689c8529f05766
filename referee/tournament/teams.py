"""Teams of two against each other at four seats: seats a and c are one team, b and d the other.

A team is one entrant: it is scored, ranked, struck and withdrawn as one.

The written rule, beside S1 to S6 of `schedule`, in which an entrant is a team:

P1  The team named first in a Berger table sits at a and c and leads, so the other deals first, at d.
P2  The two bots of a team change seats from one of its matches at a and c to the next, and likewise
    at b and d, so each leads, and deals first, as often as the other, give or take one. At a and c
    the first bot of the entry begins in the first seat, at b and d in the second.
P3  One bot may play for both seats of a team: it is then seated twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from referee.tournament.schedule import Pairing, TournamentError, round_robin

DEALS_FIRST = 3
"""The seat (3 is d) that deals first in every match of teams (P1)."""


@dataclass(frozen=True, slots=True)
class Team:
    """Two bots that play together, or one that plays for both seats; `entrant` is what the table calls them."""

    entrant: str
    bots: tuple[str, str]


def teams_round_robin(teams: Sequence[Team], *, cycles: int) -> tuple[Pairing, ...]:
    """Every two of `teams` meet once in each of `cycles`; the seats of the pairings are bots.

    Rules S1 to S6, P1 to P3. One cycle is part of two: a longer schedule begins with the shorter.

    Raises TournamentError for fewer than two teams, less than one cycle, or a bot or entrant that
    is named in two teams.

    >>> [pairing.seats for pairing in teams_round_robin([Team("x", ("A", "B")), Team("y", ("C", "D"))], cycles=2)]
    [('A', 'D', 'B', 'C'), ('C', 'B', 'D', 'A')]
    """
    check_teams(teams)
    bots = {team.entrant: team.bots for team in teams}
    sat: Counter[tuple[str, int]] = Counter()
    pairings = []
    for pairing in round_robin(list(bots), cycles=cycles):
        pairs = []
        for side, entrant in enumerate(pairing.seats):
            order = 1 if (sat[entrant, side] + side) % 2 == 0 else -1
            pairs.append(bots[entrant][::order])
            sat[entrant, side] += 1
        (a, c), (b, d) = pairs
        pairings.append(replace(pairing, seats=(a, b, c, d), first_dealer=DEALS_FIRST))
    return tuple(pairings)


def as_entrants(seats: Sequence[str], teams: Sequence[Team]) -> tuple[str, ...]:
    """The entrants that bots play for, seat by seat, as the standings and the crosstable count them.

    Raises TournamentError for a bot of no team.

    >>> as_entrants(("A", "C", "B", "D"), [Team("x", ("A", "B")), Team("y", ("C", "D"))])
    ('x', 'y', 'x', 'y')
    """
    entrant_of = {bot: team.entrant for team in teams for bot in team.bots}
    for bot in seats:
        if bot not in entrant_of:
            raise TournamentError(f"{bot!r} is seated and plays in no team")
    return tuple(entrant_of[bot] for bot in seats)


def check_teams(teams: Sequence[Team]) -> None:
    """Raise TournamentError unless at least two teams are named, each entrant and each bot in one of them."""
    if len(teams) < 2:
        field = "1 team" if len(teams) == 1 else f"{len(teams)} teams"
        raise TournamentError(f"the field has {field}: a tournament needs 2")
    entrants: set[str] = set()
    member_of: dict[str, str] = {}
    for place, team in enumerate(teams, start=1):
        if team.entrant in entrants:
            raise TournamentError(f"team {place}, {team.entrant!r}, was entered before: each team enters once")
        entrants.add(team.entrant)
        for bot in dict.fromkeys(team.bots):
            if bot in member_of:
                raise TournamentError(
                    f"team {place}, {team.entrant!r}, names {bot!r}, "
                    f"which plays in team {member_of[bot]!r}: a bot plays in one team"
                )
            member_of[bot] = team.entrant
