"""The short way of a web process on the wire: one connection, whatever comes on it, and never an answer to something else."""

import json
import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest

from referee import settings as environment
from referee.launcher.stack import Shape, Stack
from referee.launcher.wire import Wire
from tests.launcher.test_slow_clients import LIMIT, connected

TURNS = b"GET /v1/turns HTTP/1.1\r\nHost: referee\r\nAuthorization: Bearer %s\r\n%s\r\n"
ACTS = (
    b"POST /v1/acts HTTP/1.1\r\nHost: referee\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n%s\r\n"
)
EMPTY = b'{"acts":[]}'


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a referee that waits a second for a body."""
    with pytest.MonkeyPatch.context() as patched:
        patched.delenv("REFEREE_REDIS_URL", raising=False)
        patched.delenv("REFEREE_DATABASE_URL", raising=False)
        data = tmp_path_factory.mktemp("short")
        with Stack(
            replace(environment.read(), data=data, organiser_token="", body_seconds=1), Shape(web=1, workers=0)
        ) as running:
            yield running.port


@pytest.fixture(scope="module")
def token(port: int) -> bytes:
    """The token of a registered bot."""
    made = Wire(f"http://127.0.0.1:{port}").post("/v1/bots", {"name": "Short", "transport": "pull"})
    return str(made["token"]).encode()


def answer(connection: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """The next answer on a connection: status, headers, body."""
    said = b""
    while b"\r\n\r\n" not in said:
        said += _more(connection, said)
    head, _, body = said.partition(b"\r\n\r\n")
    line, *rest = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (each.partition(": ") for each in rest)}
    while len(body) < int(headers["content-length"]):
        body += _more(connection, said + body)
    assert len(body) == int(headers["content-length"]), "more came than the answer"
    return int(line.split(" ")[1]), headers, body


def _more(connection: socket.socket, so_far: bytes) -> bytes:
    piece = connection.recv(1)  # no more than is needed: what follows is another answer
    assert piece, f"the connection ended after {so_far!r}"
    return piece


def test_requests_that_come_together_are_answered_one_after_another(port: int, token: bytes) -> None:
    usual, batch = TURNS % (token, b""), ACTS % (token, b"Content-Length: %d\r\n" % len(EMPTY)) + EMPTY
    health = b"GET /v1/health HTTP/1.1\r\nHost: referee\r\n\r\n"
    with connected(port) as connection:
        connection.sendall(usual + batch + health + batch + usual)
        bodies = [answer(connection) for _ in range(5)]
    assert [status for status, _, _ in bodies] == [200] * 5
    assert [sorted(json.loads(body)) for _, _, body in bodies[:2]] == [["prompts"], ["verdicts"]]
    assert bodies[0][2] == bodies[4][2]
    assert bodies[1][2] == bodies[3][2]


def test_a_usual_answer_has_the_headers_of_any_other(port: int, token: bytes) -> None:
    with connected(port) as connection:
        connection.sendall(TURNS % (token, b""))
        _, short, _ = answer(connection)
        connection.sendall(TURNS.replace(b"/turns", b"/turns?most=200") % (token, b""))
        _, long, _ = answer(connection)
    assert {**short, "date": ""} == {**long, "date": ""}


@pytest.mark.parametrize(
    ("version", "header", "connection_header"),
    [(b"1.1", b"Connection: close\r\n", "close"), (b"1.1", b"", "keep-alive"), (b"1.0", b"", "close")],
)
def test_a_connection_is_closed_when_its_client_wants_that(
    port: int, token: bytes, version: bytes, header: bytes, connection_header: str
) -> None:
    with connected(port) as connection:
        connection.sendall(TURNS.replace(b"HTTP/1.1", b"HTTP/" + version) % (token, header))
        status, headers, _ = answer(connection)
        assert (status, headers["connection"]) == (200, connection_header)
        if connection_header == "close":
            assert connection.recv(1) == b""


@pytest.mark.parametrize(
    "framing",
    [
        b"Transfer-Encoding: chunked\r\n\r\nb\r\n%s\r\n0\r\n" % EMPTY,
        b"Content-Length: 11\r\nExpect: 100-continue\r\n\r\n" + EMPTY,
    ],
    ids=["in pieces", "who waits to be told to go on"],
)
def test_bodies_that_are_not_as_usual_are_taken_too(port: int, token: bytes, framing: bytes) -> None:
    with connected(port) as connection:
        connection.sendall((ACTS % (token, framing)) if b"chunked" in framing else (ACTS % (token, framing))[:-2])
        status, _, body = _after_going_on(connection)
        assert (status, body) == (200, b'{"verdicts":[]}')


def _after_going_on(connection: socket.socket) -> tuple[int, dict[str, str], bytes]:
    connection.settimeout(LIMIT)
    going_on = b"HTTP/1.1 100 Continue\r\n\r\n"
    if connection.recv(len(going_on), socket.MSG_PEEK).startswith(b"HTTP/1.1 100"):
        connection.recv(len(going_on))
    return answer(connection)


def test_two_tokens_or_two_lengths_are_no_usual_request(port: int, token: bytes) -> None:
    with connected(port) as connection:
        connection.sendall(TURNS % (token, b"Authorization: Bearer other\r\n"))
        assert answer(connection)[0] == 401
    with connected(port) as connection:
        connection.sendall(ACTS % (token, b"Content-Length: 11\r\nContent-Length: 11\r\n") + EMPTY)
        assert connection.recv(12).split(b" ")[1] == b"400"


def test_a_body_that_does_not_come_is_408_and_one_that_breaks_off_400(port: int, token: bytes) -> None:
    with connected(port) as connection:
        connection.sendall(ACTS % (token, b"Content-Length: 100\r\n") + EMPTY)
        status, _, body = answer(connection)
        assert (status, json.loads(body)["code"]) == (408, "request/too_slow")
    with connected(port) as connection:
        connection.sendall(ACTS % (token, b"Content-Length: 100\r\n") + EMPTY)
        connection.shutdown(socket.SHUT_WR)
        status, _, body = answer(connection)
        assert (status, json.loads(body)["code"]) == (400, "request/malformed")


def test_what_a_refused_request_brought_is_not_taken_for_the_next(port: int, token: bytes) -> None:
    with connected(port) as connection:
        refused = ACTS % (b"nobody", b"Content-Length: %d\r\n" % len(EMPTY)) + EMPTY
        connection.sendall(refused + TURNS % (token, b""))
        assert answer(connection)[0] == 401
        assert answer(connection)[0] == 200
