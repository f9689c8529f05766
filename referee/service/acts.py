"""Acting: the one way in which a seat's act reaches a match, whoever brings it, one by one or many at once."""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee import journal
from referee.service import access, keys, metrics, table, taking
from referee.service.base import Caller, Reply, Service
from referee.service.problems import ServiceProblem, unknown
from referee.service.taking import Request, Taken
from referee.store import match_rows
from referee.store.away import AWAY
from referee.store.live import Outcome

ATTEMPTS = 30

_log = logging.getLogger(__name__)


def act(
    service: Service,
    match_id: str,
    *,
    caller: Caller,
    body: Mapping[str, Any],
    raw: bytes,
    key: str | None = None,
    lay: int = 0,
) -> Reply:
    """Takes an act of the caller's seat and answers 200 `{"match","taken","version","over","rulings":[...]}`.

    `body` is the parsed object (no duplicate keys; the web checks that), `raw` its bytes for the comparison under one key.
    `taken` is the number of the act's event. Same key and body as the seat's last request: the same bytes again, be it
    a 200 or a refusal. A refusal raises ServiceProblem with `objections`, `lawful`, `clock` and `version` where they apply.
    `lay` ms the act has lain in a queue of ours, which cost the seat nothing.

    401 `auth/token_missing`, 403 `match/not_seated`, 404 `match/unknown`, 409 `key/reused`, `act/stale_version`,
    `act/impossible`, `act/irregular`, `act/election_pending`, `act/match_over`, `act/too_late`, `match/planned`;
    422 `act/unreadable`, `claim/referee_calls`. A body may name its own `seat`; where one bot holds several it says which.
    """
    return take(service, match_id, request(service, caller=caller, body=body, raw=raw, key=key, lay=lay))


def request(
    service: Service, *, caller: Caller, body: Mapping[str, Any], raw: bytes, key: str | None = None, lay: int = 0
) -> Request:
    """Is an act of a bot that arrives now, or did `lay` ms ago.

    401 `auth/token_missing`, 403 `auth/bot_only`, 422 `key/unfit`.
    """
    arrived = service.clock.now_ms() - lay
    bot = access.bot_of(caller)
    if key is not None:
        keys.require_fit(key, caller)
    return Request(bot, arrived, body, hashlib.sha256(raw).hexdigest() if key is not None else "", key)


def take(service: Service, match_id: str, asked: Request) -> Reply:
    """Takes an act that has arrived: by REST, or as the answer to a push (`token` of the lease, `elapsed` measured there)."""
    return replied(take_all(service, [(match_id, asked)])[0])


def replied(taken: Taken) -> Reply:
    """Is the reply to an act that was taken; raises why it was not."""
    if isinstance(taken.answer, Exception):
        raise taken.answer
    return taken.answer


def take_all(service: Service, asked: Sequence[tuple[str, Request]]) -> list[Taken]:
    """Takes acts on any matches and answers for each by itself; those on one match are taken in order.

    One trip reads all the matches and one writes to them, each by compare-and-set; a match that moved on in between,
    or has several acts, is read and written again. An outage of a store is raised, and whoever has keys can repeat all.
    """
    found: dict[int, Taken] = {}
    tries: Counter[int] = Counter()
    waiting = list(range(len(asked)))
    while waiting:
        first: dict[str, int] = {}
        for place in waiting:
            first.setdefault(asked[place][0], place)
        for match_id, taken in _round(
            service,
            {match_id: asked[place][1] for match_id, place in first.items()},
            anew=any(tries[place] for place in first.values()),
        ).items():
            place = first[match_id]
            tries[place] += 1
            if taken is not None or tries[place] >= ATTEMPTS:
                found[place] = taken or Taken(_contended(match_id))
        waiting = [place for place in waiting if place not in found]
    came = [found[place] for place in range(len(asked))]
    _tell(asked, came)
    return came


def _round(service: Service, asked: Mapping[str, Request], *, anew: bool) -> dict[str, Taken | None]:
    """Takes one act on each of several matches; None for one whose match moved on meanwhile."""
    plans = _plans(service, asked, anew=anew)
    calls = {match_id: call for match_id, planned in plans.items() if (call := taking.call(planned)) is not None}
    outcomes = dict(zip(calls, service.live.write_each(list(calls.items())), strict=True))
    return {
        match_id: _settle(service, match_id, asked[match_id], planned, outcomes.get(match_id))
        for match_id, planned in plans.items()
    }


def _plans(service: Service, asked: Mapping[str, Request], *, anew: bool) -> dict[str, taking.Plan]:
    """Makes the plans; those for matches that this process remembers at the act's version without reading them, unless
    `anew`: an act that is taken says what it relied on. Any other plan is made of what has been read."""
    plans: dict[str, taking.Plan] = {} if anew else dict(_from_memory(service, asked))
    unread = {match_id: request for match_id, request in asked.items() if match_id not in plans}
    for match_id, now in tables(service, unread, at_least={} if anew else _named(unread)):
        plans[match_id] = _plan(service, match_id, asked[match_id], now)
    return plans


def _from_memory(service: Service, asked: Mapping[str, Request]) -> Iterable[tuple[str, taking.Plan]]:
    for match_id, request in asked.items():
        now = table.remembered(service, match_id)
        is_at = now is not None and now.match.version == request.body.get("version")
        planned = _plan(service, match_id, request, now) if is_at else None
        if isinstance(planned, taking.Taking):
            yield match_id, planned


def _named(asked: Mapping[str, Request]) -> dict[str, int]:
    """Are the versions that acts name: who names one has seen it, or is told that he has not."""
    versions = {match_id: request.body.get("version") for match_id, request in asked.items()}
    return {match_id: version for match_id, version in versions.items() if type(version) is int}


def tables(
    service: Service, match_ids: Iterable[str], *, at_least: Mapping[str, int] | None = None
) -> list[tuple[str, table.Table | Exception | None]]:
    """Reads matches, None for one that is not live; if one cannot be read, each by itself, so that the failure is that one's."""
    named = list(match_ids)
    try:
        return list(zip(named, table.load_all(service, named, at_least=at_least), strict=True))
    except AWAY:
        raise
    except Exception as failure:
        if len(named) == 1:
            return [(named[0], failure)]
        return [each for one in named for each in tables(service, [one], at_least=at_least)]


def _plan(service: Service, match_id: str, asked: Request, now: table.Table | Exception | None) -> taking.Plan:
    if isinstance(now, Exception):
        return Taken(now)
    try:
        return _after_the_end(service, match_id, asked) if now is None else taking.plan(service, now, asked)
    except AWAY:
        raise
    except Exception as failure:  # one match that fails must not take the acts on others with it
        return Taken(failure)


def _settle(
    service: Service, match_id: str, asked: Request, planned: taking.Plan, outcome: Outcome | int | None
) -> Taken | None:
    try:
        with journal.about(match=match_id, bot=asked.bot):
            return taking.settle(service, planned, outcome)
    except AWAY:
        raise
    except Exception as failure:
        return Taken(failure)


def _tell(asked: Sequence[tuple[str, Request]], came: Sequence[Taken]) -> None:
    """Counts what acts came to, and notes those that were refused."""
    taken = sum(each.after is not None and not isinstance(each.answer, Exception) for each in came)
    if taken:
        metrics.act_came_to("taken", taken)
    if taken == len(came):
        return
    for (match_id, request), each in zip(asked, came, strict=True):
        outcome = _outcome(each)
        if outcome != "taken":
            metrics.act_came_to(outcome)
        if isinstance(each.answer, ServiceProblem):
            _log.debug("an act was refused", extra={"match": match_id, "bot": request.bot, "code": outcome})


def _outcome(taken: Taken) -> str:
    if isinstance(taken.answer, ServiceProblem):
        return taken.answer.code
    if isinstance(taken.answer, Exception):
        return "service/error"
    return "taken" if taken.after is not None else "repeated"


def _contended(match_id: str) -> ServiceProblem:
    detail = f"{match_id} changed again and again while the act was being taken; nothing was done, send it again."
    return ServiceProblem(503, "act/contended", title="Too much at once", detail=detail)


def _after_the_end(service: Service, match_id: str, asked: Request) -> Taken:
    """Answers an act on a match that is not live: the repeated last request, or why there is nothing to act on."""
    with service.record.reading() as connection:
        row = match_rows.by_id(connection, match_id)
    if row is None:
        return Taken(unknown("match", match_id))
    if asked.bot not in row["bots"]:
        return Taken(taking.not_seated(match_id))
    facts = service.live.some(match_id, table.FACTS[len(row["bots"])])
    before = taking.repeated(facts, row["bots"], asked)
    if before is not None:
        return Taken(before)
    if row["state"] in ("done", "void"):
        return Taken(taking.over(match_id))
    if "closed" in facts:  # halted: void in a moment, or it goes on
        return Taken(_contended(match_id))
    detail = f"{match_id} is not open yet; its first prompt will say when it is."
    return Taken(ServiceProblem(409, "match/planned", title="Not open yet", detail=detail))
