"""Asking a push bot for one act: call, read the answer, take it; ask again while its clock lasts."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import orjson

from referee.rules.cards import SEATS
from referee.service import clocks, prompts, pushing, reporting, silences, strict_json, table, taking
from referee.service.base import Service
from referee.service.bells import Bell
from referee.service.connection import Answer
from referee.service.gathering import Gathering
from referee.service.posting import Posts
from referee.service.problems import ServiceProblem, from_body
from referee.store import bot_rows
from referee.store.away import AWAY

MOVED_ON = ("act/stale_version", "act/match_over", "match/fenced", "match/unknown", "match/planned")
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
BOT_SECONDS = 5


@dataclass(frozen=True, slots=True)
class Means:
    """What a playing job asks with: its connections to bots, its way to the stores, and what it has heard of whom."""

    service: Service
    posts: Posts
    gathering: Gathering
    ledger: silences.Ledger = field(default_factory=silences.Ledger)


class Came(NamedTuple):
    """What a call came to: the table after the act it brought, or None where the match has moved on otherwise."""

    after: table.Table | None


@dataclass(slots=True)
class Asking:
    """One prompt being put to a bot: `first` tried and delivered `since` when (ms), whether its server was reached,
    how often it has answered amiss, the problem with its last answer, and why the last call without one failed."""

    seat: int
    token: str
    first: int
    since: int
    reached: bool = False
    amiss: int = 0
    problem: dict[str, Any] | None = None
    silence: str = ""


async def ask(means: Means, now: table.Table, seat: int, *, token: str, bell: Bell) -> table.Table | None:
    """Asks until an act is taken, the match moves on otherwise (`bell`), or time is over, on which the referee rules.

    Answers the table after the act that was taken; None where it has to be read anew. A refused answer is asked for again
    at once within the same clock, the problem in the body; the refusals count towards IR-85. A server that cannot be
    reached is tried until the absence limit. Where it is one of many that fell silent at once, nobody is ruled on
    (`silences`).
    """
    service = means.service
    at = service.clock.now_ms()
    asking = Asking(seat, token, first=at, since=at)
    bot = _bot(service.record, now.standing.bots[seat], at // (1000 * BOT_SECONDS))
    pause = FIRST_PAUSE
    while _left(service, now, asking) > 0:
        try:
            came = await _asked_once(means, now, asking, bot=bot, bell=bell)
            if came is not None:
                return came.after
        except pushing.Unanswered as silence:
            _note_silence(service, now, asking, silence)
        await bell.wait(min(pause, _left(service, now, asking) / 1000))
        if await _is_moved_on(means, now, seat, bell=bell):
            return None
        pause = min(2 * pause, LONGEST_PAUSE)
    there = await means.gathering.load(now.id)  # by-play of others may have come since
    if seat in there.match.asked and table.is_same_question(now.match, there.match):
        await _silent(means, there, asking)
    return None


async def _silent(means: Means, now: table.Table, asking: Asking) -> None:
    """Rules on a seat whose time is over, unless it is one of many."""
    service, seat, at = means.service, asking.seat, means.service.clock.now_ms()
    left_off = silences.Silence(now.id, now.standing.bots[seat], asking.first, at)
    cluster = means.ledger.silent(left_off) if now.match.terms.tournament else ()
    if cluster and now.id in await asyncio.to_thread(silences.void, service, cluster):
        return
    await asyncio.to_thread(
        clocks.rule_on_silence,
        service,
        now,
        seat,
        reached=asking.reached or now.has("seen", seat),
        elapsed_ms=at - (asking.since if asking.reached else asking.first),
        token=asking.token,
        fetched=asking.reached,
    )


async def _asked_once(
    means: Means, now: table.Table, asking: Asking, *, bot: Mapping[str, str], bell: Bell
) -> Came | None:
    """Calls once; None for an answer amiss."""
    service, at = means.service, means.service.clock.now_ms()
    if not asking.reached:
        asking.since = at  # the clock runs from the call that gets through
    prompt = prompts.prompt(now, asking.seat, at=at, delivered=asking.since)
    if asking.problem:
        prompt["problem"] = asking.problem
    body = orjson.dumps(prompt)
    call = f"msg_{now.id}_{now.match.version}_{SEATS[asking.seat]}_{asking.amiss}"
    seconds = max(0.001, (asking.since + _allowed(now, asking.seat) - at) / 1000)
    posting = pushing.post(means.posts, bot["url"], secret=bot["secret"], call=call, body=body, seconds=seconds)
    answer = await _answered(means, now, asking.seat, posting=posting, bell=bell)
    if answer is None:
        return Came(None)
    arrived = service.clock.now_ms()
    means.ledger.heard(arrived)
    _note_reached(service, now, asking)
    taken = await means.gathering.take(now.id, _request(now, asking, answer, arrived))
    if not isinstance(taken.answer, Exception):
        return Came(taken.after)
    if not isinstance(taken.answer, ServiceProblem):
        raise taken.answer
    if taken.answer.code in MOVED_ON:
        return Came(None)
    asking.amiss += 1
    asking.problem = taken.answer.body()
    return None


def _note_reached(service: Service, now: table.Table, asking: Asking) -> None:
    if not asking.reached:
        asking.reached = True
        reporting.note_pushed(service, now)


def _note_silence(service: Service, now: table.Table, asking: Asking, silence: pushing.Unanswered) -> None:
    """Notes what a call came to that got no answer, the same reason once."""
    if silence.connected:
        _note_reached(service, now, asking)
    if str(silence) != asking.silence:
        asking.silence = str(silence)
        reporting.note_unanswered(service, now, reason=asking.silence)


def _request(now: table.Table, asking: Asking, answer: Answer, arrived: int) -> taking.Request:
    body, amiss = read(answer, version=now.match.version)
    return taking.Request(
        bot=now.standing.bots[asking.seat],
        arrived=arrived,
        body={"seat": SEATS[asking.seat], **body}
        if now.standing.bots.count(now.standing.bots[asking.seat]) > 1
        else body,
        digest="",  # of use only with a key
        key=None,
        token=asking.token,
        elapsed=arrived - asking.since,
        amiss=from_body(amiss) if amiss else None,
    )


def read(answer: Answer, *, version: int) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Reads an answer as an act (its `version` may be left out), or says as a problem's body why it is none."""
    if answer.status != 200:
        return {}, _amiss(f"the answer has status {answer.status}, not 200")
    try:
        found = strict_json.read(answer.body)
    except strict_json.NotStrict as problem:
        return {}, _amiss(f"the answer is not a JSON object with an act. {problem.detail}")
    return {"version": version, **found}, None


def _amiss(detail: str) -> dict[str, Any]:
    return ServiceProblem(422, "act/unreadable", title="Not an act", detail=detail).body()


def _left(service: Service, now: table.Table, asking: Asking) -> int:
    """Is how many ms are left: of the clock once the bot was reached, of the absence limit until then."""
    if asking.reached:
        return asking.since + _allowed(now, asking.seat) - service.clock.now_ms()
    return asking.first + now.match.terms.clock.absence_ms - service.clock.now_ms()


def _allowed(now: table.Table, seat: int) -> int:
    return table.allowance(now.match, seat) + now.match.terms.clock.grace_ms


@dataclass(slots=True)
class Call:
    """A call that is being made by `task`; whenever the bell rings, one of `looks` finds out whether it is to go on."""

    means: Means
    now: table.Table
    seat: int
    bell: Bell
    task: asyncio.Task[Any]
    looks: list[asyncio.Task[None]] = field(default_factory=list)
    is_dropped: bool = False

    def look(self) -> None:
        """Begins to find out whether the match has moved on."""
        self.looks.append(asyncio.create_task(self.drop()))

    async def drop(self) -> None:
        """Drops the call if the seat is not asked any more what it was asked."""
        with suppress(*AWAY):  # then the answer, when it comes, is one to a question of the past
            if await _is_moved_on(self.means, self.now, self.seat, bell=self.bell) and not self.is_dropped:
                self.is_dropped = True
                self.task.cancel()


async def _answered(
    means: Means, now: table.Table, seat: int, *, posting: Coroutine[Any, Any, Answer], bell: Bell
) -> Answer | None:
    """Is the answer to a call; None (and the call is dropped) if the match moves on before it comes."""
    task = asyncio.current_task()
    assert task is not None
    call = Call(means, now, seat, bell, task)
    try:
        with bell.watched(call.look):
            return await posting
    except asyncio.CancelledError:
        if call.is_dropped and task.uncancel() == 0:  # else the job drops the match
            return None
        raise
    finally:
        posting.close()
        for look in call.looks:
            look.cancel()


async def _is_moved_on(means: Means, now: table.Table, seat: int, *, bell: Bell) -> bool:
    """Tells whether the seat is not asked any more what it was asked; by-play of others changes nothing of that."""
    bell.looks()
    try:
        there = (await means.gathering.load(now.id)).match
    except table.NotLive:
        return True
    return seat not in there.asked or not table.is_same_question(now.match, there)


@lru_cache(maxsize=2000)
def _bot(record: Any, bot_id: str, _moment: int) -> Mapping[str, str]:
    """Is where and with which secret a bot is called; read again every few seconds."""
    with record.reading() as connection:
        row = bot_rows.by_id(connection, bot_id)
    if row is None:
        raise LookupError(bot_id)
    return {"url": row["url"], "secret": row["webhook_secret"]}
