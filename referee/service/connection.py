"""One connection to a server: a request at a time goes out in one write, and a parser alone reads what comes back.

The parser is llhttp, as httptools has it. What a client for every purpose does around that costs a job several times as
much, and one job posts thousands of times a second.
"""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop, Future, TimerHandle
from dataclasses import dataclass
from typing import NamedTuple, Protocol, cast

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

MOST_BYTES = 64 * 1024
MOST_OF_HEAD = 32 * 1024


class Unfinished(OSError):
    """The server was reached, and did not send an answer that is whole and HTTP."""


class Overlong(Unfinished):
    """The answer is longer than is read."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot's server sent back."""

    status: int
    body: bytes


class Origin(NamedTuple):
    """A server: over TLS or not, by name or address, and its port."""

    secure: bool
    host: str
    port: int


class Pool(Protocol):
    """Where a connection belongs."""

    @property
    def loop(self) -> AbstractEventLoop:
        """Is the loop it runs on."""

    def begun(self, connection: Connection) -> None:
        """Hears that a connection stands."""

    def put_back(self, connection: Connection) -> None:
        """Gets a connection back that can be used again."""

    def lost(self, connection: Connection) -> None:
        """Hears that a connection has ended."""


class Connection(asyncio.Protocol):
    """One connection, and the answer that is awaited on it, if any."""

    __slots__ = (
        *("idle_since", "origin", "pool", "transport"),
        *("_answer", "_bounded", "_got", "_parser", "_parts", "_size", "_status", "_timer", "_until"),
    )

    def __init__(self, pool: Pool, origin: Origin) -> None:
        self.pool = pool
        self.origin = origin
        self.idle_since = 0.0
        self.transport: asyncio.Transport | None = None
        self._parser = HttpResponseParser(self)
        self._parser.set_dangerous_leniencies(  # what clients commonly put up with
            lenient_headers=True, lenient_optional_cr_before_lf=True, lenient_spaces_after_chunk_size=True
        )
        self._answer: Future[Answer] | None = None
        self._until = 0.0
        self._timer: TimerHandle | None = None
        self._begin()

    @property
    def is_open(self) -> bool:
        """Tells whether something can be sent."""
        return self.transport is not None and not self.transport.is_closing()

    async def ask(self, request: bytes, *, until: float) -> Answer:
        """Sends a request and gives its answer. Raises TimeoutError at `until` (of the loop's clock), and Unfinished."""
        answer: Future[Answer] = self.pool.loop.create_future()
        self._answer = answer
        self._limit(until)
        try:
            assert self.transport is not None
            self.transport.write(request)
            return await answer
        finally:
            if self._answer is answer:  # whoever asked has gone: what comes now is no answer to the next
                self._answer = None
                self.close()

    def close(self) -> None:
        """Breaks the connection off."""
        if self.transport is not None:
            self.transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begins."""
        self.transport = cast(asyncio.Transport, transport)
        self.pool.begun(self)

    def connection_lost(self, problem: Exception | None) -> None:
        """Ends; an answer of no stated length ends with its connection."""
        self.pool.lost(self)
        if self._timer is not None:
            self._timer.cancel()
        if problem is None and self._status >= 200 and not self._bounded:
            self._finish()
        self._fail(Unfinished("the connection was closed before the answer was whole"))

    def data_received(self, data: bytes) -> None:
        """Reads."""
        self._got += len(data)
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade:
            self._fail(Unfinished("the answer changes the protocol"))
        except HttpParserError as problem:
            self._fail(Unfinished(f"the answer is not HTTP: {problem}"))
        if not self._status and self._got > MOST_OF_HEAD:
            self._fail(Overlong(f"the head of the answer has more than {MOST_OF_HEAD} bytes"))

    def on_message_begin(self) -> None:
        """Begins an answer; one that nobody awaits ends the connection."""
        if self._answer is None:
            self.close()

    def on_header(self, name: bytes, _value: bytes) -> None:
        """Notes whether the answer says where it ends."""
        if len(name) in (14, 17) and name.lower() in (b"content-length", b"transfer-encoding"):
            self._bounded = True

    def on_headers_complete(self) -> None:
        """Notes that the head is whole."""
        self._status = self._parser.get_status_code()

    def on_body(self, part: bytes) -> None:
        """Keeps a part of the body, unless it is too much."""
        self._size += len(part)
        if self._size > MOST_BYTES:
            self._fail(Overlong(f"the answer has more than {MOST_BYTES} bytes"))
        else:
            self._parts.append(part)

    def on_message_complete(self) -> None:
        """Ends an answer, but for an interim one (RFC 9110, 15.2)."""
        if self._status < 200:
            self._begin()
            return
        self._finish()
        if self._parser.should_keep_alive() and self.is_open:
            self.pool.put_back(self)
        else:
            self.close()

    def _begin(self) -> None:
        self._parts: list[bytes] = []
        self._size = self._got = self._status = 0
        self._bounded = False

    def _finish(self) -> None:
        answer, self._answer = self._answer, None
        if answer is not None and not answer.done():
            answer.set_result(Answer(self._status, b"".join(self._parts)))
        self._begin()

    def _limit(self, until: float) -> None:
        """Sees to it that time is looked at then, by the timer of an earlier request if that ends no later."""
        self._until = until
        if self._timer is not None and self._timer.when() > until:
            self._timer.cancel()
            self._timer = None
        if self._timer is None:
            self._timer = self.pool.loop.call_at(until, self._look_at_time)

    def _look_at_time(self) -> None:
        when, self._timer = cast(TimerHandle, self._timer).when(), None
        if self._answer is None:
            return
        if when >= self._until:
            self._fail(TimeoutError())
        else:
            self._limit(self._until)

    def _fail(self, problem: Exception) -> None:
        answer, self._answer = self._answer, None
        if answer is not None and not answer.done():
            answer.set_exception(problem)
        self.close()
