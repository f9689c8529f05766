"""Worked cases: a position in the notation, some moves, and what came of it.

The cases beside the laws and the examples of the dossier are played through the same
decisions as every match, so that they hold at the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from referee.match import deciding
from referee.match.state import Match, Tally
from referee.match.steps import Refusal, Step
from referee.match.table import attend
from referee.match.terms import Seating, Terms
from referee.rules import acts, rulesets, scoring
from referee.rules.cards import CARD_NAMES, SEATS, card, names_of
from referee.rules.notation import read_move, read_position
from referee.rules.positions import Position, begin, frame_for

_ALL_CHORES = ("shuffle", "cut", "deal", "draw")
_SEED = bytes(32)


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
    result: dict[str, Any] | None = None
    refused: str | None = None
    after: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Playing:
    match: Match
    taken: list[int]
    refused: list[int]
    worked: Worked


def play_case(case: Mapping[str, Any]) -> Worked:
    """Return what comes of a case's moves, numbered from 1 as they stand.

    `b time-out` lets a seat's clock run out, `b impossible` posts a request that cannot be.
    """
    playing = _Playing(_start(case), [], [0, 0], Worked())
    for move in case["acts"]:
        _move(playing, move)
    playing.worked.after = _facts(playing)
    return playing.worked


def _start(case: Mapping[str, Any]) -> Match:
    rules = rulesets.named(case.get("rules", "house")).override(case.get("overrides", {}))
    chores = case.get("chores", {"a": _ALL_CHORES, "b": _ALL_CHORES})
    seats = tuple(Seating(name, name, frozenset(chores.get(name, ()))) for name in SEATS[:2])
    terms = Terms("case", rules, seats, conduct=case.get("conduct", "adjudicate"))
    score = tuple(case.get("score", (0, 0)))
    carry = case.get("carry", 0)
    bank = (terms.clock.bank_ms,) * 2
    start = Tally(1, 1, 0, score, carry, bank, (0, 0), (0, 0), (0, 0), 0, 0, "")
    m = Match(terms, _SEED, _position(case, rules), start)
    m.deal = m.attempt = 1
    m.dealer = m.position.frame.dealer
    m.score, m.carry, m.bank = score, carry, bank
    attend(m)
    return m


def _position(case: Mapping[str, Any], rules: rulesets.RuleSet) -> Position:
    if "start" in case:
        return read_position(case["start"], rules)
    deal = case["deal"]
    frame = frame_for(rules, dealer=SEATS.index(deal.get("dealer", "b")))
    return begin(frame, tuple(card(name) for name in deal["pack"].split()))


def _move(playing: _Playing, move: str) -> None:
    m = playing.match
    seat_name, _, rest = move.partition(" ")
    seat = SEATS.index(seat_name)
    playing.worked.refused = None
    if rest == "time-out":
        _took(playing, deciding.time_out(m, seat, elapsed_ms=0))
    elif rest == "impossible":
        _refuse(playing, seat)
    else:
        seat, one = read_move(move)
        done = deciding.act(m, seat, _numbered(playing, one), ms=0)
        if isinstance(done, Refusal):
            playing.worked.refused = done.code
            playing.taken.append(0)
        else:
            _took(playing, done)


def _refuse(playing: _Playing, seat: int) -> None:
    playing.refused[seat] += 1
    playing.worked.refused = "act/impossible"
    playing.taken.append(0)
    limit = playing.match.position.frame.options.conduct_limit
    if playing.refused[seat] >= limit:
        playing.taken.pop()
        _took(playing, deciding.conduct_reached(playing.match, seat, refused=limit))


def _numbered(playing: _Playing, one: acts.Act) -> acts.Act:
    """Turn the numbers of moves into those of events, and name the case that is open."""
    if one.kind == acts.TAKE_BACK and one.number <= len(playing.taken):
        return replace(one, number=playing.taken[one.number - 1] or one.number)
    if one.kind == acts.ELECT and playing.match.case is not None:
        return replace(one, case=playing.match.case.number)
    return one


def _took(playing: _Playing, step: Step) -> None:
    playing.match = step.match
    playing.taken.append(step.taken)
    for line in step.lines:
        event = orjson.loads(line)
        if event["type"] in ("case_opened", "ruled"):
            _note(playing.worked, event)
        if event["type"] == "scored":
            playing.worked.result = {
                "winner": event["winner"] or "",
                "game_points": event["game_points"],
                "cause": event["cause"],
            }
            playing.worked.after = {f"count_{seat}": has for seat, has in event["counts"].items()}


def _note(worked: Worked, event: dict[str, Any]) -> None:
    opened = event["type"] == "case_opened"
    worked.laws = event["laws"]
    worked.offender = event["offender"]
    worked.kind = "CHOICE" if opened else event["kind"]
    if opened:
        worked.elector = event["elector"]
        worked.options = [each["option"] for each in event["options"]]
        worked.option = worked.award = None
    else:
        worked.options = event["options"] if worked.kind == "CHOICE" else []
        worked.option = event["option"]
        worked.award = event["award"]


def _facts(playing: _Playing) -> dict[str, Any]:
    """Return what a case may ask about the position afterwards."""
    m = playing.match
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
    for seat, name in enumerate(SEATS[:2]):
        facts[f"sizes_{name}"] = p.hands[seat].bit_count()
        facts[f"hand_{name}"] = " ".join(names_of(p.hands[seat]))
        facts[f"count_{name}"] = scoring.count(p, seat)
    return facts | playing.worked.after
