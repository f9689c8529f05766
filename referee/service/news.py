"""What a wake tells of a step: its lines, and the fields that are written with them, as one text without line breaks.

Whoever remembers the match at the version before need not read it then (`hearing`). What is long or breaks lines is left
out, and read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

SECTION, ITEM = "\x1d", "\x1e"
LONGEST = 4000


def write(lines: Sequence[bytes], fields: Mapping[str, str | bytes | int]) -> str:
    """Is the text, empty where there is none.

    >>> read(write([b'{"n":4}'], {"version": 5, "head": "ab"}))
    ((b'{"n":4}',), {'version': b'5', 'head': b'ab'})
    >>> write([b'{"n":4}'], {"note": "two lines" + chr(10)})
    ''
    """
    told = [*fields, *map(_text, fields.values())]
    text = ITEM.join([_text(line) for line in lines]) + SECTION + ITEM.join(told)
    items = len(lines) + len(told) - (2 if lines else 1)
    is_plain = "\n" not in text and text.count(SECTION) == 1 and text.count(ITEM) == items
    return text if lines and len(text) <= LONGEST and is_plain else ""


def read(text: str) -> tuple[tuple[bytes, ...], dict[str, bytes]]:
    """Are the lines and the fields that a text tells of; none where it tells nothing."""
    lines, _, told = text.partition(SECTION)
    if not told:
        return (), {}
    items = told.split(ITEM)
    half = len(items) // 2
    fields = zip(items[:half], map(str.encode, items[half:]), strict=True)
    return tuple(map(str.encode, lines.split(ITEM))), dict(fields)


def _text(value: str | bytes | int) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
