"""The record of a tournament as it must come out whatever was killed, and how two of them differ.

Compared are, match by match: seats, first dealer, seed and commitment (so the packs), cause, score, winner, and every
event in order, acts and rulings among them, byte for byte. Left out is what no two runs share: the ids of matches,
tournaments and bots (bots go by name, matches by number), the hour, the hashes that chain those in, and `ms`, what an
act was charged of its seat's clock.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from referee import match as play
from referee.launcher.wire import Wire
from referee.store import log_rows, match_rows, tournament_rows
from referee.store.record import open_record
from tests.faults.players import Taken

OF_THE_RUN = ("prev", "head", "ms", "opened_at")
FACTS = (
    "state",
    "cycle",
    "round",
    "first_dealer",
    "seed",
    "commitment",
    "packs",
    "packs_seed",
    "winner",
    "cause",
    "score",
    "events",
    "names",
    "play",
)


@dataclass(frozen=True, slots=True)
class Final:
    """What a tournament left: by number the facts and the events of its matches, its tables, and what is amiss by itself."""

    facts: Mapping[int, Mapping[str, Any]]
    events: Mapping[int, tuple[bytes, ...]]
    tables: bytes
    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    amiss: tuple[str, ...]

    @property
    def rulings(self) -> int:
        """How many rulings there were."""
        return sum(b'"type":"ruled"' in line for lines in self.events.values() for line in lines)


def final(database: str, data: Path, service: Wire, *, tournament: str, planned: int, taken: Iterable[Taken]) -> Final:
    """Reads a finished tournament from the record itself, its tables over HTTP."""
    record = open_record(database, data_dir=data)
    try:
        with record.reading() as connection:
            rows = match_rows.of_tournament(connection, tournament)
            logs = {row["id"]: log_rows.read(connection, row["id"]) for row in rows}
            ended = tournament_rows.notice(connection, "tournament_finished", subject=tournament)
    finally:
        record.close()
    done = [row for row in rows if row["state"] == "done"]
    names = {row["id"]: f"match {row['number']}" for row in done} | {tournament: "tournament"}
    names |= {bot: name for row in done for bot, name in zip(row["bots"], row["names"], strict=True)}
    count = Counter(row["number"] for row in done)
    amiss = [f"match {row['number']} is {row['state']}: {row['reason']}" for row in rows if row["state"] != "done"]
    amiss += [] if ended is not None else ["the tournament has no finished event"]
    for row in done:
        log = logs[row["id"]]
        verdict = play.verify(log) if log is not None else None
        if verdict is None or not verdict.ok:
            amiss.append(f"match {row['number']}: {verdict.problem if verdict is not None else 'no log'}")
    return Final(
        facts={row["number"]: {name: row[name] for name in FACTS} for row in done},
        events={
            row["number"]: tuple(plain(line, names) for line in (logs[row["id"]] or b"").splitlines()) for row in done
        },
        tables=tables(service, tournament, names),
        lost=(*missing(count, planned), *forgotten(taken, logs)),
        doubled=tuple(f"match {number} was played {times} times" for number, times in count.items() if times > 1),
        amiss=tuple(amiss),
    )


def missing(count: Counter[int], planned: int) -> list[str]:
    """Which of the planned matches have no result."""
    return [f"match {number} has no result" for number in range(1, planned + 1) if not count[number]]


def forgotten(taken: Iterable[Taken], logs: Mapping[str, bytes | None]) -> list[str]:
    """Which acts were acknowledged and do not stand in the log under the number that was told."""
    lost = []
    lines = {match_id: (log or b"").splitlines() for match_id, log in logs.items()}
    for one in taken:
        found = lines.get(one.match, [])
        event = orjson.loads(found[one.number - 1]) if one.number <= len(found) else {}
        if event.get("type") != "acted" or not one.act.items() >= event["act"].items():
            lost.append(f"{one.match}: act {one.number}, {one.act}, was acknowledged; the log has {event}")
    return lost


def plain(line: bytes, names: Mapping[str, str]) -> bytes:
    """An event without what no two runs share."""
    event = {name: value for name, value in orjson.loads(line).items() if name not in OF_THE_RUN}
    return orjson.dumps(renamed(event, names), option=orjson.OPT_SORT_KEYS)


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A JSON value with the ids of the run replaced."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [renamed(each, names) for each in value]
    return names.get(value, value) if isinstance(value, str) else value


def tables(service: Wire, tournament: str, names: Mapping[str, str]) -> bytes:
    """Standings and crosstable, without what no two runs share."""
    shown = [service.get(f"/v1/tournaments/{tournament}/{table}") for table in ("standings", "crosstable")]
    return orjson.dumps(renamed(shown, names), option=orjson.OPT_SORT_KEYS)


def differences(one: Final, other: Final) -> list[str]:
    """In what two records of the same seed differ, a line a match and one for the tables."""
    found = []
    for number in sorted(one.facts.keys() | other.facts.keys()):
        if one.facts.get(number) != other.facts.get(number):
            found.append(f"match {number}: {one.facts.get(number)} and {other.facts.get(number)}")
        elif one.events[number] != other.events[number]:
            pairs = enumerate(zip(one.events[number], other.events[number], strict=False), start=1)
            first = next(
                (f"event {n}: {a.decode()} and {b.decode()}" for n, (a, b) in pairs if a != b), "their lengths"
            )
            found.append(f"match {number}: {first}")
    if one.tables != other.tables:
        found.append(f"the tables: {one.tables.decode()} and {other.tables.decode()}")
    return found
