"""Deciding on what comes in: acts of seats, time-outs, no-shows; each gives a step or a refusal.

An act is unreadable, impossible, irregular or lawful (DESIGN section 2).  In `calls: referee`
an irregularity is noticed in the step of its act, a revoke only when it is established, and
the attendant does at once what chores the seats do not do themselves.
"""

from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from referee.laws import book
from referee.laws.law import CONDUCT, TIME_OUT, Case
from referee.match import ruling
from referee.match.prompting import lawful_bodies
from referee.match.seeds import commitment, first_dealer
from referee.match.state import Match, Tally, draft, write, write_act
from referee.match.table import attend, begin_match, end_match
from referee.match.terms import Terms, terms_json
from referee.rules import acts, play
from referee.rules.acts import TEXTS, Act, Unreadable, act_json
from referee.rules.cards import SEATS, pack_cards
from referee.rules.objections import Objection
from referee.rules.positions import PLAYING, SCORED, begin, frame_for

ENGINE: Final = "sixty-six/1"


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


def open_match(terms: Terms, seed: bytes) -> Step:
    """Return the first step of a match: its opening, and the first deal up to the first prompt."""
    size = terms.ruleset.options["pack"]
    assert isinstance(size, int)
    frame = frame_for(terms.ruleset, dealer=0, players=len(terms.seats))
    bank = (terms.clock.bank_ms,) * len(terms.seats)
    nothing = (0,) * len(terms.seats)
    m = Match(
        terms, seed, begin(frame, pack_cards(size)),
        Tally(0, 0, 0, nothing, 0, bank, nothing, nothing, nothing, 0, 0, ""), bank=bank,
    )  # fmt: skip
    write(
        m,
        "match_opened",
        **terms_json(terms),
        commitment=commitment(seed),
        engine=ENGINE,
        law_book=book.EDITION,
    )
    m.dealer = first_dealer(seed) if terms.first_dealer is None else terms.first_dealer
    begin_match(m)
    return _step(m, taken=1)


def _step(m: Match, *, taken: int, firm: bool = True) -> Step:
    if firm:
        m.firm = m.version
    return Step(m, tuple(m.lines), m.boundary, taken)


def act(m: Match, seat: int, body: object, *, ms: int) -> Step | Refusal:
    """Decide on an act of a seat; `ms` is the time it was charged.

    `body` is the act as JSON value, without `version`, which the caller checks by `is_stale`.
    """
    try:
        one = body if isinstance(body, Act) else acts.read_act(body)
    except Unreadable as error:
        return Refusal(422, "act/unreadable", "This is not an act", error.detail, counts=True, pointer=error.pointer)
    p = m.position
    if seat == p.turn and m.case is None and m.revoke is None and m.outcome is None and one.bit & play.lawful_mask(p):
        return _take_lawful(m, seat, one, ms)
    if m.outcome is not None:
        return Refusal(409, "act/match_over", "The match is over", "no act is taken after the match")
    if one.kind == acts.RESIGN:
        return _resign(m, seat, ms)
    if one.kind == acts.CLAIM:
        detail = "the referee calls every irregularity itself in this match (calls: referee)"
        return Refusal(409, "claim/referee_calls", "Claims are not heard here", detail)
    if m.case is not None or one.kind == acts.ELECT:
        return _elect(m, seat, one, ms)
    if one.kind == acts.TAKE_BACK:
        return _take_back(m, seat, one, ms)
    return _weigh(m, seat, one, ms)


def _take_lawful(m: Match, seat: int, one: Act, ms: int) -> Step:
    d = draft(m)
    taken = _write(d, seat, one, ms)
    before = d.position
    d.position = play.apply(before, seat, one)
    if one.kind == acts.CLOSE and before.drawn:
        ruling.weigh(d, Case(taken, seat, before, d.position, one))
    if d.case is None:
        attend(d)
    return _step(d, taken=taken)


def _write(d: Match, seat: int, one: Act, ms: int) -> int:
    write_act(d, SEATS[seat], TEXTS[one], f'"ms":{ms}')
    if d.case is None:
        over = ms - d.terms.clock.act_ms
        if over > 0:
            d.bank = _changed(d.bank, seat, max(0, d.bank[seat] - over))
    return d.version


def _changed(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _weigh(m: Match, seat: int, one: Act, ms: int) -> Step | Refusal:
    """Decide on an act that is not simply the lawful act of the seat on turn."""
    p = m.position
    if one.kind in acts.PROCEDURE or not play.is_possible(p, seat, one):
        return _impossible(m, seat, one)
    one = play.usual(p, one)
    against = play.objections(p, seat, one)
    refused = _refused(m, seat, one, against)
    if refused is not None:
        return refused
    d = draft(m)
    taken = _write(d, seat, one, ms)
    d.position = play.apply(p, seat, one)
    by_play = one.kind in acts.BY_PLAY
    if against or by_play:
        d.slips = _changed(d.slips, seat, d.slips[seat] + 1)
    _notice(d, Case(taken, seat, p, d.position, one, against))
    quiet = by_play and d.case is None and d.position.phase != SCORED
    if d.case is None:
        attend(d)
    return _step(d, taken=taken, firm=not quiet)


def _notice(d: Match, case: Case) -> None:
    """Call what is irregular about an act, and what it establishes (DESIGN, *When the referee calls*)."""
    revoked, one = d.revoke, case.act
    assert one is not None
    if revoked is not None and _establishes(d, case):
        d.revoke = None
        ruling.weigh(d, replace(revoked, after=d.position, established=True))
    elif case.objections and all(each.law == "IR-35" for each in case.objections):
        d.revoke = case
        _establish_at_end(d)
    else:
        ruling.weigh(d, case)
        _establish_at_end(d)


def _establishes(d: Match, case: Case) -> bool:
    """Tell whether an act establishes the revoke that stands: the act of the trick's winner (IR-36)."""
    assert case.act is not None
    return case.act.kind not in acts.BY_PLAY and case.seat == case.before.tricks[-1][3]


def _establish_at_end(d: Match) -> None:
    """Establish a revoke that stands when the deal ends, or when a next card is led and stands."""
    revoked = d.revoke
    if revoked is None or d.case is not None or d.outcome is not None:
        return
    if d.position.phase == SCORED or d.position.table:
        d.revoke = None
        ruling.weigh(d, replace(revoked, after=d.position, established=True))


def _refused(m: Match, seat: int, one: Act, against: tuple[Objection, ...]) -> Refusal | None:
    """Return why an act with objections is not admitted, or nothing if it is."""
    by_play = one.kind in acts.BY_PLAY
    patience = m.position.frame.options.patience
    spent = m.slips[seat] >= patience
    if not against:
        if by_play and spent:
            return _irregular(m, seat, against, f"more than {patience} by-plays in this deal")
        return None
    unruled = [each for each in against if book.find(each.law) is None]
    if unruled:
        law = unruled[0].law
        why = f"{law} is not in this edition of the law book" if law else unruled[0].detail
        return _irregular(m, seat, against, f"{unruled[0].detail}; {why}" if law else why)
    if one.kind == acts.DECLARE:
        return None
    if m.terms.conduct == "enforce":
        return _irregular(m, seat, against, "this match refuses irregular acts (conduct: enforce)")
    if spent:
        return _irregular(m, seat, against, f"more than {patience} irregular acts in this deal")
    return None


def _irregular(m: Match, seat: int, against: tuple[Objection, ...], why: str) -> Refusal:
    listed = tuple(
        {"code": each.code, "law": each.law or None, "rule": each.rule, "detail": each.detail} for each in against
    )
    return Refusal(
        409, "act/irregular", "This act is irregular and is refused", why, listed,
        _lawful_for(m, seat), counts=True,
    )  # fmt: skip


def _lawful_for(m: Match, seat: int) -> tuple[dict[str, Any], ...]:
    return tuple(lawful_bodies(m)) if seat in m.asked else ()


def _impossible(m: Match, seat: int, one: Act) -> Refusal:
    return Refusal(
        409, "act/impossible", "This act could not happen at the table",
        _why_impossible(m, seat, one), lawful=_lawful_for(m, seat), counts=True,
    )  # fmt: skip


def _why_impossible(m: Match, seat: int, one: Act) -> str:
    p = m.position
    if one.kind in (acts.PLAY, acts.MARRY) and p.phase in PLAYING:  # before that a hand is not looked at
        name = act_json(one)["card"]
        if not p.hands[seat] >> one.card & 1:
            return f"{name} is not in the hand of seat {SEATS[seat]}"
    return f"{one.kind} cannot happen in the phase {p.phase!r} with the cards where they lie"


def _resign(m: Match, seat: int, ms: int) -> Step:
    d = draft(m)
    taken = _write(d, seat, acts.act(acts.RESIGN), ms)
    end_match(d, winner=1 - seat, cause="conceded")
    return _step(d, taken=taken)


def _elect(m: Match, seat: int, one: Act, ms: int) -> Step | Refusal:
    pending = m.case
    if one.kind != acts.ELECT:
        detail = "a remedy is being chosen; until then only elect, claim and resign are taken"
        return Refusal(409, "act/election_pending", "The table is frozen", detail, lawful=_lawful_for(m, seat))
    if pending is None or pending.judgement.elector != seat or one.case != pending.number:
        detail = f"seat {SEATS[seat]} has no choice to make in case {one.case} now"
        return Refusal(409, "act/impossible", "There is nothing to elect", detail, counts=True)
    if one.option not in pending.options:
        detail = f"{one.option!r} is not offered; the options are {', '.join(pending.options)}"
        return Refusal(409, "act/impossible", "No such option", detail, lawful=_lawful_for(m, seat), counts=True)
    d = draft(m)
    taken = _write(d, seat, one, ms)
    ruling.elect(d, one.option, chosen_by=SEATS[seat])
    _establish_at_end(d)
    if d.case is None:
        attend(d)
    return _step(d, taken=taken)


def _take_back(m: Match, seat: int, one: Act, ms: int) -> Step | Refusal:
    """Take back a revoke that is not established (IR-35); nothing else can be taken back (IR-34)."""
    revoked = m.revoke
    if revoked is None or revoked.seat != seat or revoked.number != one.number:
        against = (Objection("card_played_stays", "IR-34", "R-10", "an act that was taken stays"),)
        return _irregular(m, seat, against, f"act {one.number} can't be taken back")
    d = draft(m)
    taken = _write(d, seat, one, ms)
    d.slips = _changed(d.slips, seat, d.slips[seat] + 1)
    d.revoke = None
    ruling.weigh(d, replace(revoked, after=d.position))
    attend(d)
    return _step(d, taken=taken)


def time_out(m: Match, seat: int, *, elapsed_ms: int) -> Step:
    """Rule that a seat's clock has run out: the default of an election is taken, else IR-92."""
    d = draft(m)
    write(d, "timed_out", seat=SEATS[seat], elapsed_ms=elapsed_ms, left_ms=d.bank[seat])
    taken = d.version
    if d.case is not None:
        ruling.elect(d, d.case.options[0], chosen_by="default")
    else:
        repeated = d.overruns[seat] > 0
        d.overruns = _changed(d.overruns, seat, d.overruns[seat] + 1)
        d.bank = _changed(d.bank, seat, d.terms.clock.bank_ms)
        ruling.weigh(d, Case(taken, seat, d.position, d.position, happening=TIME_OUT, repeated=repeated))
    _establish_at_end(d)
    if d.case is None:
        attend(d)
    return _step(d, taken=taken)


def no_show(m: Match, seat: int, *, waited_ms: int) -> Step:
    """Record that a seat never fetched its first prompt: the match is forfeited."""
    d = draft(m)
    write(d, "no_show", seat=SEATS[seat], waited_ms=waited_ms)
    end_match(d, winner=1 - seat, cause="no_show")
    return _step(d, taken=d.version)


def conduct_reached(m: Match, seat: int, *, refused: int) -> Step:
    """Record that a seat reached the conduct limit with `refused` requests: the match is lost (IR-85)."""
    d = draft(m)
    write(d, "conduct_reached", seat=SEATS[seat], refused=refused)
    taken = d.version
    d.case = None
    ruling.weigh(d, Case(taken, seat, d.position, d.position, happening=CONDUCT))
    return _step(d, taken=taken)


def withdraw(m: Match, seat: int) -> Step:
    """Record that a bot was withdrawn while it was playing: the match is conceded."""
    d = draft(m)
    write(d, "withdrawn", seat=SEATS[seat])
    end_match(d, winner=1 - seat, cause="conceded")
    return _step(d, taken=d.version)
