"""The journal: what web processes and workers say of themselves, a JSON object a line, for machines to read.

    {"at":"2026-11-30T17:00:00.123Z","level":"warning","process":"worker","pid":7,"from":"referee.service.sweeping",
     "said":"the match is void","match":"mat_...","error":"KeyError: ...","where":["sweeping.py:118 _look_after"]}

`match`, `bot`, `tournament`, `route` and the like are members of their own, from the `extra` of a call or from around it
(`about`). Whatever comes in is text inside JSON, so nobody writes a line but us. What must not be in any log is struck
out at the last moment, wherever it came from: tokens, secrets, seeds and other long secrets of hexadecimal digits,
passwords in addresses, and cards, by which one could tell a hand. An error's place is told, never its values.

This module imports nothing of the referee: a web process begins its journal before gevent has patched what others import.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import traceback
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import orjson

#: The members a call may give in `extra`, and `about` may set; anything else is left out.
MEMBERS: Final = (
    *("match", "bot", "tournament", "seat", "version", "law", "laws", "code", "cause", "kind", "winner", "count"),
    *("method", "route", "status", "ms", "job", "port"),
)
LONGEST: Final = 2000
FRAMES: Final = 12
HIDDEN: Final = "[hidden]"
_SECRETS: Final = (
    (re.compile(r"whsec_[A-Za-z0-9+/=_-]+"), HIDDEN),
    (re.compile(r"(?i)\b(bearer|authorization:?\s+\w+)\s+\S+"), rf"\1 {HIDDEN}"),
    (re.compile(r"://[^/\s@]*:[^/\s@]*@"), f"://{HIDDEN}@"),
    (re.compile(r"\b[0-9a-fA-F]{32,}\b"), HIDDEN),
    (re.compile(r"(?<![\w-])[\w-]{40,}(?![\w-])", re.ASCII), HIDDEN),
    (re.compile(r"\b[2-9TJQKA][SHDC]\b"), "[card]"),
)
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_around: ContextVar[Mapping[str, Any]] = ContextVar("around", default=_NOTHING)


def begin(process: str, *, level: str = "info") -> None:
    """Lets everything that is logged in this process come out as lines of the journal, on standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(process))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for ours in ("referee", "workers"):
        logging.getLogger(ours).setLevel(level.upper())
    logging.captureWarnings(True)


class about:  # noqa: N801 - used as a function; each act goes through one, so it is no generator
    """Sets members of every line that is logged inside the block, in this thread, greenlet or task."""

    __slots__ = ("_members", "_token")

    def __init__(self, **members: Any) -> None:
        self._members = members

    def __enter__(self) -> None:
        self._token = _around.set({**_around.get(), **self._members})

    def __exit__(self, *_: object) -> None:
        _around.reset(self._token)


def begin_about(**members: Any) -> None:
    """Sets the members of the lines of this thread, greenlet or task, in place of those it had, until it begins anew."""
    _around.set(members)


def add_about(**members: Any) -> None:
    """Adds to the members of the lines of this thread, greenlet or task."""
    _around.set({**_around.get(), **members})


class Lines(logging.Formatter):
    """Writes a record of the logging module as a line."""

    def __init__(self, process: str) -> None:
        super().__init__()
        self.process = process

    def format(self, record: logging.LogRecord) -> str:
        """Is the line, without its end."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "process": self.process,
            "pid": os.getpid(),
            "from": record.name,
            "said": clean(said(record)),
        }
        line |= {name: _plain(value) for name, value in _around.get().items() if name in MEMBERS and value is not None}
        given = record.__dict__
        line |= {name: _plain(given[name]) for name in MEMBERS if given.get(name) is not None}
        if record.exc_info and record.exc_info[0] is not None:
            kind, error, where = record.exc_info
            line["error"] = clean(f"{kind.__name__}: {error}")
            line["where"] = _places(where)
        return orjson.dumps(line, default=lambda value: clean(str(value))).decode()


def said(record: logging.LogRecord) -> str:
    """Is the message of a record, whatever is wrong with its arguments."""
    try:
        return record.getMessage()
    except Exception:
        return str(record.msg)


def clean(text: str) -> str:
    """Is a text without what must not be in a log, cut to a bearable length.

    >>> clean("redis://:secret@10.0.0.1/0 refused bearer abc; AS was played")
    'redis://[hidden]@10.0.0.1/0 refused bearer [hidden] [card] was played'
    """
    for pattern, instead in _SECRETS:
        text = pattern.sub(instead, text)
    return text[:LONGEST].encode(errors="replace").decode()


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, int | float | bool) else clean(str(value))


def _places(where: Any) -> list[str]:
    frames = traceback.extract_tb(where)[-FRAMES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
