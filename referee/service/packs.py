"""Packs that several matches are played on: what was played there is not told until the last of them is over.

So it is in duplicate tournaments, and where a match that was void by our fault is played again with the same packs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.service import following
from referee.service.base import Caller, Service
from referee.service.problems import ServiceProblem
from referee.store import match_rows


def require_open(service: Service, match_id: str, caller: Caller) -> None:
    """Lets pass who may know what was played in a match by now: where its packs are still in play, its bots and the organiser.

    403 `match/packs_in_play`.
    """
    if caller.kind == "organiser" or not _may_be_withheld(service, match_id):
        return
    row = _row(service, match_id)
    if row is not None and row["withheld"] and caller.bot not in row["bots"]:
        raise _in_play(match_id, "Until then it is told to the bots that play in it alone.")


def require_over(service: Service, match_id: str) -> None:
    """Lets nobody have the seed while its packs are still in play. 403 `match/packs_in_play`."""
    row = _row(service, match_id)
    if row is not None and row["withheld"]:
        raise _in_play(match_id, "Until then its seed is secret, and so is its log.")


def _may_be_withheld(service: Service, match_id: str) -> bool:
    """Tells, without asking the record about a live match, whether there may be others on its packs."""
    facts = following.facts(service, match_id)
    return "version" not in facts or "shared" in facts


def _row(service: Service, match_id: str) -> Mapping[str, Any] | None:
    with service.record.reading() as connection:
        return match_rows.by_id(connection, match_id)


def _in_play(match_id: str, until: str) -> ServiceProblem:
    detail = f"Other matches are played on the packs of {match_id}, and not all of them are over. {until}"
    return ServiceProblem(403, "match/packs_in_play", title="The packs are still in play", detail=detail)
