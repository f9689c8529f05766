"""The company the house provides: `random`, played inside the service for checks of bots. It bids only what it must."""

from __future__ import annotations

import hashlib
from typing import Any

from referee import match as matches
from referee.service import table
from referee.service.base import Service

PASS = {"act": "pass"}


def is_asked(now: table.Table) -> bool:
    """Tells whether a seat of the house is to act."""
    return _seat(now) is not None


def play(service: Service, now: table.Table) -> table.Table:
    """Acts once for the house and answers the table as it is then. Moves by others are no harm: it looks again."""
    seat = _seat(now)
    if seat is None:
        return now
    step = matches.act(now.match, seat, _choice(now, seat), ms=0)
    if isinstance(step, matches.Refusal):
        raise RuntimeError(
            f"the house was refused a lawful act in {now.id} at version {now.match.version}: {step.detail}"
        )
    outcome, after = table.write(service, now, step)
    return after if outcome == "taken" else table.load(service, now.id)


def _seat(now: table.Table) -> int | None:
    if table.HOUSE not in now.standing.transports:
        return None
    asked = (seat for seat in now.match.asked if now.standing.transports[seat] == table.HOUSE)
    return next(asked, None)


def _choice(now: table.Table, seat: int) -> dict[str, Any]:
    # Drawn from the hash of what happened, so that a process that takes over chooses the same.
    lawful: list[dict[str, Any]] = matches.prompt(now.match, seat)["lawful"]
    if any(act["act"] == "bid" for act in lawful) and PASS in lawful:
        return PASS  # bids drawn at random fail so often that a match might never see its target
    drawn = int.from_bytes(hashlib.sha256(f"house/{now.match.head}".encode()).digest(), "big")
    return lawful[drawn % len(lawful)]
