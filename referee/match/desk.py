"""The desk: a question about what happened at any table, answered as the referee would rule.

The acts are tried out by the decisions of every match (`trying`), and the answer is the rulings with all that
belongs to them, or why there is none.  `questions` reads what is asked.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import orjson

from referee.laws import adjudicate, book
from referee.match import claiming, ruling, trying, unheard
from referee.match.questions import (
    Find,
    Question,
    QuestionError,
    is_own,
    read_given,
    read_place,
    read_question,
    read_rules,
    require_seat,
)
from referee.match.state import Match, OpenCase
from referee.match.steps import Refusal, Step, listed
from referee.match.table import cuts_words, scored_members
from referee.rules import acts, play, rulesets, views
from referee.rules.acts import Act
from referee.rules.cards import SEATS
from referee.rules.notation import write_move, write_position
from referee.rules.positions import NOBODY, SCORED, Position

#: What an answer may come to.
VERDICTS: Final = (
    "ruled", "lawful", "stands", "waived", "window_closed", "unfounded", "out_of_scope", "impossible", "refused",
)  # fmt: skip
_NOT_YET: Final = (
    "and it is not called yet: a revoke is when its trick is quitted, "
    "a marriage shown in vain when something else follows"
)
_OF_A_RESULT: Final = ("cause", "law", "winner", "game_points", "carried", "counts", "scores")
_VALIDATION_MEMBERS: Final = ("ruleset", "overrides", "position", "act")


@dataclass(slots=True)
class _Hearing:
    """What has come of a question so far; `place` is the position that stands, None where the deal is dealt afresh."""

    match: Match
    place: Position | None
    opened: dict[int, OpenCase] = field(default_factory=dict)
    rulings: dict[int, dict[str, Any]] = field(default_factory=dict)
    heard: list[dict[str, Any]] = field(default_factory=list)
    result: dict[str, Any] | None = None
    verdict: str = ""
    why: str = ""
    refusal: dict[str, Any] | None = None


def adjudicate_body(body: Mapping[str, Any], *, find: Find = rulesets.named) -> dict[str, Any]:
    """Return the answer to a question as it stands on the wire; raises `QuestionError`.

    `find` gives the rule-set of a name: without a server, of those that come with the game.
    """
    return answer(read_question(body, find=find))


def answer(question: Question) -> dict[str, Any]:
    """Return the answer to a question: `verdict`, `why`, the rulings, and the position that stands then."""
    trial = question.trial
    hearing = _Hearing(trial.match, trial.match.position)
    if trial.match.case is not None:  # a log may stand where a choice is open
        hearing.opened[trial.match.case.number] = trial.match.case
    for number, (seat, one) in enumerate(question.moves, start=1):
        if not _hear(hearing, question, number, seat, one):
            break
    else:
        if question.claim is not None:
            _hear_claim(hearing, question)
    if not hearing.verdict:
        _conclude(hearing)
    return _written(hearing, trial.taken)


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
    _took(hearing, done, (seat, one))
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


def _took(hearing: _Hearing, step: Step, move: tuple[int, Act | str]) -> None:
    before, m = hearing.match, step.match
    for opened in m.docket:
        hearing.opened[opened.number] = opened
    hearing.match = m
    ruled: list[dict[str, Any]] = []
    for line in step.lines:
        event = orjson.loads(line)
        if event["type"] == "ruled":
            hearing.rulings[event["case"]] = event
            ruled.append(event)
        if event["type"] == "scored":
            hearing.result = {name: event[name] for name in _OF_A_RESULT if name in event}
    hearing.place = m.position if step.boundary is None else _before_the_next_deal(hearing, ruled, before, move)


def _before_the_next_deal(
    hearing: _Hearing, ruled: list[dict[str, Any]], before: Match, move: tuple[int, Act | str]
) -> Position | None:
    """Return the position in which a deal has ended: the table has been cleared for the next one since."""
    for event in reversed(ruled):
        opened = hearing.opened[event["case"]]
        settled = adjudicate.settle(opened.case, opened.judgement, event["option"])
        if settled.fresh_deal or (settled.position is not None and settled.position.phase == SCORED):
            return settled.position
    seat, one = move
    p = before.position
    return play.apply(p, seat, play.usual(p, one)) if isinstance(one, Act) and play.is_possible(p, seat, one) else None


def _hear_claim(hearing: _Hearing, question: Question) -> None:
    claim, trial = question.claim, question.trial
    assert claim is not None
    event = trial.taken[claim.number - 1] if claim.number else claim.event
    m = trial.match
    past = claiming.past_act(m, event)
    if m.is_over:
        hearing.verdict, hearing.why = "window_closed", "The match is over: nothing is claimed in it any more."
        return
    if past is None and claim.number:
        hearing.verdict = "window_closed"
        hearing.why = (
            f"The deal in which act {claim.number} was done is over: it was scored and confirmed, or dealt afresh."
        )
        return
    if past is None or past.attendant or is_own(m.position.frame, claim.by, past.seat):
        whose = (
            "an act of nobody's in the deal that runs then" if past is None else f"done by {SEATS[past.seat]} or for it"
        )
        detail = (
            f"event {event} is {whose}; a claim is on an act of the other side, while its deal runs (`until` says when)"
        )
        raise QuestionError("desk/no_such_act", "/claim/event", detail)
    before_now = event in m.heard
    late = unheard.late(m, past)
    elsewhere = unheard.elsewhere(m, past, claim.law)
    done = trying.claim(trial, claim.by, event=event, law=claim.law)
    what = f"act {claim.number}" if claim.number else f"event {event}"
    if isinstance(done, Refusal):
        hearing.verdict, hearing.why = "refused", f"The claim on {what}: {done.detail}."
        hearing.refusal = {"act": None, "code": done.code, "detail": done.detail}
        return
    _took(hearing, done, (claim.by, "claim"))
    if done.boundary is not None and hearing.place is None and hearing.result is not None:
        hearing.place = m.position
    if not done.match.docket:
        pending = done.match.case
        hearing.verdict = "stands"
        hearing.why = (
            f"The claim on {what} waits until case {pending.number if pending else '-'} is decided: elect first."
        )
        return
    opened = done.match.docket[-1]
    if "IR-37" in opened.judgement.laws:
        hearing.verdict = "out_of_scope" if elsewhere else "unfounded"
        hearing.why = (
            elsewhere or f"The claim on {what} is unfounded: it was in order ({write_move(past.seat, past.act)})."
        )
    elif opened.options == (ruling.FORFEITED,):
        hearing.verdict, hearing.why = (
            ("window_closed", f"The referee has ruled on {what} already.") if before_now else late
        )


def _conclude(hearing: _Hearing) -> None:
    """Say what the acts come to where nothing has been said yet."""
    irregular = [each for each in hearing.heard if each["laws"]]
    if hearing.opened:
        hearing.verdict = "ruled"
        hearing.why = "; ".join(_in_a_sentence(hearing, each) for each in hearing.opened.values()) + "."
    elif irregular:
        hearing.verdict = "stands"
        said = "; ".join(
            f"act {each['number']} ({each['move']}) is against {', '.join(each['laws'])}" for each in irregular
        )
        players = hearing.match.terms.calls == "players"
        because = "and nobody has claimed it" if players else _NOT_YET
        hearing.why = f"Irregular: {said}, {because}."
    else:
        hearing.verdict = "lawful"
        hearing.why = "What was done is in order." if hearing.heard else "No acts are given."
        hearing.why += cuts_words(hearing.place)


def _in_a_sentence(hearing: _Hearing, opened: OpenCase) -> str:
    judgement = opened.judgement
    event = hearing.rulings.get(opened.number)
    if not judgement.cited:
        chooser = f"{SEATS[judgement.elector]} has cut the highest card and chooses who deals first (R-02)"
        return chooser if event is None else f"{chooser}: {event['option'].removeprefix('deal:')}"
    laws = " and ".join(f"{each.law.id} ({each.law.title})" for each in judgement.cited)
    if event is None:
        return f"{laws} by {SEATS[judgement.offender]}: {SEATS[judgement.elector]} chooses"
    return f"{laws} by {SEATS[judgement.offender]}: {event['option'].replace('_', ' ')}"


def _written(hearing: _Hearing, taken: list[int]) -> dict[str, Any]:
    m = hearing.match
    rules = m.terms.ruleset
    pending = None if m.case is None else {"case": m.case.number, "elector": SEATS[m.case.judgement.elector]}
    found = {
        "verdict": hearing.verdict,
        "why": hearing.why,
        "ruleset": {"name": rules.name, "base": rules.base, "digest": rules.digest, "overrides": dict(rules.overrides)},
        "conduct": m.terms.conduct,
        "calls": m.terms.calls,
        "edition": book.EDITION,
        "acts": hearing.heard,
        "rulings": [_ruling_json(hearing, each, taken) for each in hearing.opened.values()],
        "pending": pending,
        "position": None if hearing.place is None else write_position(hearing.place),
        "result": hearing.result or _unconfirmed(m, hearing.place),
        "score": views.by_seat(m.score),
        "over": m.is_over,
    }
    return found if hearing.refusal is None else {**found, "refusal": hearing.refusal}


def _unconfirmed(m: Match, place: Position | None) -> dict[str, Any] | None:
    """Return the result of a deal that has ended and waits for those who watch to confirm it; nothing for another."""
    if place is None or place.phase != SCORED or place.result is None:
        return None
    carried = m.carry if place.result.winner != NOBODY else 0
    members = scored_members(m, place.result, carried)
    return {name: members[name] for name in _OF_A_RESULT if name in members}


def _ruling_json(hearing: _Hearing, opened: OpenCase, taken: list[int]) -> dict[str, Any]:
    case, judgement = opened.case, opened.judgement
    event = hearing.rulings.get(opened.number)
    number = taken.index(case.number) + 1 if case.number in taken else None
    return {
        "case": opened.number,
        "act": number,
        "event": case.number if number is None else None,
        "laws": [law_brief(each.law.id) for each in judgement.cited],
        "kind": judgement.kind.value,
        "offender": views.seat_name(judgement.offender),
        "elector": SEATS[judgement.elector] if judgement.elector >= 0 else None,
        "facts": judgement.facts,
        "options": list(_options(opened, opened.options)),
        "option": event["option"] if event else None,
        "chosen_by": event["chosen_by"] if event else None,
        "award": event["award"] if event else None,
    }


def law_brief(law_id: str) -> dict[str, Any] | None:
    """Return a law as an answer cites it: id, title, and where the sources have it; nothing where there is none."""
    law = book.find(law_id)
    if law is None:
        return None
    return {"id": law.id, "title": law.title, "citations": [book.citation_json(each) for each in law.citations]}


def _options(opened: OpenCase, options: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Yield the options of a case, each with its consequence and the position that it leads to."""
    if options == (ruling.FORFEITED,):
        stands = write_position(opened.case.present)
        yield {
            "option": ruling.FORFEITED,
            "effect": "the right to a remedy is lost, and the act stands",
            "after": stands,
        }
        return
    for offered in adjudicate.offered(opened.case, opened.judgement, options):
        yield offered | _consequence(opened, offered["option"])


def _consequence(opened: OpenCase, option: str) -> dict[str, Any]:
    settled = adjudicate.settle(opened.case, opened.judgement, option)
    place, award = settled.position, ruling.award_of(settled)
    found: dict[str, Any] = {"award": award} if award else {}
    if settled.then is not None and place is not None:
        found["then"] = write_move(opened.case.seat, settled.then)
        place = play.apply(place, opened.case.seat, settled.then)
    if settled.fresh_deal:
        found["fresh_deal"] = True
    if settled.match_lost:
        found["match_lost"] = True
    if settled.dealer != NOBODY:
        found["dealer"] = SEATS[settled.dealer]
    found["after"] = None if place is None else write_position(place)
    if settled.further:
        found["further"] = list(_options(opened, settled.further))
    return found


def validate_body(body: Mapping[str, Any], *, find: Find = rulesets.named) -> dict[str, Any]:
    """Return how one act stands to the rules in a position: `lawful`, `irregular` with objections, or `impossible`.

    Raises `QuestionError`.  Whether the count of a declaration is good is part of the judgement.
    """
    for name in body:
        if name not in _VALIDATION_MEMBERS:
            known = ", ".join(_VALIDATION_MEMBERS)
            raise QuestionError("desk/unfit", f"/{name}", f"is no member of a validation; it takes {known}")
    p = read_place(body, read_rules(body, find=find), pointer="/position")
    seat, one = read_given(body.get("act"), "/act")
    require_seat(p.frame, seat, "/act")
    return validate(p, seat, one)


def validate(p: Position, seat: int, one: Act | str) -> dict[str, Any]:
    """Return how an act of a seat stands to the rules in a position, and the position it would lead to."""
    if not isinstance(one, Act) or one.kind in acts.PROCEDURE:
        detail = "it belongs to a match and not to a position; ask for an adjudication with `acts` or `claim`"
        raise QuestionError("desk/act", "/act", detail)
    move = write_move(seat, one)
    found: dict[str, Any] = {"move": move, "seat": SEATS[seat], "turn": SEATS[p.turn], "phase": p.phase}
    if not play.is_possible(p, seat, one):
        why = f"{move} cannot happen: the cards do not lie where it takes them from, or the phase ({p.phase}) has no such act."
        return {"verdict": "impossible", "why": why, **found, "objections": [], "position": None}
    one = play.usual(p, one)
    against = play.objections(p, seat, one)
    after = write_position(play.apply(p, seat, one))
    why = "; ".join(f"{each.detail} ({each.law or each.rule})" for each in against) or "It is in order"
    verdict = "irregular" if against else "lawful"
    return {"verdict": verdict, "why": f"{why}.", **found, "objections": list(listed(against)), "position": after}
