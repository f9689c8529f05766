"""Rulings at the table: opening a case, offering the options, settling it, writing it down."""

from typing import Any, Final

from referee.laws import adjudicate
from referee.laws.adjudicate import Judgement, Settled
from referee.laws.law import Case, Kind
from referee.match.offering import offer
from referee.match.state import Match, OpenCase, write
from referee.match.table import begin_deal, forfeit_match
from referee.rules import acts, views
from referee.rules.acts import Act, act_json
from referee.rules.positions import NOBODY

#: The option of a ruling on a claim that comes too late.
FORFEITED: Final = "forfeited"
_CARDS: Final = (acts.PLAY, acts.MARRY)


def weigh(m: Match, case: Case, *, only: frozenset[str] | None = None) -> None:
    """Rule on a case of a draft, or offer the choice; nothing happens where no law speaks.

    `only` names the laws that are called now.
    """
    judgement = adjudicate.judge(case, only=only)
    if judgement is not None:
        open_case(m, case, judgement)


def open_case(m: Match, case: Case, judgement: Judgement) -> None:
    """Rule as prescribed, or offer the choice that a judgement leaves."""
    m.cases += 1
    opened = OpenCase(m.cases, case, judgement, judgement.options)
    m.docket += (opened,)
    if judgement.elector < 0:
        _settle(m, opened, judgement.options[0], chosen_by="law")
        return
    offer(m, opened)


def take_back(m: Match, case: Case, *, chosen_by: str) -> None:
    """Rule that a seat takes its own irregular card back, as the laws on it allow (IR-31, 32, 35)."""
    judgement = adjudicate.judge(case, only=frozenset(("IR-31", "IR-32", "IR-35")))
    assert judgement is not None
    m.cases += 1
    opened = OpenCase(m.cases, case, judgement, judgement.options)
    m.docket += (opened,)
    _settle(m, opened, "undo", chosen_by=chosen_by)


def forfeit(m: Match, case: Case, judgement: Judgement) -> None:
    """Rule that a claim comes too late: the right to a remedy was forfeited, and the act stands."""
    m.cases += 1
    late = Judgement(judgement.cited, Kind.NONE, judgement.offender, -1, (FORFEITED,), judgement.facts)
    opened = OpenCase(m.cases, case, late, late.options)
    m.docket += (opened,)
    _write_ruling(m, opened, Settled(m.position), FORFEITED, "law")


def elect(m: Match, option: str, *, chosen_by: str) -> Act | None:
    """Settle the case of a draft by the option that was chosen, or by its default.

    Returns an act that follows from it, to be judged on its own (IR-33).
    """
    opened = m.case
    assert opened is not None
    m.case = None
    return _settle(m, opened, option, chosen_by=chosen_by)


def _settle(m: Match, opened: OpenCase, option: str, *, chosen_by: str) -> Act | None:
    settled = adjudicate.settle(opened.case, opened.judgement, option)
    if settled.further:
        assert settled.position is not None
        m.position = settled.position
        offer(m, OpenCase(opened.number, opened.case, opened.judgement, settled.further))
        return None
    if settled.position is not None:
        m.position = settled.position
    if opened.judgement.laws == ("IR-62",):  # a good count out of time (with a short one IR-61 rules)
        seat = opened.case.seat
        m.conduct = tuple(has + (each == seat) for each, has in enumerate(m.conduct))
    _write_ruling(m, opened, settled, option, chosen_by)
    _note_heard(m, opened.case, option, settled)
    if settled.match_lost:
        cause = "time" if opened.case.happening == "time_out" else "conduct"
        forfeit_match(m, opened.case.seat, cause=cause)
    elif settled.fresh_deal:
        begin_deal(m, deal=m.deal, attempt=m.attempt + 1)
    elif settled.dealer != NOBODY:
        m.dealer = settled.dealer
        begin_deal(m, deal=m.deal + 1, attempt=1)
    return settled.then


def _note_heard(m: Match, case: Case, option: str, settled: Settled) -> None:
    """Note that an act has been ruled on, and with it what is taken back: what its author did since, and cards played."""
    back = settled.position
    reopened = back is not None and (back.hands, back.table) == (case.before.hands, case.before.table)
    since = (
        each.number
        for each in m.past
        if each.number > case.number and (each.seat == case.seat or (reopened and each.act.kind in _CARDS))
    )
    back_now = (case.number, *since) if option == "undo" else ()
    m.undone += back_now
    m.heard += back_now or (case.number,)


def _write_ruling(m: Match, opened: OpenCase, settled: Settled, option: str, chosen_by: str) -> None:
    judgement = opened.judgement
    write(
        m,
        "ruled",
        case=opened.number,
        number=opened.case.number,
        act=_act_of(opened.case),
        laws=list(judgement.laws),
        kind=judgement.kind.value,
        offender=views.seat_name(judgement.offender),
        facts=judgement.facts,
        options=list(opened.options),
        option=option,
        chosen_by=chosen_by,
        award=award_of(settled),
        after=_after(settled),
    )


def _act_of(case: Case) -> dict[str, Any] | None:
    return None if case.act is None else act_json(case.act)


def award_of(settled: Settled) -> dict[str, Any] | None:
    """Return who is awarded how many game points where a case is so settled, or nothing."""
    result = settled.position.result if settled.position is not None else None
    return None if result is None else adjudicate.award_json(result)


def _after(settled: Settled) -> dict[str, Any] | None:
    """Return the position afterwards as everybody at the table sees it."""
    if settled.position is None:
        return None
    seen = views.view(settled.position, None)
    kept = ("phase", "turn", "leader", "sizes", "stock", "turn_up", "table", "tricks", "to_draw", "closed_by", "barred")
    return {name: seen[name] for name in kept}
