"""Bots that fall silent together on one worker: then it is the worker, and not they, who cannot be heard.

A worker that pushes keeps in mind whom it heard and who stayed silent. If within a minute so many different bots ran
out of time, and not one was heard since the first of them was asked, the matches in question are void and played again
(SCENARIOS 23), once. What comes from one bot, or while others are heard, is that bot's own. Only matches of tournaments
count: friendlies and checks anybody can begin, with as many bots as he likes that fall silent when he wants a match void.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from referee.service import voiding
from referee.service.base import Service
from referee.store import match_rows

WITHIN_MS = 60_000
BOTS_AT_LEAST = 3


@dataclass(frozen=True, slots=True)
class Silence:
    """A prompt of a match that a bot left without answer: asked `since`, given up `at` (ms of the host clock)."""

    match: str
    bot: str
    since: int
    at: int


@dataclass(slots=True)
class Ledger:
    """What one worker has heard lately: when the last answer came, and the silences of the last minute."""

    heard_at: int = 0
    silences: list[Silence] = field(default_factory=list)

    def heard(self, at: int) -> None:
        """Notes that some bot was heard: what lay before is its own bot's fault."""
        self.heard_at = at
        self.silences.clear()

    def silent(self, silence: Silence) -> tuple[Silence, ...]:
        """Notes a silence, and answers those that make a cluster with it; none where there is no cluster."""
        self.silences = [each for each in self.silences if silence.at - each.at <= WITHIN_MS] + [silence]
        together = tuple(each for each in self.silences if each.since >= self.heard_at)
        return together if len({each.bot for each in together}) >= BOTS_AT_LEAST else ()


def void(service: Service, cluster: tuple[Silence, ...]) -> tuple[str, ...]:
    """Voids the matches of a cluster, also those that were lost by it meanwhile, and has them played again; answers which.

    A match that is a replay already is left alone: bots that stay silent a second time are themselves to blame.
    """
    bots = sorted({each.bot for each in cluster})
    reason = f"our fault: all {len(bots)} bots that one worker asked fell silent within a minute"
    facts = {"fault": "worker_silent", "worker": os.getpid(), "bots": bots, "silences": list(_told(cluster))}
    return tuple(
        match_id
        for match_id in dict.fromkeys(each.match for each in cluster)
        if _is_first_playing(service, match_id)
        and voiding.void_and_replay(service, match_id, reason=reason, evidence=facts, origin=("live", "done"))
    )


def _is_first_playing(service: Service, match_id: str) -> bool:
    with service.record.reading() as connection:
        row = match_rows.by_id(connection, match_id)
    return row is not None and row["replay"] == 0


def _told(cluster: tuple[Silence, ...]) -> Iterator[dict[str, object]]:
    for each in cluster:
        yield {"match": each.match, "bot": each.bot, "elapsed_ms": each.at - each.since}
