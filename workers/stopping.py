"""Telling that the worker of a job is to stop: it is told so by a signal, its job only finds out by looking."""

from __future__ import annotations

import os
from collections.abc import Callable

from rq import get_current_job

from referee.service import Service


def stop_is_asked(service: Service) -> Callable[[], bool]:
    """Makes the question of a running job: has my worker been told to stop, or is it gone?"""
    job, parent = get_current_job(), os.getppid()
    worker = f"rq:worker:{job.worker_name}" if job is not None else ""

    def asked() -> bool:
        told = bool(worker) and service.live.client.hget(worker, "shutdown_requested_date") is not None
        return told or os.getppid() != parent

    return asked
