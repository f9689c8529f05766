"""What follows on a step, whoever made it: an ended match is archived, the house plays, a worker is called to push."""

from __future__ import annotations

from referee.service import archiving, house, table
from referee.service.base import Service


def follow(
    service: Service, match_id: str, *, seen: table.Table | None = None, at_once: bool = False, is_held: bool = False
) -> None:
    """Does what a match calls for now. Harmless at any time; the sweeper does the same for what nobody followed up.

    A match that is over is left to an archivist where one has lately been heard of, unless `at_once`.
    `is_held`: whoever made the step holds the lease and pushes what it leads to. What is `seen` may not tell: leases are
    renewed beside what a process remembers.
    """
    try:
        now = seen or table.load(service, match_id)
    except table.NotLive:
        return
    while not now.match.is_over and house.is_asked(now):
        now = house.play(service, now)
    if now.match.is_over:
        if at_once or not service.memory.has_archivist:
            archiving.archive(service, now)
    elif not is_held and _waits_for_a_push(service, now):
        service.jobs.hint("play")


def _waits_for_a_push(service: Service, now: table.Table) -> bool:
    if int(now.facts.get("lease", b"") or b"0") > service.clock.now_ms():
        return False
    return any(now.standing.transports[seat] == table.PUSH for seat in now.match.asked)
