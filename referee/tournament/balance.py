"""How even a schedule is: who meets whom how often, who sits where, who deals first, as data and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import gcd
from typing import Any

from referee.tournament import schedule
from referee.tournament.schedule import Pairing, TournamentError
from referee.tournament.teams import Team, as_entrants, check_teams


@dataclass(frozen=True, slots=True)
class Spread:
    """The least and the most of a count over all it is taken of."""

    least: int
    most: int

    @property
    def is_even(self) -> bool:
        """Whether the count is the same everywhere."""
        return self.least == self.most


@dataclass(frozen=True, slots=True)
class Balance:
    """How even a schedule is; every count is over the whole of it.

    `entrants` is their number, teams where the field is of teams; `played`, `first_deals` and `byes`
    are counted by entrant, `in_seat` by bot and seat, and `seat_gap` is the most by which the seats of
    one bot differ. `meetings` are by pair of entrants: at four seats as adversaries, and `partners`
    likewise, or None where nobody changes partners.
    """

    entrants: int
    seats: int
    is_of_teams: bool
    matches: int
    rounds: int
    played: Spread
    meetings: Spread
    partners: Spread | None
    in_seat: Spread
    seat_gap: int
    first_deals: Spread
    byes: Spread

    @property
    def uneven(self) -> tuple[str, ...]:
        """What is not the same for all: of meetings, partners, seats and first deals."""
        counts = {
            "meetings": self.meetings.is_even,
            "partners": self.partners is None or self.partners.is_even,
            "seats": self.seat_gap == 0,
            "first deals": self.first_deals.is_even,
        }
        return tuple(name for name, is_even in counts.items() if not is_even)

    @property
    def is_exact(self) -> bool:
        """Whether all meet equally often, sit in every seat equally often and deal first equally often."""
        return not self.uneven

    def facts(self) -> dict[str, Any]:
        """Return the balance as JSON-able data, every spread as `{"least", "most"}`."""
        counts: dict[str, Spread | None] = {
            "played": self.played,
            "meetings": self.meetings,
            "partners": self.partners,
            "in_seat": self.in_seat,
            "first_deals": self.first_deals,
            "byes": self.byes,
        }
        shown = {
            name: None if count is None else {"least": count.least, "most": count.most}
            for name, count in counts.items()
        }
        sizes = {"entrants": self.entrants, "seats": self.seats, "matches": self.matches, "rounds": self.rounds}
        return {**sizes, **shown, "seat_gap": self.seat_gap, "uneven": list(self.uneven), "exact": self.is_exact}

    def words(self) -> tuple[str, ...]:
        """Say it in a few lines of plain text.

        >>> print(*balance(schedule.tables("ABCDEFG", seats=3, cycles=1), "ABCDEFG").words(), sep="\\n")
        7 bots at tables of 3: 7 matches in 7 rounds, 3 for each.
        Any two meet exactly once.
        Each sits exactly once in every seat and deals first exactly once; each has 4 byes.
        All of this is the same for all.
        """
        return (self._size_in_words(), self._meetings_in_words(), self._seats_in_words(), self._verdict_in_words())

    def _size_in_words(self) -> str:
        field = _number(self.entrants, "team" if self.is_of_teams else "bot")
        each = str(self.played.least) if self.played.is_even else f"{self.played.least} to {self.played.most}"
        size = f"{_number(self.matches, 'match', 'matches')} in {_number(self.rounds, 'round')}"
        return f"{field} at tables of {self.seats}: {size}, {each} for each."

    def _meetings_in_words(self) -> str:
        if self.partners is None:
            return f"Any two{' teams' * self.is_of_teams} meet {_times(self.meetings)}."
        return f"Any two are partners {_times(self.partners)} and adversaries {_times(self.meetings)}."

    def _seats_in_words(self) -> str:
        own = "equally often" if self.seat_gap == 0 and not self.in_seat.is_even else _times(self.in_seat)
        deals = f"deals first {_times(self.first_deals)}"
        rests = "nobody has a bye" if self.byes.most == 0 else f"each has {_byes(self.byes)}"
        if self.is_of_teams:
            return f"Each bot sits {own} in every seat, and each team {deals}; {rests}."
        return f"Each sits {own} in every seat and {deals}; {rests}."

    def _verdict_in_words(self) -> str:
        if self.is_exact:
            return "All of this is the same for all."
        uneven = f"Not the same for all: {', '.join(self.uneven)}"
        if "seats" in self.uneven and self.played.is_even and self.played.least % self.seats:
            shared = _number(self.played.least, "match", "matches")
            oftener = self.seats // gcd(self.seats, self.played.least)
            as_many = "twice" if oftener == 2 else f"{oftener} times"
            return f"{uneven}. {shared} cannot be shared evenly among {self.seats} seats, {as_many} as many can."
        return f"{uneven}."


def balance(pairings: Iterable[Pairing], entrants: Sequence[str] | Sequence[Team]) -> Balance:
    """How even a whole schedule is, for the bots or the teams it was made for.

    Raises TournamentError for a schedule without a match, with tables of different sizes, or that
    seats a bot that is not among the entrants.
    """
    matches = tuple(pairings)
    teams = [entrant for entrant in entrants if isinstance(entrant, Team)]
    names = [entrant.entrant if isinstance(entrant, Team) else entrant for entrant in entrants]
    bots = list(dict.fromkeys(bot for team in teams for bot in team.bots)) if teams else names
    (seats,) = _sizes(matches)
    _check_seated(matches, teams, bots)
    played: Counter[str] = Counter(dict.fromkeys(names, 0))
    first_deals: Counter[str] = Counter(dict.fromkeys(names, 0))
    in_seat: Counter[tuple[str, int]] = Counter({(bot, seat): 0 for bot in bots for seat in range(seats)})
    meetings: Counter[tuple[str, str]] = Counter(dict.fromkeys(_pairs(names), 0))
    partners: Counter[tuple[str, str]] = Counter(dict.fromkeys(_pairs(names), 0))
    for pairing in matches:
        seated = as_entrants(pairing.seats, teams) if teams else pairing.seats
        played.update(set(seated))
        first_deals[seated[pairing.first_dealer]] += 1
        in_seat.update((bot, seat) for seat, bot in enumerate(pairing.seats))
        sides = [dict.fromkeys(seated[seat] for seat in side) for side in schedule.sides(seats)]
        for one, other in combinations(sides, 2):
            meetings.update(pair for x in one for y in other for pair in ((x, y), (y, x)))
        partners.update(pair for side in sides for x, y in combinations(side, 2) for pair in ((x, y), (y, x)))
    rounds = {(pairing.cycle, pairing.round) for pairing in matches}
    by_bot = [[in_seat[bot, seat] for seat in range(seats)] for bot in bots]
    return Balance(
        entrants=len(names),
        seats=seats,
        is_of_teams=bool(teams),
        matches=len(matches),
        rounds=len(rounds),
        played=_spread(played),
        meetings=_spread(meetings),
        partners=_spread(partners) if seats == 4 and not teams else None,
        in_seat=_spread(in_seat),
        seat_gap=max(max(counts) - min(counts) for counts in by_bot),
        first_deals=_spread(first_deals),
        byes=Spread(len(rounds) - max(played.values()), len(rounds) - min(played.values())),
    )


def _sizes(matches: Sequence[Pairing]) -> tuple[int]:
    sizes = {len(pairing.seats) for pairing in matches}
    if len(sizes) != 1:
        found = f"tables of {' and '.join(map(str, sorted(sizes)))}" if sizes else "no match"
        raise TournamentError(f"the schedule has {found}: its balance is that of tables of one size")
    return (sizes.pop(),)


def _check_seated(matches: Sequence[Pairing], teams: Sequence[Team], bots: Sequence[str]) -> None:
    if teams:
        check_teams(teams)
    else:
        schedule.check_entrants(bots)
    known = frozenset(bots)
    for pairing in matches:
        for bot in pairing.seats:
            if bot not in known:
                raise TournamentError(f"pairing {pairing.number} seats {bot!r}, which is no entrant")


def _pairs(names: Sequence[str]) -> Iterable[tuple[str, str]]:
    return ((one, other) for one in names for other in names if one != other)


def _spread(counts: Counter[Any]) -> Spread:
    return Spread(min(counts.values()), max(counts.values()))


def _times(count: Spread) -> str:
    named = {0: "never", 1: "once", 2: "twice"}
    most = named.get(count.most, f"{count.most} times")
    if count.is_even:
        return f"exactly {most}" if count.most else most
    if count.most <= 2:
        return {(0, 1): "at most once", (1, 2): "once or twice"}.get((count.least, count.most), "at most twice")
    return f"{count.least} {'or' if count.least + 1 == count.most else 'to'} {most}"


def _byes(count: Spread) -> str:
    return _number(count.least, "bye") if count.is_even else f"{count.least} to {count.most} byes"


def _number(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"
