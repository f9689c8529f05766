"""Packing the lines of a finished deal: zstd, without the hash of the line before, which can be had again.

A line is canonical JSON (sorted members, no spaces) with a member `prev`, the SHA-256 of the line before it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import orjson
import zstandard

LEVEL = 3


def pack(lines: Sequence[bytes]) -> bytes:
    """Packs lines that follow on each other; only the `prev` of the first is kept.

    >>> unpack(pack([b'{"n":1,"prev":"00"}'])) == (b'{"n":1,"prev":"00"}',)
    True
    """
    first = orjson.loads(lines[0])["prev"]
    bare = [_without_prev(line) for line in lines]
    return zstandard.ZstdCompressor(level=LEVEL).compress(b"\n".join([orjson.dumps(first), *bare]))


def unpack(packed: bytes) -> tuple[bytes, ...]:
    """Is what was packed, byte for byte."""
    first, *bare = zstandard.ZstdDecompressor().decompress(packed).split(b"\n")
    return tuple(_chained(orjson.loads(first), bare))


def _without_prev(line: bytes) -> bytes:
    event = orjson.loads(line)
    del event["prev"]
    return orjson.dumps(event, option=orjson.OPT_SORT_KEYS)


def _chained(prev: str | None, bare: Iterable[bytes]) -> Iterable[bytes]:
    for text in bare:
        line = orjson.dumps({**orjson.loads(text), "prev": prev}, option=orjson.OPT_SORT_KEYS)
        prev = hashlib.sha256(line).hexdigest()
        yield line
