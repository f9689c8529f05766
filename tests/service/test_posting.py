"""Posting: what comes back in all the forms that HTTP has, connections that are kept or not, and what is no answer."""

from __future__ import annotations

import asyncio
import socket
import ssl
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from referee.service import posting
from referee.service.connection import MOST_BYTES, MOST_OF_HEAD, Answer, Connection, Overlong, Unfinished
from referee.service.posting import NotCalled, Posts, Unreached, target
from tests.service.told_server import GENEROUS, USUAL, Server, made, posted, run, serving, until


@pytest.mark.parametrize(
    ("sent", "status", "body", "is_kept"),
    [
        (USUAL, 200, b"ok", True),
        (b"|".join(bytes([byte]) for byte in USUAL), 200, b"ok", True),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n|1\r\n!\r\n0\r\n\r\n", 200, b"ok!", True),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + USUAL, 200, b"ok", True),
        (b"HTTP/1.1 204 No Content\r\n\r\n", 204, b"", True),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", 302, b"", True),
        (b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok", 200, b"ok", True),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", 200, b"ok", False),
        (b"HTTP/1.0 500 No\r\nContent-Length: 2\r\n\r\nno", 500, b"no", False),
        (b"HTTP/1.1 200 OK\r\n\r\nuntil| the end|", 200, b"until the end", False),
        (USUAL + USUAL, 200, b"ok", False),  # the second is an answer to nothing
        (USUAL + b"junk", 200, b"ok", False),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 65536\r\n\r\n" + b"x" * MOST_BYTES, 200, b"x" * MOST_BYTES, True),
    ],
)
def test_an_answer_is_read_and_its_connection_kept_where_it_may_be(
    sent: bytes, status: int, body: bytes, is_kept: bool
) -> None:
    async def doing() -> None:
        async with serving(sent, USUAL) as server, Posts(made) as posts:
            assert await posted(posts, server) == Answer(status, body)
            assert await posted(posts, server) == Answer(200, b"ok")
            assert server.used == ([1, 1] if is_kept else [1, 2])

    run(doing)


@pytest.mark.parametrize(
    ("sent", "problem", "said"),
    [
        (b"SSH-2.0-OpenSSH\r\n", Unfinished, "is not HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc", Unfinished, "is not HTTP"),
        (b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nabc", Unfinished, "changes the protocol"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok|", Unfinished, "before the answer was whole"),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n|",
            Unfinished,
            "before the answer was whole",
        ),
        (b"HTTP/1.1 200 OK\r\nContent-Le|", Unfinished, "before the answer was whole"),
        (b"|", Unfinished, "before the answer was whole"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n" + b"x" * (MOST_BYTES + 1), Overlong, "more than 65536"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (MOST_BYTES + 1), Overlong, "more than 65536"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * (MOST_OF_HEAD + 1), Overlong, "the head of the answer"),
    ],
)
def test_what_is_no_answer_is_told_and_its_connection_used_no_more(
    sent: bytes, problem: type[Exception], said: str
) -> None:
    async def doing() -> None:
        async with serving(sent, USUAL) as server, Posts(made) as posts:
            with pytest.raises(problem, match=said):
                await posted(posts, server)
            assert await posted(posts, server) == Answer(200, b"ok")
            assert server.used == [1, 2]

    run(doing)


def test_a_request_is_what_the_url_says_with_its_headers_and_body() -> None:
    async def doing() -> None:
        async with serving(USUAL) as server, Posts(made) as posts:
            await posted(posts, server, url="http://127.0.0.1:{}/bot é/7?a=b c&d=%20#part")
        [(_, head, body)] = server.requests
        assert head.decode().split("\r\n") == [
            "POST /bot%20%C3%A9/7?a=b%20c&d=%20 HTTP/1.1",
            f"Host: 127.0.0.1:{server.port}",
            "User-Agent: sixty-six-referee",
            "Accept: application/json",
            "Accept-Encoding: identity",
            "Content-Type: application/json",
            "webhook-id: msg_1",
            "Content-Length: 2",
            "",
            "",
        ]
        assert body == b"{}"

    run(doing)


@pytest.mark.parametrize(
    "url", ["", "ftp://9.9.9.9/", "http://", "http://a b/", "http://[::1", "http://a..b/", "http://a:99999/"]
)
def test_what_is_no_url_is_not_called(url: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        target(url)


@pytest.mark.parametrize(
    ("url", "host", "named"),
    [
        ("https://bots.example", "bots.example", "bots.example"),
        ("https://bots.example:443/", "bots.example", "bots.example"),
        ("http://bots.example:443/", "bots.example", "bots.example:443"),
        ("http://BÜCHER.example/", "xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("http://[2001:DB8::1]:8080/", "2001:db8::1", "[2001:db8::1]:8080"),
    ],
)
def test_a_host_is_named_as_it_is_looked_up(url: str, host: str, named: str) -> None:
    assert target(url).origin.host == host
    assert f"\r\nHost: {named}\r\n".encode() in target(url).head


def test_time_that_runs_out_leaves_no_answer_to_a_later_question() -> None:
    async def doing() -> None:
        async with serving(None) as server, Posts(made) as posts:
            for seconds in (0.1, 1, 10, 60):  # on a machine that is busy it may take a while to connect
                with pytest.raises(TimeoutError):
                    await posted(posts, server, seconds=seconds)
                if server.requests:
                    break
            unanswered = server.connections
            server.answers = [USUAL]
            assert await posted(posts, server) == Answer(200, b"ok")
            assert server.used[-1] > unanswered

    run(doing)


def test_who_goes_away_while_a_server_thinks_takes_the_connection_with_him() -> None:
    async def doing() -> None:
        async with serving(None, USUAL) as server, Posts(made) as posts:
            asking = asyncio.create_task(posted(posts, server))
            await until(lambda: bool(server.requests))
            asking.cancel()
            await until(lambda: server.ended == 1)
            assert asking.cancelled()
            assert await posted(posts, server) == Answer(200, b"ok")
            assert server.used == [1, 2]

    run(doing)


def test_many_who_share_connections_each_get_their_own_answer() -> None:
    async def doing() -> None:
        answers = [b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n%03d" % number for number in range(300)]
        got: list[bytes] = []
        async with serving(*answers) as server, Posts(made) as posts:

            async def ask() -> None:
                for _ in range(15):
                    got.append((await posted(posts, server)).body)

            await asyncio.gather(*(ask() for _ in range(20)))
        assert sorted(got) == [b"%03d" % number for number in range(300)]
        assert server.connections <= 20

    run(doing)


def test_no_more_than_so_many_are_asked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "CONNECTIONS", 2)

    async def doing() -> None:
        async with serving(USUAL) as server, Posts(made) as posts:
            await asyncio.gather(*(posted(posts, server) for _ in range(10)))
            assert len(server.requests) == 10
            assert server.most_at_once <= server.connections <= 2

    run(doing)


def test_who_waits_too_long_for_a_connection_to_come_free_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "CONNECTIONS", 1)

    async def doing() -> None:
        async with serving(None) as server, Posts(made) as posts:
            asking = asyncio.create_task(posted(posts, server))
            await until(lambda: bool(server.requests))
            with pytest.raises(TimeoutError):
                await posted(posts, server, seconds=0.05)
            asking.cancel()

    run(doing)


def test_what_is_not_used_for_long_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "IDLE_SECONDS", 0.05)

    async def doing() -> None:
        async with serving(USUAL) as server, Posts(made) as posts:
            await posted(posts, server)
            await until(lambda: server.ended == 1)
            assert await posted(posts, server) == Answer(200, b"ok")

    run(doing)


def test_all_connections_are_closed_in_the_end() -> None:
    async def doing() -> None:
        async with serving(USUAL) as server:
            async with Posts(made) as posts:
                await asyncio.gather(*(posted(posts, server) for _ in range(5)))
            await until(lambda: server.ended == server.connections)

    run(doing)


def test_an_address_that_is_not_to_be_called_is_not_and_the_reason_names_none() -> None:
    def refuses(address: Any) -> socket.socket:
        raise NotCalled("it is private")

    async def doing() -> None:
        async with serving(USUAL) as server, Posts(refuses) as posts:
            with pytest.raises(Unreached, match=r"^it is private$"):
                await posted(posts, server)
            assert server.connections == 0

    run(doing)


def test_a_port_where_nobody_listens_is_told_without_its_address() -> None:
    async def doing() -> None:
        async with Posts(made) as posts:
            with pytest.raises(Unreached, match=r"^Connection refused$"):
                await posted(posts, Server([], port=1))

    run(doing)


def test_a_name_that_means_nothing_is_looked_up_again_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    async def doing() -> None:
        loop = asyncio.get_running_loop()

        async def unknown_at_first(host: str, port: int, **_: Any) -> list[Any]:
            looked.append(host)
            if len(looked) == 1:
                raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
            return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", port))]

        monkeypatch.setattr(loop, "getaddrinfo", unknown_at_first)
        async with serving(USUAL) as server, Posts(made) as posts:
            with pytest.raises(Unreached, match=r"^Name or service not known$"):
                await posted(posts, server, url="http://bots.example:{}/")
            answers = await asyncio.gather(*(posted(posts, server, url="http://bots.example:{}/") for _ in range(5)))
            assert [answer.body for answer in answers] == [b"ok"] * 5
        assert looked == ["bots.example"] * 2

    run(doing)


@pytest.mark.parametrize("is_trusted", [True, False])
def test_a_server_over_tls_must_show_a_certificate_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_trusted: bool
) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made_so = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=elsewhere -addext subjectAltName=IP:127.0.0.1"
    )
    try:
        command = [*made_so.split(), "-keyout", str(key), "-out", str(certificate)]
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("no openssl here to make a certificate with")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    if is_trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))

    async def doing() -> None:
        async with serving(USUAL, tls=tls) as server, Posts(made) as posts:
            if is_trusted:
                for _ in range(2):
                    assert await posted(posts, server, url="https://127.0.0.1:{}/") == Answer(200, b"ok")
                assert server.used == [1, 1]
                with pytest.raises(Unreached, match="localhost"):
                    await posted(posts, server, url="https://localhost:{}/")
            else:
                with pytest.raises(Unreached, match="self-signed certificate"):
                    await posted(posts, server, url="https://127.0.0.1:{}/")

    run(doing)


def test_each_request_on_a_connection_has_a_time_of_its_own() -> None:
    async def doing() -> None:
        async with serving(USUAL) as server, Posts(made) as posts:
            for seconds in (GENEROUS, GENEROUS / 2, GENEROUS):  # sooner and later than the one before
                assert await posted(posts, server, seconds=seconds) == Answer(200, b"ok")
            assert server.used == [1, 1, 1]
            server.answers = [None]
            with pytest.raises(TimeoutError):
                await posted(posts, server, seconds=0.05)

    run(doing)


def test_the_time_of_an_earlier_request_ends_no_later_one() -> None:
    async def doing() -> None:
        loop = asyncio.get_running_loop()
        async with serving(USUAL) as server, Posts(made) as posts:
            for seconds in (0.05, 1, 10, 60):  # on a machine that is busy it may take a while to connect
                with suppress(TimeoutError):
                    await posted(posts, server, seconds=seconds)
                    break
            server.gate.clear()
            asking = asyncio.create_task(posted(posts, server))
            await until(lambda: any(times(each, loop) for each in posts._open))
            server.gate.set()
            assert await asking == Answer(200, b"ok")
            assert server.used[-2:] == [server.connections] * 2

    def times(connection: Connection, loop: asyncio.AbstractEventLoop) -> bool:
        """Tells whether its timer is that of the later request: the earlier one's has run out."""
        return connection._timer is not None and connection._timer.when() - loop.time() > GENEROUS / 2

    run(doing)
