"""A request arrives when the kernel has it, not when a busy server comes to reading it."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from gunicorn.workers.ggevent import GeventWorker

from referee.web import arrivals, receiving
from referee.web.arrivals import LONGEST_MS, StampedSocket, lay_ms, stamped


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        client = socket.create_connection(listener.getsockname())
        server, _ = listener.accept()
    with client, server:
        yield client, server


def waits(connection: socket.socket) -> None:
    """Returns once something lies there to be read."""
    connection.settimeout(60)
    connection.recv(1, socket.MSG_PEEK)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="NOT TESTED: only Linux stamps what it receives")
def test_what_is_read_late_has_the_time_of_its_arrival(pair: tuple[socket.socket, socket.socket]) -> None:
    client, server = pair
    connection = stamped(server)
    limit = time.monotonic() + 120
    while not connection.stamp:  # a kernel that nobody asked before begins to stamp a while after it is asked
        assert time.monotonic() < limit, "the kernel stamps nothing"
        before = time.time_ns()
        client.sendall(b"an act")
        waits(server)
        after = time.time_ns()
        while time.time_ns() < after + 30_000_000:  # the server is busy with another
            time.sleep(0.005)
        assert connection.recv(100) == b"an act"
    assert before - 1_000_000 <= connection.stamp <= after
    assert lay_ms({"gunicorn.socket": connection}) >= 30
    client.shutdown(socket.SHUT_WR)
    assert connection.recv(100) == b""


def test_it_is_a_connection_like_any_other(pair: tuple[socket.socket, socket.socket]) -> None:
    client, server = pair
    connection = stamped(server)
    connection.sendall(b"an answer")
    assert client.recv(100) == b"an answer"
    assert connection.fileno() == server.fileno()


def test_a_kernel_without_stamps_leaves_it_as_it_is() -> None:
    class Without:
        def setsockopt(self, *_: Any) -> None:
            raise OSError("no such option")

    bare = Without()
    assert stamped(bare) is bare
    assert lay_ms({"gunicorn.socket": bare}) == 0
    assert lay_ms({}) == 0


@pytest.mark.parametrize("ago_ms", [-5_000, LONGEST_MS + 5_000])
def test_a_step_of_the_wall_clock_is_no_time_in_a_queue(ago_ms: int) -> None:
    connection = StampedSocket(None)
    connection.stamp = time.time_ns() - ago_ms * 1_000_000
    assert lay_ms({"gunicorn.socket": connection}) == 0


def test_what_is_no_stamp_is_none() -> None:
    assert arrivals._ns(b"1234") == 0


def test_every_connection_of_the_server_is_stamped(
    pair: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    handled: list[Any] = []
    monkeypatch.setattr(GeventWorker, "handle", lambda _worker, *given: handled.append(given))
    receiving.Worker.__new__(receiving.Worker).handle("listener", pair[1], "address")
    [(listener, connection, address)] = handled
    assert (listener, address) == ("listener", "address")
    assert connection.fileno() == pair[1].fileno()
    assert isinstance(connection, StampedSocket) == sys.platform.startswith("linux")


def test_what_gunicorn_loads_before_gevent_is_in_place_holds_no_lock_of_the_application() -> None:
    """A `threading.Lock` that is named before gevent's patch blocks the whole process when somebody waits for it."""
    loads = "import sys, referee.web.serving, referee.web.receiving; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", loads], check=True, capture_output=True, text=True, timeout=120)
    early = {name for name in done.stdout.split() if name.split(".")[0] in ("flask", "redis", "rq", "sqlalchemy")}
    assert not early | {name for name in done.stdout.split() if name.startswith("referee.service")}
