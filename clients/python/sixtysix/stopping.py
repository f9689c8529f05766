"""Stopping on Ctrl-C and SIGTERM without losing an act on its way.

A first signal interrupts whatever waits (a long poll, a pause, thinking) at once, but lets an
act that is being posted get its reply; a second one interrupts that too.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType


class Stopped(BaseException):
    """Unwinds a bot that was asked to stop; not an error, so not an Exception."""


@dataclass(slots=True)
class Stop:
    """Remembers whether the bot was asked to stop, and whether it may be interrupted now."""

    asked: bool = False
    _shielded: bool = False

    def sleep(self, seconds: float) -> None:
        """Waits `seconds`; raises Stopped at once when the bot was or is asked to stop."""
        if self.asked:
            raise Stopped
        time.sleep(seconds)
        if self.asked:
            raise Stopped

    @contextmanager
    def shielded(self) -> Iterator[None]:
        """Holds a first signal back until the block is done, then raises Stopped."""
        self._shielded = True
        try:
            yield
        finally:
            self._shielded = False
        if self.asked:
            raise Stopped

    @contextmanager
    def on_signals(self) -> Iterator[None]:
        """Turns SIGINT and SIGTERM into Stopped; does nothing outside the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        kinds = (signal.SIGINT, signal.SIGTERM)
        before = {kind: signal.signal(kind, self._on_signal) for kind in kinds}
        try:
            yield
        finally:
            for kind, handler in before.items():
                signal.signal(kind, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        again, self.asked = self.asked, True
        if again or not self._shielded:
            raise Stopped
