"""Many connections at once from one thread: each sends its next request as soon as it has the whole answer to the last."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from tests.bench.pairs import Sample
from tests.bench.wire import UnexpectedAnswer, length

HUNG = 60.0


@dataclass(slots=True)
class Coming:
    """A connection, and how much of the answer to the last request has come over it."""

    socket: socket.socket
    got: bytearray = field(default_factory=bytearray)
    missing: int = -1  # bytes of the body that have not come; -1 while the head has not

    def expect(self) -> None:
        """Have another answer come."""
        self.got.clear()
        self.missing = -1

    def is_whole(self) -> bool:
        """Read what has come; tell whether the answer is there to its end."""
        part = self.socket.recv(1 << 18)
        if not part:
            raise UnexpectedAnswer("the server closed the connection before its answer was whole")
        self.got += part
        if self.missing < 0:
            end = self.got.find(b"\r\n\r\n")
            if end < 0:
                return False
            self.missing = length(bytes(self.got[:end])) - (len(self.got) - end - 4)
        else:
            self.missing -= len(part)
        return self.missing == 0


@dataclass(slots=True)
class Line(Coming):
    """A connection, and what is still to be sent over it."""

    requests: Iterator[bytes] = field(default_factory=lambda: iter(()))


def run(port: int | Sequence[int], sources: Sequence[Iterator[bytes]], units: Callable[[bytes], int]) -> Sample:
    """Send all requests, a source over each of as many new connections; `units` counts the work in an answer (with its head).

    Of several ports each has as many of the connections. The seconds are those from the first byte sent to the last one
    got. Raises UnexpectedAnswer for any status but 200.
    """
    ports = [port] if isinstance(port, int) else port
    done = 0
    with ExitStack() as open_lines, selectors.DefaultSelector() as ready:
        lines = [
            Line(open_lines.enter_context(connected(ports[place % len(ports)])), requests=source)
            for place, source in enumerate(sources)
        ]
        started = time.perf_counter()
        for line in lines:
            if _send(line):
                ready.register(line.socket, selectors.EVENT_READ, line)
        while ready.get_map():
            found = ready.select(HUNG)
            if not found:
                raise UnexpectedAnswer(f"no answer came within {HUNG:.0f} s")
            for line in [key.data for key, _ in found if key.data.is_whole()]:
                done += _counted(line, units)
                if not _send(line):
                    ready.unregister(line.socket)
        return Sample(done, time.perf_counter() - started)


def connected(port: int) -> socket.socket:
    """Open a connection to a port of this machine."""
    made = socket.create_connection(("127.0.0.1", port))
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def _send(line: Line) -> bool:
    request = next(line.requests, None)
    if request is None:
        return False
    line.expect()
    line.socket.sendall(request)
    return True


def _counted(line: Line, units: Callable[[bytes], int]) -> int:
    answer = bytes(line.got)
    if answer[9:12] != b"200":
        raise UnexpectedAnswer(answer.decode(errors="replace")[:2000])
    return units(answer)
