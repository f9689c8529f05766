"""Calling a push bot: one signed POST, to no address but a checked one, and what came back.

Signed as Standard Webhooks v1 are: HMAC-SHA256 over `id.timestamp.body` with the secret of the bot.
"""

from __future__ import annotations

import hmac
import socket
import time
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from referee.service import addresses, metrics
from referee.service.connection import Answer, Unfinished
from referee.service.posting import NotCalled, Posts, Unreached, target


class Unanswered(Exception):
    """The bot gave no answer. `connected` tells whether its server was reached at all."""

    def __init__(self, reason: str, *, connected: bool) -> None:
        super().__init__(reason)
        self.connected = connected


def session(*, allow_private: bool) -> Posts:
    """Is a context for calls: it connects to public addresses only, follows nothing and remembers nothing.

    The check sits where each socket is made, with the very address it is for: a name that means
    another address by now, and a literal one, pass through there all the same.
    """
    return Posts(_socket_maker(allow_private=allow_private))


@dataclass(slots=True)
class _Way:
    """How far a call has come: time may run out before there is a connection, and then nobody was reached."""

    connected: bool = False

    def reached(self) -> None:
        self.connected = True


async def post(posts: Posts, url: str, *, secret: str, call: str, body: bytes, seconds: float) -> Answer:
    """Posts a body within so many seconds. Raises Unanswered. `call` is the id, the same for each repetition."""
    began, outcome = time.monotonic(), "unanswered"
    try:
        answer = await _posted(posts, url, secret=secret, call=call, body=body, seconds=seconds)
        outcome = "answered" if answer.status == 200 else "amiss"
    finally:
        metrics.pushed(outcome, time.monotonic() - began)
    return answer


async def _posted(posts: Posts, url: str, *, secret: str, call: str, body: bytes, seconds: float) -> Answer:
    way = _Way()
    headers = signature(secret, call=call, body=body, at=int(time.time()))
    try:
        return await posts.post(target(url), body, headers=headers, seconds=seconds, reached=way.reached)
    except TimeoutError as problem:
        what = "no answer in time from" if way.connected else "no connection in time to"
        raise Unanswered(f"{what} {url}", connected=way.connected) from problem
    except (Unreached, ValueError) as problem:
        raise Unanswered(f"no connection to {url}: {problem}", connected=False) from problem
    except Unfinished as problem:
        raise Unanswered(f"{url}: {problem}", connected=way.connected) from problem


def signature(secret: str, *, call: str, body: bytes, at: int) -> dict[str, str]:
    """Are the three headers of Standard Webhooks v1; `at` in seconds since 1970, `secret` with its `whsec_`."""
    signed = hmac.new(
        _key(secret), f"{call}.{at}.".encode() + body, "sha256"
    )  # `digest` would give way to other threads
    stamp = b64encode(signed.digest()).decode()
    return {"webhook-id": call, "webhook-timestamp": str(at), "webhook-signature": f"v1,{stamp}"}


@lru_cache(maxsize=2000)
def _key(secret: str) -> bytes:
    return b64decode(secret.removeprefix("whsec_"))


def _socket_maker(*, allow_private: bool) -> Callable[[Any], socket.socket]:
    def make(address: Any) -> socket.socket:
        family, kind, protocol, _, place = address
        if not allow_private and not (addresses.is_public(str(place[0])) and place[1] in addresses.PORTS):
            raise NotCalled("its address or port is private or special, and is not called")
        return socket.socket(family=family, type=kind, proto=protocol)

    return make
