"""Claim windows: until when an irregularity is heard, told from what happened since (RULES 3.4).

A law names the events that close its window; no window closes before the claimant has once been
asked since the act; while dealing goes on one who does not watch counts as asked at once.  What
an attendant does closes a window of dealing, but waives nothing.  Claims count for a side: either
opponent of who did the act is asked, and waives, for both.
"""

from collections.abc import Callable
from typing import Final

from referee.laws.law import Law
from referee.match.state import Match, Past
from referee.rules import acts
from referee.rules.positions import BIDDING, DEALING, PLAYING, SCORED

_CARDS: Final = (acts.PLAY, acts.MARRY)

Seats = tuple[int, ...]
Closes = Callable[[Past, Past, Seats], bool]


def _other_plays(_act: Past, later: Past, others: Seats) -> bool:
    return later.seat in others and not later.attendant and later.act.kind in _CARDS


def _other_draws(_act: Past, later: Past, others: Seats) -> bool:
    return later.seat in others and not later.attendant and later.act.kind == acts.DRAW


def _other_closes(_act: Past, later: Past, others: Seats) -> bool:
    return later.seat in others and later.act.kind == acts.CLOSE


def _first_card(_act: Past, later: Past, _others: Seats) -> bool:
    return later.act.kind == acts.DEAL


def _trump_turned(_act: Past, later: Past, _others: Seats) -> bool:
    return later.act.kind == acts.TURN_UP or later.before.phase in PLAYING or later.before.phase == BIDDING


def _card_led(_act: Past, later: Past, _others: Seats) -> bool:
    return later.act.kind in _CARDS and not later.before.table


def _next_bid(_act: Past, later: Past, _others: Seats) -> bool:
    return later.before.phase == BIDDING and later.act.kind in (acts.BID, acts.PASS)


def _any_draw(_act: Past, later: Past, _others: Seats) -> bool:
    return later.act.kind == acts.DRAW


def _due_draw(act: Past, later: Past, _others: Seats) -> bool:
    return later.act.kind == acts.DRAW and later.seat == act.seat and act.seat in later.before.to_draw


def _first_trick_turned(_act: Past, later: Past, _others: Seats) -> bool:
    tricks = later.before.tricks
    return len(tricks) >= 1 and later.act.kind not in acts.BY_PLAY and later.seat == tricks[0][1]


#: The events that close windows, by the names the laws give them.
EVENTS: Final[dict[str, Closes]] = {
    "other_plays": _other_plays,
    "other_draws": _other_draws,
    "other_closes": _other_closes,
    "first_card_dealt": _first_card,
    "trump_turned": _trump_turned,
    "card_led": _card_led,
    "next_bid": _next_bid,
    "card_drawn": _any_draw,
    "offenders_due_draw": _due_draw,
    "first_trick_turned": _first_trick_turned,
}


def is_open(m: Match, law: Law, act: Past) -> bool:
    """Tell whether a law still hears a claim on an act of the running deal."""
    if law.until and m.position.phase == SCORED:
        return False  # after the end only what runs to its confirmation is heard
    if "established" in law.until and established(m, act):
        return False
    closes = [EVENTS[name] for name in law.until if name in EVENTS]
    later = m.past[m.past.index(act) + 1 :]
    others = opponents(act)
    closed = False
    watched = any("watch" in m.terms.seats[each].chores for each in others)
    asked = at_once = act.before.phase in DEALING and not watched
    for each in later:
        asked = asked or _is_asked(each, others)
        closed = closed or any(event(act, each, others) for event in closes)
        acts_on = each.seat in others and not each.attendant and each.act.kind not in acts.BY_PLAY
        if closed and asked and (acts_on or at_once or not _closed_unasked(act, later, closes)):
            return False
    return True


def opponents(act: Past) -> Seats:
    """Return the seats against whom an act was done, if it was irregular: any of them claims it, or lets it pass."""
    return act.before.frame.opponents(act.seat)


def _is_asked(later: Past, others: Seats) -> bool:
    """Tell whether one of those seats was asked before an act: it was on turn, or it confirms."""
    if later.act.kind == acts.CONFIRM:
        return later.seat in others
    return later.before.turn in others and not later.attendant


def _closed_unasked(act: Past, later: tuple[Past, ...], closes: list[Closes]) -> bool:
    """Tell whether the window was shut before any opponent had once been asked since the act."""
    others = opponents(act)
    for each in later:
        if _is_asked(each, others):
            return False
        if any(event(act, each, others) for event in closes):
            return True
    return False


def closing(m: Match, law: Law, act: Past) -> Past | None:
    """Return the first act since by which a law's window for that act closed, or nothing."""
    closes = [EVENTS[name] for name in law.until if name in EVENTS]
    later = m.past[m.past.index(act) + 1 :]
    others = opponents(act)
    return next((each for each in later if any(event(act, each, others) for event in closes)), None)


def established(m: Match, act: Past) -> bool:
    """Tell whether a revoke's trick has been quitted: its winner has acted, a card was led, or the deal has ended."""
    p = m.position
    tricks = len(act.before.tricks) + 1
    if p.phase == SCORED or p.table or len(p.tricks) > tricks:
        return len(p.tricks) >= tricks and act.act.kind in _CARDS
    later = m.past[m.past.index(act) + 1 :]
    return any(
        len(each.before.tricks) == tricks
        and each.seat == each.before.tricks[-1][1]
        and each.act.kind not in acts.BY_PLAY
        and not each.attendant
        for each in later
    )
