"""Who asks: the bearer token of a request, and what an operation wants of it (RFC 6750)."""

import re
from collections.abc import Callable
from enum import Enum
from functools import wraps
from typing import Any, Final

from flask import Request, current_app, g, request

from referee import journal
from referee.service import Caller, Service
from referee.service import tokens as use_tokens
from referee.web.problems import Problem

_BEARER: Final = re.compile(r"(?i:bearer) +([A-Za-z0-9._~+/-]{1,256}=*)\Z")


class Access(Enum):
    """What an operation wants of a token."""

    OPEN = "nobody is asked"
    SEEN = "a token is optional and may open more"
    TOKEN = "a token is needed; whose, the use case decides"
    ORGANISER = "the organiser's token is needed"


def service() -> Service:
    """Return the service this application was made for."""
    opened: Service = current_app.extensions["referee"]
    return opened


def caller() -> Caller:
    """Return who makes this request, as `admitted` found out."""
    found: Caller = g.caller
    return found


def token_of(asked: Request) -> str | None:
    """Return the bearer token of `asked`, None without one; raises `Problem` 401 for another kind of authorization."""
    header = asked.headers.get("Authorization")
    if header is None:
        return None
    token = bearer(header)
    if token is None:
        raise Problem(
            "auth/token_unknown",
            detail="The Authorization header holds no bearer token; send Authorization: Bearer TOKEN.",
            headers={"WWW-Authenticate": 'Bearer realm="referee", error="invalid_request"'},
        )
    return token


def bearer(header: str) -> str | None:
    """Return the token in an Authorization header, None where it holds no bearer token (RFC 6750)."""
    match = _BEARER.match(header.strip())
    return None if match is None else match[1]


def identify(access: Access, *, afresh: bool = False) -> Caller:
    """Return who makes the current request; raises 401 without a needed token, 403 where only the organiser may.

    With `afresh` the record is asked whose the token is, whatever this process remembers.
    """
    token = None if access is Access.OPEN else token_of(request)
    if token is None and access in (Access.TOKEN, Access.ORGANISER):
        raise Problem("auth/token_missing", detail="This needs a token: send Authorization: Bearer TOKEN.")
    found = Caller() if token is None else use_tokens.authenticate(service(), token, afresh=afresh)
    if found.bot is not None:
        journal.add_about(bot=found.bot)
    if access is Access.ORGANISER and found.kind != "organiser":
        raise Problem("auth/organiser_only", detail="Only the organiser's token opens this.")
    return found


def admitted(view: Callable[..., Any], access: Access, *, afresh: bool = False) -> Callable[..., Any]:
    """Return `view` behind the check of the token; `caller()` then says who it is."""

    @wraps(view)
    def checked(*args: Any, **kwargs: Any) -> Any:
        g.caller = identify(access, afresh=afresh)
        return view(*args, **kwargs)

    return checked
