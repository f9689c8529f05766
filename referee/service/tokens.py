"""Whose a bearer token is: found in the record, remembered for a moment, and forgotten everywhere when it dies.

A token dies by rotation and with its bot. The process where that happens tells all others by a wake, and each
forgets what it remembered of the bot, and lets go whoever waits with that token. Where the wake is lost (Redis is away, or
the connection of a subscription) a dead token is taken for as long as it is remembered, two seconds, and no longer.
No rotation, change or deletion of a bot rests on what is remembered: the record itself compares the token that was shown.
"""

from __future__ import annotations

import hmac
import logging

from referee.service import ids, opening
from referee.service.base import Caller, Service
from referee.service.memory import DEAD
from referee.service.problems import ServiceProblem
from referee.service.wakes import Wake
from referee.store import bot_rows, connecting

_log = logging.getLogger(__name__)


def authenticate(service: Service, token: str | None, *, afresh: bool = False) -> Caller:
    """Is whoever holds this bearer token: a bot or the organiser; `anyone` without a token.

    Remembered for two seconds at most; with `afresh` the record is asked whatever is remembered.
    401 `auth/token_unknown` for a token that is nobody's.
    """
    if token is None:
        return Caller()
    hashed = ids.token_hash(token)
    known = None if afresh else service.memory.caller(hashed)
    if known is not None:
        return known
    organiser, _ = opening.organiser_token(service.settings)
    is_organiser = hmac.compare_digest(token.encode(), organiser.encode())
    return _found(service, hashed, organiser=is_organiser)


def require_alive(service: Service, caller: Caller) -> None:
    """Lets somebody pass who was held, if the token he came with is good still. 401 `auth/token_unknown`."""
    if not is_alive(service, caller):
        raise unknown_token()


def is_alive(service: Service, caller: Caller) -> bool:
    """Tells whether the token that a caller came with is good still, as `authenticate` would find."""
    if caller.token is None or service.memory.caller(caller.token) is not None:
        return True
    try:
        return _found(service, caller.token).bot == caller.bot
    except ServiceProblem:
        return False


def _found(service: Service, hashed: str, *, organiser: bool = False) -> Caller:
    service.wakes.start()
    since = service.memory.deaths  # before the record is read: a death in between is not missed
    if organiser:
        known = Caller("organiser")
    else:
        with service.record.reading() as connection:
            bot = bot_rows.by_token(connection, hashed)
        if bot is None:
            raise unknown_token()
        known = Caller("bot", bot, token=hashed)
    service.memory.keep_caller(hashed, known, since=since)
    return known


def tell_dead(service: Service, bot_id: str) -> None:
    """Has all processes forget the token of a bot, and end what is held for it. Call it once the record has the new state."""
    service.memory.forget_callers(bot_id)
    try:
        service.live.publish(Wake(_topic(bot_id), bots=(DEAD,)).text())
    except connecting.GONE as problem:  # the token is dead all the same, and the new one must not be lost
        _log.warning("others hear of a dead token only when they look again: %s", problem)


def topics(caller: Caller) -> list[str]:
    """Are the topics of wakes by which somebody who waits hears that the token he came with has died."""
    return [] if caller.bot is None or caller.token is None else [_topic(caller.bot)]


def _topic(bot_id: str) -> str:
    return f"{DEAD}:{bot_id}"


def unknown_token() -> ServiceProblem:
    """Is the 401 for a token that is nobody's."""
    detail = "No bot has this token; it may have been rotated, or belong to another service."
    return ServiceProblem(401, "auth/token_unknown", title="Unknown token", detail=detail)
