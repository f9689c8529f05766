"""Opaque cursors of pages."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Callable, Sequence
from typing import Any

from referee.service.base import Page
from referee.service.problems import ServiceProblem

LIMIT = 200


def write(place: str) -> str:
    """Hides a place in a list.

    >>> read(write("bot_1"))
    'bot_1'
    """
    return urlsafe_b64encode(f"1:{place}".encode()).decode().rstrip("=")


def read(cursor: str | None) -> str | None:
    """Is the place a cursor stands for. 400 `page/cursor_unknown` for what no page gave."""
    if cursor is None:
        return None
    try:
        edition, place = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().split(":", 1)
    except (Error, ValueError):
        edition, place = "", ""
    if edition != "1" or not place.isprintable():
        detail = f"{cursor!r} is no cursor of this service; follow the `next` link of a page, or start without one."
        raise ServiceProblem(400, "page/cursor_unknown", title="No such page", detail=detail)
    return place


def bounded(limit: int) -> int:
    """Is how many items a page may have: from 1 to 200."""
    return max(1, min(limit, LIMIT))


def page(
    rows: Sequence[dict[str, Any]],
    limit: int,
    *,
    show: Callable[[dict[str, Any]], dict[str, Any]],
    place: Callable[[dict[str, Any]], str],
) -> Page:
    """Makes a page of at most `limit` rows out of one more than that, by which it sees whether there is a next."""
    shown = rows[:limit]
    following = write(place(shown[-1])) if len(rows) > limit else None
    return Page(tuple(show(row) for row in shown), following)
