"""Push bots of the tests: an HTTP server in a thread that checks signatures and answers as it is told."""

from __future__ import annotations

import hmac
import json
import sys
import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, bytes]


@dataclass
class PushBot:
    """What a push bot has been asked, and how it answers a prompt."""

    answer: Callable[[dict[str, Any]], Answer]
    secret: str = ""
    url: str = ""
    prompts: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    forged: int = 0


class Quiet(ThreadingHTTPServer):
    """A server that says nothing of callers that are gone: some are killed in the middle of a call."""

    def handle_error(self, request: object, address: object) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, address)  # type: ignore[arg-type]


def lawful(prompt: dict[str, Any]) -> Answer:
    """Answers with the first lawful act."""
    return 200, json.dumps(prompt["lawful"][0]).encode()


@contextmanager
def serving(*bots: PushBot) -> Iterator[None]:
    """Serves bots at addresses of their own until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 65536  # head and body in one packet, else each answer waits for a delayed acknowledgement

        def do_POST(self) -> None:
            bot = bots[int(self.path.strip("/"))]
            body = self.rfile.read(int(self.headers["Content-Length"]))
            heard = {name.lower(): value for name, value in self.headers.items()}
            bot.forged += not signed(bot.secret, heard, body)
            bot.headers.append(heard)
            bot.prompts.append(json.loads(body))
            status, answer = bot.answer(json.loads(body))
            self.send_response(status)
            if status in (301, 302, 307, 308):
                self.send_header("Location", answer.decode())
                answer = b""
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *args: object) -> None:
            pass

    server = Quiet(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    for number, bot in enumerate(bots):
        bot.url = f"http://127.0.0.1:{server.server_address[1]}/{number}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def signed(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """Checks a signature as the receiver of a Standard Webhook does, by hand."""
    key = b64decode(secret.removeprefix("whsec_"))
    said = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + b64encode(hmac.digest(key, said, "sha256")).decode()
    return hmac.compare_digest(expected, headers["webhook-signature"])
