"""Idempotency-Key: a POST may be repeated, and its first answer comes again byte for byte."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from flask import Request, Response, make_response, request

from referee.service import Reply, rates
from referee.service import keys as use_keys
from referee.web import limits
from referee.web.access import caller, service
from referee.web.answers import JSON_HEADERS, Answer, as_response
from referee.web.bodies import read_bytes
from referee.web.problems import Problem

HEADER: Final = "Idempotency-Key"
_VISIBLE: Final = re.compile(r"[!-~]{1,200}\Z")
_KEPT: Final = ("Content-Type", "Location", "Link")

KEY_PARAMETER: Final = {
    "in": "header",
    "name": HEADER,
    "required": False,
    "description": "Repeat the request with the same key and body, and the first answer comes again byte for byte. 1 to 200 "
    "visible ASCII characters; where no token is sent at least 16.",
    "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
}


def key_of(asked: Request) -> str | None:
    """Return the key of `asked`, None without one; raises `Problem` 422 for one that is not visible ASCII."""
    return fit(asked.headers.get(HEADER))


def fit(key: str | None) -> str | None:
    """Return a key that can be used, or None; raises `Problem` 422 for one that is not visible ASCII."""
    if key is not None and not _VISIBLE.match(key):
        detail = "The key is not 1 to 200 visible ASCII characters; a UUID serves."
        raise Problem("key/unfit", detail=detail, errors=[{"header": HEADER, "detail": detail}])
    return key


def replayable(view: Callable[..., Any]) -> Callable[..., Any]:
    """Return `view` run once per caller and key; a repeated request gets the kept answer."""

    @wraps(view)
    def once(*args: Any, **kwargs: Any) -> Response:
        def run() -> Reply:
            response = make_response(view(*args, **kwargs))
            headers = tuple((name, response.headers[name]) for name in _KEPT if name in response.headers)
            return Reply(response.status_code, response.get_data(), headers)

        key = key_of(request)
        if key is not None and caller().kind != "organiser":
            limits.bounded(rates.KEYED, by=limits.who(caller()), what="requests under an Idempotency-Key")
        said = f"{request.method} {request.full_path}\n".encode() + read_bytes(request)
        return as_response(answer_of(use_keys.once(service(), caller(), key=key, request=said, run=run)))

    return once


def answer_of(reply: Reply) -> Answer:
    """Return what a kept or fresh reply stands for."""
    return Answer(reply.status, reply.body, reply.headers or JSON_HEADERS)
