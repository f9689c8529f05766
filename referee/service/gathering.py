"""What the matches of one playing job want of the stores, gathered: acts to take and matches to read, many in one trip.

A trip for each act would cost more than asking the bot for it. And the work is done in a thread, so that a store that hangs,
or a disk that is slow, keeps no answer of a bot waiting unread: its time is noted when it comes.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from referee.service import acts, table
from referee.service.base import Service
from referee.service.taking import Request, Taken

MOST_TRIPS = 2
WORTH_A_TRIP = 32  # beside one that is on its way
MOST_ON_A_TRIP = 64  # who is done first can go on

Act = tuple[str, Request]
Came = tuple[list[Taken], list[table.Table | Exception | None]]


@dataclass(slots=True)
class Gathering:
    """What waits to be done for the tasks of one event loop; whatever comes while things are done is done next, together.

    While one trip is on its way another may set out, if there is enough to make it worth while: else all would wait for the
    stores at the same time, and nobody work.
    """

    service: Service
    _acts: list[tuple[Act, asyncio.Future[Taken]]] = field(default_factory=list)
    _reads: list[tuple[str, asyncio.Future[table.Table]]] = field(default_factory=list)
    _trips: set[asyncio.Task[None]] = field(default_factory=set)
    _context: contextvars.Context = field(default_factory=contextvars.copy_context)  # no match's own

    async def take(self, match_id: str, request: Request) -> Taken:
        """Takes an act as `acts.take_all` does. Raises what AWAY lists if a store is away."""
        done: asyncio.Future[Taken] = asyncio.get_running_loop().create_future()
        self._acts.append(((match_id, request), done))
        self._begin()
        return await done

    async def load(self, match_id: str) -> table.Table:
        """Reads a match as `table.load` does. Raises NotLive, and what AWAY lists if a store is away."""
        done: asyncio.Future[table.Table] = asyncio.get_running_loop().create_future()
        self._reads.append((match_id, done))
        self._begin()
        return await done

    async def settled(self) -> None:
        """Returns when nothing waits any more."""
        while self._trips:
            await asyncio.wait(self._trips)

    def _begin(self) -> None:
        """Has what waits set out, unless there are trips enough."""
        waiting = len(self._acts) + len(self._reads)
        if waiting and len(self._trips) < MOST_TRIPS and (not self._trips or waiting >= WORTH_A_TRIP):
            self._trips.add(asyncio.get_running_loop().create_task(self._go(), context=self._context))

    async def _go(self) -> None:
        taking, self._acts = self._acts[:MOST_ON_A_TRIP], self._acts[MOST_ON_A_TRIP:]
        reading, self._reads = self._reads[:MOST_ON_A_TRIP], self._reads[MOST_ON_A_TRIP:]
        self._begin()
        try:
            if taking or reading:
                await self._gone(taking, reading)
        finally:
            self._trips.discard(cast("asyncio.Task[None]", asyncio.current_task()))
            self._begin()

    async def _gone(
        self,
        taking: Sequence[tuple[Act, asyncio.Future[Taken]]],
        reading: Sequence[tuple[str, asyncio.Future[table.Table]]],
    ) -> None:
        try:
            came, read = await asyncio.to_thread(
                _done, self.service, [act for act, _ in taking], [match_id for match_id, _ in reading]
            )
        except Exception as problem:
            waits: list[asyncio.Future[Any]] = [*(done for _, done in taking), *(done for _, done in reading)]
            for each in waits:
                _resolve(each, problem)
            return
        for (_, done), taken in zip(taking, came, strict=True):
            _resolve(done, taken)
        for (match_id, looked), found in zip(reading, read, strict=True):
            _resolve(looked, table.NotLive(match_id) if found is None else found)


def _done(service: Service, taking: Sequence[Act], reading: Sequence[str]) -> Came:
    """Takes and reads, in this order, so that who reads sees what was done; each match named twice is read once."""
    came = acts.take_all(service, taking) if taking else []
    found = dict(acts.tables(service, dict.fromkeys(reading))) if reading else {}
    return came, [found[match_id] for match_id in reading]


def _resolve(done: asyncio.Future[Any], came: object) -> None:
    if done.done():  # whoever asked has gone
        return
    if isinstance(came, Exception):
        done.set_exception(came)
    else:
        done.set_result(came)
