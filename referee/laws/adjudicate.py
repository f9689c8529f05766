"""Adjudication: from an irregularity to a ruling, or to a choice that somebody has.

One act makes one case, and every law that finds something in it is cited.  Remedies that end
the deal or redo it come first, then other fixed ones, then one choice among the union of the
options; whoever takes one law's option takes the default of the others (RULES 3.5, MODEL
2.3).
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from referee.laws import book, remedies
from referee.laws.law import ACT, DEFAULT_ORDER, REVOKES, Case, Effect, Finding, Kind, Law
from referee.rules import acts, play, scoring, sides, views
from referee.rules.acts import Act
from referee.rules.cards import CARD_NAMES, SEATS, card
from referee.rules.positions import NOBODY, Position, Result, dealing_seat

_USUAL: Final[dict[str, Effect]] = {
    "undo": remedies.undo,
    "accept": remedies.accept,
    "fresh_deal": remedies.fresh_deal,
}
#: Prescribed remedies that leave no choice, whatever else is cited, strongest first.
_ENDING: Final = ("end_match", "fresh_deal", "end_deal")
_GIVE, _TOP, _KEEP, _TRUMP, _DEAL = "give:", "top:", "keep:", "trump:", "deal:"


@dataclass(frozen=True, slots=True)
class Cited:
    """A law with what it found."""

    law: Law
    finding: Finding

    @property
    def options(self) -> tuple[str, ...]:
        """The options this law gives here, the default first."""
        return self.finding.options or self.law.options

    @property
    def kind(self) -> Kind:
        """The kind of ruling this law leads to here."""
        return self.finding.kind or self.law.kind


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the laws make of a case: who offended, and what is prescribed or offered.

    `elector` is the seat that chooses among `options`, the default first; -1 where nobody is
    asked and the only option is taken.
    """

    cited: tuple[Cited, ...]
    kind: Kind
    offender: int
    elector: int
    options: tuple[str, ...]
    facts: dict[str, Any]

    @property
    def laws(self) -> tuple[str, ...]:
        """The ids of the laws cited."""
        return tuple(each.law.id for each in self.cited)


@dataclass(frozen=True, slots=True)
class Settled:
    """A case decided: the position after it, or a fresh deal, the `dealer` chosen, or a further choice first."""

    position: Position | None
    then: Act | None = None
    fresh_deal: bool = False
    match_lost: bool = False
    dealer: int = NOBODY
    further: tuple[str, ...] = ()


def judge(case: Case, *, only: frozenset[str] | None = None) -> Judgement | None:
    """Return what the laws make of a case, or nothing if none speaks of it.

    `only` names the laws that may speak, where the others are not heard any more.
    """
    cited = tuple(
        Cited(law, finding)
        for law in book.laws()
        if (only is None or law.id in only) and (finding := law.condition(case)) is not None
    )
    found = {each.law.id for each in cited}
    cited = tuple(each for each in cited if not found.intersection(each.law.yields_to))
    if not cited:
        return None
    facts: dict[str, Any] = {}
    for each in cited:
        facts.update(each.finding.facts)
    offender = cited[0].finding.offender
    own = next((each for each in cited if each.law.elector == "offender"), None)
    if own is not None:  # IR-33 first: which card was it?
        return Judgement((own,), Kind.CHOICE, offender, case.seat, own.options, facts)
    fixed = [each for each in cited if each.kind != Kind.CHOICE]
    chosen = next((o for o in _ENDING if any(o in each.options for each in fixed)), "")
    if chosen or len(fixed) == len(cited):
        option = chosen or next((o.options[0] for o in fixed if o.kind == Kind.PRESCRIBED), fixed[0].options[0])
        kind = next(each.kind for each in fixed if option in each.options)
        return Judgement(cited, kind, offender, -1, (option,), facts)
    options = _union(tuple(each for each in cited if each.kind == Kind.CHOICE))
    return Judgement(cited, Kind.CHOICE, offender, _elector(case, cited), options, facts)


def _union(cited: tuple[Cited, ...]) -> tuple[str, ...]:
    found = list(dict.fromkeys(option for each in cited for option in each.options))
    if len(cited) == 1:
        return tuple(found)
    first = next((option for option in DEFAULT_ORDER if option in found), found[0])
    return (first, *(option for option in found if option != first))


def _elector(case: Case, cited: tuple[Cited, ...]) -> int:
    electors = {each.law.elector for each in cited if each.kind == Kind.CHOICE}
    if "offender" in electors or "closer" in electors:
        return case.seat
    frame = case.before.frame
    opponents = frame.opponents(case.seat)
    if "dealer" in electors and dealing_seat(case.before) in opponents:
        return dealing_seat(case.before)
    if "pone" in electors and frame.pone in opponents:
        return frame.pone
    return next_opponent(case.before, case.seat)


def next_opponent(p: Position, seat: int) -> int:
    """Return the adversary of `seat` who is on turn, or the next in turn: he chooses for his side (IR-96)."""
    opponents, turn = p.frame.opponents(seat), p.turn
    while turn not in opponents:
        turn = p.frame.following[turn]
    return turn


def choice_of_deal(p: Position, seat: int) -> Judgement:
    """Return what is offered to the seat that has cut the highest card: who deals first (R-02, `first_dealer`).

    It deals itself if it says nothing.  The seats at the table are settled with that, since they count from the dealer.
    """
    order = [seat]
    while len(order) < p.frame.players:
        order.append((order[-1] + 1) % p.frame.players)
    facts = {"rule": "R-02", "cut": {SEATS[who]: CARD_NAMES[shown] for who, shown in p.aside.cuts}}
    return Judgement((), Kind.CHOICE, NOBODY, seat, tuple(_DEAL + SEATS[each] for each in order), facts)


def settle(case: Case, judgement: Judgement, option: str) -> Settled:
    """Return what follows when `option` is taken; it must be one of those offered."""
    if option.startswith(_GIVE):
        return Settled(remedies.give(card(option.removeprefix(_GIVE)), case))
    if option.startswith(_TOP):
        return Settled(remedies.put_on_top(card(option.removeprefix(_TOP)), remedies.face_top(case, case.present)))
    if option.startswith(_KEEP):
        return Settled(case.present, then=acts.act(acts.PLAY, card=card(option.removeprefix(_KEEP))))
    if option.startswith(_DEAL):
        return Settled(case.present, dealer=SEATS.index(option.removeprefix(_DEAL)))
    if option == "fresh_deal":
        return Settled(None, fresh_deal=True)
    if option == "end_match":
        return Settled(case.present, match_lost=True)
    if option == "end_deal":
        return Settled(play.end(case.present, result_of(case, judgement)))
    picks = {each.law: option if option in each.options else each.options[0] for each in judgement.cited}
    taken_back = "undo" in picks.values()
    now: Position | None = case.present
    # The trump is settled first: what else is put right takes cards from the stock that it leaves.
    for law, pick in sorted(picks.items(), key=lambda each: not each[1].startswith(_TRUMP)):
        effect = _effect_of(law, pick)
        if now is not None and (pick == "undo" or not taken_back):
            now = effect(case, now)
    return Settled(now, further=_further(case) if option == "face" else ())


def _effect_of(law: Law, pick: str) -> Effect:
    if pick.startswith(_TRUMP):
        return partial(remedies.make_trump, card(pick.removeprefix(_TRUMP)))
    return law.effects.get(pick) or _USUAL[pick]


def _further(case: Case) -> tuple[str, ...]:
    if case.act is not None and case.act.kind == acts.LOOK:
        return tuple(_TOP + CARD_NAMES[each] for each in remedies.top_two(case))
    return tuple(_GIVE + CARD_NAMES[each] for each in remedies.faced(case))


def result_of(case: Case, judgement: Judgement) -> Result:
    """Return how a deal ends by a ruling on this case: the result that the first such law gives."""
    before, after, ids = case.before, case.present, judgement.laws
    if "IR-37" in ids:
        return scoring.accused_falsely(after, case.seat, law=case.act.law if case.act else "")
    if case.happening != ACT:
        return scoring.time_out(before, case.seat)
    if REVOKES.intersection(ids):
        return _replacing(after, scoring.revoked(after, before, case.seat))
    if after.result is not None and judgement.kind != Kind.CHOICE:
        return after.result
    ending = next(each for each in judgement.cited if "end_deal" in each.options)
    return scoring.remedied(after, case.seat, law=ending.law.id)


def _replacing(after: Position, result: Result) -> Result:
    """Replace a deal's result by a revoke's; nobody gains by a further fault, so never by less (3.5 no. 8)."""
    other, won_by = after.result, after.frame.sides[result.winner]
    if other is None or other.winner not in won_by or other.game_points <= result.game_points:
        return result
    if after.frame.options.partners:
        return sides.awarded(after, result.winner, other.game_points, law=result.law, seat=result.seat)
    return replace(result, game_points=other.game_points)


def offered(case: Case, judgement: Judgement, options: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the options as they stand on the wire, each with its consequences; default first."""
    found = []
    for place, option in enumerate(options):
        entry: dict[str, Any] = {"option": option, "effect": _effect(judgement, option)}
        if option == "end_deal":
            result = result_of(case, judgement)
            entry["award"] = award_json(scoring.shared(case.present, result))
        if place == 0:
            entry["default"] = True
        found.append(entry)
    return found


def award_json(result: Result) -> dict[str, Any]:
    """Return an award as it stands on the wire; `scores` where it is not simply the winner's (4.2 to 4.4)."""
    winner = views.seat_name(result.winner)
    more = {"scores": views.by_seat(result.scores)} if result.scores else {}
    return {"seat": winner, "game_points": result.game_points, **more}


_IN_WORDS: Final = {
    "undo": "the act is taken back; cards seen stay known",
    "accept": "the act stands and play goes on",
    "mend": "the fault is put right and play goes on",
    "face": "both cards are faced, then you say which the offender takes",
    "end_deal": "the deal ends with the award",
    "fresh_deal": "the same dealer deals again",
    "bar": "the offender may not close in this deal",
    "end_match": "the match is lost",
}
_OF_A_LAW: Final = {
    ("IR-07", "mend"): "the short hand is filled from the top of the stock",
    ("IR-20", "accept"): "you draw the next card and play goes on",
    ("IR-21", "mend"): "the offender draws now and play goes on",
    ("IR-22", "mend"): "the offender plays next time without drawing; with no draw left the card goes back",
    ("IR-23", "accept"): "the offender keeps the top card, the other goes back",
    ("IR-43", "accept"): "the call is cancelled, the card led stands",
    ("IR-55", "undo"): "the stock is opened again",
    ("IR-55", "accept"): "the offender is bound as closer; strict play from the next lead",
    ("IR-57", "undo"): "the stock is opened again",
    ("IR-57", "accept"): "the offender is bound as closer",
    ("IR-81", "accept"): "the tricks of the offender's side lie open to the other",
    ("IR-96", "undo"): "the card is taken back and lies exposed, to be played at its owner's first lawful chance",
    ("IR-96", "accept"): "the card stands: a lead is played to, another card waits for its turn",
    ("IR-98", "mend"): "the bid is cancelled, and that seat bids again in its turn",
    ("IR-58", "undo"): "the other's card goes back on the stock; nobody draws",
    ("IR-58", "mend"): "both draw, then the stock is closed",
}


def _effect(judgement: Judgement, option: str) -> str:
    if option.startswith(_TOP):
        return f"{option.removeprefix(_TOP)} lies on top of the stock"
    if option.startswith(_KEEP):
        return f"{option.removeprefix(_KEEP)} stays, the other card is taken up"
    if option.startswith(_TRUMP):
        return f"{option.removeprefix(_TRUMP)} is the turn-up, the other card lies on top of the stock"
    if option.startswith(_DEAL):
        return f"seat {option.removeprefix(_DEAL)} deals first"
    if option.startswith(_GIVE):
        return f"the offender takes {option.removeprefix(_GIVE)}"
    for law_id in judgement.laws:
        if (law_id, option) in _OF_A_LAW:
            return _OF_A_LAW[law_id, option]
    return _IN_WORDS[option]
