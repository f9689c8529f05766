"""A client that is slow to send or to receive loses its connection; nobody is held for ever, and others are served.

Each limit is set to a second here; nothing is said of how long it takes, but that it comes about.
"""

import contextlib
import json
import select
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee import settings as environment
from referee.launcher.stack import Shape, Stack

LIMIT = 120.0
BODY = b'{"name":"slow"}'


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a referee that has no patience."""
    with pytest.MonkeyPatch.context() as patched:
        patched.delenv("REFEREE_REDIS_URL", raising=False)
        patched.delenv("REFEREE_DATABASE_URL", raising=False)
        hasty = replace(environment.read(), data=tmp_path_factory.mktemp("slow"), organiser_token="")
        hasty = replace(hasty, head_seconds=1, body_seconds=1, send_seconds=1)
        with Stack(hasty, Shape(web=1, workers=0)) as running:
            yield running.port


@contextlib.contextmanager
def connected(port: int, *, buffer: int = 0) -> Iterator[socket.socket]:
    with socket.socket() as connection:
        if buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        connection.settimeout(LIMIT)
        connection.connect(("127.0.0.1", port))
        yield connection


def answered(port: int, start: bytes, slowly: bytes = b"", *, ends: bool = False) -> bytes:
    """What the server answers to `start`, sent at once, and the rest, byte by byte, to the end of the connection.

    Asked again while nothing comes: on a busy machine even the start may come too late for a server without patience.
    """
    end = time.monotonic() + LIMIT
    while True:
        with connected(port) as connection:
            connection.sendall(start)
            if ends:
                connection.shutdown(socket.SHUT_WR)
            answer = trickled(connection, slowly) if slowly else whole(connection)
        if answer or time.monotonic() > end:
            return answer


def trickled(connection: socket.socket, data: bytes) -> bytes:
    """Send byte by byte, each a good while before the limit is over, until something comes back; return what does."""
    end = time.monotonic() + LIMIT
    for number in range(len(data)):
        assert time.monotonic() < end, f"{number} bytes were taken in {LIMIT:.0f} s"
        if select.select([connection], [], [], 0.2)[0]:
            break
        with contextlib.suppress(OSError):
            connection.send(data[number : number + 1])
    return whole(connection)


def whole(connection: socket.socket) -> bytes:
    """Read to the end of the connection."""
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := connection.recv(65536):
            found += piece
    return found


def head(length: int) -> bytes:
    return (
        b"POST /v1/bots HTTP/1.1\r\nHost: referee\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n" % length
    )


CHUNKED = head(0).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")


def fetched(port: int, path: str) -> bytes:
    """The answer to a plain request, as `answered` has it, without its head."""
    return answered(port, f"GET {path} HTTP/1.0\r\nHost: referee\r\n\r\n".encode()).partition(b"\r\n\r\n")[2]


def is_well(port: int) -> bool:
    return b'"status":"ok"' in fetched(port, "/v1/health")


def test_a_head_that_trickles_is_not_waited_for(port: int) -> None:
    with connected(port) as connection:
        assert trickled(connection, b"GET /v1/health HTTP/1.1\r\nX-Slow: " + b"x" * 4000) == b""
    assert is_well(port)


def test_a_connection_on_which_nothing_is_asked_is_closed(port: int) -> None:
    with connected(port) as connection:
        assert whole(connection) == b""
    answer = answered(port, b"GET /v1/health HTTP/1.1\r\nHost: referee\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200"), "and so is one on which nothing more is asked"


@pytest.mark.parametrize("start", [b"", BODY[:5]])
def test_a_body_that_trickles_or_stays_away_is_408_and_the_connection_ends(port: int, start: bytes) -> None:
    answer = answered(port, head(60_000) + start, b" " * 4000 if start else b"")
    assert answer.startswith(b"HTTP/1.1 408"), answer
    described = json.loads(answer.partition(b"\r\n\r\n")[2])
    assert described["code"] == "request/too_slow"
    assert b"application/problem+json" in answer
    assert is_well(port)


def test_a_body_in_chunks_that_trickles_is_408(port: int) -> None:
    answer = answered(port, CHUNKED + b"f000\r\n{", b" " * 4000)
    assert answer.startswith(b"HTTP/1.1 408"), answer


@pytest.mark.parametrize(
    "chunk",
    [b"zz\r\n{}\r\n0\r\n\r\n", b"2\r\n{}xx0\r\n\r\n", b"-1\r\n\r\n", b"2\r\n{}\r\n0\r\nbad trailer\r\n\r\n"],
)
def test_a_body_in_chunks_that_are_none_is_400_and_no_failure(port: int, chunk: bytes) -> None:
    answer = answered(port, CHUNKED + chunk)
    assert answer.startswith(b"HTTP/1.1 400"), answer
    assert b"application/problem+json" in answer
    assert b"request/malformed" in answer


@pytest.mark.parametrize("sent", [head(500) + b'{"name":"broken"}', CHUNKED + b'11\r\n{"name":"broken"}'])
def test_a_body_that_breaks_off_is_refused_although_it_is_json_so_far(port: int, sent: bytes) -> None:
    answer = answered(port, sent, ends=True)
    assert answer.startswith(b"HTTP/1.1 400"), answer
    assert b'"broken"' not in fetched(port, "/v1/bots")
    assert b'status="500"' not in fetched(port, "/v1/metrics")


ODD = [
    b"GET /v1/bots/%zz HTTP/1.1",
    b"GET /v1/bots/%00%ff HTTP/1.1",
    b"GET /v1/bots/\xff\xfe HTTP/1.1",
    b"GET /v1/bots?limit=%ff&x=\xff HTTP/1.1",
    b"GET http://elsewhere/v1/bots HTTP/1.1",
    b"GET /v1/bots#part HTTP/1.1",
    b"GET //v1//bots HTTP/1.1",
    b"GET /v1/../v1/bots HTTP/1.1",
    b"GET v1/bots HTTP/1.1",
    b"GET * HTTP/1.1",
    b"OPTIONS * HTTP/1.1",
    b"CONNECT a:1 HTTP/1.1",
    b"BREW /v1/bots HTTP/1.1",
    b"get /v1/bots HTTP/1.1",
    b"GET /v1/bots HTTP/9.9",
    b"GET /v1/bots",
    b"\x16\x03\x01\x02",
    b"GET /" + b"a" * 9000 + b" HTTP/1.1",
    b"\x00\x00 / HTTP/1.1",
    b"GET /v1/bots HTTP/1.1\r\nHost: [::1",
    b"GET /v1/bots HTTP/1.1\r\nHost: a\r\nHost: b",
    b"GET /v1/bots HTTP/1.1\r\nX: " + b"x" * 9000,
    b"GET /v1/bots HTTP/1.1\r\n" + b"\r\n".join(b"X-%d: 1" % number for number in range(200)),
    b"GET /v1/bots HTTP/1.1\r\nBad Name: 1",
    b"GET /v1/bots HTTP/1.1\r\nX: a\x00b",
    b"GET /v1/bots HTTP/1.1\r\nAuthorization: Bearer \xff",
    b"POST /v1/bots HTTP/1.1\r\nContent-Length: x",
    b"POST /v1/bots HTTP/1.1\r\nContent-Length: -1",
    b"POST /v1/bots HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2",
    b"POST /v1/bots HTTP/1.1\r\nTransfer-Encoding: nonsense",
    b"POST /v1/bots HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked",
    b"POST /v1/bots HTTP/1.1\r\nExpect: nonsense",
]


@pytest.mark.parametrize("asked", ODD, ids=lambda asked: repr(asked[:60]))
def test_a_head_that_is_none_is_refused_and_is_no_failure(port: int, asked: bytes) -> None:
    """The server's own refusals are a few words of HTML; none is a failure, and none comes of it for others."""
    with connected(port) as connection:
        connection.sendall(asked + b"\r\nConnection: close\r\n\r\n")
        answer = whole(connection)
    status = int(answer[9:12] or 400)
    assert status < 500 or status in (501, 505), answer  # a method or a version that is none
    assert is_well(port)
    assert b'status="500"' not in fetched(port, "/v1/metrics")


@pytest.mark.skipif(
    not Path("/proc/net/tcp").exists(), reason="what the server does with a connection is seen in /proc"
)
def test_a_client_that_does_not_read_is_let_go(port: int) -> None:
    with connected(port, buffer=4096) as connection:
        asked = b"GET /v1/laws HTTP/1.1\r\nHost: referee\r\n\r\n"
        connection.setblocking(False)
        mine = connection.getsockname()[1]
        end = time.monotonic() + LIMIT
        while serves(port, mine):
            assert time.monotonic() < end, f"still served after {LIMIT:.0f} s"
            with contextlib.suppress(OSError):
                connection.send(asked * 20)
            time.sleep(0.05)
    assert is_well(port)


def serves(port: int, client: int) -> bool:
    """Whether the server still has the connection with that port of ours: in /proc/net/tcp, state ESTABLISHED."""
    for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]:
        local, remote, state = line.split()[1:4]
        if (int(local[-4:], 16), int(remote[-4:], 16), state) == (port, client, "01"):
            return True
    return False


@pytest.mark.skipif(
    not Path("/proc/net/tcp").exists(), reason="what the server does with a connection is seen in /proc"
)
def test_a_connection_that_stands_is_seen(port: int) -> None:
    """The test above rests on it."""
    end = time.monotonic() + LIMIT
    while True:
        with connected(port) as connection:
            if serves(port, connection.getsockname()[1]):
                return
        assert time.monotonic() < end, "a new connection is not seen"
