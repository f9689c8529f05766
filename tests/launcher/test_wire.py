"""The launcher's own client: a server that dies in the middle of an answer is one that does not answer."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from referee.launcher.wire import UnreachableError, Wire


@contextmanager
def cut_short(said: bytes) -> Iterator[str]:
    """Serves one connection: reads a request, says so many bytes, and is gone. Yields its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(said)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join()


@pytest.mark.parametrize(
    "said",
    [b"", b"HTTP/1.1 200", b"HTTP/1.1 200 OK\r\nContent-Le", b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"pla'],
    ids=["nothing", "half a status line", "half a header", "half a body"],
)
def test_half_an_answer_is_none(said: bytes) -> None:
    with cut_short(said) as url, pytest.raises(UnreachableError, match="does not answer"):
        Wire(url).get("/v1/health")
