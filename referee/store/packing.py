"""Packing the lines of a finished deal: zstd, without the hash of the line before, which can be had again.

A line is canonical JSON (sorted members, no spaces) with a member `prev`, the SHA-256 of the line before it.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Sequence

import orjson
import zstandard

LEVEL = 3
PREV, DIGITS = b'"prev":"', 64

_kept = threading.local()


def pack(lines: Sequence[bytes]) -> bytes:
    """Packs lines that follow on each other; only the `prev` of the first is kept.

    >>> unpack(pack([b'{"n":1,"prev":"00"}'])) == (b'{"n":1,"prev":"00"}',)
    True
    """
    first = orjson.loads(lines[0])["prev"]
    bare = [_without_prev(line) for line in lines]
    return _compressor().compress(b"\n".join([orjson.dumps(first), *bare]))


def unpack(packed: bytes) -> tuple[bytes, ...]:
    """Is what was packed, byte for byte."""
    first, *bare = zstandard.ZstdDecompressor().decompress(packed).split(b"\n")
    return tuple(_chained(orjson.loads(first), bare))


def _compressor() -> zstandard.ZstdCompressor:
    """Is the compressor of this thread: making one costs as much as packing a deal."""
    if not hasattr(_kept, "compressor"):
        _kept.compressor = zstandard.ZstdCompressor(level=LEVEL)
    made: zstandard.ZstdCompressor = _kept.compressor
    return made


def _without_prev(line: bytes) -> bytes:
    """Is the line without its member `prev`; within a string of JSON its name could not stand between bare quotes.

    >>> _without_prev(b'{"act":1,"n":1,"prev":"' + 64 * b"0" + b'","type":"acted"}')
    b'{"act":1,"n":1,"type":"acted"}'
    """
    at = line.find(PREV)
    end = at + len(PREV) + DIGITS
    if at > 0 and line[end : end + 2] == b'",':
        return line[:at] + line[end + 2 :]
    event = orjson.loads(line)
    del event["prev"]
    return orjson.dumps(event, option=orjson.OPT_SORT_KEYS)


def _chained(prev: str | None, bare: Iterable[bytes]) -> Iterable[bytes]:
    for text in bare:
        line = orjson.dumps({**orjson.loads(text), "prev": prev}, option=orjson.OPT_SORT_KEYS)
        prev = hashlib.sha256(line).hexdigest()
        yield line
