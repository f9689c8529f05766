"""The desk: a question about what happened at any table, answered as the referee would rule.

The acts are tried out by the decisions of every match (`trying`), and the answer is the rulings with all that
belongs to them, or why there is none.  `questions` reads what is asked.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from referee.laws import adjudicate
from referee.match import claiming, trying
from referee.match.questions import Question, read_question
from referee.match.state import Match, OpenCase
from referee.match.steps import Refusal, Step
from referee.rules import acts, play
from referee.rules.acts import Act
from referee.rules.cards import SEATS
from referee.rules.notation import write_move
from referee.rules.positions import Position

#: What an answer may come to.
VERDICTS: Final = (
    "ruled", "lawful", "stands", "waived", "window_closed", "unfounded", "out_of_scope", "impossible", "refused",
)  # fmt: skip
_VALIDATION_MEMBERS: Final = ("ruleset", "overrides", "position", "act")


@dataclass(slots=True)
class _Hearing:
    """What has come of a question so far; `place` is the position that stands, None where the deal is dealt afresh."""

    match: Match
    place: Position | None
    opened: dict[int, OpenCase] = field(default_factory=dict)
    at: dict[int, int] = field(default_factory=dict)
    rulings: dict[int, dict[str, Any]] = field(default_factory=dict)
    heard: list[dict[str, Any]] = field(default_factory=list)
    result: dict[str, Any] | None = None
    verdict: str = ""
    why: str = ""
    refusal: dict[str, Any] | None = None


def adjudicate_body(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a question as it stands on the wire; raises `QuestionError`."""
    return answer(read_question(body))


def answer(question: Question) -> dict[str, Any]:
    """Return the answer to a question: `verdict`, `why`, the rulings, and the position that stands then."""
    trial = question.trial
    hearing = _Hearing(trial.match, trial.match.position)
    for number, (seat, one) in enumerate(question.moves, start=1):
        if not _hear(hearing, question, number, seat, one):
            break
    else:
        if question.claim is not None:
            _hear_claim(hearing, question)
    if not hearing.verdict:
        _conclude(hearing)
    return _written(hearing)


def _hear(hearing: _Hearing, question: Question, number: int, seat: int, one: Act | str) -> bool:
    """Try out one of the acts; tell whether the next can follow."""
    m = hearing.match
    entry = {"number": number, "seat": SEATS[seat], "move": _move_text(seat, one), **_standing(m, seat, one)}
    done = trying.make(question.trial, (seat, one))
    hearing.heard.append(entry)
    if done is None:
        entry["standing"] = "impossible"
        return True
    if isinstance(done, Refusal):
        _refused(hearing, entry, done)
        return False
    _took(hearing, done, number, (seat, one))
    return True


def _move_text(seat: int, one: Act | str) -> str:
    return write_move(seat, one) if isinstance(one, Act) else f"{SEATS[seat]} {one}"


def _standing(m: Match, seat: int, one: Act | str) -> dict[str, Any]:
    """Return how an act stands to the rules at the moment it is done, and the laws against it."""
    p = m.position
    if not isinstance(one, Act):
        return {"standing": one.replace("-", "_"), "laws": []}
    if one.kind in acts.PROCEDURE or not play.is_possible(p, seat, one):
        return {"standing": "procedure" if one.kind in acts.PROCEDURE else "impossible", "laws": []}
    against = play.objections(p, seat, play.usual(p, one))
    laws = list(dict.fromkeys(each.law for each in against if each.law))
    return {"standing": "irregular" if against else "lawful", "laws": laws}


def _refused(hearing: _Hearing, entry: dict[str, Any], refusal: Refusal) -> None:
    impossible = refusal.code in ("act/impossible", "act/match_over", "act/unreadable")
    hearing.verdict = "impossible" if impossible else "refused"
    entry["standing"] = hearing.verdict
    hearing.why = f"Act {entry['number']} ({entry['move']}): {refusal.detail}."
    hearing.refusal = {"act": entry["number"], "code": refusal.code, "detail": refusal.detail}
    if refusal.objections:
        hearing.refusal["objections"] = list(refusal.objections)


def _took(hearing: _Hearing, step: Step, number: int, move: tuple[int, Act | str]) -> None:
    before, m = hearing.match, step.match
    for opened in m.docket:
        hearing.opened[opened.number] = opened
        hearing.at[opened.number] = number
    hearing.match = m
    ruled: list[dict[str, Any]] = []
    for line in step.lines:
        event = orjson.loads(line)
        if event["type"] == "ruled":
            hearing.rulings[event["case"]] = event
            ruled.append(event)
        if event["type"] == "scored":
            hearing.result = {
                name: event[name] for name in ("cause", "law", "winner", "game_points", "carried", "counts")
            }
    hearing.place = m.position if step.boundary is None else _before_the_next_deal(hearing, ruled, before, move)


def _before_the_next_deal(
    hearing: _Hearing, ruled: list[dict[str, Any]], before: Match, move: tuple[int, Act | str]
) -> Position | None:
    """Return the position in which a deal has ended: the table has been cleared for the next one since."""
    for event in reversed(ruled):
        opened = hearing.opened.get(event["case"])
        if (opened is not None and event["option"] in opened.options) or _is_further(event["option"]):
            assert opened is not None
            return adjudicate.settle(opened.case, opened.judgement, event["option"]).position
    seat, one = move
    p = before.position
    return play.apply(p, seat, play.usual(p, one)) if isinstance(one, Act) and play.is_possible(p, seat, one) else None


def _is_further(option: str) -> bool:
    return ":" in option


def _hear_claim(hearing: _Hearing, question: Question) -> None:
    claim, trial = question.claim, question.trial
    assert claim is not None
    number = trial.taken[claim.number - 1] if claim.number else claim.event
    m = trial.match
    past = claiming.past_act(m, number)
    if past is None or past.attendant or past.seat == claim.by:
        raise _no_such_act(claim.number, claim.event, past)
    out_of_scope = _out_of_scope(m, past, claim.law)
    late = _late(m, past, claim.by)
    ruled_on = next((each for each in hearing.rulings.values() if each["number"] == number), None)
    done = trying.make(trial, (claim.by, acts.act(acts.CLAIM, number=len(trial.taken) + 1, law=claim.law)))
    assert done is None
