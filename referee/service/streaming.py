"""A bot's day as a stream: every prompt as soon as it waits, once for each version, for as long as the stream is open.

Nothing is kept of what was sent but in the stream itself: a new one begins with every prompt that waits, so none is lost
with a connection, and some come twice. A bot has one stream, the newest.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from referee.service import access, turns
from referee.service.base import Caller, Service
from referee.service.problems import ServiceProblem
from referee.service.wakes import Wake, waiter

STREAM = "stream"  # stands for the match in the wake by which a bot's older streams hear of a new one
LONGEST_SECONDS = 600.0


@dataclass(slots=True)
class Stream:
    """One open stream: whose, its number, until when (monotonic), and the version and case last sent to each seat."""

    bot: str
    number: int
    ends: float
    sent: dict[tuple[str, str], tuple[int, int | None]] = field(default_factory=dict)


def open_stream(
    service: Service, *, caller: Caller, silence: float, seconds: float = LONGEST_SECONDS
) -> Iterator[list[dict[str, Any]]]:
    """Opens the bot's stream: lists of prompts as they come, an empty one at first and after each `silence` (seconds).

    Delivers what it gives. It ends after so many seconds, and raises ServiceProblem 409 `stream/replaced` once the bot
    has opened another. Whoever waits for the next list holds no more than the thread or
    greenlet it is called in. 401 `auth/token_missing`, 403 `auth/bot_only`.
    """
    bot = access.bot_of(caller)
    number = service.live.new_stream(bot, wake=Wake(STREAM, bots=(bot,)).text())
    return _lists(service, Stream(bot, number, time.monotonic() + min(seconds, LONGEST_SECONDS)), silence)


def _lists(service: Service, stream: Stream, silence: float) -> Iterator[list[dict[str, Any]]]:
    with waiter(service.wakes, [stream.bot]) as woken:
        found = _unsent(stream, turns.waiting_for(service, stream.bot), all_there_is=True)
        yield found
        while (left := service.wakes.left(stream.ends)) > 0:
            wakes = woken(min(silence, left))
            found = _news(service, stream, wakes)
            if found or not wakes:
                yield found


def _news(service: Service, stream: Stream, wakes: tuple[Wake, ...]) -> list[dict[str, Any]]:
    """Are the prompts that have come; what no wake told of is found when there was none for a while."""
    if not wakes or any(wake.match in ("", STREAM) for wake in wakes):
        _require_newest(service, stream)
    if turns.is_for_all(wakes):
        stream.sent.clear()  # wakes were missed, perhaps events lost: what was sent may be to be answered anew
    if not wakes or turns.is_for_all(wakes):
        return _unsent(stream, turns.waiting_for(service, stream.bot), all_there_is=True)
    named = [match_id for match_id in turns.named(wakes) if match_id != STREAM]
    return _unsent(stream, turns.prompts_of(service, stream.bot, named))


def _unsent(stream: Stream, found: list[dict[str, Any]], *, all_there_is: bool = False) -> list[dict[str, Any]]:
    """Are those that were not sent yet, noted as sent; with `all_there_is` what waits no more is forgotten."""
    asked = {(prompt["match"], prompt["seat"]): (prompt["version"], prompt.get("case")) for prompt in found}
    fresh = [prompt for prompt, seat in zip(found, asked, strict=True) if stream.sent.get(seat) != asked[seat]]
    if all_there_is:
        stream.sent = asked
    else:
        stream.sent |= asked
    return fresh


def _require_newest(service: Service, stream: Stream) -> None:
    if service.live.newest_stream(stream.bot) != stream.number:
        detail = "Another stream was opened with this bot's token, and a bot has one, the newest."
        raise ServiceProblem(409, "stream/replaced", title="Another stream was opened", detail=detail)
