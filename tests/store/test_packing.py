"""Packed deals come back byte for byte, smaller, without their hashes."""

from __future__ import annotations

import hashlib

import orjson
from hypothesis import given
from hypothesis import strategies as st

from referee.store import packing

MEMBERS = st.dictionaries(st.sampled_from(["act", "seat", "type", "n", "zeta", "a"]), st.integers() | st.text())
EVENTS = st.lists(MEMBERS.filter(lambda event: all(abs(v) < 2**53 for v in event.values() if isinstance(v, int))))


def chained(events: list[dict[str, object]]) -> tuple[bytes, ...]:
    prev, lines = "0" * 64, []
    for event in events:
        line = orjson.dumps({**event, "prev": prev}, option=orjson.OPT_SORT_KEYS)
        prev = hashlib.sha256(line).hexdigest()
        lines.append(line)
    return tuple(lines)


@given(EVENTS.filter(bool))
def test_what_is_packed_comes_back_byte_for_byte(events: list[dict[str, object]]) -> None:
    lines = chained(events)
    assert packing.unpack(packing.pack(lines)) == lines


def test_a_deal_takes_a_fraction_of_its_room() -> None:
    events = [
        {"act": {"act": "play", "card": "AS"}, "ms": n, "n": n, "seat": "ab"[n % 2], "type": "acted"} for n in range(40)
    ]
    lines = chained(events)
    assert len(packing.pack(lines)) * 10 < sum(map(len, lines))
