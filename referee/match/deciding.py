"""Deciding on what comes in: acts of seats, time-outs, no-shows; each gives a step or a refusal.

An act is unreadable, impossible, irregular or lawful (DESIGN section 2).  In `calls: referee`
an irregularity is noticed in the step of its act, a revoke only when it is established, and
the attendant does at once what chores the seats do not do themselves.
"""

from dataclasses import replace
from typing import Final

from referee.laws import book
from referee.laws.law import CONDUCT, DISCOVERY, TIME_OUT, Case
from referee.match import claiming, ruling
from referee.match.seeds import commitment, first_dealer
from referee.match.state import Match, Past, Tally, draft, write, write_act
from referee.match.steps import Refusal, Step, changed, impossible, lawful_for, record, refusal_of, step_of
from referee.match.table import attend, begin_match, confirm, forfeit_match, leave_stop, ten_ends_match
from referee.match.terms import Terms, terms_json
from referee.rules import acts, play
from referee.rules.acts import TEXTS, Act, Unreadable
from referee.rules.cards import SEATS, pack_cards
from referee.rules.dealing import is_plainly_bad
from referee.rules.objections import Objection
from referee.rules.positions import CUT_FOR_DEAL, SCORED, begin, frame_for

ENGINE: Final = "sixty-six/1"
CARD_STAYS: Final = Objection("card_played_stays", "IR-34", "R-10", "an act that was taken stays")
CLOSE_STAYS: Final = Objection("close_stays", "IR-59", "R-59", "a close is not revocable")


def open_match(terms: Terms, seed: bytes) -> Step:
    """Return the first step of a match: its opening, and the first deal up to the first prompt."""
    size = terms.ruleset.options["pack"]
    assert isinstance(size, int)
    frame = frame_for(terms.ruleset, dealer=0)
    bank = (terms.clock.bank_ms,) * len(terms.seats)
    nothing = (0,) * len(terms.seats)
    m = Match(
        terms, seed, begin(frame, pack_cards(size)),
        Tally(0, 0, 0, nothing, 0, bank, nothing, nothing, nothing, 0, 0, ""),
        score=nothing, bank=bank, slips=nothing, conduct=nothing, overruns=nothing,
    )  # fmt: skip
    write(
        m,
        "match_opened",
        **terms_json(terms),
        commitment=commitment(seed),
        engine=ENGINE,
        law_book=book.EDITION,
    )
    m.dealer = first_dealer(seed, len(terms.seats)) if terms.first_dealer is None else terms.first_dealer
    begin_match(m)
    return step_of(m, taken=1)


def act(m: Match, seat: int, body: object, *, ms: int) -> Step | Refusal:
    """Decide on an act of a seat; `ms` is the time it was charged.

    `body` is the act as JSON value, without `version`, which the caller checks by `is_stale`.
    """
    try:
        one = body if isinstance(body, Act) else acts.read_act(body)
    except Unreadable as error:
        return Refusal(422, "act/unreadable", "This is not an act", error.detail, counts=True, pointer=error.pointer)
    p = m.position
    if seat == p.turn and m.case is None and not m.revokes and m.outcome is None and one.bit & play.lawful_mask(p):
        return _take_lawful(m, seat, one, ms)
    if m.outcome is not None:
        return Refusal(409, "act/match_over", "The match is over", "no act is taken after the match")
    if one.kind == acts.RESIGN:
        return _resign(m, seat, ms)
    if one.kind == acts.CLAIM and m.terms.calls == "referee":
        detail = "the referee calls every irregularity itself in this match (calls: referee)"
        return Refusal(409, "claim/referee_calls", "Claims are not heard here", detail)
    if one.kind == acts.CLAIM:
        return claiming.claim(m, seat, one, ms)
    if m.case is not None or one.kind == acts.ELECT:
        return _elect(m, seat, one, ms)
    if one.kind == acts.CONFIRM:
        return _confirm(m, seat, one, ms)
    if one.kind == acts.TAKE_BACK:
        return _take_back(m, seat, one, ms)
    return _weigh(m, seat, one, ms)


def _take_lawful(m: Match, seat: int, one: Act, ms: int) -> Step:
    d = draft(m)
    taken = record(d, seat, one, ms)
    before = d.position
    d.position = play.apply(before, seat, one)
    if d.stop or d.passed:
        leave_stop(d, one)
    if one.kind == acts.CLOSE and before.drawn:
        ruling.weigh(d, Case(taken, seat, before, d.position, one))
    _go_on(d, taken)
    return step_of(d, taken=taken)


def _weigh(m: Match, seat: int, one: Act, ms: int) -> Step | Refusal:
    """Decide on an act that is not simply the lawful act of the seat on turn."""
    p = m.position
    if one.kind in acts.PROCEDURE or not play.is_possible(p, seat, one):
        return impossible(m, seat, one)
    one = play.usual(p, one)
    against = play.objections(p, seat, one)
    refused = refusal_of(m, seat, one, against)
    if refused is not None:
        return refused
    d = draft(m)
    taken = record(d, seat, one, ms)
    d.position = play.apply(p, seat, one)
    leave_stop(d, one)
    by_play = one.kind in acts.BY_PLAY
    if against or by_play:
        d.slips = changed(d.slips, seat, d.slips[seat] + 1)
    if not is_plainly_bad(d.position):
        _notice(d, Case(taken, seat, p, d.position, one, against))
    quiet = by_play and d.case is None and d.position.phase != SCORED
    _go_on(d, taken)
    return step_of(d, taken=taken, firm=not quiet)


def _notice(d: Match, case: Case) -> None:
    """Call what is irregular about an act, and what it establishes (DESIGN, *When the referee calls*)."""
    if d.terms.calls == "players":
        # In cutting for deal nothing comes after that a claim could be heard at.
        ruling.weigh(d, case, only=None if case.before.phase == CUT_FOR_DEAL else claiming.AUTOMATIC)
        return
    if d.revokes and _establishes(d, case):
        _establish(d)
    elif case.objections and all(each.law == "IR-35" for each in case.objections):
        d.revokes = (*d.revokes, case)
        _establish_at_end(d)
    else:
        ruling.weigh(d, case)
        _establish_at_end(d)


def _go_on(d: Match, number: int) -> None:
    """Let things take their course after an act: what lies open to everybody is called first (3.5 no. 1).

    A faced card (IR-05) or a pack dealt out (IR-06) overrides whatever else is being judged; then
    the attendant does what nobody at the table does, unless a choice is awaited.
    """
    while d.outcome is None:
        p = d.position
        if is_plainly_bad(p):
            d.case, d.revokes = None, ()
            ruling.weigh(d, Case(number, p.frame.dealer, p, p, happening=DISCOVERY))
            return
        # Before the hand is counted, in the last trick too (C-10).
        if d.case is None and p.stakes.tens and ten_ends_match(d):
            continue
        if d.case is None and play.nothing_left(p):
            d.position = play.played_out(p)
            continue
        if d.waiting:
            claiming.hear_waiting(d)
        if d.case is not None or d.outcome is not None:
            return
        attend(d)
        if d.position is p or not is_plainly_bad(d.position):
            return


def _establishes(d: Match, case: Case) -> bool:
    """Tell whether an act establishes the revokes that stand: the act of the trick's winner (IR-36)."""
    assert case.act is not None
    tricks = case.before.tricks
    quitted = len(tricks) > len(d.revokes[0].before.tricks)
    return quitted and case.act.kind not in acts.BY_PLAY and case.seat == tricks[-1][1]


def _establish_at_end(d: Match) -> None:
    """Establish the revokes that stand when the deal ends, or when a next card is led and stands."""
    if not d.revokes or d.case is not None or d.outcome is not None:
        return
    quitted = len(d.position.tricks) > len(d.revokes[0].before.tricks)
    if d.position.phase == SCORED or (d.position.table and quitted):
        _establish(d)


def _establish(d: Match) -> None:
    """Rule on the revokes that stand: the earliest act counts, whoever has revoked after it (3.5 no. 3)."""
    first, d.revokes = d.revokes[0], ()
    ruling.weigh(d, replace(first, after=d.position, established=True))


def _resign(m: Match, seat: int, ms: int) -> Step:
    d = draft(m)
    taken = record(d, seat, acts.act(acts.RESIGN), ms)
    forfeit_match(d, seat, cause="conceded")
    return step_of(d, taken=taken)


def _elect(m: Match, seat: int, one: Act, ms: int) -> Step | Refusal:
    pending = m.case
    if one.kind != acts.ELECT:
        detail = "a remedy is being chosen; until then only elect, claim and resign are taken"
        return Refusal(409, "act/election_pending", "The table is frozen", detail, lawful=lawful_for(m, seat))
    if pending is None or pending.judgement.elector != seat or one.case != pending.number:
        detail = f"seat {SEATS[seat]} has no choice to make in case {one.case} now"
        return Refusal(409, "act/impossible", "There is nothing to elect", detail, counts=True)
    if one.option not in pending.options:
        detail = f"{one.option!r} is not offered; the options are {', '.join(pending.options)}"
        return Refusal(409, "act/impossible", "No such option", detail, lawful=lawful_for(m, seat), counts=True)
    d = draft(m)
    taken = record(d, seat, one, ms)
    then = ruling.elect(d, one.option, chosen_by=SEATS[seat])
    if then is not None:
        _keep(d, pending.case.seat, then)
    _establish_at_end(d)
    _go_on(d, taken)
    return step_of(d, taken=taken)


def _keep(d: Match, seat: int, one: Act) -> None:
    """Play the card that stays of two: an act of its own, judged as if it had been played alone (IR-33)."""
    p = d.position
    write_act(d, SEATS[seat], TEXTS[one], '"by":"ruling"')
    d.last = Past(d.version, seat, one, p, False, d.last)
    against = play.objections(p, seat, one)
    d.position = play.apply(p, seat, one)
    _notice(d, Case(d.version, seat, p, d.position, one, against))


def _take_back(m: Match, seat: int, one: Act, ms: int) -> Step | Refusal:
    """Take back what can still be mended of one's own (IR-31, 32, 35); nothing else can be (IR-34, 59)."""
    back = claiming.past_act(m, one.number)
    if back is None or back.seat != seat or back.attendant:
        detail = f"event {one.number} is no act of seat {SEATS[seat]} in this deal"
        return Refusal(409, "act/impossible", "There is no such act to take back", detail, counts=True)
    mends = claiming.mends(m, back)
    against = () if mends else (CLOSE_STAYS if back.act.kind == acts.CLOSE else CARD_STAYS,)
    refused = refusal_of(m, seat, one, against)
    if refused is not None:
        return refused
    d = draft(m)
    taken = record(d, seat, one, ms)
    d.slips = changed(d.slips, seat, d.slips[seat] + 1)
    if mends:
        d.revokes = tuple(each for each in d.revokes if each.number < back.number)
        ruling.take_back(d, claiming.case_of(d, back), chosen_by=SEATS[seat])
        _go_on(d, taken)
        return step_of(d, taken=taken)
    ruling.weigh(d, Case(taken, seat, d.position, d.position, one, against))
    return step_of(d, taken=taken, firm=False)


def _confirm(m: Match, seat: int, one: Act, ms: int) -> Step | Refusal:
    """Note that a seat has nothing to claim (DESIGN, *Watching*)."""
    if seat not in m.confirming:
        detail = f"seat {SEATS[seat]} is not asked to confirm anything"
        return Refusal(
            409, "act/impossible", "There is nothing to confirm", detail, lawful=lawful_for(m, seat), counts=True
        )
    d = draft(m)
    taken = record(d, seat, one, ms)
    confirm(d, seat)
    _go_on(d, taken)
    return step_of(d, taken=taken, firm=d.position is not m.position)


def time_out(m: Match, seat: int, *, elapsed_ms: int) -> Step:
    """Rule that a seat's clock has run out: the default of an election is taken, else IR-92."""
    d = draft(m)
    at_stop = m.case is None and bool(m.confirming)
    write(d, "timed_out", seat=SEATS[seat], elapsed_ms=elapsed_ms, left_ms=d.bank[seat])
    taken = d.version
    if d.case is not None:
        owner = d.case.case.seat
        then = ruling.elect(d, d.case.options[0], chosen_by="default")
        if then is not None:
            _keep(d, owner, then)
    elif d.confirming:
        confirm(d, seat)
    else:
        repeated = d.overruns[seat] > 0
        d.overruns = changed(d.overruns, seat, d.overruns[seat] + 1)
        d.bank = changed(d.bank, seat, d.terms.clock.bank_ms)
        ruling.weigh(d, Case(taken, seat, d.position, d.position, happening=TIME_OUT, repeated=repeated))
    _establish_at_end(d)
    _go_on(d, taken)
    firm = not at_stop or d.position is not m.position or d.boundary is not None
    return step_of(d, taken=taken, firm=firm)


def no_show(m: Match, seat: int, *, waited_ms: int) -> Step:
    """Record that a seat never fetched its first prompt: the match is forfeited."""
    d = draft(m)
    write(d, "no_show", seat=SEATS[seat], waited_ms=waited_ms)
    forfeit_match(d, seat, cause="no_show")
    return step_of(d, taken=d.version)


def conduct_reached(m: Match, seat: int, *, refused: int) -> Step:
    """Record that a seat reached the conduct limit with `refused` requests: the match is lost (IR-85)."""
    d = draft(m)
    write(d, "conduct_reached", seat=SEATS[seat], refused=refused)
    taken = d.version
    d.case = None
    ruling.weigh(d, Case(taken, seat, d.position, d.position, happening=CONDUCT))
    return step_of(d, taken=taken)


def withdraw(m: Match, seat: int) -> Step:
    """Record that a bot was withdrawn while it was playing: the match is conceded."""
    d = draft(m)
    write(d, "withdrawn", seat=SEATS[seat])
    forfeit_match(d, seat, cause="conceded")
    return step_of(d, taken=d.version)
