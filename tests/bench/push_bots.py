"""A server of push bots that answer at once, in a process of its own: `python -m tests.bench.push_bots` prints its port.

It plays at random and does next to nothing beside. Prompts of matches (`/bot/...`) pass a gate: shut, it holds them, which to
the referee is a bot that thinks; opened for so many answers it shuts again by itself and remembers how long they took. So
the referee and a bare client (`/bare`, which no gate holds) can be measured in turn against the same process.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from dataclasses import dataclass, field

import orjson

CLOSE = {"act": "close"}
ALWAYS = 1 << 60


@dataclass(slots=True)
class Gate:
    """How many prompts may still be answered, which answers wait, and what has been counted since it was last opened."""

    left: int = 0
    waiting: list[tuple[Prompts, bytes]] = field(default_factory=list)
    wanted: int = 0
    opened: float = 0.0
    seconds: float = 0.0
    prompt: bytes = b""
    answered: int = 0

    def open(self, count: int) -> None:
        """Lets so many answers through, those that wait first."""
        self.wanted = self.left = count
        self.opened, self.seconds = time.perf_counter(), 0.0
        waiting, self.waiting = self.waiting, []
        for line, answer in waiting:
            self.passes(line, answer)

    def passes(self, line: Prompts, answer: bytes) -> None:
        """Sends an answer, or keeps it until the gate is opened again."""
        if not self.left:
            self.waiting.append((line, answer))
            return
        self.left -= 1
        self.answered += 1
        line.send(answer)
        if not self.left:
            self.seconds = time.perf_counter() - self.opened

    def told(self) -> dict[str, object]:
        """What there is to be known from outside; `seconds` is 0 while answers are still let through."""
        return {
            "held": len(self.waiting),
            "answered": self.answered,
            "left": self.left,
            "seconds": self.seconds,
            "prompt": self.prompt.decode(),
        }


class Prompts(asyncio.Protocol):
    """One connection: requests one after another, each with a length, as every client here sends them."""

    def __init__(self, gate: Gate, dice: random.Random) -> None:
        self.gate = gate
        self.dice = dice
        self.got = b""
        self.transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remembers where answers go."""
        assert isinstance(transport, asyncio.WriteTransport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Answers what is whole."""
        self.got += data
        while (end := self.got.find(b"\r\n\r\n")) >= 0:
            head = self.got[:end]
            begin = head.lower().find(b"content-length:")
            size = int(head[begin + 15 :].split(b"\r\n", 1)[0]) if begin >= 0 else 0
            if len(self.got) < end + 4 + size:
                return
            body, self.got = self.got[end + 4 : end + 4 + size], self.got[end + 4 + size :]
            self.asked(head.split(b" ", 2)[1], body)

    def asked(self, path: bytes, body: bytes) -> None:
        """Answers one request."""
        if path.startswith(b"/bot/"):
            self.gate.prompt = self.gate.prompt or body
            self.gate.passes(self, self.chosen(body))
        elif path == b"/bare":
            self.send(self.chosen(body))
        else:
            if path.startswith(b"/open/"):
                self.gate.open(int(path[6:]) or ALWAYS)
            self.send(orjson.dumps(self.gate.told()))

    def chosen(self, body: bytes) -> bytes:
        """An act that is lawful by the prompt; deals are played out."""
        lawful = orjson.loads(body)["lawful"]
        return orjson.dumps(self.dice.choice([act for act in lawful if act != CLOSE] or lawful))

    def send(self, content: bytes) -> None:
        """Sends an answer with 200."""
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
                % (len(content), content)
            )


async def serve() -> None:
    """Serves until standard input ends."""
    gate, dice, loop = Gate(), random.Random(66), asyncio.get_running_loop()
    server = await loop.create_server(lambda: Prompts(gate, dice), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(serve())
