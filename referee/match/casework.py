"""Worked cases: a position in the notation, some moves, and what came of it.

The cases beside the laws and the examples of the dossier are played through the same
decisions as every match, so that they hold at the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from referee.match import trying
from referee.match.steps import Refusal, Step
from referee.match.trying import Trial
from referee.rules import rulesets, scoring
from referee.rules.cards import CARD_NAMES, SEATS, card, names_of
from referee.rules.notation import read_position
from referee.rules.positions import Position, begin, frame_for


@dataclass(slots=True)
class Worked:
    """What came of a case: the last case opened or ruling made, the result, the last refusal."""

    laws: list[str] = field(default_factory=list)
    kind: str | None = None
    offender: str | None = None
    elector: str | None = None
    options: list[str] = field(default_factory=list)
    option: str | None = None
    award: dict[str, Any] | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    refused: str | None = None
    after: dict[str, Any] = field(default_factory=dict)


def play_case(case: Mapping[str, Any]) -> Worked:
    """Return what comes of a case's moves, numbered from 1 as they stand.

    `b time-out` lets a seat's clock run out, `b impossible` posts a request that cannot be.
    """
    worked = Worked()
    trial = _start(case)
    for move in case["acts"]:
        done = trying.make(trial, trying.read(move))
        worked.refused = None
        if done is None:
            worked.refused = "act/impossible"
        elif isinstance(done, Refusal):
            worked.refused = done.code
        else:
            _took(worked, done)
    worked.after = _facts(trial, worked)
    return worked


def _start(case: Mapping[str, Any]) -> Trial:
    rules = rulesets.named(case.get("rules", "house")).override(case.get("overrides", {}))
    return trying.sit_down(
        _position(case, rules),
        conduct=case.get("conduct", "adjudicate"),
        calls=case.get("calls", "referee"),
        chores=case.get("chores"),
        score=tuple(case.get("score", ())),
        carry=case.get("carry", 0),
    )


def _position(case: Mapping[str, Any], rules: rulesets.RuleSet) -> Position:
    if "start" in case:
        return read_position(case["start"], rules)
    deal = case["deal"]
    last = SEATS[int(rules.options["seats"]) - 1]
    frame = frame_for(rules, dealer=SEATS.index(deal.get("dealer", last)))
    return begin(frame, tuple(card(name) for name in deal["pack"].split()))


def _took(worked: Worked, step: Step) -> None:
    for line in step.lines:
        event = orjson.loads(line)
        if event["type"] in ("case_opened", "ruled"):
            _note(worked, event)
        if event["type"] == "scored":
            worked.result = {
                "winner": event["winner"] or "",
                "game_points": event["game_points"],
                "cause": event["cause"],
            }
            worked.after = {f"count_{seat}": has for seat, has in event["counts"].items()}


def _note(worked: Worked, event: dict[str, Any]) -> None:
    opened = event["type"] == "case_opened"
    worked.laws = event["laws"]
    worked.offender = event["offender"]
    worked.facts = event["facts"]
    worked.kind = "CHOICE" if opened else event["kind"]
    if opened:
        worked.elector = event["elector"]
        worked.options = [each["option"] for each in event["options"]]
        worked.option = worked.award = None
    else:
        worked.options = event["options"] if worked.kind == "CHOICE" else []
        worked.option = event["option"]
        worked.award = event["award"]


def _facts(trial: Trial, worked: Worked) -> dict[str, Any]:
    """Return what a case may ask about the position afterwards."""
    m = trial.match
    p = m.position
    facts: dict[str, Any] = {
        "phase": "over" if m.is_over else p.phase,
        "turn": SEATS[p.turn],
        "dealer": SEATS[p.frame.dealer],
        "deal": m.deal,
        "attempt": m.attempt,
        "stock": len(p.stock),
        "turn_up": CARD_NAMES[p.turn_up] if p.turn_up >= 0 else "",
        "closed_by": SEATS[p.closing.closer] if p.closing else "",
        "barred": [SEATS[seat] for seat in sorted(p.aside.barred)],
        "score": list(m.score),
        "carry": m.carry,
    }
    for seat, name in enumerate(SEATS[: p.frame.players]):
        facts[f"sizes_{name}"] = p.hands[seat].bit_count()
        facts[f"hand_{name}"] = " ".join(names_of(p.hands[seat]))
        facts[f"count_{name}"] = scoring.count(p, seat)
    return facts | worked.after
