"""What a seat sees and is asked, on the wire: the view and the prompt, member by member."""

from typing import Any, Final

import marshmallow as ma

from referee.match.causes import CAUSES
from referee.rules.acts import PLACES
from referee.rules.cards import RANKS, SEATS, SUITS
from referee.web.schemas import Answer, flag, many, one, text, texts
from referee.web.schemas import number as whole
from referee.web.schemas.acts import act_field

PHASES: Final = (
    "cut_for_deal", "shuffle", "cut", "deal", "turn_up", "bid", "draw", "lead", "follow", "answer", "confirm", "scored",
)  # fmt: skip
_CARD: Final = {"pattern": f"^[{RANKS}][{SUITS}]$", "example": "AS"}


def _seat(description: str, **settings: Any) -> ma.fields.String:
    return _word(description, SEATS, **settings)


def _suit(description: str, **settings: Any) -> ma.fields.String:
    return _word(description, SUITS, **settings)


def _word(description: str, words: Any, **settings: Any) -> ma.fields.String:
    # OpenAPI 3.1 wants null among the words where it is allowed.
    choices = [*words, None] if settings.get("allow_none") else list(words)
    return text(description, metadata={"enum": choices}, **settings)


def _card(description: str, **settings: Any) -> ma.fields.String:
    return text(description, metadata=_CARD, **settings)


def _cards(description: str, *, required: bool = True) -> ma.fields.List[Any]:
    return ma.fields.List(ma.fields.String(metadata=_CARD), required=required, metadata={"description": description})


def _seats(description: str, *, required: bool = True) -> ma.fields.List[Any]:
    listed = ma.fields.String(metadata={"enum": list(SEATS)})
    return ma.fields.List(listed, required=required, metadata={"description": description})


def _suits(description: str) -> ma.fields.List[Any]:
    listed = ma.fields.String(metadata={"enum": list(SUITS)})
    return ma.fields.List(listed, required=True, metadata={"description": description})


def _by_seat(description: str, *, required: bool = True) -> ma.fields.Dict:
    about = {"description": description, "example": {"a": 2, "b": 1}}
    return ma.fields.Dict(values=ma.fields.Integer(), required=required, metadata=about)


class PlacedCard(Answer):
    """A card that lies open, and the seat it came from."""

    seat = _seat("who played or cut it")
    card = _card("the card")


class Trick(Answer):
    """A trick that is over."""

    leader = _seat("who led")
    cards = _cards("the card led, then the cards that followed, in order")
    winner = _seat("who won it")


class SeenTrick(Trick):
    """A quitted trick that the seat has looked at."""

    trick = whole("its number, from 1")


class DrawnCard(Answer):
    """A draw as all saw it: not the card."""

    seat = _seat("who drew")
    place = _word("where from", PLACES, data_key="from")


class LiftedCards(Answer):
    """Two cards lifted in one draw that is not settled yet."""

    seat = _seat("who lifted them")
    cards = whole("how many")


class AnnouncedMarriage(Answer):
    """A marriage as it was announced."""

    seat = _seat("who announced it")
    suit = _suit("its suit")
    amount = whole("what it counts")
    shown = flag("whether both its cards have been shown")
    counts = _word("whether it counts: pending waits for a trick, void never counts", ("now", "pending", "void"))


class BidMade(Answer):
    """One seat's turn to bid."""

    seat = _seat("who bid or passed")
    ticks = whole("the bid; null for a pass", allow_none=True)


class Looked(Answer):
    """A look that all have seen."""

    seat = _seat("who looked")
    trick = whole("number of the trick; 0 for the top card of the stock")


class DealResult(Answer):
    """How a deal has ended, before the carry; it may be replaced till it is confirmed."""

    cause = text(
        "why it ended: " + "; ".join(f"{name}, {each.meaning}" for name, each in CAUSES.items() if each.deal),
        validate=ma.validate.OneOf([name for name, each in CAUSES.items() if each.deal]),
        metadata={"example": "declared"},
    )
    winner = _seat("who scores, of partners one of them; null where nobody does", allow_none=True)
    game_points = whole("how many, without the carry")
    counts = _by_seat("card points and marriages; partners have those of their side")
    scores = _by_seat(
        "game points of every seat, without the carry; only where they are not simply the winner's", required=False
    )


class View(Answer):
    """What a seat, or a spectator, may know of the table; nothing in it is hidden from the one it is given to."""

    seat = _seat("the seat whose view it is; null for a spectator", allow_none=True)
    ruleset = text("name of the rule-set", metadata={"example": "house"})
    deal = whole("number of the deal, from 1; 0 while the seats cut for deal")
    attempt = whole("number of the attempt at this deal, from 1: a fresh deal is a further one")
    phase = _word("what is to be done", PHASES)
    turn = _seat("the seat whose turn it is; null once the deal is scored", allow_none=True)
    dealer = _seat("who deals; null while the seats cut for deal", allow_none=True)
    leader = _seat("who leads, or has led, to the trick; null until the cards are dealt", allow_none=True)
    trump = _suit("the trump suit; null until it is made", allow_none=True)
    turn_up = _card(
        "the turn-up, while it lies face up, in four-handed play until the dealer has played to the first trick;"
        " null otherwise",
        allow_none=True,
    )
    hand = ma.fields.List(
        ma.fields.String(metadata=_CARD),
        metadata={"description": "the seat's own cards, once the deal is complete; a spectator's view has none"},
    )
    sizes = _by_seat("how many cards each hand has, under every seat of the table; the example is of two")
    stock = whole("how many cards the stock has, the turn-up among them")
    table = many(PlacedCard, "the cards of the trick being played, the lead first")
    tricks = _by_seat("how many tricks each seat has won; partners have those of their side")
    last_trick = one(Trick, "the last trick while it lies open; null otherwise", allow_none=True)
    to_draw = _seats("the seats that have yet to draw, in order")
    drawn = many(DrawnCard, "the draws since the last trick")
    lifted = one(LiftedCards, "a draw of two cards that is not settled; null otherwise", allow_none=True)
    marriages = many(AnnouncedMarriage, "the marriages announced in this deal")
    called = _suit("suit of the marriage announced with the lead that lies on the table", allow_none=True)
    shown = _suits("suits of the marriages shown unled since the last trick")
    open = ma.fields.Dict(
        values=ma.fields.String(metadata={"enum": [*SEATS, "turn_up", "stock"]}),
        required=True,
        metadata={
            "description": "where each card lies that everybody has seen and that is not played: a seat's hand, or where",
            "example": {"9S": "turn_up", "KS": "b"},
        },
    )
    closed_by = _seat("who closed the stock; null while nobody has", allow_none=True)
    looked = many(Looked, "who has looked at a quitted trick or the stock")
    seen_tricks = ma.fields.List(
        ma.fields.Nested(SeenTrick),
        metadata={"description": "the quitted tricks the seat has looked at; a spectator's view has none"},
    )
    barred = _seats("the seats that may not close in this deal")
    peeked = _cards("the cards of the stock the seat has looked at; only where there are any", required=False)
    laid_open = many(Trick, "the other's tricks, which the seat may look at (IR-81); only where so", required=False)
    confirming = _seats("the seats that are asked to confirm; only in the phase confirm", required=False)
    result = one(DealResult, "how the deal ended; only once it is scored", required=False)
    cuts = many(PlacedCard, "the cards shown in cutting for deal; only where there are any", required=False)
    piles = many(Trick, "every trick of the deal, in order; only once it is scored", required=False)
    resting = _seat(
        "the dealer who takes no cards in this deal, null where nobody rests; only in games where the dealer rests",
        allow_none=True,
        required=False,
    )
    out = _seat(
        "the seat left out of this deal: who has won already while the others play on, or the partner of who bid the"
        " Moon; only where there is one",
        required=False,
    )
    partner = _seat("the seat's partner; only in games of partners, and not for a spectator", required=False)
    bids = many(BidMade, "bids and passes, in order; only in games with bidding", required=False)
    cancelled_bids = many(BidMade, "those that were ruled out; only in games with bidding", required=False)
    bidder = _seat(
        "who made the highest bid, null until all have had their turn; only in games with bidding",
        allow_none=True,
        required=False,
    )
    tens = _by_seat("game points taken at once with the ten of trumps; only where there are any", required=False)
    early = many(
        PlacedCard, "cards laid on the table before their seat's turn; only where there are any", required=False
    )
    exposed = _cards(
        "cards taken back that their owner plays at the first chance (IR-96); only where there are any", required=False
    )
    score = _by_seat("game points")
    target = whole("game points that win the match")
    carry = whole("game points carried over from drawn deals, for whoever wins this one")


class PromptClock(Answer):
    """What is left on the seat's clock, in milliseconds."""

    act_ms = whole("allowance for each act")
    bank_ms = whole("what is left of the bank")
    increment_ms = whole("what the bank gains by each act", required=False)
    left_ms = whole("what is left for this act: of the allowance, the bank and the network grace")
    charged_ms = whole("what the seat's last act was charged: the round trip less the network grace", allow_none=True)
    round_trip_ms = whole("from the delivery of the last prompt to the arrival of its act", allow_none=True)
    from_bank_ms = whole("what of that charge came from the bank", required=False)
    why = text(
        "in_time, the allowance was enough; bank, what was over came from the bank; free, by-play and elections cost no bank; "
        "time_out, the time ran out. Null before the seat's first act",
        required=False,
        allow_none=True,
    )


class Award(Answer):
    """Who gets how many game points."""

    seat = _seat("who gets them")
    game_points = whole("how many")
    scores = _by_seat("game points of every seat, where they are not simply the winner's", required=False)


class Remedy(Answer):
    """One remedy to choose among."""

    option = text(
        "what to send as `option` of elect: undo, mend, accept, face, end_deal, fresh_deal; give:CARD, top:CARD, keep:CARD, "
        "trump:CARD (which of two cards), deal:SEAT (who deals first)",
        metadata={"example": "accept"},
    )
    effect = text("what comes of it, in words")
    default = flag("true for the one that is taken when time runs out; absent for the others", required=False)
    award = one(Award, "what it awards, where it ends the deal", required=False)


class Prompt(Answer):
    """A question to a seat: choosing an element of `lawful` and posting it with `version` is a correct bot."""

    match = text("id of the match", metadata={"example": "mat_01j9"})
    version = whole("send it back with the act")
    seat = _seat("the seat that is asked")
    view = one(View, "what the seat sees")
    lawful = ma.fields.List(
        act_field(), required=True, metadata={"description": "every lawful act, complete; never empty"}
    )
    own_risk = ma.fields.List(
        act_field(),
        required=True,
        metadata={
            "description": "declare and show where they are in time; whether the count is good is for the seat to know"
        },
    )
    clock = one(PromptClock, "the seat's time", required=False)
    case = whole("only where a remedy is to be chosen: number of the case", required=False)
    laws = texts(
        "only where a remedy is to be chosen: the laws that speak; none where the highest cut chooses who deals",
        required=False,
    )
    options = many(Remedy, "only where a remedy is to be chosen: the remedies, the default first", required=False)
