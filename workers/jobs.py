"""The jobs. Each is a hint that there may be work; what there is to do, the record says."""

from __future__ import annotations

from referee.service import advancing, playing
from workers.opened import opened
from workers.stopping import stop_is_asked


def advance() -> int:
    """Opens what may be opened."""
    service = opened()
    service.jobs.begun("advance")
    return len(advancing.advance(service))


def play() -> int:
    """Plays every match that waits for a push."""
    service = opened()
    service.jobs.begun("play")
    return playing.play(service, until=stop_is_asked(service))
