"""A small YAML writer: block style, every scalar as JSON, which YAML 1.2 reads alike."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_BARE: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*\Z")
_WORDS: Final = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))


def write_yaml(value: Any) -> str:
    """Return a JSON value as YAML, keys in their order.

    >>> write_yaml({"a": [1, {"b": "x", "on": None}], "c": {}})
    'a:\\n  - 1\\n  - b: "x"\\n    "on": null\\nc: {}\\n'
    """
    return "".join(f"{line}\n" for line in _lines(value))


def _lines(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _entry(f"{_key(str(key))}:", inner)
    elif isinstance(value, list) and value:
        for inner in value:
            yield from _entry("-", inner)
    else:
        yield json.dumps(value, ensure_ascii=False)


def _entry(lead: str, inner: Any) -> Iterator[str]:
    lines = list(_lines(inner))
    if not (isinstance(inner, Mapping | list) and inner):
        yield f"{lead} {lines[0]}"
    elif lead == "-":
        yield f"- {lines[0]}"
        yield from (f"  {line}" for line in lines[1:])
    else:
        yield lead
        yield from (f"  {line}" for line in lines)


def _key(key: str) -> str:
    return key if _BARE.match(key) and key.lower() not in _WORDS else json.dumps(key)
