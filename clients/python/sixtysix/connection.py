"""One keep-alive connection to the referee, and the manners of asking again.

A request is sent until it is answered: a lost reply, a time-out, a 5xx, a 429 or a referee that
is being restarted leads to the same request with the same `Idempotency-Key` after a pause that
doubles. What the referee answers otherwise, problems included, is returned, never retried.
"""

from __future__ import annotations

import http.client
import json
import logging
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from sixtysix.errors import NotUnderstood, Unreachable
from sixtysix.stopping import Stop, Stopped

log = logging.getLogger("sixtysix")

PAUSE_S = 0.1
LONGEST_PAUSE_S = 5.0
# A key is answered 409 while its first request still runs; the reply comes with the next try.
STILL_RUNNING = "key/in_progress"


@dataclass(frozen=True, slots=True)
class Request:
    """Describes one request; `key` is its `Idempotency-Key`, `timeout_s` the wait for a reply."""

    method: str
    path: str
    body: bytes | None = None
    key: str | None = None
    timeout_s: float = 10.0


@dataclass(frozen=True, slots=True)
class Answer:
    """Holds what came back: status, headers (names in lower case) and the JSON document."""

    status: int
    headers: Mapping[str, str]
    document: Any


@dataclass(slots=True)
class Connection:
    """Keeps one connection to `url` open, made anew when it breaks; not for several threads.

    A context manager: leaving closes it.
    """

    url: str
    token: str | None = None
    stop: Stop = field(default_factory=Stop)
    patience_s: float = 600.0
    _open: http.client.HTTPConnection | None = None

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *why: object) -> None:
        self.close()

    def send(self, request: Request) -> Answer:
        """Sends `request` until it is answered.

        Raises Unreachable after `patience_s` seconds without an answer, NotUnderstood if the
        answer is not JSON.
        """
        pause, began, tries = PAUSE_S, time.monotonic(), 0
        while True:
            tries += 1
            had_connection = self._open is not None
            wait, trouble = pause, ""
            try:
                answer = self._send_once(request)
            except (OSError, http.client.HTTPException) as broken:
                self.close()
                trouble = f"{type(broken).__name__}: {broken}"
                # An idle connection the referee has closed says nothing about the referee.
                wait = 0.0 if had_connection and tries == 1 else pause
            except Stopped:
                self.close()  # the reply it was waiting for is not the next request's
                raise
            else:
                if not must_ask_again(answer.status, answer.document):
                    return answer
                wait = _seconds(answer.headers.get("retry-after"), otherwise=pause)
                trouble = f"status {answer.status}"
            if time.monotonic() - began > self.patience_s:
                raise Unreachable(
                    f"{request.method} {self.url}{request.path}: {trouble}, {tries} tries in {self.patience_s:.0f} s"
                )
            if wait:
                log.info("%s %s: %s; again in %.1f s", request.method, request.path, trouble, wait)
                pause = min(pause * 2, LONGEST_PAUSE_S)
                self.stop.sleep(wait * random.uniform(1.0, 1.25))

    def another(self) -> Connection:
        """Makes a second one to the same referee, for another thread; not opened yet."""
        return replace(self, _open=None)

    def close(self) -> None:
        """Closes the connection; the next request opens a new one."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def _send_once(self, request: Request) -> Answer:
        connection = self._open or self._connect()
        connection.timeout = request.timeout_s
        if connection.sock is not None:
            connection.sock.settimeout(request.timeout_s)
        connection.request(
            request.method,
            urlsplit(self.url).path.rstrip("/") + request.path,
            body=request.body,
            headers=self._headers(request),
        )
        response = connection.getresponse()
        data = response.read()
        headers = {name.lower(): value for name, value in response.getheaders()}
        if response.will_close:
            self.close()
        return Answer(response.status, headers, _document(response.status, data, request))

    def _connect(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise NotUnderstood(
                f"REFEREE_URL {self.url!r}: not an address of a referee; right would be http://HOST:PORT"
            )
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._open = kind(parts.hostname, parts.port)
        return self._open

    def _headers(self, request: Request) -> dict[str, str]:
        headers = {"accept": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        if request.body is not None:
            headers["content-type"] = "application/json"
        if request.key:
            headers["idempotency-key"] = request.key
        return headers


def encoded(document: Any) -> bytes:
    """Writes a document as compact JSON in UTF-8."""
    return json.dumps(document, separators=(",", ":")).encode()


def must_ask_again(status: int, document: Any) -> bool:
    """Tells whether a reply says that the same request may get another one soon."""
    if status == 429 or status >= 500:
        return True
    return status == 409 and isinstance(document, dict) and document.get("code") == STILL_RUNNING


def _document(status: int, data: bytes, request: Request) -> Any:
    try:
        return json.loads(data) if data else None
    except ValueError:
        if status >= 400:  # a proxy's page; the status says enough
            return {"title": data[:200].decode("utf-8", "replace")}
        raise NotUnderstood(f"{request.method} {request.path}: the reply to it is not JSON: {data[:80]!r}") from None


def _seconds(retry_after: str | None, *, otherwise: float) -> float:
    if retry_after is None:
        return otherwise
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return otherwise
