"""Rows of matches with their seats. A match row carries `bots` and `names`, tuples in seat order, and `withheld`: whether
another match on its packs is still to be played. Its `seed` is the whole one, both halves where it has two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection, func, insert, literal, select, tuple_, update

from referee.store.tables import matches, seats, tournaments

Row = dict[str, Any]

COMPUTED = ("bots", "names", "withheld")
OPEN = ("planned", "live")
AT_ONCE = 100
"""So many rows are read at a time where all are gone through: a row is some 5 KB, and 35 once it is read."""

ADDED_AT_ONCE = 1000
_other = matches.alias("other")
_on_its_packs = (_other.c.packs == matches.c.packs, _other.c.id != matches.c.id, _other.c.state.in_(OPEN))
_WITHHELD = select(_other.c.id).where(*_on_its_packs).correlate(matches).exists().label("withheld")


def add(connection: Connection, rows: Iterable[Mapping[str, Any]]) -> None:
    """Adds matches, all with the same columns, each with `bots` and `names` in seat order besides; not all at once, so
    that they may come as they are made."""
    coming = iter(rows)
    while some := list(islice(coming, ADDED_AT_ONCE)):
        _add(connection, some)


def _add(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    columns = [{name: value for name, value in row.items() if name not in COMPUTED} for row in rows]
    connection.execute(insert(matches), columns)
    connection.execute(
        insert(seats),
        [
            {"match": row["id"], "seat": n, "bot": bot, "name": name}
            for row in rows
            for n, (bot, name) in enumerate(zip(row["bots"], row["names"], strict=True))
        ],
    )


def by_id(connection: Connection, match_id: str) -> Row | None:
    """Is the match of that id."""
    return next(iter(_with_seats(connection, [matches.c.id == match_id], limit=1)), None)


def by_ids(connection: Connection, match_ids: Sequence[str]) -> list[Row]:
    """Are the matches of at most 500 ids, in the order of the ids; what there is not is left out."""
    found = {row["id"]: row for row in _with_seats(connection, [matches.c.id.in_(match_ids)])}
    return [found[match_id] for match_id in match_ids if match_id in found]


def of_tournament(
    connection: Connection,
    tournament_id: str,
    *,
    after: tuple[int, int] = (0, -1),
    limit: int = 1_000_000,
    state: str | None = None,
) -> list[Row]:
    """Are the matches of a tournament whose number and replay come after `after`, in schedule order."""
    later = tuple_(matches.c.number, matches.c.replay) > tuple_(*map(literal, after))  # one range of the index
    wanted = [matches.c.tournament == tournament_id, later]
    wanted += [] if state is None else [matches.c.state == state]
    return _with_seats(connection, wanted, order=(matches.c.number, matches.c.replay), limit=limit)


def pages_of_tournament(connection: Connection, tournament_id: str) -> Iterator[list[Row]]:
    """Gives all matches of a tournament in schedule order, so many at a time that they may be held."""
    after = (0, -1)
    while rows := of_tournament(connection, tournament_id, after=after, limit=AT_ONCE):
        yield rows
        after = (rows[-1]["number"], rows[-1]["replay"])


def latest_of_bot(connection: Connection, tournament_id: str, *, bot: str, limit: int) -> list[Row]:
    """Are up to `limit` matches of a tournament that a bot has finished, the last one first."""
    wanted = [matches.c.tournament == tournament_id, matches.c.state == "done"]
    wanted.append(matches.c.id.in_(select(seats.c.match).where(seats.c.bot == bot)))
    return _with_seats(connection, wanted, order=(matches.c.ended_at.desc(), matches.c.number.desc()), limit=limit)


def live_of_tournament(connection: Connection, tournament_id: str, *, bot: str | None = None) -> list[Row]:
    """Are the matches of a tournament that are live, in schedule order; of one bot if given."""
    wanted = [matches.c.tournament == tournament_id, matches.c.state == "live"]
    if bot is not None:
        wanted.append(matches.c.id.in_(select(seats.c.match).where(seats.c.bot == bot)))
    return _with_seats(connection, wanted, order=(matches.c.number, matches.c.replay))


def void_planned(connection: Connection, tournament_id: str, *, reason: str, at: str, bot: str | None = None) -> int:
    """Voids every planned match of a tournament, of one bot if given, and answers how many: no row is read for it.

    What is live comes after: a match that another opens at this moment is live once this is done.
    """
    wanted = [matches.c.tournament == tournament_id, matches.c.state == "planned"]
    if bot is not None:
        wanted.append(matches.c.id.in_(select(seats.c.match).where(seats.c.bot == bot)))
    done = connection.execute(update(matches).where(*wanted).values(state="void", reason=reason, ended_at=at))
    return done.rowcount


def ids_of_tournament(connection: Connection, tournament_id: str) -> list[str]:
    """Are the ids of the matches of a tournament, in schedule order."""
    order = (matches.c.number, matches.c.replay)
    return list(
        connection.execute(select(matches.c.id).where(matches.c.tournament == tournament_id).order_by(*order)).scalars()
    )


def has_open(connection: Connection, tournament_id: str) -> bool:
    """Tells whether a match of a tournament is planned or live; costs the same however many it has."""
    ours = (matches.c.tournament == tournament_id, matches.c.state.in_(OPEN))
    return connection.execute(select(matches.c.id).where(*ours).limit(1)).first() is not None


def page(
    connection: Connection, *, before: str | None, limit: int, bot: str | None = None, state: str | None = None
) -> list[Row]:
    """Are up to `limit` matches with an id below `before`, newest first."""
    wanted = [] if before is None else [matches.c.id < before]
    if bot is not None:
        wanted.append(matches.c.id.in_(select(seats.c.match).where(seats.c.bot == bot)))
    if state is not None:
        wanted.append(matches.c.state == state)
    return _with_seats(connection, wanted, order=(matches.c.id.desc(),), limit=limit)


def in_state(connection: Connection, state: str, *, bot: str | None = None) -> list[Row]:
    """Are all matches in a state, those of running play first made first; of one bot if given."""
    wanted = [matches.c.state == state]
    if bot is not None:
        wanted.append(matches.c.id.in_(select(seats.c.match).where(seats.c.bot == bot)))
    return _with_seats(connection, wanted, order=(matches.c.created_at, matches.c.number, matches.c.id))


def ids_in_state(connection: Connection, state: str) -> set[str]:
    """Are the ids of all matches in a state."""
    return set(connection.execute(select(matches.c.id).where(matches.c.state == state)).scalars())


def counts(connection: Connection, tournament_id: str | None = None) -> dict[str, int]:
    """Counts matches by state, of one tournament or of all."""
    wanted = select(matches.c.state, func.count()).group_by(matches.c.state)
    if tournament_id is not None:
        wanted = wanted.where(matches.c.tournament == tournament_id)
    return {row[0]: row[1] for row in connection.execute(wanted)}


def move(connection: Connection, match_id: str, *, origin: tuple[str, ...], to: str, **columns: Any) -> bool:
    """Moves a match from one of the `origin` states to `to`, and tells whether this call did it."""
    done = connection.execute(
        update(matches).where(matches.c.id == match_id, matches.c.state.in_(origin)).values(state=to, **columns)
    )
    return done.rowcount == 1


def hold(connection: Connection, match_id: str) -> bool:
    """Tells whether a match is live, once whoever is about to move it has done so or given it up."""
    return move(connection, match_id, origin=("live",), to="live")


def live_of_cancelled(connection: Connection) -> list[str]:
    """Are the tournaments that were cancelled and have matches live."""
    joined = select(matches.c.tournament).distinct().join(tournaments, tournaments.c.id == matches.c.tournament)
    wanted = joined.where(matches.c.state == "live", tournaments.c.state == "cancelled")
    return list(connection.execute(wanted).scalars())


def shares_packs(connection: Connection, row: Row) -> bool:
    """Tells whether there is another match, in whatever state, on the packs of this one."""
    others = select(matches.c.id).where(matches.c.packs == row["packs"], matches.c.id != row["id"]).limit(1)
    return connection.execute(others).first() is not None


def _with_seats(
    connection: Connection, wanted: list[Any], *, order: tuple[Any, ...] = (), limit: int = 1_000_000
) -> list[Row]:
    found = select(matches, _WITHHELD).where(*wanted).order_by(*order).limit(limit)
    rows = [dict(row) for row in connection.execute(found).mappings()]
    seated: dict[str, list[tuple[str, str]]] = {row["id"]: [] for row in rows}
    ids = list(seated)
    for start in range(0, len(ids), 500):  # databases bound the number of parameters
        some = select(seats).where(seats.c.match.in_(ids[start : start + 500])).order_by(seats.c.match, seats.c.seat)
        for seat in connection.execute(some):
            seated[seat.match].append((seat.bot, seat.name))
    for row in rows:
        row["seed"] = (row["packs_seed"] or "") + row["seed"]
        row["bots"] = tuple(bot for bot, _ in seated[row["id"]])
        row["names"] = tuple(name for _, name in seated[row["id"]])
    return rows
