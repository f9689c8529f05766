"""JSON read strictly: one object, no key twice, shallow, no list or object longer than any that is asked for, whole
numbers that every language can hold, plain text for keys.

Bodies of requests and the answers of push bots both go through here, so that what one way refuses no other way takes.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, NoReturn

import orjson

MAX_DEPTH: Final = 8
MAX_INTEGER: Final = 2**53 - 1
#: No list that is asked for is as long: a tournament has 500 entrants at most, a log in a body of 64 KiB fewer lines.
MOST_LISTED: Final = 1000
#: There are fewer options than that, and nothing else that is asked for has so many members.
MOST_MEMBERS: Final = 200
LONGEST_KEY: Final = 100

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


class NotStrict(ValueError):
    """What is no JSON object as it must be: `detail` says why, `errors` where, as far as that can be told."""

    def __init__(self, detail: str, errors: list[dict[str, str]] | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.errors = errors or []


class _Refused(ValueError):
    """A body the JSON grammar allows and the contract does not; the arguments say why and, if known, at which key."""


def read(raw: bytes) -> dict[str, Any]:
    """Return the JSON object in `raw` (RFC 8259, UTF-8, at most `MAX_DEPTH` levels); raises `NotStrict`."""
    found = _plain(raw)
    return _checked(raw) if found is None else found


def _plain(raw: bytes) -> dict[str, Any] | None:
    """Return a short object of words and whole numbers, as most acts are, without a closer look; None for any other.

    Where nothing is escaped each quote begins or ends a string: more of them than the keys and words that were found need
    belong to a key that stands twice.
    """
    if len(raw) > LONGEST_KEY or not raw.isascii() or b"\\" in raw or b"\x7f" in raw:
        return None
    try:
        found = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    if type(found) is not dict:
        return None
    strings = len(found)
    for value in found.values():
        if type(value) is str:
            strings += 1
        elif type(value) is not int or abs(value) > MAX_INTEGER:
            return None
    return found if raw.count(b'"') == 2 * strings else None


def _checked(raw: bytes) -> dict[str, Any]:
    try:
        body = _decoder.decode(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise NotStrict(f"Byte {error.start} is not UTF-8.") from None
    except _Refused as error:
        raise NotStrict(error.args[0], _places(error, raw)) from None
    except json.JSONDecodeError as error:
        raise NotStrict(f"Not JSON at line {error.lineno}, column {error.colno}: {error.msg}.") from None
    except (RecursionError, ValueError):
        raise NotStrict(f"Nested deeper than {MAX_DEPTH} levels.") from None
    if not isinstance(body, dict):
        raise NotStrict("The body is not a JSON object: send { ... }.")
    _require_small(body)
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
    if any(len(key) > LONGEST_KEY for key, _ in pairs):
        raise _Refused(f"A key has more than {LONGEST_KEY} characters.")
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


def _require_small(body: dict[str, Any]) -> None:
    """Let a body pass that is neither too deep nor too wide anywhere, before anybody looks at what it says."""
    level: list[Any] = [body]
    for _ in range(MAX_DEPTH):
        for each in level:
            what, most = ("object", MOST_MEMBERS) if isinstance(each, dict) else ("list", MOST_LISTED)
            if len(each) > most:
                errors = [
                    {"pointer": pointer(name), "detail": f"is too long: at most {most}"}
                    for name in body
                    if body[name] is each
                ]
                raise NotStrict(f"One {what} has {len(each)} members, and at most {most} may be.", errors)
        level = _nested(level)
        if not level:
            return
    raise NotStrict(f"Nested deeper than {MAX_DEPTH} levels.")


def _nested(level: list[Any]) -> list[Any]:
    inner = (value for outer in level for value in (outer.values() if isinstance(outer, dict) else outer))
    return [value for value in inner if isinstance(value, dict | list)]
