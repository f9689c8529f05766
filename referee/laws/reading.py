"""The law book to read: cases and ways in sentences, for the pages and for `LAWBOOK.md`.

Everything here is words made of the laws, their worked cases, `acts.toml` and `coverage.toml`;
nothing is decided.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, Final

from referee.laws.law import Law
from referee.laws.words import act_words, card_words, gain_words, option_words, remedy_words, suit_words
from referee.rules import rulesets
from referee.rules.acts import act_json
from referee.rules.cards import CARD_NAMES, SEATS, SUITS, names_of
from referee.rules.notation import NotationError, read_move, read_position
from referee.rules.positions import NO_CARD, NO_SUIT, NOBODY, Position

Case = Mapping[str, Any]

_ELECTORS: Final = {
    "non_offender": "the other seat",
    "next_opponent": "the opponent next in turn",
    "pone": "the pone",
    "dealer": "the dealer",
    "offender": "the one who did it",
    "closer": "the closer",
}
_KINDS: Final = {
    "NONE": "nothing follows",
    "PRESCRIBED": "one thing follows, and nobody is asked",
    "CHOICE": "a choice",
    "DISCRETION": "as the referee sees fit",
}
_CASE_KINDS: Final = {
    "breached": "Breach",
    "not_breached": "No breach",
    "outside": "Outside the law",
    "carried_out": "Carried out",
}
_PHASES: Final = {
    "cut_for_deal": "to cut for deal",
    "shuffle": "to shuffle",
    "cut": "to cut",
    "deal": "to deal",
    "turn_up": "to turn the trump",
    "bid": "to bid",
    "draw": "to draw",
    "lead": "to lead",
    "follow": "to play to the lead",
    "answer": "to answer",
    "confirm": "to confirm",
}
_CAUSES: Final = {
    "declared": "by a good declaration",
    "false_declaration": "by a false declaration",
    "played_out": "with all cards played",
    "closer_failed": "because the closer failed",
    "remedy": "by a ruling",
    "conceded": "by a concession",
    "time": "by the clock",
    "passed_out": "with nobody bidding",
    "set": "because the bid was not made",
    "ten_of_trumps": "at once by the ten of trumps",
}
_REFUSED: Final = {
    "act/irregular": "as irregular",
    "act/impossible": "as something that cannot happen",
    "act/election_pending": "because a remedy is being chosen",
    "act/match_over": "because the match is over",
    "act/unreadable": "as no act at all",
    "act/stale_version": "as late",
    "claim/referee_calls": "because the referee calls here",
    "claim/no_such_act": "because there is no such act",
    "claim/own_act": "because a claim is on the other's act",
    "claim/no_part": "because only who plays claims",
}
_CHORES: Final = {"shuffle": "shuffling", "cut": "cutting", "deal": "dealing", "draw": "drawing"}
_CALLS: Final = {"referee": "the referee calls", "players": "the seats claim"}


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return words as a sentence lists them.

    >>> listed(["ace", "ten", "king"], "or")
    'ace, ten or king'
    """
    *front, end = list(words) or [""]
    return f"{', '.join(front)} {last} {end}" if front else end


def sentence(text: str) -> str:
    """Return words with a full stop behind and a capital letter in front, but for the letter of a seat.

    >>> sentence("the stock is open"), sentence("a leads")
    ('The stock is open.', 'a leads.')
    """
    first = text[:1] if text[1:2] == " " and text[:1] in SEATS else text[:1].upper()
    return first + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def heard_words(law: Law) -> str:
    """Return from when until when a law is heard."""
    if law.window.closes == "never":
        return "always"
    return f"opens {law.window.opens}, closes {law.window.closes}"


def ruling_words(law: Law) -> str:
    """Return what kind of ruling a law leads to, and who chooses."""
    if law.kind == "CHOICE":
        return f"{_ELECTORS[law.elector]} chooses, and what is named first is taken if nothing is said"
    return _KINDS[law.kind]


def remedies_words(law: Law) -> list[str]:
    """Return each remedy of a law in words, the default first."""
    return [remedy_words(option) for option in law.options]


def citation_words(citation: Mapping[str, str]) -> str:
    """Return a citation in words: what is cited, its edition, and the place there.

    >>> citation_words({"title": "Laws of Duplicate Bridge", "edition": "2017", "place": "law 53"})
    'Laws of Duplicate Bridge (2017), law 53'
    """
    return f"{citation['title']} ({citation['edition']}), {citation['place']}"


def move_words(move: str, name: Any = card_words) -> str:
    """Return a move of the notation in words.

    >>> move_words("b draw 2")
    'b lifts two cards from the stock'
    """
    seat, _, rest = move.partition(" ")
    if rest == "time-out":
        return f"{seat} lets the clock run out"
    if rest == "impossible":
        return f"{seat} asks for something that cannot happen"
    try:
        _, one = read_move(move)
    except NotationError:
        return move
    return f"{seat} {act_words(act_json(one), name)}"


def moves_words(moves: list[str], name: Any = card_words) -> list[str]:
    """Return the moves of a case in words, each with its number where some move speaks of a number.

    >>> moves_words(["b AS", "a claim 1"], str)
    ['(1) b plays AS', '(2) a claims number 1']
    """
    numbered = any(" claim " in each or " take-back " in each for each in moves)
    said = told_moves(moves, name)
    return [f"({number}) {each}" for number, each in enumerate(said, start=1)] if numbered else said


def told_moves(moves: list[str], name: Any = card_words) -> list[str]:
    """Return moves in words, each where it is made: to pass when asked for a card is to refuse to show it.

    >>> told_moves(["b demand", "a pass", "b pass"])
    ['b asks to see the other card of the marriage', 'a refuses to show it', 'b passes']
    """
    refused = [before.endswith(" demand") and move.endswith(" pass") for before, move in pairwise(["", *moves])]
    return [
        f"{move[0]} refuses to show it" if no else move_words(move, name)
        for no, move in zip(refused, moves, strict=True)
    ]


def way_words(way: Case, name: Any = card_words) -> dict[str, Any]:
    """Return by which acts a law comes about, in words: `how`, `needs`, `acts`, and what follows by who calls.

    `after` are the moves that were made first where it was tried; `referee` and `players` may be empty.
    """
    follows = way.get("referee", []) if "only" not in way else []
    return {
        "how": way["how"],
        "needs": [*circumstances({key: way[key] for key in way if key in ("rules", "overrides", "chores")})],
        "after": [move_words(each, name) for each in way.get("lead_up", [])],
        "acts": [_meant(each, name) for each in way["acts"]],
        "referee": [_meant(each, name) for each in follows],
        "players": [_meant(each, name) for each in way.get("players", [])],
    }


def _meant(move: str, name: Any) -> str:
    """Return a move of a way in words, where what is claimed or taken back is plain."""
    seat, _, rest = move.partition(" ")
    word = rest.partition(" ")[0]
    return {"claim": f"{seat} claims it", "take-back": f"{seat} wishes to take it back"}.get(
        word, move_words(move, name)
    )


def case_kind_words(case: Case) -> str:
    """Return what a worked case shows."""
    return _CASE_KINDS.get(str(case.get("kind", "")), "Case")


def picture(case: Case) -> dict[str, Any]:
    """Return where the cards lie as a case begins, ready to be drawn: hands, stock, table, tricks.

    A case that begins with the deal has only `pack`, top first, and `dealer`.
    """
    if "start" not in case:
        return {"pack": case["deal"]["pack"].split(), "dealer": case["deal"].get("dealer", _seats_of(case)[-1])}
    rules = _rules_of(case)
    p = read_position(case["start"], rules)
    return {
        "hands": {SEATS[seat]: names_of(hand) for seat, hand in enumerate(p.hands) if seat != p.frame.resting},
        "has_stock": p.frame.has_stock,
        "stock": len(p.stock),
        "next": [CARD_NAMES[each] for each in p.stock[:2]],
        "turn_up": None if p.turn_up == NO_CARD else CARD_NAMES[p.turn_up],
        "trump": None if p.trump == NO_SUIT else SUITS[p.trump],
        "table": [CARD_NAMES[each] for each in p.table],
        "early": {SEATS[seat]: CARD_NAMES[each] for seat, each in p.aside.early},
        "tricks": [
            {"cards": [CARD_NAMES[each] for each in cards], "winner": SEATS[winner]} for _, winner, cards in p.tricks
        ],
        "notes": _notes(p),
        "next_to_act": f"{SEATS[p.turn]} is {_PHASES.get(p.phase, p.phase)}",
    }


def _rules_of(case: Case) -> rulesets.RuleSet:
    return rulesets.named(case.get("rules", "house")).override(dict(case.get("overrides", {})))


def _seats_of(case: Case) -> str:
    return SEATS[: int(_rules_of(case).options["seats"])]


def _stakes_notes(p: Position) -> list[str]:
    """Return what was bid, and what the ten of trumps has brought, a clause each."""
    frame, stakes = p.frame, p.stakes
    notes = [f"{SEATS[seat]} has {f'bid {ticks}' if ticks else 'passed'}" for seat, ticks in stakes.bids]
    notes += [
        f"{f'a bid of {ticks}' if ticks else 'a pass'} by {SEATS[seat]} was cancelled"
        for seat, ticks in stakes.cancelled
    ]
    if frame.out != NOBODY:
        notes.append(f"{SEATS[frame.out]} takes no part")
    return notes + [f"{SEATS[seat]} has taken the ten of trumps" for seat, has in enumerate(stakes.tens) if has]


def _notes(p: Position) -> list[str]:
    """Return what else is so at the table, a clause each."""
    notes = [f"{SEATS[p.frame.dealer]} has dealt{' and rests' if p.frame.resting != NOBODY else ''}", *_stakes_notes(p)]
    if p.table:
        notes.append(f"{SEATS[p.leader]} has led")
    if p.closing is not None:
        notes.append(f"{SEATS[p.closing.closer]} has closed")
    for each in p.marriages.announced:
        notes.append(f"{SEATS[each.seat]} has called the marriage in {suit_words(SUITS[each.suit])}")
    if p.aside.faced:
        notes.append(f"{listed(card_words(each) for each in names_of(p.aside.faced))} lies face up in the stock")
    if p.aside.exposed:
        notes.append(f"{listed(card_words(each) for each in names_of(p.aside.exposed))} lies exposed")
    notes += [f"{SEATS[seat]} may not close" for seat in sorted(p.aside.barred) if p.frame.has_stock]
    return notes


def circumstances(case: Case) -> list[str]:
    """Return how a case is played where that is not as usual, a clause each."""
    found = []
    if "rules" in case:
        found.append(f"by the rule-set {rulesets.named(case['rules']).title}")
    found += [f"the option {name} is {_value(value)}" for name, value in case.get("overrides", {}).items()]
    if case.get("conduct") == "enforce":
        found.append("irregular acts are refused")
    if "calls" in case:
        found.append(_CALLS[case["calls"]])
    if any(case.get("score", ())):
        found.append(_score_words(case["score"]))
    if case.get("carry"):
        found.append(f"{case['carry']} is carried over")
    return found + chores_words(case.get("chores", {}))


def _score_words(score: list[int]) -> str:
    """Return a score in words, by seats where more than two sit.

    >>> _score_words([2, 0]), _score_words([3, -2, 3, -2])
    ('the score is 2 to 0', 'the score is a 3, b -2, c 3 and d -2')
    """
    if len(score) == 2:
        return f"the score is {score[0]} to {score[1]}"
    return f"the score is {listed(f'{seat} {has}' for seat, has in zip(SEATS, score, strict=False))}"


def chores_words(chores: Mapping[str, list[str]]) -> list[str]:
    """Return which chores each seat named does itself, a clause a seat.

    >>> chores_words({"a": ["cut", "watch"], "b": []})
    ['a does its own cutting and watches the dealing', 'the attendant does the chores of b']
    """
    found = []
    for seat, own in sorted(chores.items()):
        doing = [_CHORES[each] for each in sorted(own) if each in _CHORES]
        does = ([f"does its own {listed(doing)}"] if doing else []) + ["watches the dealing"] * ("watch" in own)
        found.append(f"{seat} {' and '.join(does)}" if does else f"the attendant does the chores of {seat}")
    return found


def _value(value: object) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def outcome(case: Case, name: Any = card_words) -> list[str]:
    """Return what comes of a case, a sentence each; a case is held to it by a test."""
    expect = case["expect"]
    said = [*_ruled(expect, name), *_ended(expect), *_afterwards(expect.get("after", {}), name)]
    if "refused" in expect:
        said.append(
            f"the last move is refused {_REFUSED.get(expect['refused'], 'as ' + expect['refused'].replace('_', ' '))}"
        )
    return [sentence(each) for each in said] or ["Nothing is ruled."]


def _ruled(expect: Mapping[str, Any], name: Any) -> list[str]:
    if not expect["laws"]:
        return ["nothing is ruled"]
    said = [f"{listed(expect['laws'])}, against {expect['offender']}" if "offender" in expect else expect["laws"][0]]
    if expect.get("option") == "forfeited":
        said.append("the claim comes too late, and the act stands")
    elif expect.get("kind") == "NONE":
        said.append("nothing follows")
    if "elector" in expect and expect.get("options"):
        may = listed((option_words(each, name) for each in expect["options"]), "or")
        said.append(f"{expect['elector']} may {may}")
    if "option" in expect and expect.get("kind") == "CHOICE":
        said.append(f"{expect.get('elector', 'who may choose')} chooses to {option_words(expect['option'], name)}")
    if expect.get("award") and "result" not in expect:
        said.append(_award_words(expect["award"]))
    return said


def _ended(expect: Mapping[str, Any]) -> list[str]:
    result = expect.get("result")
    if not result:
        return []
    how = _CAUSES.get(result.get("cause", ""), "")
    if not result.get("winner"):
        return [f"the deal ends {how}, and nobody scores".replace("  ", " ")]
    points = f" {result['game_points']}" if "game_points" in result else ""
    scored = (
        _award_words(expect["award"]) if "scores" in expect.get("award", {}) else f"{result['winner']} scores{points}"
    )
    return [f"the deal ends {how}: {scored}".replace("  ", " ")]


def _award_words(award: Mapping[str, Any]) -> str:
    """Return who is awarded what.

    >>> _award_words({"seat": "a", "game_points": 2})
    'a scores 2'
    >>> _award_words({"seat": "d", "game_points": 0, "scores": {"a": -2, "b": 0, "c": -2, "d": 0}})
    'a -2, c -2'
    """
    if "scores" in award:
        return gain_words(award["seat"], award["game_points"], award["scores"])
    return f"{award['seat']} scores {award['game_points']}"


def _afterwards(after: Mapping[str, Any], name: Any) -> list[str]:
    said = []
    if "phase" in after and "turn" in after and after["phase"] in _PHASES:
        said.append(f"then {after['turn']} is {_PHASES[after['phase']]}")
    for seat in SEATS:
        if f"hand_{seat}" in after:
            said.append(f"{seat} holds {' '.join(name(each) for each in after[f'hand_{seat}'].split())}".strip())
        elif f"sizes_{seat}" in after:
            said.append(f"{seat} holds {after[f'sizes_{seat}']} cards")
        if f"count_{seat}" in after:
            said.append(f"{seat} counts {after[f'count_{seat}']}")
    if "stock" in after:
        said.append(f"{after['stock']} lie face down in the stock")
    if after.get("turn_up"):
        said.append(f"{name(after['turn_up'])} is turned up")
    if "closed_by" in after:
        said.append(f"{after['closed_by']} has closed" if after["closed_by"] else "the stock is open")
    said += [f"{seat} may not close" for seat in after.get("barred", ())]
    if after.get("attempt", 1) > 1:
        said.append(f"{after.get('dealer', 'the same dealer')} deals again")
    if "score" in after:
        said.append(_score_words(after["score"]))
    if after.get("carry"):
        said.append(f"{after['carry']} is carried over")
    return [", ".join(said)] if said else []
