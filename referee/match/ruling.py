"""Rulings at the table: opening a case, offering the options, settling it, writing it down."""

from typing import Any

from referee.laws import adjudicate
from referee.laws.adjudicate import Settled
from referee.laws.law import Case
from referee.match.state import Match, OpenCase, write
from referee.match.table import begin_deal, end_match
from referee.rules import views
from referee.rules.acts import act_json
from referee.rules.cards import SEATS


def weigh(m: Match, case: Case) -> None:
    """Rule on a case of a draft, or offer the choice; nothing happens where no law speaks."""
    judgement = adjudicate.judge(case)
    if judgement is None:
        return
    m.cases += 1
    opened = OpenCase(m.cases, case, judgement, judgement.options)
    if judgement.elector < 0:
        _settle(m, opened, judgement.options[0], chosen_by="law")
        return
    _offer(m, opened)


def _offer(m: Match, opened: OpenCase) -> None:
    m.case = opened
    judgement = opened.judgement
    write(
        m,
        "case_opened",
        case=opened.number,
        number=opened.case.number,
        laws=list(judgement.laws),
        offender=SEATS[judgement.offender],
        elector=SEATS[judgement.elector],
        facts=judgement.facts,
        options=adjudicate.offered(opened.case, judgement, opened.options),
    )


def elect(m: Match, option: str, *, chosen_by: str) -> None:
    """Settle the case of a draft by the option that was chosen, or by its default."""
    opened = m.case
    assert opened is not None
    m.case = None
    _settle(m, opened, option, chosen_by=chosen_by)


def _settle(m: Match, opened: OpenCase, option: str, *, chosen_by: str) -> None:
    settled = adjudicate.settle(opened.case, opened.judgement, option)
    if settled.further:
        assert settled.position is not None
        m.position = settled.position
        _offer(m, OpenCase(opened.number, opened.case, opened.judgement, settled.further))
        return
    if settled.position is not None:
        m.position = settled.position
    if opened.judgement.laws == ("IR-62",):  # a good count out of time (with a short one IR-61 rules)
        seat = opened.case.seat
        m.conduct = tuple(has + (each == seat) for each, has in enumerate(m.conduct))
    _write_ruling(m, opened, settled, option, chosen_by)
    if settled.match_lost:
        cause = "time" if opened.case.happening == "time_out" else "conduct"
        end_match(m, winner=1 - opened.case.seat, cause=cause)
    elif settled.fresh_deal:
        begin_deal(m, deal=m.deal, attempt=m.attempt + 1)


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
        offender=SEATS[judgement.offender],
        facts=judgement.facts,
        options=list(opened.options),
        option=option,
        chosen_by=chosen_by,
        award=_award(settled),
        after=_after(settled),
    )


def _act_of(case: Case) -> dict[str, Any] | None:
    return None if case.act is None else act_json(case.act)


def _award(settled: Settled) -> dict[str, Any] | None:
    result = settled.position.result if settled.position is not None else None
    if result is None or settled.match_lost:
        return None
    return {"seat": views.seat_name(result.winner), "game_points": result.game_points}


def _after(settled: Settled) -> dict[str, Any] | None:
    """Return the position afterwards as everybody at the table sees it."""
    if settled.position is None:
        return None
    seen = views.view(settled.position, None)
    kept = ("phase", "turn", "leader", "sizes", "stock", "turn_up", "table", "tricks", "to_draw", "closed_by", "barred")
    return {name: seen[name] for name in kept}
