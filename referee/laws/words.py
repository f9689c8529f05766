"""Cards, acts, remedies and their like in plain words, for the law book and the pages."""

from collections.abc import Callable, Mapping
from typing import Any, Final

SUITS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
RANKS: Final = {"A": "ace", "T": "ten", "K": "king", "Q": "queen", "J": "jack", "9": "nine", "8": "eight", "7": "seven"}
_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

Name = Callable[[str], str]


def suit_words(suit: str) -> str:
    """Return the name of a suit.

    >>> suit_words("S")
    'spades'
    """
    return SUITS.get(suit, suit)


def card_words(card: str) -> str:
    """Return the name of a card.

    >>> card_words("TH")
    'ten of hearts'
    """
    return f"{RANKS.get(card[:1], card[:1])} of {SUITS.get(card[1:], card[1:])}"


def card_sign(card: str) -> str:
    """Return a card as it is printed in card columns.

    >>> card_sign("TH")
    '10♥'
    """
    rank = "10" if card[:1] == "T" else card[:1]
    return f"{rank}{_SIGNS.get(card[1:], card[1:])}"


def gain_words(winner: str | None, points: int, scores: Mapping[str, int] | None = None) -> str:
    """Return what is scored by whom; `scores` are the game points of every seat where they are not simply the winner's.

    >>> gain_words("a", 2), gain_words("b", 1, {"a": -2, "b": 1, "c": -2, "d": 1}), gain_words(None, 0)
    ('a +2', 'a -2, b +1, c -2, d +1', 'nobody')
    """
    gained = {seat: has for seat, has in (scores or ({winner: points} if winner else {})).items() if has}
    return ", ".join(f"{seat} {has:+}" for seat, has in gained.items()) or "nobody"


#: The options of a choice, and the remedies that are prescribed, after "to" or "may".
_OPTIONS: Final = {
    "undo": "have it taken back",
    "mend": "have it put right",
    "accept": "let it stand",
    "face": "have both cards faced",
    "end_deal": "end the deal and score",
    "fresh_deal": "have it dealt afresh",
    "forfeited": "nothing: the claim comes too late",
    "keep": "keep one of the two cards",
}
_REMEDIES: Final = {
    "undo": "the act is taken back, and what was seen stays known",
    "mend": "the fault is put right and play goes on",
    "accept": "the act stands and play goes on",
    "face": "both cards are turned face up, and the one who chooses says which is taken, or lies on top",
    "end_deal": "the deal ends with the award",
    "fresh_deal": "the same dealer deals again",
    "bar": "the offender may not close for the rest of the deal",
    "keep": "one of the two cards stays, the other is taken up",
    "trump": "one of the two cards is the turn-up, the other lies on top of the stock",
    "end_match": "the match is lost",
}
_WITH_CARD: Final = {
    "give": "give the offender",
    "top": "put on top the",
    "keep": "keep the",
    "trump": "take for trump the",
}


def option_words(option: str, name: Name = card_words) -> str:
    """Return what an elector may do.

    >>> option_words("give:TS")
    'give the offender ten of spades'
    >>> option_words("deal:b")
    'have b deal first'
    """
    word, _, card = option.partition(":")
    if word == "deal":
        return f"have {card} deal first"
    if card:
        return f"{_WITH_CARD[word]} {name(card)}"
    return _OPTIONS.get(word, word.replace("_", " "))


def remedy_words(option: str) -> str:
    """Return what a remedy does.

    >>> remedy_words("fresh_deal")
    'the same dealer deals again'
    """
    return _REMEDIES.get(option, option.replace("_", " "))


def act_words(act: Mapping[str, Any], name: Name = card_words) -> str:
    """Return an act in words, with cards named by `name`.

    >>> act_words({"act": "play", "card": "TH"})
    'plays ten of hearts'
    >>> act_words({"act": "marry", "card": "KS", "lead": "JS"}, card_sign)
    'announces the marriage of K♠ but leads J♠'
    >>> act_words({"act": "elect", "case": 1, "option": "accept"})
    'chooses to let it stand'
    """
    kind = str(act.get("act"))
    spoken = _SPOKEN.get(kind)
    return spoken(act, name) if spoken is not None else _PLAIN.get(kind, kind.replace("_", " "))


_PLAIN: Final = {
    "close": "closes the stock",
    "declare": "declares 66",
    "demand": "asks to see the other card of the marriage",
    "pass": "passes",
    "confirm": "has nothing to claim",
    "concede": "concedes the deal",
    "resign": "resigns the match",
}
_PLACES: Final = {
    "bottom": "draws from the bottom of the stock",
    "middle": "draws from the middle of the stock",
    "turn_up": "takes the turn-up into the hand",
}


def _play(act: Mapping[str, Any], name: Name) -> str:
    also = f" and, with it, {name(act['also'])}" if "also" in act else ""
    return f"plays {name(act['card'])}{also}"


def _marry(act: Mapping[str, Any], name: Name) -> str:
    said = f", saying {act['amount']}" if "amount" in act else ""
    led = f" but leads {name(act['lead'])}" if "lead" in act else ""
    return f"announces the marriage of {name(act['card'])}{said}{led}"


def _draw(act: Mapping[str, Any], _name: Name) -> str:
    if act.get("from", "top") in _PLACES:
        return _PLACES[act["from"]]
    return "lifts two cards from the stock" if "cards" in act else "draws"


def _exchange(act: Mapping[str, Any], name: Name) -> str:
    return (
        f"leaves {name(act['card'])} for the turn-up" if "card" in act else "exchanges the lowest trump for the turn-up"
    )


def _cut(act: Mapping[str, Any], _name: Name) -> str:
    cards = "a single card" if act["at"] == 1 else f"{act['at']} cards"
    return f"lifts {cards} in cutting{', showing the last of them' if act.get('faced') else ''}"


def _deal(act: Mapping[str, Any], _name: Name) -> str:
    cards = "one card" if act["cards"] == 1 else f"{act['cards']} cards"
    return f"deals {cards} to {act['to']}{', showing one of them' if act.get('faced') else ''}"


def _look(act: Mapping[str, Any], _name: Name) -> str:
    return "looks at the top card of the stock" if "stock" in act else f"looks at trick {act['trick']}"


def _expose(act: Mapping[str, Any], name: Name) -> str:
    return f"shows {name(act['card'])}" if "card" in act else "shows one of the cards received"


def _claim(act: Mapping[str, Any], _name: Name) -> str:
    return f"claims number {act['number']}{' under ' + act['law'] if act.get('law') else ''}"


_SPOKEN: Final[dict[str, Callable[[Mapping[str, Any], Name], str]]] = {
    "play": _play,
    "marry": _marry,
    "draw": _draw,
    "exchange": _exchange,
    "cut": _cut,
    "deal": _deal,
    "look": _look,
    "expose": _expose,
    "claim": _claim,
    "show": lambda act, _: f"shows the marriage in {suit_words(act['suit'])}",
    "shuffle": lambda act, _: f"shuffles{', leaving a card face up' if act.get('faced') else ''}",
    "turn_up": lambda act, _: "turns two cards for trump" if "cards" in act else "turns the trump",
    "take_back": lambda act, _: f"wishes to take back number {act['number']}",
    "elect": lambda act, name: f"chooses to {option_words(act['option'], name)}",
    "bid": lambda act, _: f"bids {act['ticks']}",
}
