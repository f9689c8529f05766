"""The table of a tournament: match wins or game points, tie-breaks, shared ranks.

An entrant is a bot, or a team of two where teams play. Entrants whose seats play together in a match
are on one side of it, all others in it are their adversaries there.

The written rule, and where it is carried out:

T1   A match counts once it has a winner. A void match counts nowhere: not as played, not in
     points. (`Played.winner`)
T2   A match lost by time, conduct, no-show, resignation or withdrawal is won and lost like any
     other, among the tied as well. Its game points are those on the score when it ended: 0:0
     for a no-show. Who has not won a match has lost it. (`table`)
T3   An entrant that withdraws with fewer than half of its planned matches finished is struck: all
     its results stay in the crosstable and count for nobody (FIDE C.05). (`struck`)
T4   One that withdraws later keeps its results, and each planned match it has not finished is
     a walkover: won at 0:0 by all the others in it, as each would have been against it alone.
     Where all in it have withdrawn it is void. (`walkovers`)
T5   More match wins stand higher; or, where the tournament goes by game points, more game points
     won, and match wins part those level. (`_FIRST`)
T6   Of those level, more wins in the matches among them stand higher: a win counts once for each
     adversary among them. (`_wins_among`)
T7   Of those still level, the greater game-point difference stands higher, over all matches
     that count: an entrant's game points less those of each adversary side in turn. (`_difference`)
T8   Of those still level, more game points won stand higher. (`_points_won`)
T9   Whenever T6, T7 or T8 parts the level ones, those of them still level begin again at T6
     among themselves. (`_ranked`, `_parted`)
T10  Those nothing parts share a rank and are listed in order of entry; the next rank counts
     all above it. (`_ranked`)
T11  A struck entrant stands below all others; struck entrants share that rank. (`table`)

In a running tournament the rules are applied to what has been played. Every figure is a sum of
integers over the results, so their order cannot change the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args

from referee.tournament.duplicates import Compared
from referee.tournament.results import (
    VOID,
    WALKOVER,
    Due,
    Played,
    Sum,
    check_results,
    struck,
    struck_of,
    sum_of,
    walkovers,
    walkovers_of,
)
from referee.tournament.schedule import Pairing, TournamentError, check_entrants, sides

__all__ = [
    "VOID",
    "WALKOVER",
    "Cell",
    "Due",
    "Order",
    "Played",
    "Row",
    "Sum",
    "crosstable",
    "crosstable_of_sums",
    "struck",
    "struck_of",
    "table",
    "table_of_sums",
    "walkovers",
]

Order: TypeAlias = Literal["wins", "game_points"]
"""What comes first in the table (T5)."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; `bot` is the entrant.

    `played` is wins and losses together, walkovers included. `wins_among_level` are the wins over all
    entrants with as many wins, the first use of T6. `game_points_against` are those of all adversary
    sides together, of which a match has `adversaries`. `struck` is T3. Of a duplicate tournament `net` and
    `deals_compared` are what `duplicates.compare` found, else None.
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
    adversaries: int = 1
    net: int | None = None
    deals_compared: int | None = None

    @property
    def game_point_difference(self) -> int:
        """Game points won less those of each adversary side in turn (T7)."""
        return self.adversaries * self.game_points_for - self.game_points_against


@dataclass(frozen=True, slots=True)
class Cell:
    """What the entrant of the row did in all its matches against the entrant of the column.

    `neither` are the matches a third won.
    """

    wins: int
    losses: int
    game_points_for: int
    game_points_against: int
    neither: int = 0

    @property
    def met(self) -> int:
        """How often the two were adversaries in a match that counts."""
        return self.wins + self.losses + self.neither


@dataclass(frozen=True, slots=True)
class _Tally:
    """Sums over the counting results, by entrant; `beat` by winner and loser, `scored` and `met` by adversaries."""

    entrants: Sequence[str]
    adversaries: int
    wins: Counter[str] = field(default_factory=Counter)
    losses: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    beat: Counter[tuple[str, str]] = field(default_factory=Counter)
    scored: Counter[tuple[str, str]] = field(default_factory=Counter)
    met: Counter[tuple[str, str]] = field(default_factory=Counter)


_Figure = Callable[[_Tally, str, Collection[str]], int]


def table(
    results: Iterable[Played],
    entrants: Sequence[str],
    *,
    planned: Iterable[Pairing] = (),
    withdrawn: Collection[str] = (),
    order: Order = "wins",
    compared: Compared | None = None,
) -> tuple[Row, ...]:
    """The standings after `results`, best first, one row for each of `entrants`; `order` is what comes first (T5).
    `compared` is what comes before that in a duplicate tournament (D6).

    `planned` is the whole schedule; only the withdrawn make it needed (T3, T4). Its seats, as those of
    the results, are entrants: `teams.as_entrants` makes them of bots. The order of `results` does not
    matter.

    Raises TournamentError for a bot or winner that is none, points that cannot be, one pairing with
    two results, matches of different sizes, a field that is none, a withdrawal without the schedule,
    or an order that is none.
    """
    settled, gone = _settled(results, entrants, planned=planned, withdrawn=withdrawn)
    return _table(settled, entrants, struck=gone, order=order, compared=compared)


def table_of_sums(
    sums: Iterable[Sum],
    entrants: Sequence[str],
    *,
    due: Iterable[Due] = (),
    withdrawn: Collection[str] = (),
    order: Order = "wins",
    compared: Compared | None = None,
) -> tuple[Row, ...]:
    """The same as `table`, of results that were checked and added up already; `due` are the pairings of the withdrawn."""
    settled, gone = _settled_sums(sums, entrants, due=due, withdrawn=withdrawn)
    return _table(settled, entrants, struck=gone, order=order, compared=compared)


def _table(
    settled: Iterable[Sum],
    entrants: Sequence[str],
    *,
    struck: frozenset[str],
    order: Order,
    compared: Compared | None,
) -> tuple[Row, ...]:
    if order not in _FIRST:
        raise TournamentError(f"the standings go by {order!r}: they go by {' or '.join(get_args(Order))}")
    gone = struck
    tally = _tally((result for result in settled if not gone.intersection(result.seats)), entrants)
    figures = _FIRST[order] if compared is None else (_net(compared), *_FIRST[order])
    ranked = _ranked(tally, [bot for bot in entrants if bot not in gone], figures=figures)
    last = len(entrants) - len(gone) + 1
    ranked += [(last, bot) for bot in entrants if bot in gone]
    rows = tuple(_row(tally, bot, rank=rank, struck=bot in gone) for rank, bot in ranked)
    if compared is None:
        return rows
    net, deals = compared.net, compared.deals
    return tuple(replace(row, net=net.get(row.bot, 0), deals_compared=deals.get(row.bot, 0)) for row in rows)


def crosstable(
    results: Iterable[Played],
    entrants: Sequence[str],
    *,
    planned: Iterable[Pairing] = (),
    withdrawn: Collection[str] = (),
) -> tuple[tuple[Cell | None, ...], ...]:
    """What each of `entrants` did against each, rows and columns in their order.

    A cell is about matches in which the two were adversaries. The diagonal is None. What struck bots
    played is shown (T3), walkovers are too (T4). Give
    entrants in the order of the table to print it so. Raises as `table` does.
    """
    settled, _ = _settled(results, entrants, planned=planned, withdrawn=withdrawn)
    return _crosstable(settled, entrants)


def crosstable_of_sums(
    sums: Iterable[Sum], entrants: Sequence[str], *, due: Iterable[Due] = (), withdrawn: Collection[str] = ()
) -> tuple[tuple[Cell | None, ...], ...]:
    """The same as `crosstable`, of results that were checked and added up already, as for `table_of_sums`."""
    settled, _ = _settled_sums(sums, entrants, due=due, withdrawn=withdrawn)
    return _crosstable(settled, entrants)


def _crosstable(settled: Iterable[Sum], entrants: Sequence[str]) -> tuple[tuple[Cell | None, ...], ...]:
    tally = _tally(settled, entrants)
    return tuple(tuple(None if bot == other else _cell(tally, bot, other) for other in entrants) for bot in entrants)


def _settled(
    results: Iterable[Played],
    entrants: Sequence[str],
    *,
    planned: Iterable[Pairing],
    withdrawn: Collection[str],
) -> tuple[tuple[Sum, ...], frozenset[str]]:
    """All results, walkovers among them, and who is struck."""
    played, schedule = tuple(results), tuple(planned)
    check_entrants(entrants)
    check_results(played, entrants)
    _check_withdrawn(withdrawn, entrants, schedule)
    sizes = {len(match.seats) for match in played} | {len(pairing.seats) for pairing in schedule}
    if len(sizes) > 1:
        raise TournamentError(
            f"there are matches of {' and of '.join(map(str, sorted(sizes)))} seats: one table is of one"
        )
    settled = played + walkovers(played, schedule, withdrawn)
    return tuple(map(sum_of, settled)), struck(played, schedule, withdrawn)


def _settled_sums(
    sums: Iterable[Sum], entrants: Sequence[str], *, due: Iterable[Due], withdrawn: Collection[str]
) -> tuple[tuple[Sum, ...], frozenset[str]]:
    played, pairings = tuple(sums), tuple(due)
    check_entrants(entrants)
    _check_withdrawn(withdrawn, entrants, pairings)
    gone = struck_of(played, pairings, withdrawn)
    return played + walkovers_of(pairings, withdrawn, struck=gone), gone


def _check_withdrawn(withdrawn: Collection[str], entrants: Sequence[str], planned: Collection[object]) -> None:
    for bot in withdrawn:
        if bot not in entrants:
            raise TournamentError(f"{bot!r} has withdrawn and is no entrant")
    if withdrawn and not planned:
        raise TournamentError("bots have withdrawn and no schedule is given: `planned` must be the whole schedule")


def _tally(results: Iterable[Sum], entrants: Sequence[str]) -> _Tally:
    counting = [result for result in results if result.winner is not None]
    tally = _Tally(entrants, adversaries=len(sides(len(counting[0].seats))) - 1 if counting else 1)
    for result in counting:
        winners, times = result.winners, result.times
        for bot in winners:
            tally.wins[bot] += times
        for bot in frozenset(result.seats) - winners:
            tally.losses[bot] += times
        playing = sides(len(result.seats))
        for side in playing:
            against = [other for other in playing if other != side]
            for bot in {result.seats[seat] for seat in side}:
                points = result.game_points[side[0]]
                tally.won[bot] += points
                tally.lost[bot] += sum(result.game_points[other[0]] for other in against)
                for adversary in {result.seats[seat] for other in against for seat in other}:
                    tally.met[bot, adversary] += times
                    tally.scored[bot, adversary] += points
                    tally.beat[bot, adversary] += times * (bot in winners and adversary not in winners)
    return tally


def _match_wins(tally: _Tally, bot: str, level: Collection[str]) -> int:
    return tally.wins[bot]


def _wins_among(tally: _Tally, bot: str, level: Collection[str]) -> int:
    return sum(tally.beat[bot, other] for other in level)


def _difference(tally: _Tally, bot: str, level: Collection[str]) -> int:
    return tally.adversaries * tally.won[bot] - tally.lost[bot]


def _points_won(tally: _Tally, bot: str, level: Collection[str]) -> int:
    return tally.won[bot]


_FIRST: dict[Order, tuple[_Figure, ...]] = {"wins": (_match_wins,), "game_points": (_points_won, _match_wins)}
"""T5, by the order of the table."""

_TIE_BREAKS: tuple[_Figure, ...] = (_wins_among, _difference, _points_won)
"""T6 to T8, in order."""


def _net(compared: Compared) -> _Figure:
    """D6, as a figure of the table."""
    return lambda tally, bot, level: compared.net.get(bot, 0)


def _ranked(tally: _Tally, bots: Sequence[str], *, figures: Iterable[_Figure]) -> list[tuple[int, str]]:
    """T5 to T10: every bot with its rank, best first."""
    level_ones = [list(bots)]
    for figure in figures:
        level_ones = [part for level in level_ones for part in _groups(tally, level, figure)]
    waiting = level_ones[::-1]
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
        adversaries=tally.adversaries,
    )


def _cell(tally: _Tally, bot: str, other: str) -> Cell:
    return Cell(
        wins=tally.beat[bot, other],
        losses=tally.beat[other, bot],
        game_points_for=tally.scored[bot, other],
        game_points_against=tally.scored[other, bot],
        neither=tally.met[bot, other] - tally.beat[bot, other] - tally.beat[other, bot],
    )
