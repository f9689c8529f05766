"""A bell for each match that a job plays: it rings when somebody else has moved the match on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

EVERYTHING = 1 << 60


@dataclass(slots=True)
class Bell:
    """What a job knows of a match (`known`, a version), what it has heard of it, and who waits for the difference.

    Own acts are heard of too, sooner or later: what is no newer than what is known rings nothing.
    """

    known: int = 0
    heard: int = 0
    _rings: asyncio.Event = field(default_factory=asyncio.Event)
    _watchers: list[Callable[[], None]] = field(default_factory=list)

    @property
    def is_rung(self) -> bool:
        """Tells whether something was heard that is newer than what is known."""
        return self.heard > self.known

    def ring(self, version: int = EVERYTHING) -> None:
        """Hears of a version; without one, of something that may have been anything: then only looking helps."""
        self.heard = max(self.heard, version)
        if self.is_rung:
            self._rings.set()
            for watcher in self._watchers:
                watcher()

    def looks(self) -> None:
        """Notes that the match is about to be read: what was heard until now will be known by it."""
        self.heard = 0

    def knows(self, version: int) -> None:
        """Notes that the job knows the match at that version."""
        self.known = max(self.known, version)

    @contextmanager
    def watched(self, watcher: Callable[[], None]) -> Iterator[None]:
        """Calls `watcher` each time it rings until the block ends, and at once if it has rung."""
        self._watchers.append(watcher)
        try:
            if self.is_rung:
                watcher()
            yield
        finally:
            self._watchers.remove(watcher)

    async def wait(self, seconds: float) -> None:
        """Waits until it rings, at most so many seconds; not at all if it has rung."""
        self._rings.clear()
        if not self.is_rung:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._rings.wait(), timeout=max(0.0, seconds))
