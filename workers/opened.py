"""The service of this process, opened at the first job: a forked job must not use its parent's connections."""

from __future__ import annotations

import os

from referee import service, settings
from referee.service import Service

_opened: dict[int, Service] = {}


def opened() -> Service:
    """Is the service of this process."""
    process = os.getpid()
    if process not in _opened:
        _opened[process] = service.open(settings.read())
    return _opened[process]
