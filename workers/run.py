"""Running a worker: RQ in the main thread, jobs in the same process, and beside them a sweeper thread.

A fork for each job would cost more than most jobs do. What forking would isolate is safe anyway: a worker
that dies loses nothing, and another goes on from the record.
"""

from __future__ import annotations

import gc
import logging
import signal
import sys
import time
from types import FrameType

import redis
from redis.client import PubSub, PubSubWorkerThread
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.serializers import JSONSerializer

from referee import journal, service, settings
from referee.service import ServiceProblem
from referee.store import connecting
from referee.store.queue import QUEUE
from workers.opened import opened

WORKER_SECONDS = 20
MONITORING_SECONDS = 5
MAINTENANCE_SECONDS = 5
PAUSE_SECONDS = 0.5
COLLECT_AFTER = 20_000  # objects made and not freed since

_log = logging.getLogger(__name__)


class Worker(SimpleWorker):
    """An RQ worker that remembers having been told to stop."""

    is_told_to_stop = False

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Stops after the job in hand; at once where Redis is gone, for then the job has nowhere to hear of it."""
        self.is_told_to_stop = True
        try:
            super().request_stop(signum, frame)  # type: ignore[no-untyped-call]
        except redis.RedisError:
            raise StopRequested from None

    def _pubsub_exception_handler(self, exc: Exception, pubsub: PubSub, pubsub_thread: PubSubWorkerThread) -> None:
        """Goes on listening to commands after an outage, whichever error it came as."""
        if isinstance(exc, connecting.GONE):
            exc = redis.ConnectionError(str(exc))
        super()._pubsub_exception_handler(exc, pubsub, pubsub_thread)


def main(queue: str = QUEUE) -> int:
    """Works until told to stop (SIGINT or SIGTERM: the job in hand is finished or handed on first).

    Answers the exit code: 1 if the stores cannot be reached at the start, else 0.
    """
    journal.begin("worker", level=settings.read().log_level)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # until RQ puts its own handler there
    try:
        here = opened()  # with its sweeper
    except ServiceProblem as problem:
        _log.error("the worker cannot start: %s", problem.detail)
        return 1
    collect_seldom()
    _log.info("a worker begins")
    try:
        while not _worked(queue, here.settings.redis_url):
            time.sleep(PAUSE_SECONDS)
    except StopRequested:
        pass  # told to stop during that pause
    finally:
        service.close(here)
    _log.info("a worker ends: it was told to")
    return 0


def collect_seldom() -> None:
    """Has the collector of cyclic garbage leave alone what stands now, and look seldom at the rest.

    Matches in hand are many objects and no garbage; looked through again and again they cost a playing job a third of its time.
    """
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER, 20, 20)


def _worked(queue: str, url: str) -> bool:
    """Works until told to stop; False if the worker gave up because Redis was gone, which RQ's do."""
    client = connecting.waiting(url)
    worker = None
    try:
        worker = Worker(
            [Queue(queue, connection=client, serializer=JSONSerializer)],
            connection=client,
            serializer=JSONSerializer,
            worker_ttl=WORKER_SECONDS,
            job_monitoring_interval=MONITORING_SECONDS,
            maintenance_interval=MAINTENANCE_SECONDS,
        )
        worker.work(logging_level="WARNING")
    except redis.RedisError as problem:
        _log.warning("the worker starts anew: %s", problem)
    finally:
        client.close()
    return worker is not None and worker.is_told_to_stop
