"""Every request is counted by its route and, if it failed on our side, told to the journal with the ids it was about."""

import logging
import re
import time
from functools import lru_cache
from typing import Final

from flask import Flask, Response, g, request

from referee import journal
from referee.service import metrics

NOWHERE: Final = "none"
OUR_FAULT: Final = 500
METHODS: Final = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")

_log = logging.getLogger(__name__)


def observe(app: Flask) -> None:
    """Watch the requests of `app`."""
    app.before_request(_begin)
    app.after_request(_end)
    app.teardown_request(lambda _error: journal.begin_about())  # what the thread does next is about something else


def route() -> str:
    """Return the pattern of the address that is asked, such as /v1/matches/<match_id>; never the address itself."""
    rule = request.url_rule
    return NOWHERE if rule is None else plain(rule.rule)


@lru_cache(maxsize=1000)
def plain(rule: str) -> str:
    """Return a rule of Flask's without its converters.

    >>> plain("/v1/bots/<id('bot'):bot_id>/checks/<count:number>")
    '/v1/bots/<bot_id>/checks/<number>'
    """
    return re.sub(r"<[^<>]*:(\w+)>", r"<\1>", rule)


def _begin() -> None:
    g.began = time.monotonic()
    about = request.view_args or {}
    journal.begin_about(
        match=about.get("match_id"),
        bot=about.get("bot_id"),
        tournament=about.get("tournament_id"),
        method=request.method,
    )


def _end(response: Response) -> Response:
    seconds = time.monotonic() - g.get("began", time.monotonic())
    answered(method(), route(), status=response.status_code, seconds=seconds)
    return response


def answered(method: str, route: str, *, status: int, seconds: float) -> None:
    """Count a request that was answered, and tell the journal of one that failed on our side."""
    metrics.request_answered(method, route, status=status, seconds=seconds)
    level = logging.WARNING if status >= OUR_FAULT else logging.DEBUG
    if _log.isEnabledFor(level):
        facts = {"route": route, "status": status, "ms": round(seconds * 1000)}
        _log.log(level, "a request was answered", extra=facts)


def method() -> str:
    """Return the method of the request if it is one we have heard of: a client may send any word."""
    return request.method if request.method in METHODS else "other"
