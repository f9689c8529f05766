"""Results of a tournament added up by the database, or read in narrow rows: what its tables rest on.

Match rows are long, as each carries its rules and its terms; nothing here brings more of them over than is counted.

Where matches share packs (`shared`: a duplicate tournament), those count whose packs are played out, and no others: the score
of one table, or who won there, would tell those something who play the same packs at another. So standings and crosstable of
a running tournament lag behind, by a leg or a round, and that a match is over is all that is told of it till then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, FromClause, case, func, or_, select

from referee.store.match_rows import OPEN
from referee.store.tables import matches, seats

AT_ONCE = 500
"""So many narrow rows are in this process at a time."""
ADDED_AT_ONCE = 10_000
"""So many matches are added up by one statement."""


class Summed(NamedTuple):
    """What the matches that are over come to in which the same bots sat in the same seats and the same seat won, or lost
    alone: how many, and the points of each seat added."""

    bots: tuple[str, ...]
    winner: int | None
    lost_by: int | None
    times: int
    points: tuple[int, ...]


class Planned(NamedTuple):
    """How many pairings have these bots in their seats, and how many of them have no result that counts."""

    bots: tuple[str, ...]
    times: int
    unfinished: int


class Compared(NamedTuple):
    """What a match that is over has for comparing: its packs, its bots, and the deals as they are kept."""

    packs: str
    bots: tuple[str, ...]
    deals: list[Any]


def sums(connection: Connection, tournament_id: str, *, size: int, shared: bool) -> Iterator[list[Summed]]:
    """Gives the results of a tournament of `size` seats a match, added up, for some thousand matches at a time.

    A hundred thousand take an embedded database a second, in which this process does nothing else; so who reads can let
    others go on in between.
    """
    bots, joined = _seated(size)
    points = [func.sum(matches.c.score[seat].as_integer()) for seat in range(size)]
    outcome = (matches.c.winner, matches.c.lost_by)
    wanted = select(*bots, *outcome, func.count(), *points).select_from(joined)
    wanted = wanted.where(*_done(tournament_id, shared=shared)).group_by(*bots, *outcome)
    last = select(func.max(matches.c.number)).where(matches.c.tournament == tournament_id)
    for first in range(1, (connection.execute(last).scalar() or 0) + 1, ADDED_AT_ONCE):
        some = wanted.where(matches.c.number >= first, matches.c.number < first + ADDED_AT_ONCE)
        rows: Iterator[tuple[Any, ...]] = map(tuple, connection.execute(some))
        yield [
            Summed(row[:size], winner=row[size], lost_by=row[size + 1], times=row[size + 2], points=row[size + 3 :])
            for row in rows
        ]


def planned(
    connection: Connection, tournament_id: str, *, size: int, among: Collection[str], shared: bool
) -> list[Planned]:
    """Are the pairings in which one of those bots has a seat, by how the seats are filled."""
    bots, joined = _seated(size)
    again = matches.alias("again")
    counts = (again.c.winner.is_not(None), again.c.lost_by.is_not(None))
    same = (again.c.tournament == matches.c.tournament, again.c.state == "done", again.c.number == matches.c.number)
    told = _told(again.c.packs, tournament_id) if shared else ()
    finished = select(again.c.id).where(*same, or_(*counts), *told).correlate(matches).exists()
    ours = (matches.c.tournament == tournament_id, matches.c.replay == 0, or_(*(bot.in_(among) for bot in bots)))
    unfinished = func.sum(case((finished, 0), else_=1))
    wanted = select(*bots, func.count(), unfinished).select_from(joined).where(*ours).group_by(*bots)
    rows: Iterator[tuple[Any, ...]] = map(tuple, connection.execute(wanted))
    return [Planned(row[:size], times=row[size], unfinished=row[size + 1]) for row in rows]


def by_packs(connection: Connection, tournament_id: str, *, size: int, without: str) -> Iterator[list[Compared]]:
    """Gives what matches have for comparing, all on the same packs together; but for those of the cause `without`."""
    bots, joined = _seated(size)
    wanted = select(matches.c.packs, matches.c.deals, *bots).select_from(joined).order_by(matches.c.packs)
    wanted = wanted.where(*_done(tournament_id, shared=True), matches.c.cause.is_distinct_from(without))
    rows = connection.execute(wanted, execution_options={"yield_per": AT_ONCE})
    for packs, together in groupby(rows, key=attrgetter("packs")):
        yield [Compared(packs, tuple(row[2:]), row.deals) for row in together if row.deals is not None]


def met(
    connection: Connection, tournament_id: str, *, size: int, shared: bool
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Gives the matches that are over, in the order of the schedule: id and bots by seat."""
    bots, joined = _seated(size)
    wanted = select(matches.c.id, *bots).select_from(joined).where(*_done(tournament_id, shared=shared))
    wanted = wanted.order_by(matches.c.number, matches.c.replay)
    for row in connection.execute(wanted, execution_options={"yield_per": AT_ONCE}):
        yield row[0], tuple(row[1:])


def _done(tournament_id: str, *, shared: bool) -> tuple[ColumnElement[bool], ...]:
    told = _told(matches.c.packs, tournament_id) if shared else ()
    return matches.c.tournament == tournament_id, matches.c.state == "done", *told


def _told(packs: ColumnElement[str], tournament_id: str) -> tuple[ColumnElement[bool], ...]:
    """Tells whether packs are played out."""
    there = matches.alias("there")
    ours = (there.c.tournament == tournament_id, there.c.state.in_(OPEN), there.c.packs.is_not(None))
    return (or_(packs.is_(None), packs.not_in(select(there.c.packs).where(*ours).correlate(None))),)


def _seated(size: int) -> tuple[list[ColumnElement[str]], FromClause]:
    """Are the columns of the bots in each seat, and the matches joined with their seats."""
    joined: FromClause = matches
    bots: list[ColumnElement[str]] = []
    for number in range(size):
        there = seats.alias(f"seat_{number}")
        joined = joined.join(there, (there.c.match == matches.c.id) & (there.c.seat == number))
        bots.append(there.c.bot)
    return bots, joined
