"""Prompts as they go out: what the match asks, and the seat's clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from referee import match as matches
from referee.rules.cards import SEATS
from referee.service import table
from referee.service.base import Service
from referee.store.writings import Delivery, Handed

HANDED_LATE_MS = 10  # less is not worth a trip

Delivered = tuple[table.Table, int, int]
"""A prompt that was delivered for the first time: of which table and seat, and when (ms of the host clock)."""

_fresh: ContextVar[list[Delivered] | None] = ContextVar("fresh", default=None)


def clock(now: table.Table, seat: int, *, at: int, delivered: int | None) -> dict[str, Any]:
    """Is what a prompt tells of time: allowance, bank, what is left, and what the seat's last act was charged, and why."""
    allowed = table.allowance(now.match, seat)
    spent = max(0, at - delivered) if delivered is not None else 0
    from_bank, _, why = (now.text("bank", seat) or "0 ").partition(" ")
    return {
        "act_ms": now.match.terms.clock.act_ms,
        "bank_ms": now.match.clock_left(seat),
        "increment_ms": now.match.terms.clock.increment_ms,
        "left_ms": max(0, allowed - spent),
        "charged_ms": now.number("charged", seat) or 0,
        "round_trip_ms": now.number("trip", seat) or 0,
        "from_bank_ms": int(from_bank),
        "why": why or None,
    }


def prompt(now: table.Table, seat: int, *, at: int, delivered: int | None) -> dict[str, Any]:
    """Is the prompt of an asked seat at a time of the host clock."""
    return _timed(matches.prompt(now.match, seat), now, seat, at=at, delivered=delivered)


def deliver(service: Service, now: table.Table, seat: int) -> dict[str, Any] | None:
    """Delivers the prompt of an asked seat, from when on its clock runs; None if the match has moved on."""
    return deliver_all(service, [(now, seat)])[0]


def deliver_all(service: Service, asked: Sequence[tuple[table.Table, int]]) -> list[dict[str, Any] | None]:
    """Delivers the prompts of asked seats, of matches many or one, in one trip; none where all were delivered before.

    They are made first and marked as delivered then, so that making many takes nothing from the time for the first.
    """
    made = [matches.prompt(now.match, seat) for now, seat in asked]
    at = service.clock.now_ms()
    delivered = [now.number("delivered", seat) for now, seat in asked]
    fresh = [each for each, when in zip(asked, delivered, strict=True) if when is None]
    marked = iter(service.live.deliver_each([(now.id, _delivery(now, seat, at=at)) for now, seat in fresh]))
    times = [next(marked) if when is None else when for when in delivered]
    for (now, seat), when in zip(asked, times, strict=True):
        if when is not None:
            service.memory.note(now.id, now.standing, **{table.FIELDS["delivered"][seat]: when})
    noted = _fresh.get()
    if noted is not None:
        noted += [
            (*each, at) for each, was, when in zip(asked, delivered, times, strict=True) if was is None and when == at
        ]
    return [
        None if when is None else _timed(each, now, seat, at=at, delivered=when)
        for each, (now, seat), when in zip(made, asked, times, strict=True)
    ]


def _timed(made: dict[str, Any], now: table.Table, seat: int, *, at: int, delivered: int | None) -> dict[str, Any]:
    made["clock"] = clock(now, seat, at=at, delivered=delivered)
    return made


def _delivery(now: table.Table, seat: int, *, at: int) -> Delivery:
    """Is what marks a prompt as delivered. A deadline that only moves back is left as it is noted: the sweeper, who looks
    when that is past, notes the true one, and most seats have acted long before."""
    deadline, noted = table.deadline(now.standing, seat, asked=at, delivered=at), now.deadline(seat)
    later = deadline is None or (noted is not None and noted <= deadline)
    return Delivery(version=now.match.version, seat=SEATS[seat], now=at, deadline=None if later else deadline)


def note(now: table.Table, seat: int) -> None:
    """Notes a prompt that was delivered by the writing that led to this table."""
    noted, at = _fresh.get(), now.number("delivered", seat)
    if noted is not None and at is not None:
        noted.append((now, seat, at))


@contextmanager
def noting() -> Iterator[list[Delivered]]:
    """Gives a list of what is delivered for the first time within the block."""
    noted: list[Delivered] = []
    token = _fresh.set(noted)
    try:
        yield noted
    finally:
        _fresh.reset(token)


def handed_over(service: Service, noted: Sequence[Delivered], *, at: int) -> None:
    """Lets the clocks of prompts run from `at`, when their reply was ready to go out, if that was later than they were delivered.

    What a busy process takes from the one to the other is no time of the bot's. Nothing happens where the seat has acted.
    The deadline stays noted as it was, a moment too early; the sweeper sees that.
    """
    late = [each for each in noted if at - each[2] >= HANDED_LATE_MS]
    service.live.hand_each([(now.id, Handed(now.match.version, SEATS[seat], then, at)) for now, seat, then in late])
    for now, seat, _ in late:
        service.memory.note(now.id, now.standing, **{table.FIELDS["delivered"][seat]: at})
