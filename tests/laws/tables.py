"""Positions and cases for the tests of the remedies, and what can be asked of a position afterwards."""

from dataclasses import replace

from referee.laws.law import Case
from referee.rules import notation, play, rulesets
from referee.rules.cards import names_of
from referee.rules.positions import Position, fresh

A, B = 0, 1
LEADS = "a:KS QS TD 9D JC QC | b:AH TH KD QD AC 9C | stock:TS JS * | turn-up:JH | dealer:b | tricks:a:AS+9S | a leads"
DRAWS = "a:KS QS TD 9D JC | b:AH TH KD QD AC | stock:TS JS * | turn-up:JH | dealer:b | tricks:a:AS+9S | to-draw:a b | a draws"


def at(start: str) -> Position:
    return notation.read_position(start, rulesets.named("house"))


def case_of(before: Position, move: str, **more: object) -> Case:
    """The case of a move at a position, whether in order or not."""
    seat, act = notation.read_move(move)
    assert play.is_possible(before, seat, act), move
    after = play.apply(before, seat, act)
    return Case(5, seat, before, after, act, play.objections(before, seat, act), **more)


def after_moves(p: Position, *moves: str) -> Position:
    for move in moves:
        seat, act = notation.read_move(move)
        assert play.is_possible(p, seat, act), move
        p = play.apply(p, seat, act)
    return p


def names(mask: int) -> set[str]:
    return {*names_of(mask)}


def hands(p: Position) -> tuple[set[str], set[str]]:
    return names(p.hands[A]), names(p.hands[B])


def top(p: Position, cards: int) -> list[str]:
    return [names_of(1 << each)[0] for each in p.stock[:cards]]


def aside(p: Position, **parts: object) -> Position:
    q = fresh(p)
    q.aside = replace(p.aside, **parts)
    return q


def as_before(q: Position, p: Position) -> bool:
    """Whether two positions differ in nothing but what everybody has seen."""
    seen = fresh(q)
    seen.seen = p.seen
    return seen.same_as(p)


def last_but_one(turn_up: str) -> Position:
    """The last two draws: one card of the stock and the turn-up."""
    cards = {"AS", "JH"} - {turn_up}
    return at(
        f"a:KS QS TD 9D JC | b:AH TH KD QD AC | stock:TS | turn-up:{turn_up} | dealer:b"
        f" | tricks:a:{cards.pop()}+9S a:KH+QH a:JS+9H a:TC+KC a:QC+9C a:AD+JD | to-draw:a b | a draws"
    )
