"""Being told to stop: Ctrl-C, SIGTERM and a closed terminal end a command in order, and only once."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPPED_BY_CTRL_C = 130
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def orderly() -> Iterator[None]:
    """Turn the first stop signal into an exception inside the block, so that every `with` and `finally` runs.

    Ctrl-C is `KeyboardInterrupt`, the others `SystemExit` with 128 plus their number. Further ones are
    ignored until the block is left: they must not interrupt the tidying up. Only the main thread gets
    signals; elsewhere this does nothing.
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
    """End what runs, once."""
    ignore()
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(128 + number)


def ignore() -> None:
    """Let further stop signals pass without effect."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def listen() -> threading.Event:
    """Take, inside an `orderly` block, stop signals as a wish from now on; the event is set by the first."""
    told = threading.Event()
    for number in STOP_SIGNALS:
        signal.signal(number, lambda *_: told.set())
    return told


def wait(told: threading.Event) -> int:
    """Wait until it is set; return 0, for to be stopped is what was wanted."""
    while not told.wait(3600.0):
        pass
    ignore()
    return 0
