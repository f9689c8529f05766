"""Workers of the tests: real processes over the test's Valkey and data directory, each its own group to be killed whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from referee.settings import Settings

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 120.0


def environment(settings: Settings) -> dict[str, str]:
    """The environment of a process with these settings."""
    return {
        **os.environ,
        "REFEREE_DATA": str(settings.data),
        "REFEREE_REDIS_URL": settings.redis_url,
        "REFEREE_DATABASE_URL": settings.database_url,
        "REFEREE_ALLOW_PRIVATE_PUSH": "true",
        "REFEREE_ORGANISER_TOKEN": settings.organiser_token,
        "PYTHONPATH": str(ROOT),
    }


def started(settings: Settings) -> subprocess.Popen[bytes]:
    """Starts a worker."""
    command = [sys.executable, "-m", "workers"]
    return subprocess.Popen(command, env=environment(settings), cwd=ROOT, start_new_session=True)


def killed(worker: subprocess.Popen[bytes]) -> None:
    """Kills a worker with its job and its sweeper, as a dying host would."""
    try:
        os.killpg(worker.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    worker.wait()


@contextmanager
def working(settings: Settings, count: int = 1) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Keeps so many workers at work until the block ends."""
    crew = [started(settings) for _ in range(count)]
    try:
        yield crew
    finally:
        for worker in crew:
            killed(worker)


def until(happened: Callable[[], bool], what: str) -> None:
    """Waits until something has happened; after two minutes says that it has not."""
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, f"not in {PATIENCE:.0f} s: {what}"
        time.sleep(0.05)
