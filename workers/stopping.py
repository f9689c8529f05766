"""Telling that a worker is to stop: it hears so by a signal, its job only by looking."""

from __future__ import annotations

from collections.abc import Callable

from rq import get_current_job

from referee.service import Service


def stop_is_asked(service: Service) -> Callable[[], bool]:
    """Makes the question of a running job: has my worker been told to stop?"""
    job = get_current_job()
    worker = f"rq:worker:{job.worker_name}" if job is not None else ""
    return lambda: bool(worker) and service.live.client.hget(worker, "shutdown_requested_date") is not None
