"""A match as those that follow it read it, by poll or stream: once for all in this process that ask at the same moment.

Anybody may follow, and every act wakes all that do: were each to read for itself, strangers could keep the store busy.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import orjson

from referee.service.base import Service
from referee.service.problems import unknown
from referee.store import log_rows, match_rows

FACTS = ("version", "over", "closed", "shared")


def facts(service: Service, match_id: str) -> Mapping[str, bytes]:
    """Are the facts of a live match that its followers go by; none of one that is not live."""
    return service.readings.shared(("facts", match_id), partial(service.live.some, match_id, FACTS))


def lines(service: Service, match_id: str, after: int) -> tuple[tuple[bytes, ...], bool]:
    """Are the lines of the events above `after`, and whether none will follow. 404 `match/unknown`."""
    found = facts(service, match_id)
    if "version" in found and "closed" not in found:
        if int(found["version"]) <= after:
            return (), "over" in found
        live = service.readings.shared(("lines", match_id, after), partial(service.live.lines_after, match_id, after))
        if live:
            return live, False  # the end is told with the next, empty answer, or by the archive
    return service.readings.shared(("log", match_id, after), partial(_recorded, service, match_id, after))


def is_sealed(kept: list[bytes]) -> bool:
    """Tells whether the lines of a log end with its seal."""
    return bool(orjson.loads(kept[-1])["type"] == "sealed")


def _recorded(service: Service, match_id: str, after: int) -> tuple[tuple[bytes, ...], bool]:
    with service.record.reading() as connection:
        log = log_rows.read(connection, match_id)
    if log is not None:
        kept = log.splitlines()
        return tuple(kept[:-1] if is_sealed(kept) else kept)[max(0, after) :], True
    with service.record.reading() as connection:
        row = match_rows.by_id(connection, match_id)
    if row is None:
        raise unknown("match", match_id)
    return (), row["state"] == "void"
