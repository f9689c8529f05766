"""The values every use case shares: who calls, what is open, a page of a list, a reply kept for replay."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from referee.service.readings import Readings

if TYPE_CHECKING:
    from referee.service.clock import HostClock
    from referee.service.memory import Memory
    from referee.service.wakes import Wakes
    from referee.settings import Settings
    from referee.store.live import LiveStore
    from referee.store.queue import JobQueue
    from referee.store.record import Record


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a request: the organiser, a bot (`bot` holds its id, `token` the hash of what it showed), or anybody.

    Without `token` it is somebody in this process who needs none.
    """

    kind: Literal["organiser", "bot", "anyone"] = "anyone"
    bot: str | None = None
    token: str | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list: `items` as the wire shows them, and the opaque cursor of the next page, or None."""

    items: tuple[dict[str, Any], ...]
    next: str | None


class Reply(NamedTuple):
    """A finished answer, kept so that the same request with the same key gets the same bytes."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Service:
    """Everything a use case needs, opened once per process by `service.open(settings)`.

    `serves`: this process takes acts by REST; while none does, no clock runs.
    """

    settings: Settings
    record: Record
    live: LiveStore
    clock: HostClock
    wakes: Wakes
    memory: Memory
    jobs: JobQueue
    serves: bool = False
    readings: Readings = field(default_factory=Readings)
