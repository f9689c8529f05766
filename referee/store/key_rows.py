"""Kept replies by idempotency key. The reply is sealed with the key, of which only the hash is kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from referee.store.tables import keys

SALT = 16
TAG = 32


@dataclass(frozen=True, slots=True)
class Kept:
    """What is on record under a key; `status` is None while the first request runs."""

    request_hash: str
    status: int | None
    headers: list[list[str]]
    body: bytes
    created_at: str


def begin(connection: Connection, actor: str, *, key: str, request_hash: str, at: str) -> bool:
    """Takes a key for a request that begins now; False where it is taken."""
    row = {"actor": actor, "key_hash": _hashed(key), "request_hash": request_hash, "created_at": at}
    try:
        with connection.begin_nested():
            connection.execute(insert(keys).values(**row))
    except IntegrityError:
        return False
    return True


def read(connection: Connection, actor: str, *, key: str) -> Kept | None:
    """Is what is kept under a key."""
    wanted = select(keys).where(keys.c.actor == actor, keys.c.key_hash == _hashed(key))
    row = connection.execute(wanted).mappings().first()
    if row is None:
        return None
    body = _opened(key, row["sealed"]) if row["sealed"] is not None else b""
    return Kept(row["request_hash"], row["status"], row["headers"] or [], body, row["created_at"])


def finish(connection: Connection, actor: str, *, key: str, status: int, headers: list[list[str]], body: bytes) -> None:
    """Keeps the reply of the request that took the key."""
    kept: dict[str, Any] = {"status": status, "headers": headers, "sealed": _sealed(key, body)}
    connection.execute(_ours(update(keys), actor, key).values(**kept))


def forget(connection: Connection, actor: str, *, key: str) -> None:
    """Gives a key free again, after a failure that should be tried anew."""
    connection.execute(_ours(delete(keys), actor, key))


def forget_older(connection: Connection, *, than: str, unfinished_than: str) -> None:
    """Drops replies kept long enough, and keys whose request seems to have died."""
    connection.execute(delete(keys).where(keys.c.created_at < than))
    connection.execute(delete(keys).where(keys.c.status.is_(None), keys.c.created_at < unfinished_than))


def _ours(statement: Any, actor: str, key: str) -> Any:
    return statement.where(keys.c.actor == actor, keys.c.key_hash == _hashed(key))


def _hashed(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _sealed(key: str, body: bytes) -> bytes:
    # A reply may hold a new token. Who reads the table must not have it, who repeats the request must.
    salt = secrets.token_bytes(SALT)
    masked = _masked(key, salt, body)
    return salt + hmac.digest(key.encode(), salt + masked, "sha256") + masked


def _opened(key: str, sealed: bytes) -> bytes:
    salt, tag, masked = sealed[:SALT], sealed[SALT : SALT + TAG], sealed[SALT + TAG :]
    if not hmac.compare_digest(tag, hmac.digest(key.encode(), salt + masked, "sha256")):
        raise ValueError("a kept reply is damaged")
    return _masked(key, salt, masked)


def _masked(key: str, salt: bytes, body: bytes) -> bytes:
    stream = hashlib.shake_256(salt + key.encode()).digest(len(body))
    return (int.from_bytes(body, "big") ^ int.from_bytes(stream, "big")).to_bytes(len(body), "big")
