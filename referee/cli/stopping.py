"""Being told to stop: SIGTERM and a closed terminal end a command as orderly as Ctrl-C does."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPPED_BY_CTRL_C = 130
STOP_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def orderly() -> Iterator[None]:
    """Turn the stop signals into `SystemExit` inside the block, so that every `with` and `finally` runs.

    The exit code is 128 plus the number of the signal. Only the main thread gets signals; elsewhere
    this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, leave) for number in STOP_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def leave(number: int, frame: FrameType | None) -> None:
    """End the program, once: a second signal must not interrupt the tidying up."""
    for each in (*STOP_SIGNALS, signal.SIGINT):
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(128 + number)


def wait() -> int:
    """Wait for Ctrl-C or a stop signal; return the exit code of having been stopped so: 0, for it was asked."""
    told = threading.Event()
    before = {number: signal.signal(number, lambda *_: told.set()) for number in (*STOP_SIGNALS, signal.SIGINT)}
    try:
        while not told.wait(3600.0):
            pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return 0
