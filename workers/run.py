"""Running a worker: RQ in this process, and beside it a sweeper that lives exactly as long."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys

from rq import Queue, Worker
from rq.serializers import JSONSerializer

from referee import service, settings
from referee.service import sweeping
from referee.store import connecting
from referee.store.queue import QUEUE

WORKER_SECONDS = 20
MONITORING_SECONDS = 5
MAINTENANCE_SECONDS = 5


def main(queue: str = QUEUE) -> int:
    """Works until told to stop (SIGINT or SIGTERM: the job in hand is finished or handed on first)."""
    client = connecting.pooled(settings.read().redis_url)
    sweeper = subprocess.Popen([sys.executable, "-m", "workers", "sweep"])
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
    finally:
        sweeper.send_signal(signal.SIGTERM)
        sweeper.wait(10)
    return 0


def sweep() -> int:
    """Sweeps until told to stop, or until the worker that started it is gone."""
    logging.basicConfig(level=logging.WARNING)
    parent = os.getppid()
    told: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _frame: told.append(number))
    signal.signal(signal.SIGINT, lambda number, _frame: told.append(number))
    opened = service.open(settings.read())
    sweeping.run(opened, until=lambda: bool(told) or os.getppid() != parent)
    service.close(opened)
    return 0
