"""Playing push bots: one job plays a chunk of the matches that wait for a push, all at once (`adopting` says which).

A match belongs to the job that holds its lease (ten seconds, renewed each second); the fencing token goes
with every append, so a job that has lost its lease without noticing can write nothing. A job that finds
nothing to do ends; matches that appear meanwhile are taken by whoever looks first.

Nothing in the loop waits for a store: while one hangs, what bots answer is heard in time.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import redis

from referee import journal
from referee.service import adopting, advancing, aftermath, asking, pushing, table, voiding
from referee.service.adopting import Waiting
from referee.service.base import Service
from referee.service.bells import Bell
from referee.service.gathering import Gathering
from referee.service.wakes import Wake
from referee.store.away import AWAY

LEASE_MS = 10_000
TICK_SECONDS = 1.0
NEWS_SECONDS = 0.02
BUDGET_SECONDS = 240.0
OUTAGE_PAUSE_SECONDS = 0.3
LOOK_SECONDS = 5.0
MOST_STOPS = 3  # of one match in one job: each time its clocks begin anew

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Hand:
    """A match in hand: what it was when it waited, its fencing token, its bell, and the task that plays it."""

    match: Waiting
    token: str
    bell: Bell = field(default_factory=Bell)
    task: asyncio.Task[None] | None = None


@dataclass(slots=True)
class Round:
    """What a playing job has in hand, how much it may have, and what it hears: wakes, and of which matches of others."""

    service: Service
    means: asking.Means
    loop: asyncio.AbstractEventLoop
    hands: dict[str, Hand] = field(default_factory=dict)
    chunk: adopting.Chunk = field(default_factory=adopting.Chunk)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    strangers: set[str] = field(default_factory=set)
    heard: deque[Wake] = field(default_factory=deque)
    is_told: bool = False
    renewed: int = 0
    stopped: Counter[str] = field(default_factory=Counter)


def play(service: Service, *, budget: float = BUDGET_SECONDS, until: Callable[[], bool] = lambda: False) -> int:
    """Plays until no match waits for a push, the budget (seconds) is used or `until` says so; answers how many matches.

    What is left then is handed on by a new hint.
    """
    return asyncio.run(_play(service, budget, until))


async def _play(service: Service, budget: float, until: Callable[[], bool]) -> int:
    loop = asyncio.get_running_loop()
    taken: set[str] = set()
    async with pushing.session(allow_private=service.settings.allow_private_push) as posts:
        now = Round(service, asking.Means(service, posts, Gathering(service)), loop)
        with service.wakes.listening([], lambda wake: _hear(now, wake)):
            end = loop.time() + budget
            while loop.time() < end:
                try:
                    taken |= await _adopt(now)
                    if not now.hands or await asyncio.to_thread(until):
                        break
                    await _tick(now)
                except (redis.RedisError, *AWAY) as problem:
                    _log.warning("playing waits for a store: %s", problem)
                    await asyncio.sleep(OUTAGE_PAUSE_SECONDS)
            await _let_go(now)
    return len(taken)


def _hear(now: Round, wake: Wake) -> None:
    """Passes a wake on to the loop, which is told once for all that come before it looks."""
    now.heard.append(wake)
    if not now.is_told:
        now.is_told = True
        with suppress(RuntimeError):  # the loop is closed: this wake was on its way when the job ended
            now.loop.call_soon_threadsafe(_ring, now)


def _ring(now: Round) -> None:
    now.is_told = False  # before looking: what comes from now on tells anew
    while now.heard:
        wake = now.heard.popleft()
        if wake.match in now.hands:
            now.hands[wake.match].bell.ring(wake.version)
        elif not wake.match:
            now.news.set()
            for hand in now.hands.values():
                hand.bell.ring()
        elif wake.match not in now.strangers:  # perhaps it waits for a push; others play most of these
            now.strangers.add(wake.match)
            now.news.set()


async def _adopt(now: Round) -> set[str]:
    """Takes the lease of matches that nobody holds, as many as the job may; what it leaves is told to other workers."""
    _measure(now)
    adopted: set[str] = set()
    while True:
        room = max(0, now.chunk.allowed - len(now.hands))
        waiting = await asyncio.to_thread(adopting.unheld, now.service, held=now.hands.keys())
        chosen = adopting.fairly(waiting, [hand.match for hand in now.hands.values()])[:room]
        if len(waiting) > len(chosen):
            await asyncio.to_thread(now.service.jobs.hint, "play")
        tokens = await asyncio.to_thread(_leased, now.service, chosen)
        for each, token in zip(chosen, tokens, strict=True):
            if token:
                _take(now, Hand(each, token))
                adopted.add(each.match)
        if all(tokens):  # else another was quicker to take some, and there may be more
            return adopted


def _leased(service: Service, chosen: Sequence[Waiting]) -> list[str]:
    at = service.clock.now_ms()
    return service.live.lease_each([each.match for each in chosen], now=at, until=at + LEASE_MS)


def _measure(now: Round) -> None:
    at = now.loop.time()
    if at - now.chunk.measured >= TICK_SECONDS:
        now.chunk.measure(len(now.hands), at=at, worked=time.process_time())
        now.strangers.clear()


def _take(now: Round, hand: Hand) -> None:
    now.hands[hand.match.match] = hand
    hand.task = now.loop.create_task(_play_match(now, hand))
    hand.task.add_done_callback(lambda _: now.news.set())


async def _tick(now: Round) -> None:
    """Renews the leases each second, waits for news or a second, and clears away what has ended."""
    await _renew(now)
    with suppress(TimeoutError):
        await asyncio.wait_for(now.news.wait(), timeout=TICK_SECONDS)
        await asyncio.sleep(NEWS_SECONDS)  # much of it comes together
    now.news.clear()
    ended = [hand for hand in now.hands.values() if hand.task is not None and hand.task.done()]
    await _clear(now, ended)
    if ended and not now.service.memory.has_archivist:  # who opens what there is room for then
        await asyncio.to_thread(advancing.advance, now.service)


async def _renew(now: Round) -> None:
    at = now.service.clock.now_ms()
    if at - now.renewed < TICK_SECONDS * 1000:
        return
    now.renewed = at
    tokens = {match_id: hand.token for match_id, hand in now.hands.items()}
    kept = await asyncio.to_thread(now.service.live.renew, tokens, until=at + LEASE_MS)
    for match_id, held in kept.items():
        task = now.hands[match_id].task
        if not held and task is not None:
            _log.warning("another worker has taken a match over", extra={"match": match_id})
            task.cancel()


async def _clear(now: Round, ended: Sequence[Hand]) -> None:
    """Gives leases back and forgets the matches."""
    if not ended:
        return
    tokens = {hand.match.match: hand.token for hand in ended}
    with suppress(redis.RedisError):  # then they run out by themselves
        await asyncio.to_thread(now.service.live.renew, tokens, until=0)
    for hand in ended:
        del now.hands[hand.match.match]
        task = hand.task
        if task is not None and not task.cancelled() and task.exception() is not None:
            await _stopped(now, hand.match.match, task.exception())


async def _stopped(now: Round, match_id: str, problem: BaseException | None) -> None:
    """Notes that the referee failed on a match; where it has done so again and again, the match is void by our fault."""
    _log.error("a match stopped", exc_info=problem, extra={"match": match_id})
    now.stopped[match_id] += 1
    if now.stopped[match_id] >= MOST_STOPS:
        reason = f"the referee failed on it: {type(problem).__name__}"
        await asyncio.to_thread(voiding.void_and_replay, now.service, match_id, reason=reason)


async def _let_go(now: Round) -> None:
    """Stops between two acts and gives the leases back, so that another job can go on at once."""
    tasks = [hand.task for hand in now.hands.values() if hand.task is not None]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await now.means.gathering.settled()  # what bots have answered is taken
    left = list(now.hands.values())
    await _clear(now, left)
    if left:
        await asyncio.to_thread(now.service.jobs.hint, "play")


async def _play_match(now: Round, hand: Hand) -> None:
    """Pushes every prompt of a match to whom it is for, until it is over; an outage of a store is waited out."""
    journal.add_about(match=hand.match.match)  # of this task alone
    there: table.Table | None = None
    while True:
        try:
            if there is None or hand.bell.is_rung:
                there = await _look(now, hand)
                if there.match.is_over:
                    await asyncio.to_thread(aftermath.follow, now.service, there.id, seen=there)
            if there.match.is_over:  # else by its last act, which has been followed up
                return
            there = await _moved_on(now, hand, there)
        except table.NotLive:
            return
        except (redis.RedisError, *AWAY):
            there = None
            await asyncio.sleep(OUTAGE_PAUSE_SECONDS)


async def _look(now: Round, hand: Hand) -> table.Table:
    hand.bell.looks()
    there = await now.means.gathering.load(hand.match.match)
    hand.bell.knows(there.match.version)
    return there


async def _moved_on(now: Round, hand: Hand, there: table.Table) -> table.Table | None:
    """Asks whom it has to ask, or waits until somebody else has acted; the table as it is then, None if it is to be read."""
    asked = [seat for seat in there.match.asked if there.standing.transports[seat] == table.PUSH]
    calls = [asking.ask(now.means, there, seat, token=hand.token, bell=hand.bell) for seat in asked]
    if len(calls) == 1:
        after = await calls[0]
        if after is not None:
            hand.bell.knows(after.match.version)
        return after
    if calls:  # both, where a result is to be confirmed: neither waits for the other
        for done in await asyncio.gather(*calls, return_exceptions=True):
            if isinstance(done, BaseException):
                raise done
        return None
    await hand.bell.wait(LOOK_SECONDS)  # then look all the same: a wake may be lost with its connection
    return None
