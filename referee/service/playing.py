"""Playing push bots: one job plays every match that waits for a push, all at once.

A match belongs to the job that holds its lease (ten seconds, renewed each second); the fencing token goes
with every append, so a job that has lost its lease without noticing can write nothing. A job that finds
nothing to do ends; matches that appear meanwhile are taken by whoever looks first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import aiohttp
import redis

from referee import journal
from referee.service import advancing, aftermath, asking, pushing, silences, table
from referee.service.base import Service
from referee.service.wakes import Wake
from referee.store.away import AWAY

LEASE_MS = 10_000
TICK_SECONDS = 1.0
BUDGET_SECONDS = 240.0
OUTAGE_PAUSE_SECONDS = 0.3
MOST_MATCHES = 200

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Round:
    """What a playing job has in hand: per match its task, its fencing token, the bell a wake rings; when it renewed."""

    service: Service
    http: aiohttp.ClientSession
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    bells: dict[str, asyncio.Event] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    renewed: int = 0
    ledger: silences.Ledger = field(default_factory=silences.Ledger)


def play(service: Service, *, budget: float = BUDGET_SECONDS, until: Callable[[], bool] = lambda: False) -> int:
    """Plays until no match waits for a push, the budget (seconds) is used or `until` says so; answers how many matches.

    What is left then is handed on by a new hint.
    """
    return asyncio.run(_play(service, budget, until))


async def _play(service: Service, budget: float, until: Callable[[], bool]) -> int:
    loop = asyncio.get_running_loop()
    taken: set[str] = set()
    async with pushing.session(allow_private=service.settings.allow_private_push) as http:
        now = Round(service, http)

        def ring(wake: Wake) -> None:
            with suppress(RuntimeError):  # the loop is closed: this wake was on its way when the job ended
                loop.call_soon_threadsafe(_ring, now, wake)

        with service.wakes.listening([], ring):
            end = loop.time() + budget
            while loop.time() < end:
                try:
                    taken |= _adopt(now)
                    if not now.tasks or until():
                        break
                    await _tick(now)
                except (redis.RedisError, *AWAY) as problem:
                    _log.warning("playing waits for a store: %s", problem)
                    await asyncio.sleep(OUTAGE_PAUSE_SECONDS)
            await _let_go(now)
    return len(taken)


def _ring(now: Round, wake: Wake) -> None:
    if wake.match in now.bells:
        now.bells[wake.match].set()
        return
    now.news.set()  # a match not in hand, or a wake for everybody
    for bell in now.bells.values() if not wake.match else ():
        bell.set()


def _adopt(now: Round) -> set[str]:
    """Takes the lease of every match that nobody holds."""
    adopted = set()
    for match_id in now.service.live.members("pushed"):
        if match_id in now.tasks or len(now.tasks) >= MOST_MATCHES:
            continue
        at = now.service.clock.now_ms()
        token = now.service.live.lease(match_id, now=at, until=at + LEASE_MS)
        if token:
            now.tokens[match_id], now.bells[match_id] = token, asyncio.Event()
            now.tasks[match_id] = asyncio.create_task(_play_match(now, match_id, token))
            adopted.add(match_id)
    return adopted


async def _tick(now: Round) -> None:
    """Renews the leases each second, waits for news or a second, and clears away what has ended."""
    _renew(now)
    now.news.clear()
    listening = asyncio.create_task(now.news.wait())
    await asyncio.wait([listening, *now.tasks.values()], timeout=TICK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    listening.cancel()
    ended = [match_id for match_id, task in now.tasks.items() if task.done()]
    for match_id in ended:
        _clear(now, match_id)
    if ended:
        advancing.advance(now.service)  # here, as every worker may be busy playing


def _renew(now: Round) -> None:
    at = now.service.clock.now_ms()
    if at - now.renewed < TICK_SECONDS * 1000:
        return
    now.renewed = at
    for match_id, held in now.service.live.renew(now.tokens, until=at + LEASE_MS).items():
        if not held:
            _log.warning("another worker has taken a match over", extra={"match": match_id})
            now.tasks[match_id].cancel()


def _clear(now: Round, match_id: str) -> None:
    task = now.tasks.pop(match_id)
    token = now.tokens.pop(match_id)
    del now.bells[match_id]
    with suppress(redis.RedisError):  # then it runs out by itself
        now.service.live.renew({match_id: token}, until=0)
    if not task.cancelled() and task.exception() is not None:
        _log.error("a match stopped", exc_info=task.exception(), extra={"match": match_id})


async def _let_go(now: Round) -> None:
    """Stops between two acts and gives the leases back, so that another job can go on at once."""
    for task in now.tasks.values():
        task.cancel()
    await asyncio.gather(*now.tasks.values(), return_exceptions=True)
    left = list(now.tasks)
    for match_id in left:
        _clear(now, match_id)
    if left:
        now.service.jobs.hint("play")


async def _play_match(now: Round, match_id: str, token: str) -> None:
    """Pushes every prompt of a match to whom it is for, until it is over; an outage of a store is waited out."""
    journal.add_about(match=match_id)  # of this task alone
    while True:
        try:
            if await _moved_on(now, match_id, token):
                return
        except table.NotLive:
            return
        except (redis.RedisError, *AWAY):
            await asyncio.sleep(OUTAGE_PAUSE_SECONDS)


async def _moved_on(now: Round, match_id: str, token: str) -> bool:
    """Asks whom it has to ask, or waits until somebody else has acted; tells whether the match is over."""
    bell = now.bells[match_id]
    bell.clear()
    there = table.load(now.service, match_id)
    if there.match.is_over:
        aftermath.follow(now.service, match_id, seen=there)
        return True
    asked = [seat for seat in there.match.asked if there.standing.transports[seat] == table.PUSH]
    calls = [
        asking.ask(now.service, there, seat, http=now.http, token=token, moved=bell, ledger=now.ledger)
        for seat in asked
    ]
    if len(calls) == 1:
        await calls[0]
    elif calls:  # both, where a result is to be confirmed: neither waits for the other
        for done in await asyncio.gather(*calls, return_exceptions=True):
            if done is not None:
                raise done
    else:
        await _rung(bell)
    return False


async def _rung(bell: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(bell.wait(), timeout=5.0)
    except TimeoutError:
        return  # look again all the same: a wake may be lost with its connection
