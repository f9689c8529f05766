"""Rulings in plain words, for the page of a match."""

from collections.abc import Mapping
from typing import Any, Final

from referee.laws import book as law_book
from referee.web.words import act_words, card_words, plain

_KINDS: Final = {
    "NONE": "no penalty follows",
    "PRESCRIBED": "the law prescribes what follows",
    "CHOICE": "a choice among remedies",
    "DISCRETION": "at the referee's discretion",
}
_OPTIONS: Final = {
    "undo": "the act is taken back",
    "accept": "the act stands",
    "mend": "the fault is put right",
    "face": "both cards are faced, and one of them is chosen",
    "end_deal": "the deal ends",
    "fresh_deal": "the same dealer deals again",
    "bar": "the offender may not close in this deal",
    "end_match": "the match is lost",
}
_WITH_CARD: Final = {
    "give": "the offender takes the {}",
    "top": "the {} lies on top of the stock",
    "keep": "the {} stays",
    "trump": "the {} is the turn-up",
}


def ruling_words(ruling: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a ruling as its page shows it: `laws` (id and title), `said`, and `facts` (label and words).

    >>> shown = ruling_words({"n": 5, "number": 4, "laws": ["IR-91"], "kind": "PRESCRIBED", "offender": "a",
    ...     "act": {"act": "concede"}, "option": "end_deal", "chosen_by": "law",
    ...     "award": {"seat": "b", "game_points": 2}, "facts": {"count": 3}}, {"a": "Ada", "b": "Bea"})
    >>> shown["said"]
    'Ada (a) concedes the deal (event 4): the deal ends; Bea (b) is awarded 2 game points.'
    >>> shown["facts"]
    [('Kind', 'the law prescribes what follows'), ('Facts', 'count: 3')]
    """
    chosen = str(ruling.get("chosen_by") or "")
    facts = [
        ("Kind", _KINDS.get(str(ruling.get("kind")), "")),
        ("Choice", " or ".join(option_words(each) for each in _options(ruling)) if len(_options(ruling)) > 1 else ""),
        ("Chosen by", {"law": "", "default": "nobody in time: the default"}.get(chosen, _who(chosen, names))),
        ("Facts", plain(ruling["facts"]) if ruling.get("facts") else ""),
        ("Afterwards", _afterwards(ruling.get("after") or {}, names)),
    ]
    laws = [(law_id, found.title if (found := law_book.find(law_id)) else "") for law_id in ruling.get("laws") or []]
    return {
        "n": ruling.get("n"),
        "laws": laws,
        "said": _said(ruling, names),
        "facts": [each for each in facts if each[1]],
    }


def option_words(option: str) -> str:
    """Return what a remedy does.

    >>> option_words("fresh_deal"), option_words("give:TH"), option_words("deal:b")
    ('the same dealer deals again', 'the offender takes the ten of hearts', 'b deals first')
    """
    word, _, about = option.partition(":")
    if word in _WITH_CARD and about:
        return _WITH_CARD[word].format(card_words(about))
    if word == "deal":
        return f"{about} deals first"
    return _OPTIONS.get(option, option.replace("_", " "))


def _options(ruling: Mapping[str, Any]) -> list[str]:
    return [str(each["option"]) if isinstance(each, Mapping) else str(each) for each in ruling.get("options") or []]


def _said(ruling: Mapping[str, Any], names: Mapping[str, str]) -> str:
    act, number, option = ruling.get("act"), ruling.get("number"), str(ruling.get("option") or "")
    if not ruling.get("laws"):
        return f"Whoever has cut the highest card chooses: {option_words(option)}."
    did = act_words(act) if act else "did not act in time"
    at = f" (event {number})" if number else ""
    follows = f": {option_words(option)}" if option else ""
    return f"{_who(str(ruling.get('offender') or ''), names)} {did}{at}{follows}{_award(ruling, names)}."


def _award(ruling: Mapping[str, Any], names: Mapping[str, str]) -> str:
    award = ruling.get("award")
    if not award:
        return ""
    scores = {seat: has for seat, has in (award.get("scores") or {}).items() if has}
    if scores:
        return f"; {', '.join(f'{_who(seat, names)} {has:+}' for seat, has in scores.items())}"
    points = "1 game point" if award["game_points"] == 1 else f"{award['game_points']} game points"
    return f"; {_who(award['seat'], names)} is awarded {points}"


def _afterwards(after: Mapping[str, Any], names: Mapping[str, str]) -> str:
    if not after.get("turn"):
        return ""
    return f"{_who(after['turn'], names)} to act ({str(after.get('phase', '')).replace('_', ' ')})"


def _who(seat: str, names: Mapping[str, str]) -> str:
    return f"{names[seat]} ({seat})" if seat in names else seat.replace("_", " ")
