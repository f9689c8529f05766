"""A bell for each match that a job plays: it rings when somebody else has moved the match on."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

EVERYTHING = 1 << 60


@dataclass(slots=True)
class Bell:
    """What a job knows of a match (`known`, a version), what it has heard of it, and who waits for the difference.

    Own acts are heard of too, sooner or later: what is no newer than what is known rings nothing.
    """

    known: int = 0
    heard: int = 0
    _rings: asyncio.Future[None] | None = None

    @property
    def is_rung(self) -> bool:
        """Tells whether something was heard that is newer than what is known."""
        return self.heard > self.known

    def ring(self, version: int = EVERYTHING) -> None:
        """Hears of a version; without one, of something that may have been anything: then only looking helps."""
        self.heard = max(self.heard, version)
        if self.is_rung and self._rings is not None and not self._rings.done():
            self._rings.set_result(None)

    def looks(self) -> None:
        """Notes that the match is about to be read: what was heard until now will be known by it."""
        self.heard = 0

    def knows(self, version: int) -> None:
        """Notes that the job knows the match at that version."""
        self.known = max(self.known, version)

    def rung(self) -> asyncio.Future[None]:
        """Is done when the bell rings next, at once if it has; any number may wait for it."""
        if self._rings is None or self._rings.done():
            self._rings = asyncio.get_running_loop().create_future()
            if self.is_rung:
                self._rings.set_result(None)
        return self._rings

    async def wait(self, seconds: float) -> None:
        """Waits until it rings, at most so many seconds."""
        await asyncio.wait([self.rung()], timeout=max(0.0, seconds))
