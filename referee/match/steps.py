"""Steps and refusals: what a decision leads to, and how an act is recorded or turned away."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from referee.laws import book
from referee.match.prompting import lawful_bodies
from referee.match.state import Match, Past, write_act
from referee.rules import acts
from referee.rules.acts import TEXTS, Act, act_json
from referee.rules.cards import SEATS
from referee.rules.objections import Objection
from referee.rules.positions import PLAYING


class Step(NamedTuple):
    """What a decision led to: the match after it and the lines it wrote.

    `boundary` is the place among `lines` where a new deal began: those before it belong to deals that
    are over.
    """

    match: Match
    lines: tuple[bytes, ...]
    boundary: int | None
    taken: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an act is not taken; nothing has happened at the table.

    `status` is the HTTP status, `code` the problem's; `counts` tells whether it counts toward IR-85.
    """

    status: int
    code: str
    title: str
    detail: str
    objections: tuple[dict[str, Any], ...] = ()
    lawful: tuple[dict[str, Any], ...] = ()
    counts: bool = False
    pointer: str = ""


def step_of(m: Match, *, taken: int, firm: bool = True) -> Step:
    """Return the step that a draft has become; a step that is not `firm` makes no act stale."""
    if firm:
        m.firm = m.version
    return Step(m, m.lines, m.boundary, taken)


def record(d: Match, seat: int, one: Act, ms: int) -> int:
    """Write an act of a seat, charge its time, and return the number of its event."""
    write_act(d, SEATS[seat], TEXTS[one], f'"ms":{ms}')
    kind = one.kind
    if kind not in acts.PROCEDURE or kind == acts.CONFIRM:
        d.last = Past(d.version, seat, one, d.position, False, d.last)
    if d.case is None and kind not in acts.BY_PLAY:
        clock = d.terms.clock
        over, more = ms - clock.act_ms, clock.increment_ms
        if over > 0 or more:
            d.bank = changed(d.bank, seat, max(0, d.bank[seat] - max(0, over)) + more)
    return d.version


def changed(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    """Return per-seat values with one of them changed."""
    return (*values[:seat], value, *values[seat + 1 :])


def refusal_of(m: Match, seat: int, one: Act, against: tuple[Objection, ...]) -> Refusal | None:
    """Return why an act with objections is not admitted, or nothing if it is."""
    by_play = one.kind in acts.BY_PLAY
    patience = m.position.frame.options.patience
    spent = m.slips[seat] >= patience
    if not against:
        if by_play and spent:
            return irregular(m, seat, against, f"more than {patience} by-plays in this deal")
        return None
    unruled = [each for each in against if book.find(each.law) is None]
    if unruled:
        law = unruled[0].law
        why = f"{law} is not in this edition of the law book" if law else unruled[0].detail
        return irregular(m, seat, against, f"{unruled[0].detail}; {why}" if law else why)
    if one.kind == acts.DECLARE:
        return None
    if m.terms.conduct == "enforce":
        return irregular(m, seat, against, "this match refuses irregular acts (conduct: enforce)")
    if spent:
        return irregular(m, seat, against, f"more than {patience} irregular acts in this deal")
    return None


def irregular(m: Match, seat: int, against: tuple[Objection, ...], why: str) -> Refusal:
    """Return the refusal of an irregular act, with its objections."""
    return Refusal(
        409, "act/irregular", "This act is irregular and is refused", why, listed(against),
        lawful_for(m, seat), counts=True,
    )  # fmt: skip


def listed(against: tuple[Objection, ...]) -> tuple[dict[str, Any], ...]:
    """Return objections as they stand on the wire."""
    return tuple(
        {"code": each.code, "law": each.law or None, "rule": each.rule, "detail": each.detail} for each in against
    )


def lawful_for(m: Match, seat: int) -> tuple[dict[str, Any], ...]:
    """Return the lawful acts of a seat that is asked; nothing for another."""
    return tuple(lawful_bodies(m)) if seat in m.asked else ()


def impossible(m: Match, seat: int, one: Act) -> Refusal:
    """Return the refusal of an act that could not happen."""
    return Refusal(
        409, "act/impossible", "This act could not happen at the table",
        _why_impossible(m, seat, one), lawful=lawful_for(m, seat), counts=True,
    )  # fmt: skip


def _why_impossible(m: Match, seat: int, one: Act) -> str:
    p = m.position
    if one.kind in (acts.PLAY, acts.MARRY) and p.phase in PLAYING:  # before that a hand is not looked at
        name = act_json(one)["card"]
        if not p.hands[seat] >> one.card & 1:
            return f"{name} is not in the hand of seat {SEATS[seat]}"
    return f"{one.kind} cannot happen in the phase {p.phase!r} with the cards where they lie"
