"""What gunicorn is told besides its command line: where its words go, when a request arrived, and how it ends.

Used as `gunicorn --config python:referee.web.serving`. Told to end (SIGTERM), a web process answers those it holds in
long polls and streams at once, with what there is, instead of letting the time for an orderly end run out on them.
"""

import gc
import logging
import signal
from types import FrameType
from typing import Any

from gunicorn.glogging import Logger

from referee import journal, settings

loglevel = "warning"
keepalive = settings.read().head_seconds  # with our worker for the whole head of a request, see `receiving`


class Journal(Logger):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's words, as lines of the journal; requests are counted, not told one by one."""

    def setup(self, cfg: Any) -> None:
        """Begin the journal and let gunicorn's own logger write into it."""
        journal.begin("web", level=settings.read().log_level)
        self.error_log.handlers[:] = []
        self.error_log.propagate = True
        self.error_log.setLevel(logging.WARNING)
        self.access_log.handlers[:] = []
        self.access_log.propagate = False
        self.loglevel = logging.WARNING


logger_class = Journal
#: How many objects come to be, net, between two searches for garbage; how many of those between two of the next kind.
SEARCHES = (20_000, 50, 100)


def post_worker_init(worker: Any) -> None:
    """Give bodies their time, search for garbage less often, and add to what a process does when it is told to end."""
    from referee.web.receiving import Timed

    spare_searches()
    usual: Any = signal.getsignal(signal.SIGTERM)
    service = worker.wsgi.extensions["referee"]
    worker.wsgi = Timed(worker.wsgi, worker.wsgi.extensions["referee.hot"].answer, service.settings)

    def told(number: int, frame: FrameType | None) -> None:
        _beside(service.wakes.release)
        usual(number, frame)

    signal.signal(signal.SIGTERM, told)


def spare_searches() -> None:
    """Have what is loaded by now never searched for garbage, and what comes later less often than Python does of itself.

    A search goes through every object there is, and thousands of matches and waiting requests are many: by Python's own
    measure a third of a busy process's time goes into it, in pauses that every bot waits for. Little is found, for hardly
    anything here refers to itself; the rest is freed at once as ever.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SEARCHES)


def _beside(call: Any) -> None:
    """Call something that takes a lock, which a signal must not wait for in the place it interrupted."""
    import gevent

    gevent.spawn(call)
