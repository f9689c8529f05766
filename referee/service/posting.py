"""Posting over HTTP/1.1 to many servers: connections are kept for a while, names looked up seldom, and nothing is followed."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from asyncio import AbstractEventLoop, Future, Task
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, Self
from urllib.parse import quote, urlsplit

import aiohappyeyeballs

from referee.service.connection import Answer, Connection, Origin

CONNECTIONS = 600  # more than the matches of bots that think which one job plays
CONNECT_SECONDS = 5.0
IDLE_SECONDS = 15.0
NAMES_SECONDS = 10.0
NEXT_ADDRESS_SECONDS = 0.25  # RFC 8305: how long one address of a name is tried before the next is tried beside it
USUAL_HEAD = (
    "User-Agent: sixty-six-referee\r\n"
    "Accept: application/json\r\n"
    "Accept-Encoding: identity\r\n"
    "Content-Type: application/json\r\n"
)
SAFE = "/%:@!$&'()*+,;=-._~"
PORTS = {"http": 80, "https": 443}

MakeSocket = Callable[[Any], socket.socket]
"""Makes the socket for an address as `getaddrinfo` gives it, or raises NotCalled."""


class NotCalled(OSError):
    """That address is not to be called."""


class Unreached(OSError):
    """There was no connection to the server."""


class Target(NamedTuple):
    """What a URL means: the server, and how each request to it begins."""

    origin: Origin
    head: bytes


@lru_cache(maxsize=2000)
def target(url: str) -> Target:
    """Reads a URL. Raises ValueError for what is no http or https address.

    >>> target("https://bots.example/a?b=c").head.splitlines()[:2]
    [b'POST /a?b=c HTTP/1.1', b'Host: bots.example']
    >>> target("http://[2001:db8::1]:8080").origin
    Origin(secure=False, host='2001:db8::1', port=8080)
    """
    parts = urlsplit(url)
    if parts.scheme not in PORTS or not parts.hostname:
        raise ValueError("it is no http or https address")
    usual = PORTS[parts.scheme]
    host = parts.hostname if ":" in parts.hostname else parts.hostname.encode("idna").decode()
    if quote(host, safe=SAFE) != host:
        raise ValueError("its host is none")
    port = parts.port or usual
    named = (f"[{host}]" if ":" in host else host) + ("" if port == usual else f":{port}")
    path = quote(parts.path, safe=SAFE) or "/"
    query = f"?{quote(parts.query, safe=SAFE + '?')}" if parts.query else ""
    head = f"POST {path}{query} HTTP/1.1\r\nHost: {named}\r\n{USUAL_HEAD}"
    return Target(Origin(parts.scheme == "https", host, port), head.encode("ascii"))


@dataclass(slots=True)
class Posts:
    """Connections to servers, those in use and those that are kept for a while; a context that closes them all."""

    make_socket: MakeSocket
    loop: AbstractEventLoop = field(default_factory=asyncio.get_running_loop)
    _open: set[Connection] = field(default_factory=set)
    _idle: dict[Origin, deque[Connection]] = field(default_factory=dict)
    _in_use: int = 0
    _queue: deque[Future[None]] = field(default_factory=deque)
    _names: dict[Origin, tuple[float, Task[Sequence[Any] | OSError]]] = field(default_factory=dict)
    _sweep: asyncio.TimerHandle | None = None
    _emptied: asyncio.Event = field(default_factory=asyncio.Event)
    _tls: ssl.SSLContext | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._sweep is not None:
            self._sweep.cancel()
        for _until, looking in self._names.values():
            looking.cancel()
        for each in list(self._open):
            each.close()
        while self._open:
            self._emptied.clear()
            await self._emptied.wait()

    async def post(
        self, to: Target, body: bytes, *, headers: Mapping[str, str], seconds: float, reached: Callable[[], None]
    ) -> Answer:
        """Posts a body and gives the answer, whatever its status; calls `reached` as soon as there is a connection.

        Raises TimeoutError after so many seconds, Unreached and Unfinished; nothing is sent twice.
        """
        until = self.loop.time() + seconds
        own = "".join([f"{name}: {value}\r\n" for name, value in headers.items()])
        request = b"%b%bContent-Length: %d\r\n\r\n%b" % (to.head, own.encode("ascii"), len(body), body)
        if self._in_use < CONNECTIONS:
            self._in_use += 1
        else:
            await self._let_in(until)
        try:
            connection = self._kept(to.origin)
            if connection is None:
                async with asyncio.timeout_at(until):
                    connection = await self._connected(to.origin)
            reached()
            return await connection.ask(request, until=until)
        finally:
            self._leave()

    async def _let_in(self, until: float) -> None:
        """Waits, in the order of coming, for the place of a request that is done."""
        turn: Future[None] = self.loop.create_future()
        self._queue.append(turn)
        try:
            async with asyncio.timeout_at(until):
                await turn
        except BaseException:
            if turn.done() and not turn.cancelled():  # the place was this one's already
                self._leave()
            raise

    def _leave(self) -> None:
        """Gives a place to who waits for one, if anybody does."""
        while self._queue:
            turn = self._queue.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._in_use -= 1

    def begun(self, connection: Connection) -> None:
        """Counts a connection as open."""
        self._open.add(connection)

    def put_back(self, connection: Connection) -> None:
        """Keeps a connection for the next request to the same server."""
        connection.idle_since = self.loop.time()
        self._idle.setdefault(connection.origin, deque()).append(connection)
        if self._sweep is None:
            self._sweep = self.loop.call_later(IDLE_SECONDS, self._close_idle)

    def lost(self, connection: Connection) -> None:
        """Forgets a connection."""
        self._open.discard(connection)
        if not self._open:
            self._emptied.set()

    def _kept(self, origin: Origin) -> Connection | None:
        """Is the connection that was used last: the others may be closed the sooner."""
        idle = self._idle.get(origin)
        while idle:
            connection = idle.pop()
            if connection.is_open:
                return connection
        return None

    def _close_idle(self) -> None:
        """Closes what has not been used for long, and looks again where anything is left."""
        oldest, self._sweep = self.loop.time() - IDLE_SECONDS, None
        for origin, idle in list(self._idle.items()):
            while idle and (idle[0].idle_since <= oldest or not idle[0].is_open):
                idle.popleft().close()
            if not idle:
                del self._idle[origin]
        if self._idle:
            self._sweep = self.loop.call_later(IDLE_SECONDS, self._close_idle)

    async def _connected(self, origin: Origin) -> Connection:
        try:
            addresses = await self._addresses(origin)
            async with asyncio.timeout(CONNECT_SECONDS):
                made = await aiohappyeyeballs.start_connection(
                    addresses,
                    happy_eyeballs_delay=NEXT_ADDRESS_SECONDS,
                    loop=self.loop,
                    socket_factory=self.make_socket,
                )
            try:
                _, connection = await self.loop.create_connection(
                    lambda: Connection(self, origin),
                    sock=made,
                    ssl=self._context() if origin.secure else None,
                    server_hostname=origin.host if origin.secure else None,
                )
            except BaseException:
                made.close()
                raise
        except TimeoutError:
            raise
        except (OSError, RuntimeError) as problem:
            raise Unreached(_reason(problem)) from problem
        return connection

    async def _addresses(self, origin: Origin) -> Sequence[Any]:
        """Are the addresses of a server; what a name means is looked up once for all who ask within some seconds."""
        until, looking = self._names.get(origin, (0.0, None))
        if looking is None or self.loop.time() > until:
            looking = self.loop.create_task(self._looked_up(origin))
            self._names[origin] = self.loop.time() + NAMES_SECONDS, looking
        found = await asyncio.shield(looking)
        if isinstance(found, OSError):
            self._names.pop(origin, None)
            raise found
        return found

    async def _looked_up(self, origin: Origin) -> Sequence[Any] | OSError:
        try:
            return await self.loop.getaddrinfo(origin.host, origin.port, type=socket.SOCK_STREAM)
        except OSError as problem:
            return problem

    def _context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = ssl.create_default_context()
            self._tls.set_alpn_protocols(["http/1.1"])
        return self._tls


def _reason(problem: Exception) -> str:
    """Is why there is no connection, in words that name no address: what a name means inside is not told outside."""
    if isinstance(problem, NotCalled):
        return str(problem)
    if isinstance(problem, ssl.SSLError):
        return str(getattr(problem, "verify_message", "") or problem.reason or "TLS failed")
    number = getattr(problem, "errno", None)
    if isinstance(problem, socket.gaierror) or not isinstance(number, int) or number <= 0:
        return str(getattr(problem, "strerror", None) or "none of its addresses answers")
    return os.strerror(number)
