"""When a request arrived, by the kernel: what it lay in our queue is no time of the bot's (DESIGN section 7).

A busy server reads a request some while after it came, and counts the time from then. Where the kernel stamps what it
receives (SO_TIMESTAMPNS, Linux), the stamp says how long ago that was; elsewhere a request arrives when it is read.
"""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Mapping
from typing import Any, Final

STAMPS: Final = 35  # SO_TIMESTAMPNS and SCM_TIMESTAMPNS, which Python has no name for
STAMP: Final = struct.Struct("@ll")
ROOM: Final = socket.CMSG_SPACE(STAMP.size) if hasattr(socket, "CMSG_SPACE") else 0
LONGEST_MS: Final = 10_000  # more than that is a step of the wall clock


class StampedSocket:
    """A connection that knows when what was last read from it had arrived: `stamp`, ns of the wall clock; 0: unknown."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.stamp = 0

    def recv(self, size: int) -> bytes:
        """Read as the connection itself does, and keep the stamp."""
        data, beside, _, _ = self._connection.recvmsg(size, ROOM)
        self.stamp = next((_ns(found) for _, kind, found in beside if kind == STAMPS), 0)
        return bytes(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def stamped(connection: Any) -> Any:
    """Return the connection with stamps if its kernel gives them, else as it is."""
    try:
        connection.setsockopt(socket.SOL_SOCKET, STAMPS, 1)
    except OSError:
        return connection
    return StampedSocket(connection) if ROOM and hasattr(connection, "recvmsg") else connection


def lay_ms(environ: Mapping[str, Any]) -> int:
    """Tell how many ms ago a request had arrived that is read to its end; 0 where nobody knows."""
    stamp = getattr(environ.get("gunicorn.socket"), "stamp", 0)
    ago = (time.time_ns() - stamp) // 1_000_000 if stamp else 0
    return ago if 0 < ago < LONGEST_MS else 0


def _ns(found: bytes) -> int:
    if len(found) != STAMP.size:
        return 0
    seconds, ns = STAMP.unpack(found)
    return int(seconds * 1_000_000_000 + ns)
