"""What many want to read at one moment is read once.

Each gets what was read after it had asked, so nobody is told what is no longer so: whoever is woken by a change and reads
sees the change. Nothing is kept longer than somebody waits for it. Works with threads and with greenlets alike.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

Found = TypeVar("Found")


@dataclass(slots=True)
class _Reading:
    """One thing that is read: how many want it, when what is `found` was begun, and the error if it was one."""

    turn: threading.Lock = field(default_factory=threading.Lock)
    wanted: int = 0
    began: int = 0
    found: Any = None
    problem: Exception | None = None


class Readings:
    """What is being read in this process, by key. Of those that ask for one key while it is read, one reads it anew for all."""

    def __init__(self) -> None:
        self.under_way: dict[Hashable, _Reading] = {}
        self.lock = threading.Lock()
        self.moments = count(1)

    def shared(self, key: Hashable, read: Callable[[], Found]) -> Found:
        """Is what `read` finds, or what somebody else's found that was begun after this call. Raises what it raises.

        Whoever shares it must not change it. `read` must not ask for the same key.
        """
        with self.lock:
            reading = self.under_way.setdefault(key, _Reading())
            reading.wanted += 1
            asked = next(self.moments)
        try:
            with reading.turn:
                if reading.began < asked:
                    self._read(reading, read)
                if reading.problem is not None:
                    raise reading.problem
                found: Found = reading.found
                return found
        finally:
            with self.lock:
                reading.wanted -= 1
                if not reading.wanted:
                    del self.under_way[key]

    def _read(self, reading: _Reading, read: Callable[[], Any]) -> None:
        began = next(self.moments)
        try:
            reading.found, reading.problem = read(), None
        except Exception as problem:
            reading.found, reading.problem = None, problem
        reading.began = began  # not before: one that is killed as it reads has found nothing
