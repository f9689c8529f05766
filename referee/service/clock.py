"""Milliseconds on which all processes of a host agree, and which no step of the wall clock moves.

The monotonic clock of the host counts; once a boot it is anchored to the wall clock, and the
anchor lies in Redis for all processes of that host.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import redis

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
NANOS = 1_000_000


@dataclass(frozen=True, slots=True)
class HostClock:
    """The clock of a host: `anchor` is what to add to its monotonic milliseconds. `monotonic` is replaced in tests."""

    anchor: int
    monotonic: Callable[[], int] = time.monotonic_ns

    def now_ms(self) -> int:
        """Is the time in milliseconds since 1970 as it would be had the wall clock run evenly since the boot."""
        return self.anchor + self.monotonic() // NANOS


def anchored(client: redis.Redis) -> HostClock:
    """Is the clock of this host, anchored by whichever of its processes came first."""
    offset = int(time.time() * 1000) - time.monotonic_ns() // NANOS
    name = f"clock:{_boot(offset)}"
    client.set(name, offset, nx=True)
    kept = client.get(name)
    return HostClock(int(kept) if kept else offset)


def wall_time() -> str:
    """Is the time of day as the record and the wire write it: RFC 3339, UTC, milliseconds."""
    return written(time.time())


def written(seconds: float) -> str:
    """Is a time in seconds since 1970 as RFC 3339.

    >>> written(0)
    '1970-01-01T00:00:00.000Z'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _boot(offset: int) -> str:
    if BOOT_ID.exists():
        return BOOT_ID.read_text().strip()
    return f"{platform.node()}-{offset // 600_000}"  # the time of the boot, to ten minutes
