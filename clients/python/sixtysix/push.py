"""A push bot: the referee posts the prompt to us, and our reply is the act."""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from sixtysix.connection import Connection, encoded
from sixtysix.errors import BadSignature, SixtySixError
from sixtysix.running import Choose, enter, referee_url
from sixtysix.session import Session
from sixtysix.signatures import verify
from sixtysix.stopping import Stop, Stopped
from sixtysix.wire import Chore, Prompt

log = logging.getLogger("sixtysix")

LONGEST_BODY = 1 << 20
REPLIES_KEPT = 1000


@dataclass(slots=True)
class PushBot:
    """Answers signed prompts with `choose`; a prompt pushed twice gets the same reply.

    `reply` is all of it but the sockets, so a bot behind a web framework calls that. One prompt
    is thought about at a time, so `choose` need not be ready for threads.
    """

    choose: Choose
    secret: str
    _kept: OrderedDict[str, bytes] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
        """Answers one call with a status and a JSON body; `headers` have lower-case names."""
        try:
            message = verify(self.secret, headers, body, now=time.time())
        except BadSignature as bad:
            log.warning("a call was turned away: %s", bad)
            return 401, _problem("push/bad_signature", str(bad))
        try:
            prompt = json.loads(body)
        except ValueError:
            prompt = None
        if not isinstance(prompt, dict) or "lawful" not in prompt:
            return 400, _problem("push/unreadable", "the body is not a prompt in JSON")
        with self._lock:
            if message not in self._kept:
                self._kept[message] = encoded(self.choose(cast(Prompt, prompt)))
                while len(self._kept) > REPLIES_KEPT:
                    self._kept.popitem(last=False)
            return 200, self._kept[message]

    def server(self, port: int, *, host: str = "127.0.0.1") -> ThreadingHTTPServer:
        """Makes the server, bound and not yet serving; port 0 takes a free one."""
        bot = self

        class Handler(_Handler):
            def answered(self, body: bytes) -> tuple[int, bytes]:
                headers = {name.lower(): value for name, value in self.headers.items()}
                return bot.reply(headers, body)

        server = ThreadingHTTPServer((host, port), Handler)
        server.daemon_threads = True
        return server


class _Handler(BaseHTTPRequestHandler):
    """Reads one call and writes its reply; connections are kept open."""

    protocol_version = "HTTP/1.1"
    # Else the reply's second packet waits for the delayed acknowledgement of the first.
    disable_nagle_algorithm = True
    timeout = 120

    def answered(self, body: bytes) -> tuple[int, bytes]:
        raise NotImplementedError

    def do_POST(self) -> None:
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > LONGEST_BODY:
            self.close_connection = True
            self._write(413, _problem("push/too_long", f"at most {LONGEST_BODY} bytes, counted"))
            return
        body = self.rfile.read(int(length))
        try:
            status, reply = self.answered(body)
        except Exception:
            log.exception("the bot failed on a prompt")
            status, reply = 500, _problem("push/bot_failed", "the bot failed on this prompt")
        self._write(status, reply)

    def do_GET(self) -> None:
        self._write(200, b'{"status":"ready"}')

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - its base names it so
        log.debug(format, *arguments)

    def _write(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def serve(
    choose: Choose,
    *,
    name: str,
    port: int,
    chores: Sequence[Chore] = (),
    host: str = "127.0.0.1",
    public_url: str | None = None,
    url: str | None = None,
    token: str | None = None,
    secret: str | None = None,
) -> None:
    """Serves `choose` on `port` until Ctrl-C or SIGTERM, then returns.

    With `secret` (or REFEREE_WEBHOOK_SECRET) the bot is taken to be registered; without, it
    registers `public_url`, by default its own address. Raises SixtySixError where there is
    a token but no secret, since nothing could be verified then.
    """
    secret = secret or os.environ.get("REFEREE_WEBHOOK_SECRET")
    if (token or os.environ.get("REFEREE_TOKEN")) and not secret:
        raise SixtySixError(
            "a token without REFEREE_WEBHOOK_SECRET: pushed prompts could not be verified; "
            "give the secret that came with the token"
        )
    stop = Stop()
    bot = PushBot(choose, secret or "")
    server = bot.server(port, host=host)
    try:
        with stop.on_signals():
            if not secret:
                address = public_url or f"http://{host}:{server.server_address[1]}/"
                bot.secret = _registered(name, chores, address, url=url, stop=stop)
            server.serve_forever(poll_interval=0.1)
    except Stopped:
        log.info("%s stops: it was asked to", name)
    finally:
        server.server_close()


def _registered(name: str, chores: Sequence[Chore], address: str, *, url: str | None, stop: Stop) -> str:
    connection = Connection(referee_url(url), None, stop)
    document: dict[str, object] = {
        "name": name,
        "transport": "push",
        "url": address,
        "chores": list(chores),
    }
    try:
        secret = enter(Session(connection), document, token=None, token_file=None)
    finally:
        connection.close()
    if not secret:
        raise SixtySixError(f"the referee registered {name} without a webhook secret")
    return secret


def _problem(code: str, detail: str) -> bytes:
    return encoded({"code": code, "title": "Not answered", "detail": detail})
