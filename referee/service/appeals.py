"""Appeals: a ruling derived again from its log; and the organiser's overruling, a new event and never an edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from sqlalchemy import Connection

from referee import match as play_layer
from referee.match import causes
from referee.match.desk import law_brief
from referee.rules.cards import SEATS
from referee.service import access, archiving, matches, names, replays, showing
from referee.service.base import Caller, Service
from referee.service.clock import wall_time
from referee.service.problems import ServiceProblem, unfit, unknown
from referee.store import log_rows, match_rows, tournament_rows

RATED = ("tournament", "friendly")


def appeal(service: Service, match_id: str, *, case: int, caller: Caller) -> dict[str, Any]:
    """Judges a ruling again from the events and answers both: `{"match","case","event","agree","recorded","derived",
    "laws","log_holds","problem"}`. Of a live match as far as it has come.

    401 `auth/token_missing`; 403 `match/not_seated` (neither seated nor the organiser); 404 `match/unknown`, `ruling/unknown`.
    """
    row = _row(service, match_id)
    if caller.kind != "organiser" and access.bot_of(caller) not in row["bots"]:
        detail = f"Your bot has no seat in {match_id}; a seated bot appeals, or the organiser."
        raise ServiceProblem(403, "match/not_seated", title="Not seated there", detail=detail)
    lines, _ = matches.get_events(service, match_id, limit=10**9, caller=caller)
    found = play_layer.appeal(lines, bytes.fromhex(row["seed"]), case=case) if lines else None
    if found is None or found.recorded is None:
        raise _no_ruling(match_id, case)
    return {
        "match": match_id,
        "case": case,
        "event": found.recorded["n"],
        "agree": found.recorded == found.derived,
        "recorded": found.recorded,
        "derived": found.derived,
        "laws": [law for law in map(law_brief, found.recorded["laws"]) if law is not None],
        "log_holds": not found.problem,
        "problem": found.problem or None,
    }


def overrule(
    service: Service, match_id: str, *, case: int, fields: Mapping[str, Any], caller: Caller
) -> dict[str, Any]:
    """Puts the organiser's decision in place of a finished match's result, upon one of its rulings.

    fields: `winner` (a seat, or null: it counts for nobody), `score` (game points by seat; as they were if left out),
    `reason`. Partners win together, and what one of them has the other has. The event `overruled` is appended to the log
    and sealed, the result follows it, and so do standings.
    Answers `{"match","event","winner","score","cause","log_sha256"}`.

    401/403 `auth/organiser_only`; 404 `match/unknown`, `ruling/unknown`; 409 `match/not_over`, `match/void`,
    `match/not_rated` (a check), `tournament/over` (cancelled), `match/contended`; 422 `match/unfit`.
    """
    access.require_organiser(caller)
    archiving.catch_up(service, match_id)
    row = _row(service, match_id)
    _require_rated(service, row)
    log = matches.get_log(service, match_id)
    *events, _ = log.splitlines()
    if not any(event.get("case") == case for event in matches.get_rulings(service, match_id, caller=caller)["rulings"]):
        raise _no_ruling(match_id, case)
    step = _decided(replays.last(log), case, fields)
    seed = bytes.fromhex(row["seed"])
    longer = play_layer.finished_log(step.match, [*events, *step.lines], seed)
    with service.record.writing() as connection:
        if not _put(connection, row, step, fields["reason"], longer):
            detail = f"{match_id} was overruled by another request meanwhile; look at it, and decide again."
            raise ServiceProblem(409, "match/contended", title="Another decision came first", detail=detail)
    outcome = step.match.outcome
    assert outcome is not None
    return {
        "match": match_id,
        "event": orjson.loads(step.lines[-1]),
        "winner": None if outcome.winner is None else SEATS[outcome.winner],
        "score": dict(zip(showing.letters(row), outcome.score, strict=True)),
        "cause": outcome.cause,
        "log_sha256": log_rows.digest(longer),
    }


def _decided(m: play_layer.Match, case: int, fields: Mapping[str, Any]) -> play_layer.Step:
    winner, seats, sides = fields.get("winner"), SEATS[: len(m.terms.seats)], m.position.frame.sides
    if winner is not None and winner not in seats:
        raise unfit("match/unfit", [("/winner", f"must be one of {', '.join(seats)}, or null where nobody wins")])
    if not names.is_visible(fields.get("reason", "")):
        raise unfit(
            "match/unfit", [("/reason", "must be text in which every character can be seen: it is there for good")]
        )
    score = _decided_score(m, fields.get("score") or {})
    seat = None if winner is None else sides[seats.index(winner)][0]
    try:
        return play_layer.overrule(
            m, case=case, winner=seat, score=score, reason=fields.get("reason", ""), decided_at=wall_time()
        )
    except ValueError as problem:
        raise unfit("match/unfit", [("", str(problem))]) from problem


def _decided_score(m: play_layer.Match, said: Mapping[str, int]) -> tuple[int, ...]:
    """Is the score by seat with what is said in place of what was; 422 `match/unfit` for partners who are to differ."""
    score = list(m.score)
    errors = [(f"/score/{letter}", "is no seat of this match") for letter in said if letter not in SEATS[: len(score)]]
    if m.position.frame.options.bidding == "none":
        below = "is below 0, and only a bid that fails takes game points off"
        errors += [(f"/score/{letter}", below) for letter, points in said.items() if points < 0]
    if errors:
        raise unfit("match/unfit", errors)
    for side in dict.fromkeys(m.position.frame.sides):
        points = {said[SEATS[seat]] for seat in side if SEATS[seat] in said}
        if len(points) > 1:
            partners = " and ".join(SEATS[seat] for seat in side)
            raise unfit("match/unfit", [("/score", f"{partners} are partners: they have the same game points")])
        for seat in side if points else ():
            score[seat] = min(points)
    return tuple(score)


def _put(connection: Connection, row: Mapping[str, Any], step: play_layer.Step, reason: str, log: bytes) -> bool:
    """Writes the longer log and the new result, if the log is still the one that was read."""
    if not log_rows.extend(connection, row["id"], before=row["log_sha256"], log=log):
        return False
    outcome = step.match.outcome
    assert outcome is not None
    result = {
        "winner": outcome.winner,
        "lost_by": None,
        "cause": outcome.cause,
        "evidence": causes.evidence(log.splitlines()[:-1]),
        "score": list(outcome.score),
        "events": step.match.version,
        "log_sha256": log_rows.digest(log),
        "reason": reason,
    }
    return match_rows.move(connection, row["id"], origin=("done",), to="done", **result)


def _require_rated(service: Service, row: Mapping[str, Any]) -> None:
    if row["kind"] not in RATED:
        detail = f"{row['id']} is a {row['kind']} of a bot; tournament matches and friendlies can be overruled."
        raise ServiceProblem(409, "match/not_rated", title="Not a match that counts", detail=detail)
    if row["state"] == "void":
        raise ServiceProblem(
            409, "match/void", title="The match is void", detail=f"{row['id']} is void: {row['reason']}."
        )
    if row["tournament"] is None:
        return
    with service.record.reading() as connection:
        tournament = tournament_rows.by_id(connection, row["tournament"])
    if tournament is not None and tournament["state"] == "cancelled":
        detail = f"{row['tournament']} was cancelled; nothing in it is decided any more."
        raise ServiceProblem(409, "tournament/over", title="The tournament is over", detail=detail)


def _row(service: Service, match_id: str) -> dict[str, Any]:
    with service.record.reading() as connection:
        row = match_rows.by_id(connection, match_id)
    if row is None:
        raise unknown("match", match_id)
    return row


def _no_ruling(match_id: str, case: int) -> ServiceProblem:
    detail = f"{match_id} has no ruling on a case {case}; /v1/matches/{match_id}/rulings lists those there are."
    return ServiceProblem(404, "ruling/unknown", title="No such ruling", detail=detail)
