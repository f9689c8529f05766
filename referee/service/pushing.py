"""Calling a push bot: one signed POST, to no address but a checked one, and what came back.

Signed as Standard Webhooks v1 are: HMAC-SHA256 over `id.timestamp.body` with the secret of the bot.
"""

from __future__ import annotations

import errno
import hmac
import socket
import time
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import aiohttp

from referee.service import addresses, metrics

MOST_BYTES = 64 * 1024
CONNECTIONS = 600  # more than the matches of bots that think which one job plays
CONNECT_SECONDS = 5.0


class Unanswered(Exception):
    """The bot gave no answer. `connected` tells whether its server was reached at all."""

    def __init__(self, reason: str, *, connected: bool) -> None:
        super().__init__(reason)
        self.connected = connected


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot's server sent back."""

    status: int
    body: bytes


def session(*, allow_private: bool) -> aiohttp.ClientSession:
    """Is a session that connects to public addresses only, follows nothing and remembers nothing.

    The check sits where each socket is made, with the very address it is for: a name that means
    another address by now, and a literal one, pass through there all the same.
    """
    connector = aiohttp.TCPConnector(
        limit=CONNECTIONS, socket_factory=_socket_maker(allow_private=allow_private), ttl_dns_cache=10
    )
    tracing = aiohttp.TraceConfig()
    tracing.on_connection_create_end.append(_note_connected)
    tracing.on_connection_reuseconn.append(_note_connected)
    return aiohttp.ClientSession(
        connector=connector,
        trace_configs=[tracing],
        trust_env=False,
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        headers={"User-Agent": "sixty-six-referee", "Accept": "application/json", "Accept-Encoding": "identity"},
    )


@dataclass(slots=True)
class _Way:
    """How far a call has come: time may run out before there is a connection, and then nobody was reached."""

    connected: bool = False


async def _note_connected(_session: aiohttp.ClientSession, context: SimpleNamespace, _params: object) -> None:
    context.trace_request_ctx.connected = True


async def post(http: aiohttp.ClientSession, url: str, *, secret: str, call: str, body: bytes, seconds: float) -> Answer:
    """Posts a body within so many seconds. Raises Unanswered. `call` is the id, the same for each repetition."""
    with metrics.pushed() as told:
        answer = await _posted(http, url, secret=secret, call=call, body=body, seconds=seconds)
        told.append("answered" if answer.status == 200 else "amiss")
    return answer


async def _posted(
    http: aiohttp.ClientSession, url: str, *, secret: str, call: str, body: bytes, seconds: float
) -> Answer:
    way = _Way()
    timeout = aiohttp.ClientTimeout(total=seconds, sock_connect=min(seconds, CONNECT_SECONDS))
    headers = {"Content-Type": "application/json", **signature(secret, call=call, body=body, at=int(time.time()))}
    try:
        async with http.post(
            url, data=body, headers=headers, allow_redirects=False, timeout=timeout, trace_request_ctx=way
        ) as response:
            return Answer(response.status, await _bounded(response))
    except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError, aiohttp.InvalidURL, UnicodeError) as problem:
        raise Unanswered(f"no connection to {url}: {problem}", connected=False) from problem
    except TimeoutError as problem:
        what = "no answer in time from" if way.connected else "no connection in time to"
        raise Unanswered(f"{what} {url}", connected=way.connected) from problem
    except (aiohttp.ClientError, OSError) as problem:
        raise Unanswered(f"{url}: {type(problem).__name__}: {problem}", connected=way.connected) from problem


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


async def _bounded(response: aiohttp.ClientResponse) -> bytes:
    body = await response.content.read(MOST_BYTES + 1)
    while len(body) <= MOST_BYTES and not response.content.at_eof():
        body += await response.content.read(MOST_BYTES + 1 - len(body))
    if len(body) > MOST_BYTES:
        raise Unanswered(f"the answer has more than {MOST_BYTES} bytes", connected=True)
    return body


def _socket_maker(*, allow_private: bool) -> Callable[[Any], socket.socket]:
    def make(address: Any) -> socket.socket:
        family, kind, protocol, _, place = address
        if not allow_private and not (addresses.is_public(str(place[0])) and place[1] in addresses.PORTS):
            raise OSError(errno.EACCES, f"{place[0]} port {place[1]} is private or special, and is not called")
        return socket.socket(family=family, type=kind, proto=protocol)

    return make
