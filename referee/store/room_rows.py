"""Which planned matches have room: read in narrow rows, for it is read inside the transaction that opens them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Subquery,
    and_,
    bindparam,
    case,
    func,
    literal_column,
    select,
    text,
    union,
)

from referee.store.tables import bots, entries, matches, seats, tournaments

KINDS = ("tournament", "check", "friendly")  # whichever comes first here is opened first
OPENING_LOCK = 6_600_067
_OPEN_FRIENDLY = (matches.c.kind == "friendly", matches.c.state.in_(("planned", "live")))
# Written out and no parameter: else a database cannot know that the index of what is planned will do.
_IS_PLANNED = matches.c.state == literal_column("'planned'")
# No bare column, so that the index by bot is left alone: the few open matches are to be looked through, not all that
# a bot ever played.
_seated_bot = func.coalesce(seats.c.bot, "")


@dataclass(frozen=True, slots=True)
class Room:
    """What a bot is at and may be at: its live matches, how many of them are friendlies, its `concurrency`.

    `awaited`: a match of a running tournament is planned for it.
    """

    name: str
    live: int
    friendlies: int
    concurrency: int
    awaited: bool

    @property
    def is_full(self) -> bool:
        """Tells whether it plays as many matches as it may."""
        return self.live >= self.concurrency

    @property
    def is_kept(self) -> bool:
        """Tells whether its last place for friendlies is kept for the tournament that awaits it."""
        return self.awaited and self.friendlies >= self.concurrency - 1

    def takes(self, kind: str) -> bool:
        """Tells whether one more match of that kind may be opened."""
        return not self.is_full and not (kind == "friendly" and self.is_kept)


def candidates(connection: Connection, kind: str, *, limit: int, at: str = "9999") -> dict[str, frozenset[str]]:
    """Are up to `limit` planned matches of a kind, in the order of play, with the bots seated in each.

    Of several tournaments the one with the fewest matches live comes first, so that those that share bots share their time;
    and where one has none, the bots of its next match are kept for it (`_kept`).
    Each has room by itself, as `Room.takes` has it, and its tournament runs; whoever opens one must look whether there
    is room left for the next. One that waits for salts is left out until `at` (RFC 3339) is past its time.
    """
    if kind == "tournament":  # mostly none is roomy, which is seen without looking through all that is planned
        ids = _of_tournaments(connection, limit=limit, at=at)
    else:
        ids = list(connection.execute(_candidates(kind), {"most": limit, "at": at}).scalars())
    if not ids:
        return {}
    seated: dict[str, set[str]] = {match_id: set() for match_id in ids}
    for match_id, bot in connection.execute(_SEATED, {"ids": ids}):
        seated[match_id].add(bot)
    return {match_id: frozenset(group) for match_id, group in seated.items()}


def _of_tournaments(connection: Connection, *, limit: int, at: str) -> list[str]:
    ids: list[str] = []
    turns = _in_turn(connection, list(connection.execute(_roomy()).scalars()))
    kept = list(connection.execute(_kept(), {"at": at}).scalars()) if turns else []
    for live, tournament in turns:
        if len(ids) < limit:
            asked = {"tournament": tournament, "at": at, "most": limit - len(ids)}
            if live and kept:
                ids += connection.execute(_candidates("tournament", spares=True), {**asked, "kept": kept}).scalars()
            else:
                ids += connection.execute(_candidates("tournament"), asked).scalars()
    return ids


@cache
def _candidates(kind: str, *, spares: bool = False) -> Select[Any]:
    # Kept, as are the others here: to put such a statement together takes longer than to have it answered.
    closed = _seated_bot.in_(_closed_to(kind))
    wanted = [_IS_PLANNED, matches.c.kind == kind, ~_is_seated(closed)]
    wanted += [(matches.c.opens_after.is_(None)) | (matches.c.opens_after <= bindparam("at"))]
    if kind == "tournament":
        wanted += [matches.c.tournament == bindparam("tournament")]
    if spares:
        wanted += [~_is_seated(_seated_bot.in_(bindparam("kept", expanding=True)))]
    order = (matches.c.created_at, matches.c.number, matches.c.id)
    return select(matches.c.id).where(*wanted).order_by(*order).limit(bindparam("most"))


def _is_seated(those: ColumnElement[bool]) -> ColumnElement[bool]:
    """Tells of each match whether one of those bots is seated in it."""
    return select(seats.c.bot).where(seats.c.match == matches.c.id, those).correlate(matches).exists()


_SEATED = select(seats.c.match, seats.c.bot).where(seats.c.match.in_(bindparam("ids", expanding=True)))


def rooms(connection: Connection, bot_ids: Collection[str]) -> dict[str, Room]:
    """Are the rooms of those bots that exist, by id."""
    return {
        bot: Room(name, plays or 0, friendlies or 0, concurrency, bool(is_awaited))
        for bot, name, concurrency, plays, friendlies, is_awaited in connection.execute(
            _rooms(), {"ids": list(bot_ids)}
        )
    }


@cache
def _rooms() -> Select[Any]:
    live = _live()
    return (
        select(bots.c.id, bots.c.name, bots.c.concurrency, live.c.plays, live.c.friendlies, _awaited())
        .outerjoin(live, live.c.bot == bots.c.id)
        .where(bots.c.id.in_(bindparam("ids", expanding=True)))
    )


def packs_of(connection: Connection, match_ids: Collection[str]) -> tuple[dict[str, str], set[tuple[str, str]]]:
    """Are the packs of those of some planned matches that share theirs, and who plays such packs now: (packs, bot)."""
    wanted = select(matches.c.id, matches.c.packs).where(matches.c.id.in_(match_ids), matches.c.packs.is_not(None))
    packs: dict[str, str] = {row.id: row.packs for row in connection.execute(wanted)}
    if not packs:
        return {}, set()
    live = (
        select(matches.c.packs, seats.c.bot)
        .join(seats, seats.c.match == matches.c.id)
        .where(matches.c.packs.in_(set(packs.values())), matches.c.state == "live")
    )
    return packs, {(shared, bot) for shared, bot in connection.execute(live)}


def friendlies_asked(connection: Connection, asker: str) -> int:
    """Counts the friendlies that a bot asked for and that are planned or live."""
    wanted = select(func.count()).select_from(matches).where(*_OPEN_FRIENDLY, matches.c.asked_by == asker)
    return connection.execute(wanted).scalar_one()


def friendlies_seated(connection: Connection, bot: str) -> int:
    """Counts the friendlies that a bot is seated in and that are planned or live."""
    joined = select(func.count(matches.c.id.distinct())).join(seats, seats.c.match == matches.c.id)
    return connection.execute(joined.where(*_OPEN_FRIENDLY, _seated_bot == bot)).scalar_one()


def friendlies_live(connection: Connection, asker: str, *, bots: Collection[str]) -> list[str]:
    """Are the live friendlies that a bot asked for or in which some bots are seated."""
    joined = select(matches.c.id).distinct().join(seats, seats.c.match == matches.c.id)
    ours = (matches.c.asked_by == asker) | _seated_bot.in_(bots)
    return list(
        connection.execute(joined.where(matches.c.kind == "friendly", matches.c.state == "live", ours)).scalars()
    )


def friendlies_in_the_way(connection: Connection, before: str) -> list[str]:
    """Are the friendlies, opened before that time (RFC 3339), of a bot that a tournament awaits and that has no place left."""
    joined = select(matches.c.id).distinct().join(seats, seats.c.match == matches.c.id)
    joined = joined.join(bots, bots.c.id == seats.c.bot)
    ours = (matches.c.kind == "friendly", matches.c.state == "live", matches.c.opened_at < before)
    return list(connection.execute(joined.where(*ours, bots.c.id.in_(_full()), _awaited())).scalars())


def one_opener_at_a_time(connection: Connection) -> None:
    """Waits until no other transaction counts what is open: room in `concurrency` is counted over all tournaments.

    On SQLite a write transaction is alone anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": OPENING_LOCK})


@cache
def _roomy() -> Select[Any]:
    """Are the running tournaments in which at least two entrants have room; only there a match can be opened."""
    return (
        select(entries.c.tournament)
        .where(entries.c.tournament.in_(_running()), entries.c.state == "entered", entries.c.bot.not_in(_full()))
        .group_by(entries.c.tournament)
        .having(func.count() > 1)
    )


def _in_turn(connection: Connection, roomy: Sequence[str]) -> list[tuple[int, str]]:
    """Are tournaments with how many of their matches are live, those with the fewest first, else those that are least far on."""
    if not roomy:
        return []
    found = connection.execute(_turns(), {"roomy": list(roomy)})
    turns = sorted((live, following or 0, tournament) for tournament, live, following in found)
    return [(live, tournament) for live, _, tournament in turns]


@cache
def _turns() -> Select[Any]:
    """Are of each tournament its id, how many of its matches are live, and the number of the next that is planned."""
    ours = (matches.c.tournament == tournaments.c.id,)
    live = select(func.count()).select_from(matches).where(*ours, matches.c.state == "live")
    following = select(func.min(matches.c.number)).where(*ours, _IS_PLANNED)
    counted = (each.correlate(tournaments).scalar_subquery() for each in (live, following))
    return select(tournaments.c.id, *counted).where(tournaments.c.id.in_(bindparam("roomy", expanding=True)))


@cache
def _kept() -> Select[Any]:
    """Are the bots of the next match of each running tournament that has none live.

    Bots come free one by one. If any other tournament could take the first of them at once, a match whose bots are never
    free at the same moment would have to wait until that tournament has no more for them.
    """
    live, planned = (
        select(matches.c.id).where(matches.c.tournament == tournaments.c.id, state).correlate(tournaments)
        for state in (matches.c.state == "live", _IS_PLANNED)
    )
    openable = planned.where((matches.c.opens_after.is_(None)) | (matches.c.opens_after <= bindparam("at")))
    following = openable.order_by(matches.c.number, matches.c.replay).limit(1).scalar_subquery()
    waiting = select(following.label("match")).where(tournaments.c.state == "running", ~live.exists()).subquery()
    return select(seats.c.bot).join(waiting, waiting.c.match == seats.c.match)


def _full() -> Select[Any]:
    """Are the bots that play as many matches as they may."""
    live = _live()
    return select(bots.c.id).join(live, live.c.bot == bots.c.id).where(live.c.plays >= bots.c.concurrency)


def _closed_to(kind: str) -> Any:
    """Are the bots that take no match of that kind now: `Room.takes` in SQL."""
    if kind != "friendly":
        return _full()
    live = _live()
    kept = (
        select(bots.c.id)
        .outerjoin(live, live.c.bot == bots.c.id)
        .where(func.coalesce(live.c.friendlies, 0) >= bots.c.concurrency - 1, _awaited())
    )
    return union(_full(), kept)


def _live() -> Subquery:
    """Are the bots that play, with how many matches, and how many friendlies among them."""
    friendly = case((matches.c.kind == "friendly", matches.c.id))
    return (
        select(
            seats.c.bot,
            func.count(matches.c.id.distinct()).label("plays"),
            func.count(friendly.distinct()).label("friendlies"),
        )
        .join(matches, matches.c.id == seats.c.match)
        .where(matches.c.state == "live")
        .group_by(seats.c.bot)
        .subquery()
    )


def _awaited() -> ColumnElement[bool]:
    """Tells of each bot whether a match of a running tournament is planned for it."""
    entered = (entries.c.bot == bots.c.id) | (entries.c.partner == bots.c.id)
    ours = and_(_IS_PLANNED, matches.c.tournament == entries.c.tournament, _seated_bot == bots.c.id)
    planned = (
        select(matches.c.id).join(seats, seats.c.match == matches.c.id).where(ours).correlate(bots, entries).exists()
    )
    return select(entries.c.bot).where(entries.c.tournament.in_(_running()), entered, planned).correlate(bots).exists()


def _running() -> Select[Any]:
    return select(tournaments.c.id).where(tournaments.c.state == "running").correlate(None)
