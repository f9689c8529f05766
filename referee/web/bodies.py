"""Request bodies are read strictly: one JSON object, no key twice, small, shallow, and plain text only.

A lenient reader would keep the last of two equal keys and let the sender and the referee disagree about what was said,
so every body, acts included, goes through `read_object`.
"""

import json
import re
from io import BytesIO
from typing import Any, Final, NoReturn

from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge

from referee.web.problems import Problem

MAX_BYTES: Final = 64 * 1024
MAX_DEPTH: Final = 8
MAX_INTEGER: Final = 2**53 - 1

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


class NotReceived(Exception):
    """A body that did not come whole: the arguments are the code of the problem and its detail."""


class _Refused(ValueError):
    """A body the JSON grammar allows and the contract does not; the arguments say why and, if known, at which key."""


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


def read_once(request: Request) -> bytes:
    """Return the raw body as `read_bytes` does, but only once: a small body of known length skips the limited stream.

    For the act route, where that stream costs more than reading the act.
    """
    length = request.environ.get("CONTENT_LENGTH", "")
    if length.isascii() and length.isdigit() and len(length) < 6 and int(length) <= MAX_BYTES:
        try:
            raw: bytes = request.environ["wsgi.input"].read(int(length))
        except NotReceived as error:
            raise _not_received(error) from None
        _require_whole(raw, length)
        return raw
    return read_bytes(request)


def parse_object(raw: bytes, *, code: str = "request/malformed") -> dict[str, Any]:
    """Return the JSON object in `raw`; raises `Problem` 400 `code` saying what is wrong and where."""
    try:
        body = _decoder.decode(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Problem(code, status=400, detail=f"Byte {error.start} is not UTF-8.") from None
    except _Refused as error:
        raise Problem(code, status=400, detail=error.args[0], errors=_places(error, raw)) from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Problem(code, status=400, detail=f"Not JSON at {where}: {error.msg}.") from None
    except (RecursionError, ValueError):
        raise Problem(code, status=400, detail=f"Nested deeper than {MAX_DEPTH} levels.") from None
    if not isinstance(body, dict):
        raise Problem(code, status=400, detail="The body is not a JSON object: send { ... }.")
    if _depth(body) > MAX_DEPTH:
        raise Problem(code, status=400, detail=f"Nested deeper than {MAX_DEPTH} levels.")
    return body


def pointer(*path: str | int) -> str:
    """Return the JSON Pointer (RFC 6901) to `path`.

    >>> pointer("clock", "act_ms"), pointer("a/b")
    ('/clock/act_ms', '/a~1b')
    """
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def unprintable(text: str) -> bool:
    """Tell whether `text` holds a control character or half a surrogate pair, which no name or word here may."""
    return _UNPRINTABLE.search(text) is not None


class _Pairs(list[tuple[str, Any]]):
    """An object as its pairs, in order: nothing of it is lost."""


def _places(refused: _Refused, raw: bytes) -> list[dict[str, str]]:
    """Return where the refused key stands; nothing where that cannot be told, as behind it the body is broken."""
    if len(refused.args) < 2:  # no key is to blame
        return []
    try:
        path = _twice(json.loads(raw, object_pairs_hook=_Pairs))
    except (RecursionError, ValueError):
        return []
    return [{"pointer": ascii(pointer(*path))[1:-1], "detail": refused.args[0]}] if path else []


def _twice(value: Any) -> tuple[str | int, ...]:
    """Return the path to the first key that stands twice in its object, innermost objects first; empty without one."""
    pairs = value if isinstance(value, _Pairs) else [*enumerate(value)] if isinstance(value, list) else []
    for step, inner in pairs:
        below = _twice(inner)
        if below:
            return (step, *below)
    seen: set[str | int] = set()
    return next(((key,) for key, _ in pairs if key in seen or seen.add(key)), ())  # type: ignore[func-returns-value]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise _Refused(f"The key {twice!a} stands twice in one object; write each key once.", twice)
    for key in found:
        if unprintable(key):
            raise _Refused(f"The key {key!a} holds a control character or half a surrogate pair.")
    return found


def _constant(word: str) -> NoReturn:
    raise _Refused(f"{word} is not JSON.")


def _integer(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > MAX_INTEGER:
        raise _Refused(f"The whole number {digits[:20]} lies beyond plus or minus {MAX_INTEGER}.")
    return int(digits)


_decoder: Final = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_constant, parse_int=_integer)


def _depth(body: dict[str, Any]) -> int:
    depth, level = 1, _nested([body])
    while level and depth <= MAX_DEPTH:
        depth, level = depth + 1, _nested(level)
    return depth


def _nested(level: list[Any]) -> list[Any]:
    inner = (value for outer in level for value in (outer.values() if isinstance(outer, dict) else outer))
    return [value for value in inner if isinstance(value, dict | list)]
