"""Asking a push bot for one act: call, read the answer, take it; ask again while its clock lasts."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import aiohttp
import orjson

from referee.rules.cards import SEATS
from referee.service import acts, clocks, prompts, pushing, reporting, silences, strict_json, table, taking
from referee.service.base import Service
from referee.service.problems import ServiceProblem, from_body
from referee.store import bot_rows

MOVED_ON = ("act/stale_version", "act/match_over", "match/fenced", "match/unknown", "match/planned")
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
BOT_SECONDS = 5


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
    ledger: silences.Ledger = field(default_factory=silences.Ledger)


async def ask(
    service: Service,
    now: table.Table,
    seat: int,
    *,
    http: aiohttp.ClientSession,
    token: str,
    moved: asyncio.Event,
    ledger: silences.Ledger,
) -> None:
    """Asks until an act is taken, the match moves on otherwise (`moved`), or time is over, on which the referee rules.

    A refused answer is asked for again at once within the same clock, the problem in the body; the refusals count
    towards IR-85. A server that cannot be reached is tried until the absence limit. Where it is one of many that fell
    silent at once, nobody is ruled on (`silences`).
    """
    asking = Asking(seat, token, first=service.clock.now_ms(), since=service.clock.now_ms(), ledger=ledger)
    bot = _bot(service.record, now.standing.bots[seat], service.clock.now_ms() // (1000 * BOT_SECONDS))
    pause = FIRST_PAUSE
    while _left(service, now, asking) > 0:
        try:
            if await _asked_once(service, now, asking, http=http, bot=bot, moved=moved):
                return
        except pushing.Unanswered as silence:
            _note_silence(service, now, asking, silence)
        await _pause(moved, seconds=min(pause, _left(service, now, asking) / 1000))
        if _is_moved_on(service, now, seat):
            return
        pause = min(2 * pause, LONGEST_PAUSE)
    there = table.load(service, now.id)  # by-play of others may have come since
    if seat in there.match.asked and table.is_same_question(now.match, there.match):
        elapsed = service.clock.now_ms() - (asking.since if asking.reached else asking.first)
        reached = asking.reached or there.has("seen", seat)
        left_off = silences.Silence(now.id, now.standing.bots[seat], asking.first, service.clock.now_ms())
        cluster = ledger.silent(left_off) if now.match.terms.tournament else ()
        if cluster and now.id in silences.void(service, cluster):
            return
        clocks.rule_on_silence(
            service, there, seat, reached=reached, elapsed_ms=elapsed, token=token, fetched=asking.reached
        )


async def _asked_once(
    service: Service,
    now: table.Table,
    asking: Asking,
    *,
    http: aiohttp.ClientSession,
    bot: Mapping[str, str],
    moved: asyncio.Event,
) -> bool:
    """Calls once; True once the act is taken or the match has moved on, False for an answer amiss."""
    at = service.clock.now_ms()
    if not asking.reached:
        asking.since = at  # the clock runs from the call that gets through
    prompt = prompts.prompt(now, asking.seat, at=at, delivered=asking.since)
    body = orjson.dumps({**prompt, **({"problem": asking.problem} if asking.problem else {})})
    call = f"msg_{now.id}_{now.match.version}_{SEATS[asking.seat]}_{asking.amiss}"
    seconds = max(0.001, (asking.since + _allowed(now, asking.seat) - at) / 1000)
    posted = asyncio.ensure_future(
        pushing.post(http, bot["url"], secret=bot["secret"], call=call, body=body, seconds=seconds)
    )
    if not await _answered(service, now, asking.seat, posted=posted, moved=moved):
        return True
    answer = posted.result()
    asking.ledger.heard(service.clock.now_ms())
    _note_reached(service, now, asking)
    arrived = service.clock.now_ms()
    try:
        acts.take(service, now.id, _request(now, asking, answer, arrived))
    except ServiceProblem as problem:
        if problem.code in MOVED_ON:
            return True
        asking.amiss += 1
        asking.problem = problem.body()
        return False
    return True


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


def _request(now: table.Table, asking: Asking, answer: pushing.Answer, arrived: int) -> taking.Request:
    body, amiss = read(answer, version=now.match.version)
    return taking.Request(
        bot=now.standing.bots[asking.seat],
        arrived=arrived,
        body={"seat": SEATS[asking.seat], **body}
        if now.standing.bots.count(now.standing.bots[asking.seat]) > 1
        else body,
        digest=hashlib.sha256(answer.body).hexdigest(),
        key=None,
        token=asking.token,
        elapsed=arrived - asking.since,
        amiss=from_body(amiss) if amiss else None,
    )


def read(answer: pushing.Answer, *, version: int) -> tuple[dict[str, Any], dict[str, Any] | None]:
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


async def _answered(
    service: Service, now: table.Table, seat: int, *, posted: asyncio.Future[pushing.Answer], moved: asyncio.Event
) -> bool:
    """Waits for the answer to a call; False (and the call is dropped) if the match moves on before it comes."""
    try:
        while not posted.done():
            rung = asyncio.ensure_future(moved.wait())
            either: set[asyncio.Future[Any]] = {posted, rung}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            rung.cancel()
            if not posted.done():
                moved.clear()
                if _is_moved_on(service, now, seat):
                    return False
        return True
    finally:
        posted.cancel()


async def _pause(moved: asyncio.Event, *, seconds: float) -> None:
    """Waits a little, less if the match moves."""
    with suppress(TimeoutError):
        await asyncio.wait_for(moved.wait(), timeout=max(0.0, seconds))
    moved.clear()


def _is_moved_on(service: Service, now: table.Table, seat: int) -> bool:
    """Tells whether the seat is not asked any more what it was asked; by-play of others changes nothing of that."""
    try:
        there = table.load(service, now.id).match
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
