"""Objections: why an act of the seat on turn is irregular now; the one source of legality.

An objection is a function from a position to the mask of acts it forbids there.  Each is
listed with its phases and with the option values under which it speaks; those that a
rule-set silences are left out when its list is made.  What is lawful is what the phase has
in order, minus what the objections forbid.

Laws: IR-35, 42, 43, 46, 51, 52, 55, 57.  Whose turn it is is judged in `irregular`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from referee.rules import acts
from referee.rules.cards import (
    ABOVE,
    BEATEN_BY,
    COURT,
    KINGS,
    QUEENS,
    SUIT_MASKS,
    SUIT_OF,
)
from referee.rules.options import Options
from referee.rules.positions import (
    DRAW,
    FOLLOW,
    LEAD,
    Position,
    exhausted,
)

#: The bits of marriages lie this far above those of the cards led.
MARRY_SHIFT: Final = acts.act(acts.MARRY, card=0).index
MARRIAGES: Final = COURT << MARRY_SHIFT
CARDS_AND_MARRIAGES: Final = (1 << 2 * MARRY_SHIFT) - 1
EXCHANGE_BIT: Final = acts.act(acts.EXCHANGE).bit
CLOSE_BIT: Final = acts.act(acts.CLOSE).bit

Forbids = Callable[[Position], int]


@dataclass(frozen=True, slots=True)
class Objection:
    """One reason why an act is irregular: a code, the law that rules on it, the rule point.

    `law` is empty where no law speaks of it; such an act is only ever refused.
    """

    code: str
    law: str
    rule: str
    detail: str


@dataclass(frozen=True, slots=True)
class Listed:
    """An objection with the function that raises it, and where it speaks."""

    objection: Objection
    forbids: Forbids
    phases: tuple[str, ...]
    when: Callable[[Options], bool]
    rare: bool
    #: The acts it could ever forbid; it is asked only where one of them is in order.
    touches: int


_LISTED: list[Listed] = []


def _always(_: Options) -> bool:
    return True


def objection(
    code: str,
    detail: str,
    *,
    law: str,
    rule: str,
    phases: tuple[str, ...],
    when: Callable[[Options], bool] = _always,
    touches: int,
    rare: bool = False,
) -> Callable[[Forbids], Forbids]:
    """List a function as an objection; a `rare` one is asked only while something is odd."""

    def listed(forbids: Forbids) -> Forbids:
        _LISTED.append(Listed(Objection(code, law, rule, detail), forbids, phases, when, rare, touches))
        return forbids

    return listed


@objection(
    "mate_not_held", "the other card of the marriage is not in hand",
    law="IR-43", rule="R-31", phases=(LEAD,),
    touches=MARRIAGES,
)  # fmt: skip
def mate_not_held(p: Position) -> int:
    """Forbids announcing a marriage of which one card is missing."""
    hand = p.hands[p.turn]
    kings = hand & (hand >> 1) & KINGS
    return (hand & COURT & ~(kings | kings << 1)) << MARRY_SHIFT


@objection(
    "marriage_on_opening_lead", "no marriage is announced on the first lead of a deal",
    law="IR-42", rule="R-32", phases=(LEAD,), when=lambda o: o.marriage_opening_lead == "none",
    touches=MARRIAGES,
)  # fmt: skip
def marriage_on_opening_lead(p: Position) -> int:
    """Forbids marriages on the opening lead."""
    return 0 if p.tricks else MARRIAGES


@objection(
    "marriage_after_stock", "no marriage is announced once the stock is exhausted",
    law="IR-42", rule="R-36", phases=(LEAD,), when=lambda o: not o.marriage_after_stock,
    touches=MARRIAGES,
)  # fmt: skip
def marriage_after_stock(p: Position) -> int:
    """Forbids marriages after exhaustion."""
    return MARRIAGES if exhausted(p) else 0


@objection(
    "marriage_after_close", "no marriage is announced once the stock is closed",
    law="IR-42", rule="R-37", phases=(LEAD,), when=lambda o: not o.marriage_after_close,
    touches=MARRIAGES,
)  # fmt: skip
def marriage_after_close(p: Position) -> int:
    """Forbids marriages after closing."""
    return 0 if p.closing is None else MARRIAGES


@objection(
    "marriage_announced_before", "a marriage is announced once",
    law="IR-42", rule="R-38", phases=(LEAD,), rare=True,
    touches=MARRIAGES,
)  # fmt: skip
def marriage_announced_before(p: Position) -> int:
    """Forbids announcing the same marriage again (its first lead was taken back)."""
    mask = 0
    for each in p.marriages.announced:
        mask |= (SUIT_MASKS[each.suit] & COURT) << MARRY_SHIFT
    return mask


@objection(
    "exchange_without_trick", "the exchange needs a trick won before",
    law="IR-51", rule="R-20", phases=(DRAW, LEAD, FOLLOW), when=lambda o: o.nine_needs_trick,
    touches=EXCHANGE_BIT,
)  # fmt: skip
def exchange_without_trick(p: Position) -> int:
    """Forbids the exchange to a seat without a trick."""
    return 0 if p.counts[p.turn] or exchange_is_free(p, p.turn) else EXCHANGE_BIT


@objection(
    "exchange_of_last_card", "with no face-down card left the turn-up is not exchanged",
    law="IR-52", rule="R-22", phases=(DRAW, LEAD, FOLLOW),
    touches=EXCHANGE_BIT,
)  # fmt: skip
def exchange_of_last_card(p: Position) -> int:
    """Forbids the exchange when only the turn-up is left."""
    return 0 if p.stock or p.closing is not None else EXCHANGE_BIT


@objection(
    "exchange_off_lead", "the exchange needs the lead",
    law="IR-52", rule="R-21", phases=(FOLLOW,), when=lambda o: o.nine_window != "own_turn",
    touches=EXCHANGE_BIT,
)  # fmt: skip
def exchange_off_lead(p: Position) -> int:
    """Forbids the exchange to the follower."""
    return 0 if exchange_is_free(p, p.turn) else EXCHANGE_BIT


@objection(
    "exchange_before_drawing", "the exchange is made after drawing, just before leading",
    law="IR-52", rule="R-21", phases=(DRAW,), when=lambda o: o.nine_window == "on_lead_drawn",
    touches=EXCHANGE_BIT,
)  # fmt: skip
def exchange_before_drawing(_: Position) -> int:
    """Forbids the exchange to a trick's winner who has not drawn."""
    return EXCHANGE_BIT


@objection(
    "exchange_after_close", "the turn-up is not exchanged once the stock is closed",
    law="IR-52", rule="R-23", phases=(LEAD, FOLLOW),
    when=lambda o: o.nine_after_close != "either_with_trick",
    touches=EXCHANGE_BIT,
)  # fmt: skip
def exchange_after_close(p: Position) -> int:
    """Forbids the exchange over a closed stock."""
    return 0 if p.closing is None or exchange_is_free(p, p.turn) else EXCHANGE_BIT


def exchange_is_free(p: Position, seat: int) -> bool:
    """Tell whether a close has just given `seat` an exchange free of its usual conditions.

    `nine_after_close: opponent_at_close_free`: the other seat, from the close until it plays
    its next card (R-23).  `nine_after_opening_close`: a pone who closed on the opening lead
    (A-09).
    """
    closing = p.closing
    if closing is None or len(p.tricks) != closing.at:
        return False
    options = p.frame.options
    if seat == closing.closer:
        return options.nine_after_opening_close and not closing.at and not p.table
    return options.nine_after_close == "opponent_at_close_free"


@objection(
    "stock_too_small_to_close", "too few cards are left in the stock to close",
    law="IR-55", rule="R-53", phases=(DRAW, LEAD),
    touches=CLOSE_BIT,
)  # fmt: skip
def stock_too_small_to_close(p: Position) -> int:
    """Forbids closing a stock below `min_stock_to_close`."""
    return CLOSE_BIT if len(p.stock) + (p.turn_up >= 0) < p.frame.options.min_stock_to_close else 0


@objection(
    "close_before_first_lead", "the stock is not closed before the first lead",
    law="IR-55", rule="R-51", phases=(LEAD,), when=lambda o: not o.close_before_first_lead,
    touches=CLOSE_BIT,
)  # fmt: skip
def close_before_first_lead(p: Position) -> int:
    """Forbids closing before any trick."""
    return 0 if p.tricks else CLOSE_BIT


@objection(
    "close_before_drawing", "the stock is closed after drawing only",
    law="IR-55", rule="R-52", phases=(DRAW,), when=lambda o: not o.close_before_draw,
    touches=CLOSE_BIT,
)  # fmt: skip
def close_before_drawing(_: Position) -> int:
    """Forbids closing to a trick's winner who has not drawn."""
    return CLOSE_BIT


@objection(
    "privilege_of_closing_lost", "who looked at a quitted trick may not close in this deal",
    law="IR-57", rule="R-5B", phases=(DRAW, LEAD), rare=True,
    touches=CLOSE_BIT,
)  # fmt: skip
def privilege_of_closing_lost(p: Position) -> int:
    """Forbids closing to a seat that is barred."""
    return CLOSE_BIT if p.turn in p.aside.barred else 0


@objection(
    "shown_marriage_must_be_led", "a king or queen of the marriage shown must be led",
    law="IR-46", rule="R-34", phases=(LEAD,), rare=True,
    touches=CARDS_AND_MARRIAGES,
)  # fmt: skip
def shown_marriage_must_be_led(p: Position) -> int:
    """Forbids leading anything but the marriage shown; lapses when it can't be led (DESIGN 4)."""
    hand = p.hands[p.turn]
    owed = hand & COURT & sum(SUIT_MASKS[suit] for suit in p.aside.shown)
    if not owed:
        return 0
    return (hand | MARRIAGES) & ~(owed | owed << MARRY_SHIFT)


@objection(
    "duty_of_strict_play", "in strict play the suit led is followed",
    law="IR-35", rule="R-40", phases=(FOLLOW,), when=lambda o: o.strict_play == "follow_only",
    touches=CARDS_AND_MARRIAGES,
)  # fmt: skip
def must_follow_suit(p: Position) -> int:
    """Forbids another suit to a seat that can follow, in strict play."""
    if not p.strict:
        return 0
    hand = p.hands[p.turn]
    suit = hand & SUIT_MASKS[SUIT_OF[p.table[0]]]
    return hand & ~suit if suit else 0


@objection(
    "duty_of_strict_play", "in strict play one follows suit, heads the trick and trumps if able",
    law="IR-35", rule="R-40 to R-42", phases=(FOLLOW,),
    when=lambda o: o.strict_play == "follow_head_trump" and not o.partners,
    touches=CARDS_AND_MARRIAGES,
)  # fmt: skip
def must_follow_head_and_trump(p: Position) -> int:
    """Forbids what neither follows, heads nor trumps as far as the hand allows."""
    if not p.strict:
        return 0
    led = p.table[0]
    hand = p.hands[p.turn]
    suit = hand & SUIT_MASKS[SUIT_OF[led]]
    owed = (suit & ABOVE[led]) or suit or hand & BEATEN_BY[p.trump][led]
    return hand & ~owed if owed else 0


@objection(
    "duty_of_strict_play", "one follows suit, wins the trick and trumps if able, even against the partner",
    law="IR-35", rule="4.3, D-09", phases=(FOLLOW,),
    when=lambda o: o.strict_play == "follow_head_trump" and o.partners,
    touches=CARDS_AND_MARRIAGES,
)  # fmt: skip
def must_win_and_trump(p: Position) -> int:
    """Forbids what neither follows, wins nor trumps, where others may play in between.

    Once a plain suit is trumped who follows cannot win, and owes any card of the suit (C-07); one who
    is void and cannot overtrump owes a trump all the same if `undertrump` (C-06, D-10).
    """
    hand = p.hands[p.turn]
    owed = _owed_at_four(p, hand)
    return hand & ~owed if owed else 0


def _owed_at_four(p: Position, hand: int) -> int:
    best = p.table[0]
    for card in p.table[1:]:
        if BEATEN_BY[p.trump][best] >> card & 1:
            best = card
    suit = hand & SUIT_MASKS[SUIT_OF[p.table[0]]]
    if suit:
        return suit & BEATEN_BY[p.trump][best] or suit
    trumps = hand & SUIT_MASKS[p.trump]
    winning = trumps & BEATEN_BY[p.trump][best]
    return winning or (trumps if p.frame.options.undertrump else 0)


@objection(
    "exposed_card_is_played", "a card that was taken back is played at the first chance",
    law="", rule="IR-96", phases=(LEAD, FOLLOW), rare=True,
    touches=CARDS_AND_MARRIAGES,
)  # fmt: skip
def exposed_card_is_played(p: Position) -> int:
    """Forbids every other card while one that was played out of turn and taken back can be played."""
    hand = p.hands[p.turn]
    owed = hand & p.aside.exposed
    if not owed:
        return 0
    if p.table:
        follows_only = p.frame.options.strict_play == "follow_only"
        owed &= ~(must_follow_suit(p) if follows_only else must_win_and_trump(p))
    return (hand | MARRIAGES) & ~(owed | (owed & COURT) << MARRY_SHIFT) if owed else 0


def listed_for(options: Options, phase: str) -> tuple[Listed, ...]:
    """Return the objections that speak in a phase under these options, in their order."""
    return tuple(each for each in _LISTED if phase in each.phases and each.when(options))


def raised(p: Position, bit: int) -> tuple[Objection, ...]:
    """Return the objections to the act of that bit by the seat on turn, in their order."""
    listed = listed_for(p.frame.options, p.phase)
    return tuple(each.objection for each in listed if each.forbids(p) & bit)


def marriage_counts(p: Position, seat: int, suit: int) -> str:
    """Return what a marriage announced by `seat` at this lead counts: now, pending or void.

    Where no stock lies the stock is exhausted from the start.
    """
    options = p.frame.options
    closed_or_out = (
        (p.closing is not None and not options.marriage_after_close)
        or (exhausted(p) and not options.marriage_after_stock)
        or (not p.tricks and options.marriage_opening_lead == "none")
    )
    announced = any(each.suit == suit for each in p.marriages.announced)
    if closed_or_out or announced:
        return "void"
    return "now" if p.counts[seat] else "pending"


def holds_marriage(hand: int, suit: int) -> bool:
    """Tell whether a hand holds king and queen of a suit."""
    both = SUIT_MASKS[suit] & (KINGS | QUEENS)
    return hand & both == both


def may_demand(p: Position) -> bool:
    """Tell whether the seat on turn, an adversary, may ask for the mate of the marriage just announced (R-33)."""
    return (
        p.frame.options.marriage_proof == "on_demand"
        and not p.aside.asked
        and p.turn not in p.frame.sides[p.leader]
        and bool(p.marriages.announced)
        and p.marriages.announced[-1].suit == p.called
        and p.marriages.announced[-1].counts != "void"
        and not p.marriages.announced[-1].shown
    )
