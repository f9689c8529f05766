"""The table of a tournament: match wins, tie-breaks, shared ranks.

The written rule, and where it is carried out:

T1   A match counts once it has a winner. A void match counts nowhere: not as played, not in
     points. (`Played.winner`)
T2   A match lost by time, conduct, no-show, resignation or withdrawal is won and lost like any
     other, among the tied as well. Its game points are those on the score when it ended: 0:0
     for a no-show. (`table`)
T3   A bot that withdraws with fewer than half of its planned matches finished is struck: all
     its results stay in the crosstable and count for nobody (FIDE C.05). (`struck`)
T4   One that withdraws later keeps its results, and each planned match it has not finished is
     a walkover: won by the other bot at 0:0. Between two that have withdrawn it is void.
     (`walkovers`)
T5   More match wins stand higher. (`_match_wins`)
T6   Of those level, more wins in the matches among them stand higher. (`_wins_among`)
T7   Of those still level, the greater game-point difference stands higher, over all matches
     that count. (`_difference`)
T8   Of those still level, more game points won stand higher. (`_points_won`)
T9   Whenever T6, T7 or T8 parts the level ones, those of them still level begin again at T6
     among themselves. (`_ranked`, `_parted`)
T10  Those nothing parts share a rank and are listed in order of entry; the next rank counts
     all above it. (`_ranked`)
T11  A struck bot stands below all others; struck bots share that rank. (`table`)

In a running tournament the rules are applied to what has been played. Every figure is a sum of
integers over the results, so their order cannot change the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from referee.tournament.schedule import Pairing, TournamentError, check_entrants

WALKOVER = "walkover"
"""The cause of a match that a withdrawal decided before it was played (T4)."""

VOID = "void"
"""The cause of a pairing nobody is left to play (T4)."""


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one pairing, as the record holds it.

    `number` is the pairing's, `winner` a seat (0 or 1) or None for a void match, `game_points`
    stand in the order of the seats, `cause` is the match's.
    """

    number: int
    seats: tuple[str, str]
    winner: int | None
    game_points: tuple[int, int]
    cause: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    `played` is wins and losses together, walkovers included. `wins_among_level` are the wins in
    matches among all bots with as many wins, the first use of T6. `struck` is T3.
    """

    rank: int
    bot: str
    played: int
    wins: int
    losses: int
    wins_among_level: int
    game_points_for: int
    game_points_against: int
    struck: bool

    @property
    def game_point_difference(self) -> int:
        """Game points won less game points lost."""
        return self.game_points_for - self.game_points_against


@dataclass(frozen=True, slots=True)
class Cell:
    """What the bot of the row did in all its matches against the bot of the column."""

    wins: int
    losses: int
    game_points_for: int
    game_points_against: int


@dataclass(frozen=True, slots=True)
class _Tally:
    """Sums over the counting results, by bot; `beat` by winner and loser."""

    entrants: Sequence[str]
    wins: Counter[str] = field(default_factory=Counter)
    losses: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    beat: Counter[tuple[str, str]] = field(default_factory=Counter)
    scored: Counter[tuple[str, str]] = field(default_factory=Counter)


_Figure = Callable[[_Tally, str, Collection[str]], int]


def table(
    results: Iterable[Played],
    entrants: Sequence[str],
    *,
    planned: Iterable[Pairing] = (),
    withdrawn: Collection[str] = (),
) -> tuple[Row, ...]:
    """The standings after `results`, best first, one row for each of `entrants`.

    `planned` is the whole schedule; only the withdrawn make it needed (T3, T4). The order of
    `results` does not matter.

    Raises TournamentError for a bot or winner that is none, negative points, one pairing with
    two results, a field that is none, or a withdrawal without the schedule.
    """
    settled, gone = _settled(results, entrants, planned=planned, withdrawn=withdrawn)
    tally = _tally((match for match in settled if not gone.intersection(match.seats)), entrants)
    ranked = _ranked(tally, [bot for bot in entrants if bot not in gone])
    last = len(entrants) - len(gone) + 1
    ranked += [(last, bot) for bot in entrants if bot in gone]
    return tuple(_row(tally, bot, rank=rank, struck=bot in gone) for rank, bot in ranked)


def crosstable(
    results: Iterable[Played],
    entrants: Sequence[str],
    *,
    planned: Iterable[Pairing] = (),
    withdrawn: Collection[str] = (),
) -> tuple[tuple[Cell | None, ...], ...]:
    """What each of `entrants` did against each, rows and columns in their order.

    The diagonal is None. What struck bots played is shown (T3), walkovers are too (T4). Give
    entrants in the order of the table to print it so. Raises as `table` does.
    """
    settled, _ = _settled(results, entrants, planned=planned, withdrawn=withdrawn)
    tally = _tally(settled, entrants)
    return tuple(tuple(None if bot == other else _cell(tally, bot, other) for other in entrants) for bot in entrants)


def walkovers(results: Iterable[Played], planned: Iterable[Pairing], withdrawn: Collection[str]) -> tuple[Played, ...]:
    """What becomes of each pairing that a withdrawn bot did not finish (T4).

    The pairings of a struck bot are struck with it: they are no walkovers.
    """
    played, schedule = tuple(results), tuple(planned)
    finished = {match.number for match in played if match.winner is not None}
    gone = struck(played, schedule, withdrawn)
    return tuple(
        _walkover(pairing, withdrawn)
        for pairing in schedule
        if pairing.number not in finished
        and any(bot in withdrawn for bot in pairing.seats)
        and not gone.intersection(pairing.seats)
    )


def struck(results: Iterable[Played], planned: Iterable[Pairing], withdrawn: Collection[str]) -> frozenset[str]:
    """The withdrawn bots that finished fewer than half of their `planned` matches (T3)."""
    finished = Counter(bot for match in results if match.winner is not None for bot in match.seats)
    due = Counter(bot for pairing in planned for bot in pairing.seats)
    return frozenset(bot for bot in withdrawn if 2 * finished[bot] < due[bot])


def _settled(
    results: Iterable[Played],
    entrants: Sequence[str],
    *,
    planned: Iterable[Pairing],
    withdrawn: Collection[str],
) -> tuple[tuple[Played, ...], frozenset[str]]:
    """All results, walkovers among them, and who is struck."""
    played, schedule = tuple(results), tuple(planned)
    check_entrants(entrants)
    _check_results(played, entrants)
    _check_withdrawn(withdrawn, entrants, schedule)
    settled = played + walkovers(played, schedule, withdrawn)
    return settled, struck(played, schedule, withdrawn)


def _check_results(results: Iterable[Played], entrants: Sequence[str]) -> None:
    field_of = frozenset(entrants)
    counted: set[int] = set()
    for match in results:
        _check_result(match, field_of)
        if match.winner is not None and match.number in counted:
            raise TournamentError(f"pairing {match.number} has two results that count: one of them must be void")
        if match.winner is not None:
            counted.add(match.number)


def _check_result(match: Played, entrants: frozenset[str]) -> None:
    where = f"the result of pairing {match.number}"
    first, second = match.seats
    for bot in match.seats:
        if bot not in entrants:
            raise TournamentError(f"{where} seats {bot!r}, which is no entrant")
    if first == second:
        raise TournamentError(f"{where} seats {first!r} twice: a match has two bots")
    if match.winner not in (None, 0, 1):
        raise TournamentError(f"{where} has winner {match.winner!r}: it is seat 0, seat 1 or None")
    if min(match.game_points) < 0:
        raise TournamentError(f"{where} has game points {match.game_points}: none is below 0")


def _check_withdrawn(withdrawn: Collection[str], entrants: Sequence[str], planned: Collection[Pairing]) -> None:
    for bot in withdrawn:
        if bot not in entrants:
            raise TournamentError(f"{bot!r} has withdrawn and is no entrant")
    if withdrawn and not planned:
        raise TournamentError("bots have withdrawn and no schedule is given: `planned` must be the whole schedule")


def _walkover(pairing: Pairing, withdrawn: Collection[str]) -> Played:
    here = [seat for seat, bot in enumerate(pairing.seats) if bot not in withdrawn]
    winner = here[0] if here else None
    cause = VOID if winner is None else WALKOVER
    return Played(pairing.number, pairing.seats, winner, game_points=(0, 0), cause=cause)


def _tally(results: Iterable[Played], entrants: Sequence[str]) -> _Tally:
    tally = _Tally(entrants)
    for match in results:
        if match.winner is None:
            continue
        winner, loser = match.seats[match.winner], match.seats[1 - match.winner]
        tally.wins[winner] += 1
        tally.losses[loser] += 1
        tally.beat[winner, loser] += 1
        for bot, other, points in zip(match.seats, reversed(match.seats), match.game_points, strict=True):
            tally.won[bot] += points
            tally.lost[other] += points
            tally.scored[bot, other] += points
    return tally


def _match_wins(tally: _Tally, bot: str, level: Collection[str]) -> int:
    return tally.wins[bot]


def _wins_among(tally: _Tally, bot: str, level: Collection[str]) -> int:
    return sum(tally.beat[bot, other] for other in level)


def _difference(tally: _Tally, bot: str, level: Collection[str]) -> int:
    return tally.won[bot] - tally.lost[bot]


def _points_won(tally: _Tally, bot: str, level: Collection[str]) -> int:
    return tally.won[bot]


_TIE_BREAKS: tuple[_Figure, ...] = (_wins_among, _difference, _points_won)
"""T6 to T8, in order."""


def _ranked(tally: _Tally, bots: Sequence[str]) -> list[tuple[int, str]]:
    """T5 to T10: every bot with its rank, best first."""
    waiting = _groups(tally, bots, _match_wins)[::-1]
    ranked: list[tuple[int, str]] = []
    while waiting:
        level = waiting.pop()
        parts = _parted(tally, level)
        if len(parts) > 1:
            waiting += reversed(parts)
        else:
            rank = len(ranked) + 1
            ranked += [(rank, bot) for bot in level]
    return ranked


def _parted(tally: _Tally, level: Sequence[str]) -> list[list[str]]:
    """The parts into which the first tie-break that tells them apart divides `level` (T9)."""
    for figure in _TIE_BREAKS:
        parts = _groups(tally, level, figure)
        if len(parts) > 1:
            break
    return parts


def _groups(tally: _Tally, bots: Sequence[str], figure: _Figure) -> list[list[str]]:
    """`bots` by `figure`, greatest first; order of entry is kept within a group."""
    groups: dict[int, list[str]] = {}
    for bot in bots:
        groups.setdefault(figure(tally, bot, bots), []).append(bot)
    return [groups[value] for value in sorted(groups, reverse=True)]


def _row(tally: _Tally, bot: str, *, rank: int, struck: bool) -> Row:
    level = [other for other in tally.entrants if tally.wins[other] == tally.wins[bot]]
    return Row(
        rank=rank,
        bot=bot,
        played=tally.wins[bot] + tally.losses[bot],
        wins=tally.wins[bot],
        losses=tally.losses[bot],
        wins_among_level=_wins_among(tally, bot, level),
        game_points_for=tally.won[bot],
        game_points_against=tally.lost[bot],
        struck=struck,
    )


def _cell(tally: _Tally, bot: str, other: str) -> Cell:
    return Cell(
        wins=tally.beat[bot, other],
        losses=tally.beat[other, bot],
        game_points_for=tally.scored[bot, other],
        game_points_against=tally.scored[other, bot],
    )
