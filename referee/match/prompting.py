"""Prompts and views of a match: what a seat is asked, and what it may know."""

from typing import Any

from referee.laws import adjudicate
from referee.match.state import Match
from referee.match.table import HANDS
from referee.rules import play, views
from referee.rules.acts import BODIES
from referee.rules.cards import SEATS
from referee.rules.positions import DEALING


def lawful_bodies(m: Match) -> list[dict[str, Any]]:
    """Return every lawful act of the seat asked, ready to be sent back; not to be changed."""
    if m.case is not None:
        number = m.case.number
        return [{"act": "elect", "case": number, "option": option} for option in m.case.options]
    if m.confirming:
        return [{"act": "confirm"}]
    return play.lawful_bodies(m.position)


def view(m: Match, seat: int | None) -> dict[str, Any]:
    """Return what a seat sees, or a spectator (None): the table, the score, the deal's number."""
    seen = views.view(m.position, seat)
    seen["ruleset"] = m.terms.ruleset.name
    seen["deal"] = m.deal
    seen["attempt"] = m.attempt
    seen["score"] = views.by_seat(m.score)
    seen["target"] = m.position.frame.options.target
    seen["carry"] = m.carry
    if m.confirming:
        seen["phase"] = "confirm"
        seen["confirming"] = [SEATS[each] for each in m.confirming]
    if seat is not None and (m.confirming or m.case is not None) and _is_not_taken_up(m, seat):
        seen["hand"] = []
    return seen


def _is_not_taken_up(m: Match, seat: int) -> bool:
    """Tell whether a seat has not looked at its hand yet: it is asked something that hangs on that.

    That is at the stop before hands are taken up, or in a choice upon a fault of the deal (IR-07, 09, 10).
    """
    if m.stop == HANDS and seat in m.confirming:
        return True
    if m.case is None:
        return False
    case, elector = m.case.case, m.case.judgement.elector
    return seat == elector and case.unseen and case.before.phase in DEALING


def prompt(m: Match, seat: int) -> dict[str, Any]:
    """Return what a seat is asked now; the clock is added by the caller, who changes nothing that lies in it.

    Raises `ValueError` for a seat that is not asked.
    """
    if seat not in m.asked:
        raise ValueError(f"seat {SEATS[seat]} is not asked at version {m.version}")
    risked = () if m.case or m.confirming else play.own_risk(m.position)
    asked: dict[str, Any] = {
        "match": m.terms.match_id,
        "version": m.version,
        "seat": SEATS[seat],
        "view": view(m, seat),
        "lawful": lawful_bodies(m),
        "own_risk": [BODIES[one] for one in risked],
    }
    if m.case is not None:
        case = m.case
        asked["case"] = case.number
        asked["laws"] = list(case.judgement.laws)
        asked["options"] = adjudicate.offered(case.case, case.judgement, case.options)
    return asked
