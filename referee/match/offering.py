"""Offering a choice: a case is put to the seat that chooses, and the table waits for it."""

from referee.laws import adjudicate
from referee.laws.law import Case
from referee.match.state import Match, OpenCase, write
from referee.rules import views
from referee.rules.cards import SEATS


def offer(m: Match, opened: OpenCase) -> None:
    """Put the options of a case on a draft to its elector."""
    m.case = opened
    judgement = opened.judgement
    write(
        m,
        "case_opened",
        case=opened.number,
        number=opened.case.number,
        laws=list(judgement.laws),
        offender=views.seat_name(judgement.offender),
        elector=SEATS[judgement.elector],
        facts=judgement.facts,
        options=adjudicate.offered(opened.case, judgement, opened.options),
    )


def offer_deal(m: Match, seat: int) -> None:
    """Let the seat that has cut the highest card choose who deals first (R-02): no irregularity, so no law is cited."""
    m.cases += 1
    p = m.position
    case = Case(m.version, seat, p, p)
    judgement = adjudicate.choice_of_deal(p, seat)
    opened = OpenCase(m.cases, case, judgement, judgement.options)
    m.docket += (opened,)
    offer(m, opened)
