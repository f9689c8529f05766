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

Then = Callable[[bytes, float], None]
"""What is done with a body, and when it was whole (`time.perf_counter`)."""


@dataclass(slots=True)
class Line(Coming):
    """A connection on which at most one request is under way; `then` is for its answer."""

    then: Then | None = None


@dataclass(slots=True)
class Hub:
    """The connections to one port, and what is to be done at which time."""

    port: int
    ready: selectors.BaseSelector
    open_lines: ExitStack
    due: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def line(self) -> Line:
        """Open one more connection."""
        made = Line(self.open_lines.enter_context(connected(self.port)))
        self.ready.register(made.socket, selectors.EVENT_READ, made)
        return made

    def send(self, line: Line, request: bytes, then: Then) -> None:
        """Send a request; `then` gets the body of its answer. Anything but 200 ends the run."""
        if line.then is not None:
            raise AssertionError("a request is under way on this connection")
        line.then = then
        line.expect()
        line.socket.sendall(request)

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
                _hear(key.data)
            if now - quiet_since > patience:
                raise UnexpectedAnswer(f"no answer came within {patience:.0f} s")

    def run_for(self, seconds: float) -> None:
        """Serve all connections for so many seconds."""
        until = time.perf_counter() + seconds
        self.run(lambda: time.perf_counter() > until)


@contextmanager
def hub(port: int) -> Iterator[Hub]:
    """Give a hub to a port of this machine, and close its connections afterwards."""
    with ExitStack() as open_lines, selectors.DefaultSelector() as ready:
        yield Hub(port, ready, open_lines)


def _hear(line: Line) -> None:
    if line.then is None:
        raise UnexpectedAnswer("the server closed a connection, or spoke unasked")
    if not line.is_whole():
        return
    at, answer, then = time.perf_counter(), bytes(line.got), line.then
    line.then = None
    head, _, body = answer.partition(b"\r\n\r\n")
    if head[9:12] != b"200":
        raise UnexpectedAnswer(answer.decode(errors="replace")[:2000])
    then(body, at)
