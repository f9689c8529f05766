"""What walks, packs and the oracle have found once, each as the smallest case that shows it."""

import pytest

from referee import match
from referee.laws import adjudicate, remedies
from referee.laws.law import Case
from referee.rules import moves, notation, play, rulesets, views

DRAWING = (
    "a:JS TH KH 9H AC QC | b:AS AD QD 9D 9C | stock:* | turn-up:TC | dealer:b | "
    "tricks:a:QH+JC b:TD+AH b:JD+TS b:KC+JH b:KD+QS b:9S+KS | marriages:b:D | {} | b draws"
)


def judged(position, move: str):
    """What the laws make of a move."""
    seat, act = moves.read_move(move)
    after = play.apply(position, seat, act)
    return adjudicate.judge(Case(1, seat, position, after, act, play.objections(position, seat, act)))


@pytest.mark.parametrize("move", ["b declare", "b look 6", "b draw"])
def test_only_a_close_can_be_a_close_after_the_other_has_drawn(move):
    """The winner has drawn, in turn; what the loser does then is no case of IR-58."""
    position = notation.read_position(DRAWING.format("drawn:a:QC"), rulesets.named("hobby"))
    judgement = judged(position, move)
    assert judgement is None or "IR-58" not in judgement.laws


def test_a_marriage_shown_unled_is_not_demanded_when_it_is_led():
    text = "a:KS QS AH TH KD JD | b:9H AS TD 9D QH QC | stock:* | turn-up:KC | dealer:b | tricks:a:TS+9S | a leads"
    position = notation.read_position(text, rulesets.named("foster"))
    for move in ("a show S", "a KS"):
        position = play.apply(position, *moves.read_move(move))
    assert not any(act.kind == "demand" for act in play.lawful_acts(position))


def test_a_marriage_shown_before_drawing_counts_between_the_draws():
    text = (
        "a:KS QS AH 9D JD | b:9H AS KD QH QC | stock:* | turn-up:JC | dealer:b | "
        "tricks:a:AD+TD a:TH+KH a:AC+KC | a draws"
    )
    position = notation.read_position(text, rulesets.named("house"))
    assert position.points[0] == 50
    for move in ("a show S", "a draw"):
        position = play.apply(position, *moves.read_move(move))
    assert position.turn == 1
    ended = play.apply(position, *moves.read_move("a declare"))
    assert (ended.result.cause, ended.result.winner) == ("declared", 0)


def test_a_void_marriage_does_not_open_the_window_to_declare():
    text = "b:KS QS AH TH KD JD | a:9H AS TD 9D QH QC | stock:* | turn-up:KC | dealer:a | tricks:b:TS+9S | b leads"
    position = notation.read_position(text, rulesets.named("pagat"))
    for move in ("b show S", "b close", "b QS"):
        position = play.apply(position, *moves.read_move(move))
    assert not play.in_time_to_declare(position, 1)


def test_a_refusal_while_dealing_says_nothing_of_the_hand():
    seats = tuple(match.Seating(f"bot_{x}", x, frozenset({"deal"})) for x in "ab")
    m = match.open_match(match.Terms("mat_found", rulesets.named("house"), seats, first_dealer=0), b"3" * 32).match
    for _ in range(3):
        m = match.act(m, 0, match.prompt(m, 0)["lawful"][0], ms=1).match
    assert m.position.phase == "deal"
    told = {match.act(m, 1, {"act": "play", "card": rank + suit}, ms=1).detail for suit in "SHDC" for rank in "ATKQJ9"}
    assert len(told) == 1, told


def test_a_look_at_a_trick_that_is_opened_again_is_a_look_at_no_trick():
    """A revoke is taken back after the other has looked at the trick it completed (IR-35)."""
    text = "a:KS QS AH TH | b:9H JS TD 9D | stock:* | turn-up:KC | dealer:b | closed-by:a | tricks:a:TS+9S | a leads"
    position = notation.read_position(text, rulesets.named("house"))
    before = play.apply(position, *moves.read_move("a AH"))
    revoked = play.apply(before, *moves.read_move("b TD"))
    looked = play.apply(revoked, *moves.read_move("a look 2"))
    case = Case(2, 1, before, looked, moves.read_move("b TD")[1])
    back = remedies.undo(case, looked)
    assert back.aside.looks == ()
    assert views.view(back, 0)["seen_tricks"] == []
    earlier = play.apply(revoked, *moves.read_move("a look 1"))
    assert remedies.undo(Case(2, 1, before, earlier, case.act), earlier).aside.looks == ((0, 1),)


def test_the_bottom_of_a_single_card_is_its_top():
    """Of one card face down there is no wrong place to draw it from, and no second card to face (IR-25)."""
    text = (
        "a:JS TH KH 9H AC | b:AS AD QD 9D 9C | stock:QC | turn-up:TC | dealer:b | "
        "tricks:a:QH+JC b:TD+AH b:JD+TS b:KC+JH b:KD+QS a:KS+9S | a draws"
    )
    position = notation.read_position(text, rulesets.named("uspc"))
    for place in ("bottom", "middle"):
        seat, act = moves.read_move(f"a draw {place}")
        assert play.usual(position, act) is moves.read_move("a draw")[1]
        assert not play.objections(position, seat, play.usual(position, act))
