"""Request bodies are read strictly: one JSON object, no key twice, small, shallow, and plain text only.

A lenient reader would keep the last of two equal keys and let the sender and the referee disagree about what was said,
so every body, acts included, goes through `read_object`.
"""

from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge

from referee.service import strict_json
from referee.web.problems import Problem

MAX_BYTES: Final = 64 * 1024


class NotReceived(Exception):
    """A body that did not come whole: the arguments are the code of the problem and its detail."""


def read_object(request: Request, *, optional: bool = False) -> dict[str, Any]:
    """Return the body of `request` as a dict whose keys were all different.

    With `optional` an empty body is an empty object. Raises `Problem`: 415 for another content type, 413 for more than
    `MAX_BYTES`, 408 for what comes too slowly, 400 for what breaks off or is not one JSON object within `MAX_DEPTH`
    levels (RFC 8259, UTF-8 only).
    """
    raw = read_bytes(request)
    if not raw and optional:
        return {}
    require_json(request)
    return parse_object(raw)


def require_json(request: Request) -> None:
    """Let a body pass that is declared as JSON, in UTF-8 if it names a charset; raises `Problem` 415 for any other."""
    charset = request.mimetype_params.get("charset", "utf-8")
    if request.mimetype != "application/json":
        what = request.mimetype or "no content type"
    elif charset.lower() not in ("utf-8", "utf8"):
        what = f"charset {charset[:40]}, and JSON is UTF-8"
    else:
        return
    raise Problem("request/content_type", detail=f"The body came as {what}; send Content-Type: application/json.")


def read_bytes(request: Request) -> bytes:
    """Return the raw body, at most `MAX_BYTES` of it; raises `Problem` 413 beyond."""
    try:
        if request.environ.get("wsgi.input_terminated") and "CONTENT_LENGTH" not in request.environ:
            _measure(request)
        raw = request.get_data(cache=True)
    except NotReceived as error:
        raise _not_received(error) from None
    except RequestEntityTooLarge:
        raise Problem("request/too_large", detail=f"The body has more than {MAX_BYTES} bytes.") from None
    _require_whole(raw, request.environ.get("CONTENT_LENGTH", ""))
    return raw


def _require_whole(raw: bytes, length: str) -> None:
    """Refuse a body that ends before its length: what has come of it may be JSON by chance, and is not what was meant."""
    if length.isascii() and length.isdigit() and len(raw) < int(length[:9]):
        detail = f"The body breaks off: Content-Length says {length[:9]} bytes, and {len(raw)} came."
        raise Problem("request/malformed", detail=detail)


def _not_received(error: NotReceived) -> Problem:
    code, detail = error.args
    return Problem(code, detail=detail)


def _measure(request: Request) -> None:
    """Read a body that came in chunks as far as a byte above the limit: the limited stream would cut it off there."""
    raw = request.environ["wsgi.input"].read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise RequestEntityTooLarge
    request.environ["wsgi.input"] = BytesIO(raw)
    request.environ["CONTENT_LENGTH"] = str(len(raw))


def known_length(environ: Mapping[str, Any]) -> int | None:
    """Return the length of a body that says it, as most do, and is not too long; else None."""
    length: str = environ.get("CONTENT_LENGTH", "")
    if length.isascii() and length.isdigit() and len(length) < 6 and int(length) <= MAX_BYTES:
        return int(length)
    return None


def read_known(environ: Mapping[str, Any], length: int) -> bytes:
    """Return the raw body of that length, once; raises `Problem` as `read_bytes` does.

    For the requests that bots make all day: Flask's limited stream costs more than reading the act.
    """
    try:
        raw: bytes = environ["wsgi.input"].read(length)
    except NotReceived as error:
        raise _not_received(error) from None
    _require_whole(raw, str(length))
    return raw


def parse_object(raw: bytes, *, code: str = "request/malformed") -> dict[str, Any]:
    """Return the JSON object in `raw`; raises `Problem` 400 `code` saying what is wrong and where."""
    try:
        return strict_json.read(raw)
    except strict_json.NotStrict as error:
        raise Problem(code, status=400, detail=error.detail, errors=error.errors) from None
