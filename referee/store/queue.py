"""Handing hints to the workers: a job says that there may be work, the record says whether there is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import redis
from rq import Queue
from rq.serializers import JSONSerializer

QUEUE = "referee"
TIMEOUT_SECONDS = 600
RESULT_SECONDS = 60
HINT_SECONDS = 20
SILENT_SECONDS = 20


@dataclass(frozen=True, slots=True)
class JobQueue:
    """The one queue every worker listens to: with two, a worker that dies can lose a job."""

    client: redis.Redis

    def hint(self, job: str, *args: str) -> bool:
        """Enqueues `workers.jobs.JOB(*args)` unless the same hint is still waiting; tells whether it did.

        RQ's own unique jobs would also hold back a hint while the job runs, which has perhaps looked already.
        Never raises for a server that cannot be reached: the sweeper makes up for a hint that is lost.
        """
        try:
            if not self.client.set(_mark(job, args), "1", nx=True, ex=HINT_SECONDS):
                return False
            self._queue().enqueue_call(
                f"workers.jobs.{job}",
                args=args,
                timeout=TIMEOUT_SECONDS,
                result_ttl=0,
                failure_ttl=RESULT_SECONDS,
            )
        except redis.RedisError:
            return False
        return True

    def begun(self, job: str, *args: str) -> None:
        """Lets the next hint of this kind through; a job calls it before it looks at the record."""
        self.client.delete(_mark(job, args))

    def waiting(self) -> int:
        """Counts the jobs that wait."""
        return int(self._queue().count)

    def workers(self) -> int:
        """Counts the workers that have been heard of: an idle one tells every five seconds that it lives, a busy one when
        it takes its job."""
        from rq.worker_registration import get_keys

        pipe = self.client.pipeline(transaction=False)
        for key in get_keys(queue=self._queue()):
            pipe.hmget(key, "state", "last_heartbeat")
        since = datetime.now(UTC) - timedelta(seconds=SILENT_SECONDS)
        return sum(state == b"busy" or _is_since(beat, since) for state, beat in pipe.execute())

    def _queue(self) -> Any:
        return Queue(QUEUE, connection=self.client, serializer=JSONSerializer)


def _is_since(beat: bytes | None, since: datetime) -> bool:
    """Tells whether RQ's time, in UTC whether or not it says so, is not before another; one that is none is."""
    try:
        told = datetime.fromisoformat((beat or b"").decode())
    except ValueError:
        return False
    return told.replace(tzinfo=told.tzinfo or UTC) >= since


def _mark(job: str, args: tuple[str, ...]) -> str:
    return ":".join(("hint", job, *args))
