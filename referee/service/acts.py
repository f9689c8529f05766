"""Acting: the one way in which a seat's act reaches a match, whoever brings it."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from referee import journal
from referee import match as matches
from referee.rules.cards import SEATS
from referee.service import access, aftermath, archiving, clocks, keys, metrics, prompts, reporting, table
from referee.service.base import Caller, Reply, Service
from referee.service.problems import ServiceProblem, from_body, unknown
from referee.store import match_rows

ATTEMPTS = 30

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Request:
    """An act as it arrived: of which bot, when (ms of the host clock), its members, the hash of its bytes, its key.

    The answer to a push has the `token` of the lease, `elapsed` ms as measured there, and, if it is no
    act at all, what is `amiss` with it.
    """

    bot: str
    arrived: int
    body: Mapping[str, Any]
    digest: str
    key: str | None
    token: str = ""
    elapsed: int | None = None
    amiss: ServiceProblem | None = None


def act(
    service: Service, match_id: str, *, caller: Caller, body: Mapping[str, Any], raw: bytes, key: str | None = None
) -> Reply:
    """Takes an act of the caller's seat and answers 200 `{"match","taken","version","over","rulings":[...]}`.

    `body` is the parsed object (no duplicate keys; the web checks that), `raw` its bytes for the comparison under one key.
    `taken` is the number of the act's event. Same key and body as the seat's last request: the same bytes again, be it
    a 200 or a refusal. A refusal raises ServiceProblem with `objections`, `lawful`, `clock` and `version` where they apply.

    401 `auth/token_missing`, 403 `match/not_seated`, 404 `match/unknown`, 409 `key/reused`, `act/stale_version`,
    `act/impossible`, `act/irregular`, `act/election_pending`, `act/match_over`, `act/too_late`, `match/planned`;
    422 `act/unreadable`, `claim/referee_calls`. A body may name `seat` only where one bot holds several.
    """
    arrived = service.clock.now_ms()
    bot = access.bot_of(caller)
    if key is not None:
        keys.require_fit(key, caller)
    return take(service, match_id, Request(bot, arrived, body, hashlib.sha256(raw).hexdigest(), key))


def take(service: Service, match_id: str, request: Request) -> Reply:
    """Takes an act that has arrived: by REST, or as the answer to a push (`token` of the lease, `elapsed` measured there)."""
    with journal.about(match=match_id, bot=request.bot):
        try:
            return _take(service, match_id, request)
        except ServiceProblem as problem:
            metrics.act_came_to(problem.code)
            _log.debug("an act was refused", extra={"code": problem.code})
            raise


def _take(service: Service, match_id: str, request: Request) -> Reply:
    for _ in range(ATTEMPTS):
        try:
            now = table.load(service, match_id)
        except table.NotLive:
            return _after_the_end(service, match_id, request)
        reply = _attempt(service, now, request)
        if reply is not None:
            return reply
    detail = f"{match_id} changed {ATTEMPTS} times while the act was being taken; nothing was done, send it again."
    raise ServiceProblem(503, "act/contended", title="Too much at once", detail=detail)


def _attempt(service: Service, now: table.Table, request: Request) -> Reply | None:
    """Takes the act on the match as it stands; None if it moved on meanwhile."""
    seat = _seat(now, request)
    replayed = _repeated(now.facts, now.standing.bots, request)
    if replayed is not None:
        metrics.act_came_to("repeated")
        return replayed
    if now.match.is_over:
        raise _over(now.id)
    if request.elapsed is None and clocks.is_late(now, seat, at=request.arrived):
        return _too_late(service, now, seat, request)
    if request.amiss is not None:
        return _refused(service, now, seat, request, problem=request.amiss, counts=True)
    stale = _stale(now, request)
    if stale is not None:
        return _refused(service, now, seat, request, problem=stale, counts=False)
    elapsed = clocks.elapsed(now, seat, at=request.arrived) if request.elapsed is None else request.elapsed
    body = {name: value for name, value in request.body.items() if name != "version"}
    if now.standing.bots.count(request.bot) > 1:
        body.pop("seat", None)
    step = matches.act(now.match, seat, body, ms=clocks.charged(now, elapsed))
    if isinstance(step, matches.Refusal):
        return _refused(service, now, seat, request, problem=_problem(now, seat, step), counts=step.counts)
    return _written(service, now, seat, request, step=step, elapsed=elapsed)


def _written(
    service: Service, now: table.Table, seat: int, request: Request, *, step: matches.Step, elapsed: int
) -> Reply | None:
    reply = Reply(200, orjson.dumps(_answer(now, step)))
    letter = SEATS[seat]
    kept: dict[str, str | bytes | int] = {
        f"charged:{letter}": clocks.charged(now, elapsed),
        f"trip:{letter}": elapsed,
        f"bank:{letter}": clocks.cost(now, seat, request.body.get("act"), ms=clocks.charged(now, elapsed)),
        f"seen:{letter}": "1",
    }
    key = (f"key:{letter}", request.key) if request.key else ("", "")
    kept |= _keeping(letter, request, reply)
    outcome, after = table.write(service, now, step, token=request.token, kept=kept, key=key)
    if outcome == "fenced":
        detail = f"Another worker has taken over {now.id}; this one must not write any more."
        raise ServiceProblem(409, "match/fenced", title="Lease lost", detail=detail)
    if outcome != "taken":
        return None
    metrics.act_came_to("taken")
    _follow(service, after)
    return reply


def _follow(service: Service, after: table.Table) -> None:
    try:
        aftermath.follow(service, after.id, seen=after)
    except Exception:  # the act is taken, and its author must hear so; the sweeper follows up what failed here
        _log.exception("what follows on an act is left to the sweeper", extra={"version": after.match.version})


def _answer(now: table.Table, step: matches.Step) -> dict[str, Any]:
    return {
        "match": now.id,
        "taken": step.taken,
        "version": step.match.version,
        "over": step.match.is_over,
        "rulings": archiving.rulings(tuple(step.lines)),
    }


def _seat(now: table.Table, request: Request) -> int:
    seats = [seat for seat, bot in enumerate(now.standing.bots) if bot == request.bot]
    if not seats:
        raise _not_seated(now.id)
    named = request.body.get("seat")
    if named is not None and named in [SEATS[seat] for seat in seats]:
        return SEATS.index(named)
    asked = [seat for seat in seats if seat in now.match.asked]
    return (asked or seats)[0]


def _stale(now: table.Table, request: Request) -> ServiceProblem | None:
    version = request.body.get("version")
    if type(version) is not int:
        return _unreadable(now, "`version` must be there and be the whole number your prompt gave")
    is_claim = request.body.get("act") == "claim"
    if version <= now.match.version and (is_claim or not now.match.is_stale(version)):
        return None
    detail = f"The act was made at version {version}, and {now.id} is at {now.match.version}: fetch the prompt again."
    title = "Something has happened since"
    return ServiceProblem(409, "act/stale_version", title=title, detail=detail, version=now.match.version)


def _unreadable(now: table.Table, what: str) -> ServiceProblem:
    errors = [{"pointer": "/version", "detail": what}]
    title = "Not an act"
    return ServiceProblem(422, "act/unreadable", title=title, detail=what, errors=errors, version=now.match.version)


def _problem(now: table.Table, seat: int, refusal: matches.Refusal) -> ServiceProblem:
    extras: dict[str, Any] = {"version": now.match.version}
    if refusal.objections:
        extras["objections"] = list(refusal.objections)
    if refusal.lawful:
        extras["lawful"] = list(refusal.lawful)
    if refusal.pointer:
        extras["errors"] = [{"pointer": refusal.pointer, "detail": refusal.detail}]
    return ServiceProblem(refusal.status, refusal.code, title=refusal.title, detail=refusal.detail, **extras)


def _refused(
    service: Service, now: table.Table, seat: int, request: Request, *, problem: ServiceProblem, counts: bool
) -> Reply | None:
    """Refuses an act: keeps the answer under its key, counts it where it counts, and raises it."""
    at, letter = request.arrived, SEATS[seat]
    if seat in now.match.asked:
        delivered = now.number("delivered", seat)
        problem = from_body({**problem.body(), "clock": prompts.clock(now, seat, at=at, delivered=delivered)})
    refused = (now.number("refused", seat) or 0) + 1
    told = _counted(now, seat, problem, refused=refused) if counts else problem
    kept = _keeping(letter, request, Reply(told.status, orjson.dumps(told.body())))
    found = service.live.refuse(now.id, seat=letter, counts=counts, kept=kept) if counts or kept else 0
    if counts and found not in (refused, -1):  # others were refused meanwhile
        refused, told = found, _counted(now, seat, problem, refused=found)
        kept = _keeping(letter, request, Reply(told.status, orjson.dumps(told.body())))
        service.live.refuse(now.id, seat=letter, counts=False, kept=kept)
    problem = told
    reporting.note_refused(service, now, seat, body=request.body, problem=problem)
    if counts and clocks.conduct_is_reached(now, seat, refused=refused):
        clocks.lose_by_conduct(service, now.id, seat=seat)
    raise problem


def _counted(now: table.Table, seat: int, problem: ServiceProblem, *, refused: int) -> ServiceProblem:
    """Is the problem with what now counts against the seat, and, where that is the limit, that the match is lost (IR-85)."""
    count, limit = clocks.conduct_count(now, seat, refused=refused)
    body = {**problem.body(), "conduct_count": count, "conduct_limit": limit, "over": count >= limit}
    if count >= limit:
        body["detail"] = (
            f"{problem.detail} With it the limit of {limit} is reached: the match is lost by conduct (IR-85)."
        )
    return from_body(body)


def _too_late(service: Service, now: table.Table, seat: int, request: Request) -> Reply | None:
    if not clocks.enforce(service, now.id, seat=seat, at=request.arrived):
        return None
    detail = "The seat's time had run out when the act arrived; the referee has ruled on that instead."
    problem = ServiceProblem(409, "act/too_late", title="Too late", detail=detail, version=now.match.version)
    reporting.note_refused(service, now, seat, body=request.body, problem=problem)
    raise problem


def _keeping(letter: str, request: Request, reply: Reply) -> dict[str, str | bytes | int]:
    if request.key is None:
        return {}
    return {
        f"key:{letter}": request.key,
        f"key_body:{letter}": request.digest,
        f"key_status:{letter}": reply.status,
        f"key_reply:{letter}": reply.body,
    }


def _repeated(facts: Mapping[str, bytes], bots: Sequence[str], request: Request) -> Reply | None:
    """Is what `_replayed` finds at any seat of the bot: of several another may be asked since."""
    found = (_replayed(facts, seat, request) for seat, bot in enumerate(bots) if bot == request.bot)
    return next((reply for reply in found if reply is not None), None)


def _replayed(facts: Mapping[str, bytes], seat: int, request: Request) -> Reply | None:
    """Is the kept reply, or the refusal raised again, if the request is the seat's last one repeated."""
    letter = SEATS[seat]
    if request.key is None or facts.get(f"key:{letter}") != request.key.encode():
        return None
    if facts[f"key_body:{letter}"] != request.digest.encode():
        raise keys.reused()
    status, body = int(facts[f"key_status:{letter}"]), facts[f"key_reply:{letter}"]
    if status >= 400:
        raise from_body(orjson.loads(body))
    return Reply(status, body)


def _after_the_end(service: Service, match_id: str, request: Request) -> Reply:
    """Answers an act on a match that is not live: the repeated last request, or why there is nothing to act on."""
    with service.record.reading() as connection:
        row = match_rows.by_id(connection, match_id)
    if row is None:
        raise unknown("match", match_id)
    if request.bot not in row["bots"]:
        raise _not_seated(match_id)
    facts = service.live.some(match_id, table.FACTS[len(row["bots"])])
    replayed = _repeated(facts, row["bots"], request)
    if replayed is not None:
        return replayed
    if row["state"] in ("done", "void"):
        raise _over(match_id)
    detail = f"{match_id} is not open yet; its first prompt will say when it is."
    raise ServiceProblem(409, "match/planned", title="Not open yet", detail=detail)


def _over(match_id: str) -> ServiceProblem:
    detail = f"{match_id} is over: nothing can be done there any more. Its log is at /v1/matches/{match_id}/log."
    return ServiceProblem(409, "act/match_over", title="The match is over", detail=detail)


def _not_seated(match_id: str) -> ServiceProblem:
    detail = f"Your bot has no seat in {match_id}."
    return ServiceProblem(403, "match/not_seated", title="Not seated there", detail=detail)
