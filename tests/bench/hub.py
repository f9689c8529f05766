"""Thousands of connections in one thread: requests go out when told, each answer comes back to whoever sent it.

What a client costs here is a look at the head and whatever is done with the body; so the figures are the server's.
"""

from __future__ import annotations

import heapq
import itertools
import selectors
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from tests.bench.load import HUNG, Coming, connected
from tests.bench.wire import UnexpectedAnswer

RETRY_AFTER = 2.0

Then = Callable[[bytes, float], None]
"""What is done with a body, and when it was whole (`time.perf_counter`)."""


@dataclass(slots=True)
class Line(Coming):
    """A connection on which at most one request is under way; `then` is for its answer."""

    request: bytes = b""
    then: Then | None = None


@dataclass(slots=True)
class Hub:
    """The connections to one port, and what is to be done at which time.

    `put_off` counts the answers 503: each is asked again as it tells (Retry-After), so acts must bear keys.
    """

    port: int
    ready: selectors.BaseSelector
    open_lines: ExitStack
    due: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=itertools.count)
    put_off: int = 0

    def line(self) -> Line:
        """Open one more connection."""
        made = Line(self.open_lines.enter_context(connected(self.port)))
        self.ready.register(made.socket, selectors.EVENT_READ, made)
        return made

    def close(self, line: Line) -> None:
        """Close a connection on which nothing is under way."""
        self.ready.unregister(line.socket)
        line.socket.close()

    def send(self, line: Line, request: bytes, then: Then) -> None:
        """Send a request; `then` gets the body of its answer. Anything but 200, and 503 for a while, ends the run."""
        if line.then is not None:
            raise AssertionError("a request is under way on this connection")
        line.request, line.then = request, then
        _send(line)

    def at(self, when: float, do: Callable[[], None]) -> None:
        """Do something at that time, by `time.perf_counter`."""
        heapq.heappush(self.due, (when, next(self.numbers), do))

    def run(self, until: Callable[[], bool], *, patience: float = HUNG) -> None:
        """Serve all connections until `until` says so. Raises UnexpectedAnswer if nothing happens for so many seconds."""
        quiet_since = time.perf_counter()
        while not until():
            now = time.perf_counter()
            while self.due and self.due[0][0] <= now:
                heapq.heappop(self.due)[2]()
                quiet_since = now
            wait = min(self.due[0][0] - time.perf_counter() if self.due else 1.0, 1.0)
            for key, _ in self.ready.select(max(wait, 0.0)):
                quiet_since = now
                self._hear(key.data)
            if now - quiet_since > patience:
                raise UnexpectedAnswer(f"no answer came within {patience:.0f} s")

    def _hear(self, line: Line) -> None:
        if line.then is None:
            if line.socket.recv(1):
                raise UnexpectedAnswer("the server spoke unasked")
            self.close(line)  # it was idle for too long, and nobody needs it any more
            return
        if not line.is_whole():
            return
        at = time.perf_counter()
        head, _, body = bytes(line.got).partition(b"\r\n\r\n")
        if head[9:12] == b"503":
            self.put_off += 1
            self.at(at + RETRY_AFTER, lambda: _send(line))
            return
        if head[9:12] != b"200":
            raise UnexpectedAnswer(bytes(line.got).decode(errors="replace")[:2000])
        then, line.then = line.then, None
        then(body, at)

    def run_for(self, seconds: float) -> None:
        """Serve all connections for so many seconds."""
        until = time.perf_counter() + seconds
        self.run(lambda: time.perf_counter() > until)


@contextmanager
def hub(port: int) -> Iterator[Hub]:
    """Give a hub to a port of this machine, and close its connections afterwards."""
    with ExitStack() as open_lines, selectors.DefaultSelector() as ready:
        yield Hub(port, ready, open_lines)


def _send(line: Line) -> None:
    line.expect()
    line.socket.sendall(line.request)
