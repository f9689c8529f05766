"""What walks, packs and the oracle have found once, each as the smallest case that shows it."""

import pytest

from referee import match
from referee.laws import adjudicate, remedies
from referee.laws.law import Case
from referee.rules import cards, moves, notation, play, rulesets, views
from referee.rules.positions import begin, frame_for

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


FOURS = "a:KS QS AH TH TD 9D | b:AS TS QH JH KD QD | c:AD JD KC QC JC 9C | d:JS 9S KH 9H AC TC"


def test_a_card_turned_before_the_first_three_of_each_are_dealt_is_a_wrong_packet_in_schnapsen_too():
    """The hands are not short for good, as where trump is turned last: the deal goes on after it (IR-14, not IR-07)."""
    for name, method in (("schnapsen", "turn_after_3"), ("house", "turn_7th"), ("house", "turn_after_3")):
        rules = rulesets.named(name).override({"trump_method": method})
        position = begin(frame_for(rules, dealer=1), cards.pack_cards(rules.options["pack"]))
        for move in ("b shuffle", "a cut 8", "b deal a 3"):
            position = play.apply(position, *moves.read_move(move))
        assert {each.law for each in play.objections(position, *moves.read_move("b turn-up"))} == {"IR-14"}


def test_nobody_plays_from_a_dead_hand():
    """D-07: the partner of who plays the Moon has laid his cards aside."""
    text = f"{FOURS} | dealer:d | bids:a:5 b:- c:- d:- | out:c | a leads"
    position = notation.read_position(text, rulesets.named("cruce"))
    for move in ("c AD", "c marry KC", "c expose KC", "c AD also JD"):
        assert not play.is_possible(position, *moves.read_move(move)), move
    assert play.is_possible(position, *moves.read_move("d AC")), "another seat could, out of turn"


def test_forty_is_the_usual_amount_of_a_marriage_that_makes_trump():
    """D-12."""
    position = notation.read_position(f"{FOURS} | dealer:d | bids:a:1 b:- c:- d:- | a leads", rulesets.named("cruce"))
    seat, forty = moves.read_move("a marry KS 40")
    assert play.usual(position, forty) is moves.read_move("a marry KS")[1]
    assert [each.law for each in play.objections(position, *moves.read_move("a marry KS 20"))] == ["IR-44"]
    announced = play.apply(position, seat, moves.read_move("a marry KS")[1])
    assert announced.marriages.pending == (40, 0, 40, 0)


@pytest.mark.parametrize("name", ["four_handed", "cruce"])
def test_where_nobody_declares_nothing_is_at_ones_own_risk_and_nothing_shown(name):
    position = play.deal_position(rulesets.named(name), cards.pack_cards(rulesets.named(name).options["pack"]))
    while position.phase == "bid":
        position = play.apply(position, position.turn, play.lawful_acts(position)[-1])
    assert play.own_risk(position) == ()
    for seat in range(4):
        for suit in "SHDC":
            assert not play.is_possible(position, *moves.read_move(f"{'abcd'[seat]} show {suit}"))


def test_of_four_an_adversary_asks_for_the_mate_and_plays_on_after_the_answer():
    rules = rulesets.named("cruce").override({"marriage_proof": "on_demand"})
    position = notation.read_position(f"{FOURS} | dealer:d | bids:a:1 b:- c:- d:- | a leads", rules)
    for move in ("a marry KS", "b AS"):
        position = play.apply(position, *moves.read_move(move))
    assert not play.is_possible(position, *moves.read_move("c demand")), "a partner does not ask"
    position = play.apply(position, *moves.read_move("c AD"))
    for move in ("d demand", "a show S"):
        assert play.is_possible(position, *moves.read_move(move)), move
        position = play.apply(position, *moves.read_move(move))
    assert (position.phase, position.turn) == ("follow", 3)


def test_a_call_before_trump_is_made_is_worth_what_the_card_led_with_it_makes_it():
    """Off lead, and another card led: trump is the suit of that card, so the void call is of a plain pair."""
    position = notation.read_position(f"{FOURS} | dealer:d | bids:a:1 b:- c:- d:- | a leads", rulesets.named("cruce"))
    after = play.apply(position, *moves.read_move("b marry KD lead QH"))
    assert (after.trump, after.marriages.announced[0].amount) == (1, 20)
    assert notation.read_position(notation.write_position(after), position.frame.rule_set).same_as(after)
