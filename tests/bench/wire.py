"""One HTTP/1.1 connection with next to nothing around it.

A full client spends as long on parsing headers as the server on a request, which would dilute
every ratio; this one reads a status, a length and a body.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class UnexpectedAnswer(Exception):
    """The server answered with something else than the bench asked for; says what."""


@dataclass(slots=True)
class Connection:
    """A kept-alive connection; `seconds` is what the last request took from first to last byte."""

    port: int
    host: str = "127.0.0.1"
    seconds: float = 0.0
    _socket: socket.socket | None = field(default=None, repr=False)

    def ask(self, method: str, path: str, body: Any = None, *, token: str = "", want: int = 200) -> Any:
        """Send one request and give the JSON of its answer.

        Raises UnexpectedAnswer unless the status is `want`.
        """
        status, content = self.send(request(method, path, body, headers=bearer(token)))
        if status != want:
            raise UnexpectedAnswer(f"{method} {path} answered {status}, not {want}: {content.decode(errors='replace')}")
        return json.loads(content) if content else None

    def fetch(self, path: str, *, token: str = "", accept: str) -> bytes:
        """Get a body of that media type as it stands."""
        status, content = self.send(request("GET", path, None, headers={**bearer(token), "Accept": accept}))
        if status != 200:
            raise UnexpectedAnswer(f"GET {path} answered {status}: {content.decode(errors='replace')}")
        return content

    def send(self, message: bytes) -> tuple[int, bytes]:
        """Send a whole request, wait for the whole answer: status and body."""
        if self._socket is None:
            self._socket = socket.create_connection((self.host, self.port), timeout=60)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line = self._socket
        started = time.perf_counter()
        line.sendall(message)
        got = line.recv(65536)
        while got and b"\r\n\r\n" not in got:
            got += line.recv(65536)
        head, _, content = got.partition(b"\r\n\r\n")
        missing = length(head) - len(content)
        while got and missing > 0:
            more = line.recv(65536)
            content += more
            missing -= len(more) or missing
        self.seconds = time.perf_counter() - started
        if not got or length(head) != len(content):
            raise UnexpectedAnswer("the server closed the connection before its answer was whole")
        return int(head[9:12]), content

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def request(method: str, path: str, body: Any, *, headers: Mapping[str, str]) -> bytes:
    """Build a whole request; `body` is written as JSON unless it is None."""
    content = b"" if body is None else json.dumps(body, separators=(",", ":")).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *(f"{name}: {value}" for name, value in headers.items())]
    if body is not None:
        lines.append("Content-Type: application/json")
    if method != "GET":
        lines.append(f"Content-Length: {len(content)}")
    return "\r\n".join([*lines, "", ""]).encode() + content


def bearer(token: str) -> dict[str, str]:
    """The header that shows a token, if there is one."""
    return {"Authorization": f"Bearer {token}"} if token else {}


def length(head: bytes) -> int:
    """The length of the body by its header; the service sends it with everything the bench asks."""
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return int(value)
    raise UnexpectedAnswer("an answer without Content-Length: " + head.decode("latin-1"))
