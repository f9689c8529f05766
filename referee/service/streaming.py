"""A bot's day as a stream: every prompt as soon as it waits, once for each version, for as long as the stream is open.

Each prompt has the number of its `line`. What is sent is noted in the live store first, so whoever opens a new stream
after its last whole line is sent what that one lacks and nothing twice, whichever process it comes to. Only a
store that was started anew may have lost acts that were answered: then all that waits is sent again. A bot has one
stream, the newest.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from referee.service import access, tokens, turns
from referee.service.base import Caller, Service
from referee.service.problems import ServiceProblem
from referee.service.wakes import Wake, waiter
from referee.store.live import Streamed

STREAM = "stream"  # stands for the match in the wake by which a bot's older streams hear of a new one
LONGEST_SECONDS = 600.0
MOST_NOTES = 2000  # beyond these it is looked what waits no more: a bot is in a thousand matches at most

Prompts = list[dict[str, Any]]


@dataclass(slots=True)
class Stream:
    """One open stream: whose, its number, until when (monotonic), the last line's number, the live store's server.

    `sent` is what is noted: by match and seat the version and case that was sent, or None where it is to be sent again.
    """

    bot: str
    number: int
    ends: float
    line: int
    server: str
    sent: dict[str, str | None]


def open_stream(
    service: Service, *, caller: Caller, silence: float, seconds: float = LONGEST_SECONDS, after: int = 0
) -> Iterator[Prompts]:
    """Opens the bot's stream: lists of prompts as they come, an empty one at first and after each `silence` (seconds).

    Delivers what it gives. `after` is the `line` of the last prompt that came on the bot's stream before; 0: there was
    none. It ends after so many seconds, and raises ServiceProblem 409 `stream/replaced` once the bot has opened another,
    401 `auth/token_unknown` once the token it was opened with is dead.
    Whoever waits for the next list holds no more than the thread or greenlet it is called in.
    401 `auth/token_missing`, 403 `auth/bot_only`.
    """
    bot = access.bot_of(caller)
    opened = service.live.new_stream(bot, wake=Wake(STREAM, bots=(bot,)).text())
    stream = Stream(
        bot=bot,
        number=opened.number,
        ends=time.monotonic() + min(seconds, LONGEST_SECONDS),
        line=max(opened.line, after),
        server=opened.server,
        sent=_held(opened, after),
    )
    return _lists(service, stream, caller, silence)


def _held(opened: Streamed, after: int) -> dict[str, str | None]:
    """Is what was sent before, None for all that came after that line, or if the store was started anew meanwhile."""
    lines = {name: note.split(" ", 1) for name, note in opened.sent.items()}
    is_kept = opened.server == opened.noted_by
    return {name: mark if is_kept and int(line) <= after else None for name, (line, mark) in lines.items()}


def _lists(service: Service, stream: Stream, caller: Caller, silence: float) -> Iterator[Prompts]:
    with waiter(service.wakes, [stream.bot, *tokens.topics(caller)]) as woken:
        yield _unsent(service, stream, turns.waiting_for(service, stream.bot), all_there_is=True)
        speaks = time.monotonic() + silence
        while (left := service.wakes.left(stream.ends)) > 0:
            wakes = woken(max(0.0, min(speaks - time.monotonic(), left)))
            if service.wakes.leaving:
                return
            tokens.require_alive(service, caller)
            found = _news(service, stream, wakes)
            if found or time.monotonic() >= speaks:
                yield found
                speaks = time.monotonic() + silence


def _news(service: Service, stream: Stream, wakes: tuple[Wake, ...]) -> Prompts:
    """Are the prompts that have come; what no wake told of is found when there was none for a while."""
    if not wakes or any(wake.match in ("", STREAM) for wake in wakes):
        _require_newest(service, stream)
    if turns.is_for_all(wakes):
        _look_out_for_losses(service, stream)
    if not wakes or turns.is_for_all(wakes) or len(stream.sent) > MOST_NOTES:
        return _unsent(service, stream, turns.waiting_for(service, stream.bot), all_there_is=True)
    named = [match_id for match_id in turns.named(wakes) if match_id != STREAM]
    return _unsent(
        service,
        stream,
        turns.prompts_of(service, stream.bot, named, heard=wakes),
    )


def _unsent(service: Service, stream: Stream, found: Prompts, *, all_there_is: bool = False) -> Prompts:
    """Are those that were not sent yet, with their lines, noted as sent; with `all_there_is` what waits no more is forgotten."""
    marks = {f"{prompt['match']}/{prompt['seat']}": f"{prompt['version']} {prompt.get('case')}" for prompt in found}
    fresh = [(name, prompt) for name, prompt in zip(marks, found, strict=True) if stream.sent.get(name) != marks[name]]
    gone = [name for name in stream.sent if name not in marks] if all_there_is else []
    if not fresh and not gone:
        return []
    lines = range(stream.line + 1, stream.line + 1 + len(fresh))
    fields: dict[str, str | bytes | int] = {"server": stream.server, "line": stream.line + len(fresh)}
    fields |= {name: f"{line} {marks[name]}" for line, (name, _) in zip(lines, fresh, strict=True)}
    if not service.live.note_sent(stream.bot, stream.number, fields=fields, gone=gone):
        raise _replaced()
    stream.line += len(fresh)
    stream.sent = {name: mark for name, mark in stream.sent.items() if name not in gone} if gone else stream.sent
    stream.sent |= marks
    return [{**prompt, "line": line} for line, (_, prompt) in zip(lines, fresh, strict=True)]


def _look_out_for_losses(service: Service, stream: Stream) -> None:
    """Has all sent again, where the store was started anew since: the acts that answered it may be lost."""
    server = service.live.server()
    if server != stream.server:
        stream.server, stream.sent = server, dict.fromkeys(stream.sent)


def _require_newest(service: Service, stream: Stream) -> None:
    if service.live.newest_stream(stream.bot) > stream.number:  # a lower number: the store has lost this one's
        raise _replaced()


def _replaced() -> ServiceProblem:
    detail = "Another stream was opened with this bot's token, and a bot has one, the newest."
    return ServiceProblem(409, "stream/replaced", title="Another stream was opened", detail=detail)
