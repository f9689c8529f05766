"""How long a client may take: for the head of a request, for its body, and to receive what is written.

A worker of gunicorn's over gevent. Whoever is too slow loses the connection; a body that does not come in time is 408
first. Without this a client that sends a byte now and then, or reads none, would hold a connection for ever.

    head    REFEREE_HEAD_SECONDS, from the end of the answer before: an idle connection is closed too
    body    REFEREE_BODY_SECONDS in all, however it trickles
    answer  REFEREE_SEND_SECONDS for each piece that is written: a whole answer, or an event of a stream

gunicorn loads this module before gevent has put its own locks and sockets in place, so it imports nothing of the
application: a lock that was made, or only named, before that would stop the whole process the first time it is waited for.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterable
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final

import gevent
from gunicorn import SERVER
from gunicorn.http.body import LengthReader
from gunicorn.http.errors import ParseException
from gunicorn.workers.ggevent import GeventWorker

from referee.web.arrivals import stamped

INPUT: Final = "wsgi.input"
TOLD: Final = {
    "AUTHORIZATION": "HTTP_AUTHORIZATION",
    "CONTENT-LENGTH": "CONTENT_LENGTH",
    "CONTENT-TYPE": "CONTENT_TYPE",
    "IDEMPOTENCY-KEY": "HTTP_IDEMPOTENCY_KEY",
}
UNUSUAL: Final = ("SCRIPT_NAME", "TRANSFER-ENCODING")
PHRASES: Final = {each.value: each.phrase for each in HTTPStatus}


class Worker(GeventWorker):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's gevent worker, which gives nobody more time to receive an answer than `send_seconds`.

    The time for a head is gunicorn's `keepalive`: over gevent it is for the whole head, not between two bytes.
    """

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Handle one connection, whose requests bear the time at which they arrived (`arrivals`)."""
        super().handle(listener, stamped(client), addr)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        """Handle one request; a client that does not take the answer loses the connection."""
        sock.settimeout(self.wsgi.limits.send_seconds)
        try:
            if not self._answered(req, sock):
                super().handle_request(listener_name, req, sock, addr)
        except (gevent.GreenletExit, SystemExit):
            pass  # as gunicorn has it
        except TimeoutError:
            raise StopIteration from None  # gunicorn's word for the end of a connection
        finally:
            with contextlib.suppress(OSError):
                sock.settimeout(None)

    def _answered(self, req: Any, sock: Any) -> bool:
        """Answer a request that can go the short way (`hot`) with one write; tell whether it could."""
        environ = plain(req, sock)
        answer = None if environ is None else self.wsgi.answer(environ)
        if answer is None:
            return False
        closes = not self.alive or req.should_close()
        try:
            sock.sendall(head(answer.status, answer.headers, len(answer.body), closes=closes) + answer.body)
        finally:
            if answer.sent is not None:
                answer.sent()
        if closes:
            raise StopIteration
        return True


def plain(req: Any, sock: Any) -> dict[str, Any] | None:
    """Return what an application must know of a usual request of gunicorn's, as PEP 3333 names it, and no more.

    None for one of another version of HTTP, one whose sender waits to be told to go on, one whose body comes in pieces, and
    one with an encoded path or a header twice that matters here: gunicorn itself is to make something of those.
    """
    if req.version != (1, 1) or req._expected_100_continue or "%" in req.path or "SCRIPT_NAME" in os.environ:
        return None
    environ = {
        "REQUEST_METHOD": req.method,
        "PATH_INFO": req.path,
        "QUERY_STRING": req.query,
        INPUT: req.body,
        "gunicorn.socket": sock,
    }
    for name, value in req.headers:
        key = TOLD.get(name)
        if name in UNUSUAL or key in environ:
            return None
        if key is not None:
            environ[key] = value
    return environ


def head(status: int, headers: Iterable[tuple[str, str]], length: int, *, closes: bool) -> bytes:
    """Return the head of an answer of so many bytes as it goes out (RFC 9112), with the headers gunicorn would give it."""
    lines = [
        f"HTTP/1.1 {status} {PHRASES[status]}",
        f"Server: {SERVER}",
        f"Date: {_date(int(time.time()))}",
        f"Connection: {'close' if closes else 'keep-alive'}",
        *[f"{name}: {value}" for name, value in headers],
        f"Content-Length: {length}",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


@lru_cache(maxsize=1)
def _date(second: int) -> str:
    return formatdate(second, usegmt=True)


class Timed:
    """An application whose bodies come in time or not at all. `limits` are the settings, `app` what is wrapped.

    `hot` answers usual requests the short way.
    """

    def __init__(self, app: Any, hot: Callable[[dict[str, Any]], Any], limits: Any) -> None:
        self.app = app
        self.hot = hot
        self.limits = limits

    def answer(self, environ: dict[str, Any]) -> Any:
        """Return the answer to a usual request, None where it is none."""
        environ[INPUT] = Body(environ[INPUT], self.limits.body_seconds)
        return self.hot(environ)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        environ[INPUT] = Body(environ[INPUT], self.limits.body_seconds)
        answer: Iterable[bytes] = self.app(environ, start_response)
        return answer


class Body:
    """A body that is to have come within so many seconds; raises `NotReceived` where it has not, or cannot be read.

    The time runs from the first read, which is the application's first look at it.
    """

    def __init__(self, raw: Any, seconds: float) -> None:
        self.raw = raw
        self.seconds = seconds
        self.limit: float | None = None

    def read(self, size: int = -1) -> bytes:
        """Read up to so many bytes, or all."""
        if _has_come(self.raw, size):
            return bytes(self.raw.read(size))
        return self._in_time(self.raw.read, size)

    def readline(self, size: int = -1) -> bytes:
        """Read a line."""
        return self._in_time(self.raw.readline, size)

    def _in_time(self, call: Callable[[int | None], bytes], size: int | None) -> bytes:
        now = gevent.get_hub().loop.now()
        if self.limit is None:
            self.limit = now + self.seconds
        late = gevent.Timeout(max(0.001, self.limit - now))
        try:
            with late:
                return call(None if size is None or size < 0 else size)
        except gevent.Timeout as over:
            if over is not late:
                raise
            raise self._late() from None
        except TimeoutError:
            raise self._late() from None
        except (ParseException, OSError) as problem:
            raise _not_received(
                "request/malformed", f"The body breaks off or is not in order: {kind(problem)}."
            ) from None

    def _late(self) -> Exception:
        return _not_received("request/too_slow", f"The body has not come within {self.seconds} seconds.")


def _has_come(raw: Any, size: int) -> bool:
    """Tell whether so many bytes of a body have come with its head, as small ones do: no time need be kept of those."""
    reader = getattr(raw, "reader", None)
    return isinstance(reader, LengthReader) and 0 < size <= reader.length <= reader.unreader.buf.seek(0, os.SEEK_END)


def _not_received(code: str, detail: str) -> Exception:
    from referee.web.bodies import NotReceived

    return NotReceived(code, detail)


def kind(problem: Exception) -> str:
    """Return the name of an error, without its values, which are the client's."""
    return type(problem).__name__
