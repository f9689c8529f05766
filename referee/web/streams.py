"""Server-sent events: the same events as the poll, with heartbeats, resumed by Last-Event-ID."""

import time
from collections.abc import Iterator
from typing import Final

from flask import Response, request

from referee.service import Caller, Service, ServiceProblem
from referee.service import matches as use_matches
from referee.web.problems import STORE_AWAY, Problem

HEARTBEAT_S: Final = 10.0
LONGEST_S: Final = 600.0
AT_ONCE: Final = 1000
#: Between two looks of one stream. Events that come faster go out together: to wake every watcher at every act of a pair
#: that plays as fast as it can would cost more than the acts.
PACE_S: Final = 0.2
MEDIA_TYPE: Final = "text/event-stream"
RESUME_PARAMETER: Final = {
    "in": "header",
    "name": "Last-Event-ID",
    "required": False,
    "description": "with text/event-stream: resume after this event, the same as `after`",
    "schema": {"type": "string", "pattern": "^[0-9]{1,9}$"},
}


def wants_stream() -> bool:
    """Tell whether the request prefers a stream of server-sent events to JSON."""
    accepted = request.accept_mimetypes
    return accepted.best_match(["application/json", MEDIA_TYPE]) == MEDIA_TYPE


def sse_response(service: Service, match_id: str, *, after: int, caller: Caller) -> Response:
    """Return the stream of events above `after`, or above Last-Event-ID where the client resumes.

    204 once there is nothing more to come, which ends an EventSource for good. A stream lasts `LONGEST_S` at most;
    the client then resumes where it was.
    """
    after = max(after, _last_event_id())
    lines, over = _read(service, match_id, after=after, caller=caller)
    if over and not lines:
        return Response(status=204)
    stream = _frames(service, match_id, after=after, lines=lines, over=over, caller=caller)
    headers = {"X-Accel-Buffering": "no"}
    return Response(stream, mimetype=MEDIA_TYPE, headers=headers)


def _read(
    service: Service, match_id: str, *, after: int, caller: Caller, wait: float = 0.0
) -> tuple[tuple[bytes, ...], bool]:
    lines, over = use_matches.get_events(service, match_id, after=after, wait=wait, limit=AT_ONCE, caller=caller)
    return lines, over and len(lines) < AT_ONCE


def _last_event_id() -> int:
    said = request.headers.get("Last-Event-ID", "")
    if not said:
        return 0
    if not (said.isascii() and said.isdigit() and len(said) <= 9):
        detail = "Not the number of an event."
        raise Problem("request/invalid", detail=detail, errors=[{"header": "Last-Event-ID", "detail": detail}])
    return int(said)


def _frames(
    service: Service, match_id: str, *, after: int, lines: tuple[bytes, ...], over: bool, caller: Caller
) -> Iterator[bytes]:
    ends = time.monotonic() + LONGEST_S
    yield b"retry: 2000\n\n"
    while True:
        for line in lines:
            after += 1
            yield b"id: %d\ndata: %s\n\n" % (after, line)
        if over:
            yield b"event: end\ndata: {}\n\n"
            return
        if service.wakes.left(ends) <= 0:
            return
        if lines:
            time.sleep(PACE_S)
        try:
            lines, over = _read(service, match_id, after=after, caller=caller, wait=HEARTBEAT_S)
        except (ServiceProblem, *STORE_AWAY):
            return  # the client comes back and resumes, or is told with a status why it may not
        if not lines and not over:
            yield b": alive\n\n"
