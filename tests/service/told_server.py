"""A server of the tests for posting: it sends the bytes it is told, and remembers what it was sent on which connection."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from referee.service.connection import Answer
from referee.service.posting import Posts, target

GENEROUS = 120.0
USUAL = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@dataclass
class Server:
    """What a server was sent, on which of its connections, and which of these have ended; it answers as it is told."""

    answers: Sequence[bytes | None]
    port: int = 0
    requests: list[tuple[int, bytes, bytes]] = field(default_factory=list)
    connections: int = 0
    at_once: int = 0
    most_at_once: int = 0
    ended: int = 0
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def used(self) -> list[int]:
        """By number, the connections on which requests came."""
        return [number for number, _, _ in self.requests]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers on a connection: with the bytes, which end it where they say so; None never answers."""
        self.connections += 1
        number = self.connections
        try:
            while await self.answered(number, reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.ended += 1
            writer.close()

    async def answered(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        size = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        answer = self.answers[min(len(self.requests), len(self.answers) - 1)]
        self.requests.append((number, head, await reader.readexactly(size)))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await self.gate.wait()
        self.at_once -= 1
        if answer is None:
            await reader.read()
            return False
        for part in answer.split(b"|"):
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(0)
        return not answer.endswith(b"|")


@asynccontextmanager
async def serving(*answers: bytes | None, tls: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
    """Serves answers one after another, the last again and again; `|` parts what is sent, at the end it closes."""
    server = Server(answers)
    server.gate.set()
    async with await asyncio.start_server(server.serve, "127.0.0.1", 0, ssl=tls) as listening:
        server.port = listening.sockets[0].getsockname()[1]
        yield server


def made(address: Any) -> socket.socket:
    family, kind, protocol, *_ = address
    return socket.socket(family, kind, protocol)


async def posted(
    posts: Posts, server: Server, *, url: str = "http://127.0.0.1:{}/", seconds: float = GENEROUS
) -> Answer:
    to = target(url.format(server.port))
    return await posts.post(to, b"{}", headers={"webhook-id": "msg_1"}, seconds=seconds, reached=lambda: None)


def run(doing: Callable[[], Awaitable[None]]) -> None:
    async def within() -> None:
        async with asyncio.timeout(GENEROUS):
            await doing()

    asyncio.run(within())


async def until(what: Callable[[], bool]) -> None:
    while not what():
        await asyncio.sleep(0.01)
