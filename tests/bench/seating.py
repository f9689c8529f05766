"""A running referee, as many bots as one likes, and matches between them, some behind others until there is room.

Bots and matches are put on record at the service layer: thousands of requests to register and to ask for friendlies
would be the longest part of a run. The referee's own workers open the matches, and everything after that is HTTP.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from referee import match, service, settings
from referee.launcher.stack import Shape, Stack
from referee.service import bots as use_bots
from referee.service import matches as use_matches
from referee.service import plays
from referee.service.base import Caller, Service
from referee.store import match_rows
from tests.bench.many_acts import log
from tests.bench.over_http import PATIENCE, Bot
from tests.bench.wire import Connection, UnexpectedAnswer

ORGANISER = Caller("organiser")
CLOCK = {"act_ms": 60_000, "bank_ms": 600_000, "grace_ms": 5_000, "absence_ms": 120_000}
BATCH = 500  # ids that the record is asked about at once


@dataclass(slots=True)
class Ground:
    """A running referee, and the matches that were planned there."""

    stack: Stack
    service: Service
    planned: list[str] = field(default_factory=list)

    def bots(self, count: int, *, name: str, concurrency: int) -> list[Bot]:
        """Register so many bots."""
        fields = {"transport": "pull", "concurrency": concurrency}
        made = [
            use_bots.register(self.service, {**fields, "name": f"{name} {number}"}, caller=ORGANISER)
            for number in range(count)
        ]
        return [Bot(each["bot"]["id"], each["token"]) for each in made]

    def plan(self, pairs: Sequence[tuple[Bot, Bot]], *, clock: dict[str, int] | None = None) -> list[str]:
        """Plan a friendly of each pair, in which the first leads to the first trick, and have them opened."""
        play = plays.read(self.service, {"clock": clock or CLOCK}, code="match/unfit")
        rows = [
            {
                **use_matches.planned("friendly", (one.id, other.id), names=("", ""), play=play, seed=_seed(number)),
                "first_dealer": 1,
                "asked_by": "organiser",
                "opens_after": None,
            }
            for number, (one, other) in enumerate(pairs, len(self.planned))
        ]
        with self.service.record.writing() as connection:
            match_rows.add(connection, rows)
        self.service.jobs.hint("advance")
        ids = [str(row["id"]) for row in rows]
        self.planned += ids
        return ids

    def until_open(self, ids: Sequence[str], *, count: int | None = None, patience: float = PATIENCE) -> None:
        """Wait until so many of those matches (all of them, if it is not said) are live at once."""
        deadline, wanted = time.monotonic() + patience, len(ids) if count is None else count
        while (found := len(set(ids).intersection(self.service.live.members("live")))) < wanted:
            if time.monotonic() > deadline:
                raise UnexpectedAnswer(f"{found} of {wanted} matches were opened within {patience:.0f} s")
            self.service.jobs.hint("advance")
            time.sleep(0.1)

    def verified(self, ids: Sequence[str]) -> int:
        """Check the log of each of those matches, which are over; answer how many events there were."""
        events = 0
        with closing(Connection(self.stack.port)) as wire:
            for each in ids:
                verdict = match.verify(log(wire, each, token=self.stack.organiser_token))
                if not verdict.ok:
                    raise ValueError(f"{each} does not verify: {verdict.problem}")
                events += verdict.events
        return events


@contextmanager
def ground(data: Path) -> Iterator[Ground]:
    """Start a whole referee on `data`, and stop it all afterwards."""
    with Stack(replace(settings.read(), data=data, redis_url="", database_url=""), Shape()) as stack:
        beside = service.open(replace(stack.settings, organiser_token=stack.organiser_token), sweep=False)
        try:
            yield Ground(stack, beside)
        finally:
            service.close(beside)


def _seed(number: int) -> bytes:
    return hashlib.sha256(b"crowd %d" % number).digest()
