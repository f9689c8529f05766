"""What an act comes to at the table it meets: a plan made without a trip, one call that carries it out, and what follows.

So single acts and batches are the same thing: `acts.take_all` makes the plans of many, sends their calls in one trip and
settles each.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from referee import match as matches
from referee.rules.cards import SEATS
from referee.service import aftermath, archiving, clocks, keys, prompts, reporting, table
from referee.service.base import Reply, Service
from referee.service.problems import ServiceProblem, from_body
from referee.store.live import Outcome
from referee.store.writings import Append, Refused

_log = logging.getLogger(__name__)

Fields = Mapping[str, str | bytes | int]
Facts = Mapping[str, str | bytes | int] | Mapping[str, bytes]


class Request(NamedTuple):
    """An act as it arrived: of which bot, when (ms of the host clock), its members, the hash of its bytes, its key.

    The answer to a push has the `token` of the lease, `elapsed` ms as measured there, and, if it is no
    act at all, what is `amiss` with it. `siblings` are the keys of the same batch's acts on the same match.
    The bot's next prompt there goes out with the reply if it is `fetching`.
    """

    bot: str
    arrived: int
    body: Mapping[str, Any]
    digest: str
    key: str | None
    token: str = ""
    elapsed: int | None = None
    amiss: ServiceProblem | None = None
    siblings: frozenset[str] = frozenset()
    fetching: bool = False


class Taken(NamedTuple):
    """What an act came to: its reply, or why it was refused (or the referee failed), and the table after what was taken."""

    answer: Reply | Exception
    after: table.Table | None = None


class Taking(NamedTuple):
    """The act is in order for the referee and is written, with `reply` kept for who repeats the request."""

    draft: table.Draft
    reply: Reply


class Refusing(NamedTuple):
    """The act is refused: `problem` as it is without the count, `told` as it is answered if nobody else is refused meanwhile."""

    now: table.Table
    seat: int
    request: Request
    problem: ServiceProblem
    told: ServiceProblem
    counts: bool
    reached: int


class TooLate(NamedTuple):
    """The seat's time had run out when the act arrived."""

    now: table.Table
    seat: int
    request: Request


Plan = Taken | Taking | Refusing | TooLate


def plan(service: Service, now: table.Table, request: Request) -> Plan:
    """Is what the act comes to on the match as it stands there; makes no trip."""
    try:
        return _plan(service, now, request)
    except ServiceProblem as problem:
        return Taken(problem)


def call(planned: Plan) -> Append | Refused | None:
    """Is what carries a plan out; None if there is nothing to write."""
    if isinstance(planned, Taking):
        return planned.draft.append
    if isinstance(planned, Refusing):
        kept = _keeping(planned.now, planned.seat, planned.request, _reply(planned.told))
        return Refused(SEATS[planned.seat], planned.counts, kept) if planned.counts or kept else None
    return None


def settle(service: Service, planned: Plan, outcome: Outcome | int | None) -> Taken | None:
    """Does what follows on a plan that was carried out with that outcome; None if the match has moved on meanwhile."""
    if isinstance(planned, Taking):
        return _taken(service, planned, outcome)
    if isinstance(planned, Refusing):
        return Taken(_refused(service, planned, outcome if isinstance(outcome, int) else 0))
    if isinstance(planned, TooLate):
        return _too_late(service, planned)
    return planned


def repeated(facts: Facts, bots: Sequence[str], request: Request) -> Reply | ServiceProblem | None:
    """Is the kept answer if the request was made before at any seat of the bot: of several another may be asked since.

    Kept are the answer to the seat's last request with a key and those before it in the same batch.
    """
    if request.key is None:
        return None
    for seat, bot in enumerate(bots):
        kept = _kept(facts, seat, request.key) if bot == request.bot else None
        if kept is not None:
            digest, status, body = kept.split(b" ", 2)
            if digest != request.digest.encode():
                return keys.reused()
            return from_body(orjson.loads(body)) if int(status) >= 400 else Reply(int(status), body)
    return None


def _plan(service: Service, now: table.Table, request: Request) -> Plan:
    seat = _seat(now, request)
    before = repeated(now.facts, now.standing.bots, request)
    if before is not None:
        return Taken(before)
    if now.match.is_over:
        return Taken(over(now.id))
    if request.elapsed is None and clocks.is_late(now, seat, at=request.arrived):
        return TooLate(now, seat, request)
    if request.amiss is not None:
        return _refusing(now, seat, request, problem=request.amiss, counts=True)
    stale = _stale(now, request)
    if stale is not None:
        return _refusing(now, seat, request, problem=stale, counts=False)
    elapsed = clocks.elapsed(now, seat, at=request.arrived) if request.elapsed is None else request.elapsed
    body = {name: value for name, value in request.body.items() if name != "version"}
    if now.standing.bots.count(request.bot) > 1 or body.get("seat") == SEATS[seat]:  # as it stood in the prompt
        body.pop("seat", None)
    step = matches.act(now.match, seat, body, ms=clocks.charged(now, elapsed))
    if isinstance(step, matches.Refusal):
        return _refusing(now, seat, request, problem=_problem(now, step), counts=step.counts)
    return _taking(service, now, seat, request, step=step, elapsed=elapsed)


def _taking(
    service: Service, now: table.Table, seat: int, request: Request, *, step: matches.Step, elapsed: int
) -> Taking:
    reply, charged = Reply(200, orjson.dumps(_answer(now, step))), clocks.charged(now, elapsed)
    costs: tuple[str | int, ...] = (charged, elapsed, clocks.cost(now, seat, request.body.get("act"), ms=charged))
    kept: dict[str, str | bytes | int] = {
        table.FIELDS[name][seat]: cost
        for name, cost in zip(table.COSTS, costs, strict=True)
        if now.text(name, seat) != str(cost)  # of a version nobody else has written them
    }
    kept |= _keeping(now, seat, request, reply)
    if not now.has("seen", seat):
        kept[table.FIELDS["seen"][seat]] = "1"
    key = (table.FIELDS["key"][seat], request.key) if request.key else ("", "")
    told: dict[str, Any] = {
        "relied_on": _relied_on(now, seat, request),
        "fetching": request.bot if request.fetching else "",
    }
    return Taking(table.draft(service, now, step, token=request.token, kept=kept, key=key, **told), reply)


def _relied_on(now: table.Table, seat: int, request: Request) -> list[str]:
    """Are the facts beside version and head by which an act is in order: who was asked and told when, which keys are kept."""
    fields = [table.FIELDS["delivered"][seat], *(table.FIELDS["asked"][each] for each in now.match.asked)]
    if request.key is not None:
        bots = now.standing.bots
        fields += [table.FIELDS["key"][each] for each, bot in enumerate(bots) if bot == request.bot]
    return fields


def _taken(service: Service, planned: Taking, outcome: Outcome | int | None) -> Taken | None:
    if outcome == "fenced":
        detail = f"Another worker has taken over {planned.draft.table.id}; this one must not write any more."
        return Taken(ServiceProblem(409, "match/fenced", title="Lease lost", detail=detail))
    if outcome != "taken":
        return None
    after = table.written(service, planned.draft)
    if planned.draft.delivers is not None:
        prompts.note(after, planned.draft.delivers)
    try:
        aftermath.follow(service, after.id, seen=after, is_held=bool(planned.draft.append.token))
    except Exception:  # the act is taken, and its author must hear so; the sweeper follows up what failed here
        _log.exception("what follows on an act is left to the sweeper", extra={"version": after.match.version})
    return Taken(planned.reply, after)


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
    if len(seats) == 1:
        return seats[0]
    if not seats:
        raise not_seated(now.id)
    named = request.body.get("seat")
    if named is not None and named in [SEATS[seat] for seat in seats]:
        return SEATS.index(named)
    asked = now.match.asked
    return next((seat for seat in seats if seat in asked), seats[0])


def _stale(now: table.Table, request: Request) -> ServiceProblem | None:
    version, match = request.body.get("version"), now.match
    if type(version) is not int:
        return _unreadable(now, "`version` must be there and be the whole number your prompt gave")
    if not match.is_stale(version) or (version <= match.version and request.body.get("act") == "claim"):
        return None
    detail = f"The act was made at version {version}, and {now.id} is at {now.match.version}: fetch the prompt again."
    title = "Something has happened since"
    return ServiceProblem(409, "act/stale_version", title=title, detail=detail, version=now.match.version)


def _unreadable(now: table.Table, what: str) -> ServiceProblem:
    errors = [{"pointer": "/version", "detail": what}]
    title = "Not an act"
    return ServiceProblem(422, "act/unreadable", title=title, detail=what, errors=errors, version=now.match.version)


def _problem(now: table.Table, refusal: matches.Refusal) -> ServiceProblem:
    extras: dict[str, Any] = {"version": now.match.version}
    if refusal.objections:
        extras["objections"] = list(refusal.objections)
    if refusal.lawful:
        extras["lawful"] = list(refusal.lawful)
    if refusal.pointer:
        extras["errors"] = [{"pointer": refusal.pointer, "detail": refusal.detail}]
    return ServiceProblem(refusal.status, refusal.code, title=refusal.title, detail=refusal.detail, **extras)


def _refusing(now: table.Table, seat: int, request: Request, *, problem: ServiceProblem, counts: bool) -> Refusing:
    if seat in now.match.asked:
        delivered = now.number("delivered", seat)
        clock = prompts.clock(now, seat, at=request.arrived, delivered=delivered)
        problem = from_body({**problem.body(), "clock": clock})
    count = (now.number("refused", seat) or 0) + 1
    told = _counted(now, seat, problem, count=count) if counts else problem
    return Refusing(now, seat, request, problem, told, counts, count)


def _refused(service: Service, planned: Refusing, found: int) -> ServiceProblem:
    """Is the problem as it is answered: with what counts by now, and the match lost where that is the limit."""
    now, seat, told, count = planned.now, planned.seat, planned.told, planned.reached
    if planned.counts and found not in (count, -1):  # others were refused meanwhile
        count, told = found, _counted(now, seat, planned.problem, count=found)
        kept = _keeping(now, seat, planned.request, _reply(told))
        service.live.refuse(now.id, Refused(SEATS[seat], False, kept))
    reporting.note_refused(service, now, seat, body=planned.request.body, problem=told)
    if planned.counts and clocks.conduct_is_reached(now, seat, refused=count):
        clocks.lose_by_conduct(service, now.id, seat=seat)
    return told


def _counted(now: table.Table, seat: int, problem: ServiceProblem, *, count: int) -> ServiceProblem:
    """Is the problem with what now counts against the seat, and, where that is the limit, that the match is lost (IR-85)."""
    counted, limit = clocks.conduct_count(now, seat, refused=count)
    body = {**problem.body(), "conduct_count": counted, "conduct_limit": limit, "over": counted >= limit}
    if counted >= limit:
        body["detail"] = (
            f"{problem.detail} With it the limit of {limit} is reached: the match is lost by conduct (IR-85)."
        )
    return from_body(body)


def _too_late(service: Service, planned: TooLate) -> Taken | None:
    now, seat, request = planned.now, planned.seat, planned.request
    if not clocks.enforce(service, now.id, seat=seat, at=request.arrived, acting=True):
        return None
    detail = "The seat's time had run out when the act arrived; the referee has ruled on that instead."
    problem = ServiceProblem(409, "act/too_late", title="Too late", detail=detail, version=now.match.version)
    reporting.note_refused(service, now, seat, body=request.body, problem=problem)
    return Taken(problem)


def _reply(problem: ServiceProblem) -> Reply:
    return Reply(problem.status, orjson.dumps(problem.body()))


def _keeping(now: table.Table, seat: int, request: Request, reply: Reply) -> Fields:
    """Are the fields that keep the answer under the request's key, the only one or the last of its batch."""
    if request.key is None:
        return {}
    key, kept, earlier = (table.FIELDS[name][seat] for name in ("key", "kept", "earlier"))
    fields: dict[str, str | bytes | int] = {
        key: request.key,
        kept: b"%b %d %b" % (request.digest.encode(), reply.status, reply.body),
    }
    last, before = _bytes(now.facts, key), _bytes(now.facts, earlier)
    if last.decode() in request.siblings:
        answers = {**orjson.loads(before or b"{}"), last.decode(): _bytes(now.facts, kept).decode()}
        fields[earlier] = orjson.dumps(answers)
    elif before:
        fields[earlier] = ""
    return fields


def _kept(facts: Facts, seat: int, key: str) -> bytes | None:
    """Is what is kept of a seat's answer under that key: digest of the request, status and body, with spaces between."""
    if _bytes(facts, table.FIELDS["key"][seat]) == key.encode():
        return _bytes(facts, table.FIELDS["kept"][seat]) or None
    earlier = _bytes(facts, table.FIELDS["earlier"][seat])
    answer: str | None = orjson.loads(earlier).get(key) if earlier else None
    return None if answer is None else answer.encode()


def _bytes(facts: Facts, field: str) -> bytes:
    fact = facts.get(field, b"")
    return fact if isinstance(fact, bytes) else str(fact).encode()


def over(match_id: str) -> ServiceProblem:
    """Is the 409 for an act on a match that has ended."""
    detail = f"{match_id} is over: nothing can be done there any more. Its log is at /v1/matches/{match_id}/log."
    return ServiceProblem(409, "act/match_over", title="The match is over", detail=detail)


def not_seated(match_id: str) -> ServiceProblem:
    """Is the 403 for an act of a bot that does not play there."""
    detail = f"Your bot has no seat in {match_id}."
    return ServiceProblem(403, "match/not_seated", title="Not seated there", detail=detail)
