"""Running a worker: RQ in the main thread, jobs in the same process, and beside them a sweeper thread.

A fork for each job would cost more than most jobs do. What forking would isolate is safe anyway: a worker
that dies loses nothing, and another goes on from the record.
"""

from __future__ import annotations

import logging

from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from referee import service
from referee.service import sweeping
from referee.store import connecting
from referee.store.queue import QUEUE
from workers.opened import opened

WORKER_SECONDS = 20
MONITORING_SECONDS = 5
MAINTENANCE_SECONDS = 5


def main(queue: str = QUEUE) -> int:
    """Works until told to stop (SIGINT or SIGTERM: the job in hand is finished or handed on first)."""
    logging.basicConfig(level=logging.WARNING)
    here = opened()
    sweeping.in_background(here)
    client = connecting.waiting(here.settings.redis_url)
    worker = SimpleWorker(
        [Queue(queue, connection=client, serializer=JSONSerializer)],
        connection=client,
        serializer=JSONSerializer,
        worker_ttl=WORKER_SECONDS,
        job_monitoring_interval=MONITORING_SECONDS,
        maintenance_interval=MAINTENANCE_SECONDS,
    )
    try:
        worker.work(logging_level="WARNING")
    finally:
        service.close(here)
        client.close()
    return 0
