"""Fewer round trips: acts on many matches in one request, and the next prompts in the reply to an act."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from referee.service import access, acts, hearing, keys, prompts, table, tokens, turns
from referee.service.base import Caller, Reply, Service
from referee.service.problems import ServiceProblem
from referee.service.taking import Request, Taken
from referee.service.wakes import Waiter, Wake, waiter

MOST_ACTS = 200  # as many matches as a job that pushes plays at once; a bot in more sends a second batch
MOST_ON_ONE = 20
OF_THE_BATCH = ("match", "key")
MATCH_ID = re.compile("mat_[0-9A-Za-z]{1,64}")

Posted = tuple[str, Request] | ServiceProblem


@dataclass(frozen=True, slots=True)
class Batch:
    """What came of a batch: of each act its match (as named) and what it came to, and the prompts if they were asked for."""

    taken: tuple[tuple[Any, Taken], ...]
    prompts: tuple[dict[str, Any], ...] | None


def act_all(
    service: Service,
    posted: Sequence[Any],
    *,
    caller: Caller,
    key: str | None = None,
    wait: float | None = None,
    most: int = turns.MOST_PROMPTS,
    lay: int = 0,
) -> Batch:
    """Takes acts of one bot on any of its matches, each by itself as `acts.act` does; at most MOST_ACTS.

    Each of `posted` is to be an object with `match` (at most MOST_ON_ONE have the same), `version` and the members of an
    act, and may have a `key` of its own; else `key`, that of the whole request, stands for it together with its place.
    What is wrong with one act is its answer, never the others'. With `wait` (seconds, 0 for none) the prompts that wait
    come with it, at most `most`, as `turns.get_turns` gives them. `lay` as in `acts.act`.
    401 `auth/token_missing`, 403 `auth/bot_only`, 422 `key/unfit`.
    """
    arrived = service.clock.now_ms() - lay
    bot = access.bot_of(caller)
    if key is not None:
        keys.require_fit(key, caller)
    if not wait:
        taken = _taken(service, posted, bot=bot, key=key, arrived=arrived)
        found = None if wait is None else turns.waiting_for(service, bot, seen=_seen(taken, bot), most=most)
        return _batch(posted, taken, found)
    with waiter(service.wakes, [bot, *tokens.topics(caller)]) as woken:
        taken = _taken(service, posted, bot=bot, key=key, arrived=arrived)
        seen = _seen(taken, bot)
        for each in taken:
            _note(woken, each.after)
        try:
            found = turns.next_prompts(service, caller, woken=woken, wait=wait, seen=seen, most=most)
        except ServiceProblem:
            if tokens.is_alive(service, caller):
                raise
            found = []  # the token died: the acts it was good for are taken, and nothing is delivered to it
        return _batch(posted, taken, found)


def act_and_wait(
    service: Service,
    match_id: str,
    *,
    caller: Caller,
    body: Mapping[str, Any],
    raw: bytes,
    key: str | None = None,
    wait: float,
    lay: int = 0,
) -> Reply:
    """Is `acts.act` whose reply has one member more, `prompt`: the next in that match, within so many seconds, or null.

    Null where none came in time, the match is over, or the token has died. Of a repeated request the rest comes again,
    and `prompt` is what waits now.
    """
    request = acts.request(service, caller=caller, body=body, raw=raw, key=key, lay=lay)._replace(fetching=True)
    with waiter(service.wakes, [match_id, *tokens.topics(caller)]) as woken:
        (taken,) = acts.take_all(service, [(match_id, request)])
        reply = acts.replied(taken)
        _note(woken, taken.after)
        found = _next_in(service, match_id, caller, after=taken.after, woken=woken, wait=wait)
    return Reply(reply.status, b'%s,"prompt":%s}' % (reply.body.removesuffix(b"}"), orjson.dumps(found)), reply.headers)


def _next_in(
    service: Service,
    match_id: str,
    caller: Caller,
    *,
    after: table.Table | None,
    woken: Waiter,
    wait: float,
) -> dict[str, Any] | None:
    """Delivers the bot's next prompt in a match; `after` is the table as it was when `woken` listened already."""
    until = time.monotonic() + min(wait, turns.LONGEST_WAIT)
    bot, now = access.bot_of(caller), after
    heard: tuple[Wake, ...] = ()
    while True:
        now = now or hearing.as_heard(service, [match_id], heard)[0]
        if now is None or now.match.is_over:
            return None
        asked = [(now, seat) for seat in turns.pulled(now, bot)][:1]
        found = next(iter(prompts.deliver_all(service, asked)), None)
        left = service.wakes.left(until)
        if found is not None or left <= 0:
            return found
        if asked:
            now, heard = None, ()  # it has moved on: look again
            continue
        wakes = woken(left)
        if not tokens.is_alive(service, caller):
            return None
        if any(_is_news(wake, now, bot) for wake in wakes):
            now, heard = None, () if turns.is_for_all(wakes) else wakes


def _is_news(wake: Wake, now: table.Table, bot: str) -> bool:
    return not wake.match or (wake.version > now.match.version and (wake.over or bot in wake.bots))


def _note(woken: Waiter, after: table.Table | None) -> None:
    """Has nobody be woken by what he did himself."""
    if after is not None:
        woken.knows(after.id, after.match.version)


def _batch(posted: Sequence[Any], taken: Sequence[Taken], found: Sequence[dict[str, Any]] | None) -> Batch:
    return Batch(
        taken=tuple((_named(each), came) for each, came in zip(posted, taken, strict=True)),
        prompts=None if found is None else tuple(found),
    )


def _seen(taken: Iterable[Taken], bot: str) -> dict[str, table.Table]:
    """Are the tables where an act was taken after which the bot is asked again: they need not be read."""
    tables = (each.after for each in taken if each.after is not None)
    return {after.id: after for after in tables if turns.pulled(after, bot)}


def _taken(service: Service, posted: Sequence[Any], *, bot: str, key: str | None, arrived: int) -> list[Taken]:
    keyed = [None if key is None else f"{key}/{place}" for place in range(len(posted))]
    read = _not_too_many(_read(*each, bot=bot, arrived=arrived) for each in zip(posted, keyed, strict=True))
    fit = [each for each in read if not isinstance(each, ServiceProblem)]
    came = iter(acts.take_all(service, _knowing_siblings(fit)))
    return [Taken(each) if isinstance(each, ServiceProblem) else next(came) for each in read]


def _read(posted: Any, key: str | None, *, bot: str, arrived: int) -> Posted:
    """Reads one act of a batch: of which match, and the request it is. 422 `act/unreadable`, `key/unfit`."""
    if not isinstance(posted, dict):
        return _unreadable("", "must be an object with `match`, `version` and the members of an act")
    match_id = _named(posted)
    if match_id is None:
        return _unreadable("/match", "must be there and be the id of the match, as your prompt gave it")
    own = posted.get("key")
    if own is None:
        own = key
    elif not (isinstance(own, str) and keys.is_fit(own)):
        return keys.unfit(keys.FIT, place={"pointer": "/key"})
    body = {name: value for name, value in posted.items() if name not in OF_THE_BATCH}
    return match_id, Request(bot, arrived, body, "" if own is None else _digest(body), own)


def _not_too_many(read: Iterable[Posted]) -> list[Posted]:
    """Are the acts, those on one match beyond MOST_ON_ONE refused: their answers are kept together under their keys."""
    met: Counter[str] = Counter()
    return [each if isinstance(each, ServiceProblem) else _counted(*each, met) for each in read]


def _counted(match_id: str, request: Request, met: Counter[str]) -> Posted:
    met[match_id] += 1
    if met[match_id] > MOST_ON_ONE:
        return _unreadable(
            "/match", f"names a match for which there are {MOST_ON_ONE} acts before it, the most in one batch"
        )
    return match_id, request


def _digest(body: Mapping[str, Any]) -> str:
    """Is the hash of the act: the same as that of a request of its own with a compact body."""
    try:
        raw = orjson.dumps(body)
    except orjson.JSONEncodeError:  # half a surrogate pair, of which the table will say that it is no act
        raw = json.dumps(body, separators=(",", ":")).encode()
    return hashlib.sha256(raw).hexdigest()


def _named(posted: Any) -> str | None:
    """Is the match that an act of a batch names, None where it names none."""
    named = posted.get("match") if isinstance(posted, dict) else None
    return named if isinstance(named, str) and MATCH_ID.fullmatch(named) else None


def _knowing_siblings(read: Sequence[tuple[str, Request]]) -> list[tuple[str, Request]]:
    """Are acts that know the keys of those on the same match, whose answers are to be kept beside theirs."""
    together: dict[str, list[str]] = {}
    for match_id, request in read:
        if request.key is not None:
            together.setdefault(match_id, []).append(request.key)
    return [
        (match_id, request._replace(siblings=frozenset(together[match_id])))
        if len(together.get(match_id, ())) > 1
        else (match_id, request)
        for match_id, request in read
    ]


def _unreadable(pointer: str, what: str) -> ServiceProblem:
    errors = [{"pointer": pointer, "detail": what}]
    detail = f"{pointer or 'The act'} {what}."
    return ServiceProblem(422, "act/unreadable", title="Not an act", detail=detail, errors=errors)
