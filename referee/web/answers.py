"""Answers are written by orjson, once, and never pass through marshmallow on a hot path."""

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, Any, Final, NamedTuple

import orjson
from flask import Flask, Response
from flask.json.provider import JSONProvider

#: What a JSON answer carries. It is no-store because the same address shows each token something else.
JSON_HEADERS: Final = [
    ("Content-Type", "application/json"),
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
]

#: A JSON answer made piece by piece lies in memory up to so many bytes, and on disk from there on.
_IN_MEMORY: Final = 1 << 20
_PIECE: Final = 1 << 16


class Answer(NamedTuple):
    """A response that needs nothing of Flask's; `sent`, if there is one, is called when it has gone out."""

    status: int
    body: bytes
    headers: Sequence[tuple[str, str]] = JSON_HEADERS
    sent: Callable[[], None] | None = None


class OrjsonProvider(JSONProvider):
    """Flask's JSON by way of orjson; keys keep their order."""

    def dumps(self, obj: Any, **_kwargs: Any) -> str:
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **_kwargs: Any) -> Any:
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        return json_response(self._prepare_response_obj(args, kwargs))


def use_orjson(app: Flask) -> None:
    """Let `app` write JSON with orjson."""
    app.json = OrjsonProvider(app)


def json_response(value: Any, *, status: int = 200, location: str = "") -> Response:
    """Return `value` as a JSON response, with a Location header where something was created."""
    response = Response(orjson.dumps(value), status=status, headers=JSON_HEADERS)
    if location:
        response.headers["Location"] = location
    return response


def as_response(answer: Answer) -> Response:
    """Return an answer as Flask's response."""
    response = Response(answer.body, status=answer.status, headers=[*answer.headers])
    if answer.sent is not None:
        response.call_on_close(answer.sent)
    return response


def json_response_of(pieces: Iterable[bytes]) -> Response:
    """Return a JSON document that comes in pieces as a response, however long it is.

    It is gathered in a temporary file first: what goes wrong on the way is a problem and no document that breaks off, and a
    client that reads slowly holds a file and not the transaction the pieces are read in. Others are answered between pieces.
    """
    file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - the response closes it
    try:
        for piece in pieces:
            file.write(piece)
            time.sleep(0)
        size = file.tell()
        file.seek(0)
    except BaseException:
        file.close()
        raise
    response = Response(_emptied(file), headers=JSON_HEADERS)
    response.content_length = size
    response.call_on_close(file.close)
    return response


def _emptied(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(_PIECE):
            yield piece
