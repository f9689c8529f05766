"""Idempotency keys of requests that create something."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping

import orjson

from referee.service.base import Caller, Reply, Service
from referee.service.clock import written
from referee.service.problems import ServiceProblem, from_body
from referee.store import key_rows
from referee.store.key_rows import Kept

LONGEST = 200
SHORTEST_OF_ANYONE = 16
KEPT_SECONDS = 86_400
DEAD_SECONDS = 60
FIT = f"must be 1 to {LONGEST} printable ASCII characters"
HEADER = {"header": "Idempotency-Key"}


def once(service: Service, caller: Caller, *, key: str | None, request: bytes, run: Callable[[], Reply]) -> Reply:
    """Runs `run` once per caller and key and answers the kept reply afterwards, byte for byte.

    `request` is method, path and body, by which reuse is noticed: 409 `key/reused` with another one, 409 `key/in_progress`
    while the first still runs (one whose process died can be run again after a minute). 422 `key/unfit` for an empty key,
    one longer than 200 characters, or (nobody's request) one shorter than 16. A ServiceProblem from `run` is kept
    if its status is below 500. Without a key just runs. Replies are kept a day, readable only with the key.
    """
    if key is None:
        return run()
    require_fit(key, caller)
    actor = caller.bot or caller.kind
    hashed = hashlib.sha256(request).hexdigest()
    kept = _begun(service, actor, key, hashed)
    if kept is not None:
        return _again(kept, hashed)
    try:
        reply = run()
    except ServiceProblem as problem:
        if problem.status < 500:
            _finish(service, actor, key, Reply(problem.status, orjson.dumps(problem.body())))
        else:
            _forget(service, actor, key)
        raise
    except BaseException:
        _forget(service, actor, key)
        raise
    _finish(service, actor, key, reply)
    return reply


def require_fit(key: str, caller: Caller) -> None:
    """Lets a usable key pass. 422 `key/unfit`. Anyone's keys lie side by side, so they must not be guessable."""
    if not is_fit(key):
        raise unfit(FIT, place=HEADER)
    if caller.kind == "anyone" and len(key) < SHORTEST_OF_ANYONE:
        why = f"must have at least {SHORTEST_OF_ANYONE} characters where no token is sent; take a UUID"
        raise unfit(why, place=HEADER)


def is_fit(key: str) -> bool:
    """Tells whether a key can be used, whoever sends it."""
    return bool(key) and len(key) <= LONGEST and key.isascii() and key.isprintable()


def unfit(why: str, *, place: Mapping[str, str]) -> ServiceProblem:
    """Is the 422 for a key that cannot be used; `place` is the header or the pointer where it stands."""
    (name,) = place.values()
    errors = [{**place, "detail": why}]
    return ServiceProblem(422, "key/unfit", title="The key cannot be used", detail=f"{name} {why}.", errors=errors)


def reused() -> ServiceProblem:
    """Is the 409 for a key that came before with another request."""
    detail = "This Idempotency-Key came before with another request; a new request needs a new key."
    return ServiceProblem(409, "key/reused", title="The key was used before", detail=detail)


def tidy(service: Service) -> None:
    """Drops replies older than a day, and keys whose request died."""
    now = time.time()
    with service.record.writing() as connection:
        key_rows.forget_older(connection, than=written(now - KEPT_SECONDS), unfinished_than=written(now - DEAD_SECONDS))


def _begun(service: Service, actor: str, key: str, hashed: str) -> Kept | None:
    now = time.time()
    with service.record.writing() as connection:
        kept = key_rows.read(connection, actor, key=key)
        if kept is not None and kept.status is None and kept.created_at < written(now - DEAD_SECONDS):
            key_rows.forget(connection, actor, key=key)
            kept = None
        if kept is None and not key_rows.begin(connection, actor, key=key, request_hash=hashed, at=written(now)):
            kept = key_rows.read(connection, actor, key=key)
    return kept


def _again(kept: Kept, hashed: str) -> Reply:
    if kept.request_hash != hashed:
        raise reused()
    if kept.status is None:
        detail = "The first request with this Idempotency-Key is still being carried out; repeat it in a moment."
        raise ServiceProblem(409, "key/in_progress", title="Still being carried out", detail=detail)
    if kept.status >= 400:
        raise from_body(orjson.loads(kept.body))
    return Reply(kept.status, kept.body, tuple((name, value) for name, value in kept.headers))


def _finish(service: Service, actor: str, key: str, reply: Reply) -> None:
    headers = [list(header) for header in reply.headers]
    with service.record.writing() as connection:
        key_rows.finish(connection, actor, key=key, status=reply.status, headers=headers, body=reply.body)


def _forget(service: Service, actor: str, key: str) -> None:
    with service.record.writing() as connection:
        key_rows.forget(connection, actor, key=key)
