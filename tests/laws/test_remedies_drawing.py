"""What the remedies of drawing do to a position, card by card: draws missed, wrong or too many, two lifted, a peek."""

from dataclasses import replace

import pytest

from referee.laws import remedies
from referee.laws.law import Case
from referee.rules import play
from referee.rules.cards import card
from referee.rules.positions import NO_CARD, Position, fresh
from tests.laws.tables import DRAWS, LEADS, A, B, after_moves, as_before, at, case_of, hands, last_but_one, names, top

# Draws that were missed, wrong or too many


def test_a_missed_draw_is_made_now_and_the_other_s_own_before_it():
    p = at(DRAWS)
    case = case_of(p, "a KS")
    now = remedies.draw_now(case, case.after)
    assert hands(now) == ({"QS", "TD", "9D", "JC", "TS"}, {"AH", "TH", "KD", "QD", "AC"})
    case = case_of(p, "b AH")
    now = remedies.draw_now(case, case.after)
    assert hands(now)[0] == {"KS", "QS", "TD", "9D", "JC", "TS"}
    assert hands(now)[1] == {"TH", "KD", "QD", "AC", "JS"}


def test_who_has_drawn_already_does_not_draw_again_for_the_other():
    drawn = after_moves(at(DRAWS), "a draw")
    case = case_of(drawn, "b AH")
    now = remedies.draw_now(case, case.after)
    assert hands(now) == ({"KS", "QS", "TD", "9D", "JC", "TS"}, {"TH", "KD", "QD", "AC", "JS"})


def test_the_others_draw_and_the_early_lead_stands():
    case = case_of(after_moves(at(DRAWS), "a draw"), "a KS")
    now = remedies.others_draw(case, case.after)
    assert hands(now)[1] == {"AH", "TH", "KD", "QD", "AC", "JS"}
    assert (now.table, now.to_draw, now.turn) == ((card("KS"),), (), B)


def test_the_proper_card_is_drawn_instead_of_the_bottom_one():
    p = at(DRAWS)
    case = case_of(p, "a draw bottom")
    now = remedies.draw_properly(case, case.after)
    assert "TS" in hands(now)[0]
    assert now.stock == p.stock[1:]
    assert remedies.faced(case) == (p.stock[-1], card("TS"))


LAST_DRAW = (
    "a:KS QS TD 9D JC AD | b:AH TH KD QD AC JD | stock:JS | turn-up:TS | dealer:b"
    " | tricks:a:AS+9S a:KH+QH a:JH+9H a:TC+KC a:QC+9C | a leads"
)


def surplus(turn_up: int, stock: tuple[int, ...], long: tuple[str, ...]) -> tuple[Case, Position]:
    """A case of cards too many (`long`), claimed when `stock` and `turn_up` are all that is left to draw."""
    before = at(LAST_DRAW)
    case = case_of(before, "b draw turn_up")
    after = fresh(case.after)
    extra = sum(1 << card(name) for name in long)
    after.hands = (before.hands[A], before.hands[B] | extra)
    now = fresh(after)
    now.turn_up, now.stock = turn_up, stock
    return replace(case, after=after, now=now), now


def test_a_long_hand_skips_while_there_is_something_to_draw():
    case, now = surplus(card("TS"), (), ("JS",))
    assert remedies.skip_surplus(case, now) is now
    case, now = surplus(NO_CARD, (card("TS"),), ("JS",))
    assert remedies.skip_surplus(case, now) is now


def test_at_the_last_draw_a_surplus_card_goes_back_as_the_turn_up():
    case, now = surplus(NO_CARD, (), ("TS",))
    back = remedies.skip_surplus(case, now)
    assert back.turn_up == card("TS")
    assert back.hands == case.before.hands
    assert back.stock == ()
    assert back.phase == now.phase


def test_two_surplus_cards_go_back_as_turn_up_and_stock():
    case, now = surplus(NO_CARD, (), ("TS", "JS"))
    back = remedies.skip_surplus(case, now)
    assert {back.turn_up, *back.stock} == {card("TS"), card("JS")}
    assert len(back.stock) == 1
    assert back.hands == case.before.hands


def test_a_surplus_card_that_has_been_played_since_does_not_come_back():
    case, now = surplus(NO_CARD, (), ("TS",))
    now.hands = (now.hands[A], now.hands[B] & ~(1 << card("TS")))
    back = remedies.skip_surplus(case, now)
    assert (back.turn_up, back.stock, back.hands) == (NO_CARD, (), now.hands)


def test_while_draws_are_due_what_went_back_is_drawn_by_whose_turn_it_is():
    case, now = surplus(NO_CARD, (), ("TS",))
    short = now.hands[A] & ~(1 << card("KS"))
    now.hands = (short, now.hands[B] & ~(1 << card("AH")) & ~(1 << card("TH")))
    now.phase = "draw"
    back = remedies.skip_surplus(case, now)
    assert back.to_draw == play.draws_due(back) == (B,)
    assert (back.phase, back.turn) == ("draw", B)
    now.phase, now.to_draw = "follow", (A,)
    assert remedies.skip_surplus(case, now).to_draw == (B,)


def test_unclaimed_the_surplus_draw_is_taken_back():
    before = fresh(at(LAST_DRAW))
    before.stock = ()
    case = case_of(before, "b draw turn_up")
    back = remedies.skip_surplus(case, case.after)
    assert as_before(back, before)


# Two cards lifted, a look at the stock


def lifting(start: str = DRAWS, move: str = "a draw 2") -> Case:
    return case_of(at(start), move)


def test_both_lifted_cards_are_faced_and_nothing_else():
    case = lifting()
    assert remedies.faced(case) == (card("TS"), card("JS"))
    now = remedies.face(case, case.after)
    assert names(now.seen & ~case.after.seen) == {"TS", "JS"}
    assert now.hands == case.after.hands


@pytest.mark.parametrize(("given", "other"), [("TS", "JS"), ("JS", "TS")])
def test_the_first_drawer_is_given_one_and_the_other_takes_the_second(given, other):
    case = lifting()
    now = remedies.give(card(given), case)
    assert hands(now) == ({"KS", "QS", "TD", "9D", "JC", given}, {"AH", "TH", "KD", "QD", "AC", other})
    assert names(now.seen & ~case.before.seen) == {"TS", "JS"}
    assert now.drawn == ((A, "top", card(given)), (B, "top", card(other)))
    assert now.stock == case.before.stock[2:]
    assert (now.turn_up, now.phase, now.turn, now.to_draw) == (card("JH"), "lead", A, ())


@pytest.mark.parametrize(("given", "other"), [("JS", "KH"), ("KH", "JS")])
def test_the_second_drawer_is_given_one_and_the_other_goes_back_on_top(given, other):
    start = DRAWS.replace("stock:TS JS", "stock:TS JS KH")
    case = case_of(after_moves(at(start), "a draw"), "b draw 2")
    now = remedies.give(card(given), case)
    assert hands(now)[1] == {"AH", "TH", "KD", "QD", "AC", given}
    assert hands(now)[0] == {"KS", "QS", "TD", "9D", "JC", "TS"}
    assert now.stock == (card(other), *case.before.stock[2:])
    assert names(now.seen & ~case.before.seen) == {given, other}
    assert (now.turn_up, now.phase, now.turn) == (card("JH"), "lead", A)


@pytest.mark.parametrize("turn_up", ["JH", "AS"])
@pytest.mark.parametrize("swapped", [False, True])
def test_with_the_turn_up_as_second_card_the_other_draws_whichever_is_left(turn_up, swapped):
    p = last_but_one(turn_up)
    case = case_of(p, "a draw 2")
    assert remedies.faced(case) == (card("TS"), card(turn_up))
    given, other = (turn_up, "TS") if swapped else ("TS", turn_up)
    now = remedies.give(card(given), case)
    assert given in hands(now)[0] and other in hands(now)[1]
    assert (now.stock, now.turn_up, now.phase, now.turn) == ((), NO_CARD, "lead", A)


@pytest.mark.parametrize("turn_up", ["JH", "AS"])
@pytest.mark.parametrize("swapped", [False, True])
def test_where_no_draw_is_due_to_the_other_the_card_left_is_the_turn_up(turn_up, swapped):
    p = fresh(last_but_one(turn_up))
    p.to_draw = (A,)
    p.hands = (p.hands[A], p.hands[B] | 1 << card("AD"))
    case = case_of(p, "a draw 2")
    given, other = (turn_up, "TS") if swapped else ("TS", turn_up)
    now = remedies.give(card(given), case)
    assert given in hands(now)[0]
    assert hands(now)[1] == names(p.hands[B])
    assert (now.turn_up, now.stock) == (card(other), ())


def test_with_no_turn_up_at_all_the_card_left_goes_back_on_the_stock():
    p = fresh(after_moves(at(DRAWS), "a draw"))
    p.turn_up = NO_CARD
    case = case_of(p, "b draw 2")
    now = remedies.give(case.before.stock[0], case)
    assert (now.turn_up, now.stock) == (NO_CARD, p.stock[1:])


def test_the_top_two_of_the_stock_are_faced_and_one_of_them_laid_on_top():
    p = at(LEADS)
    case = case_of(p, "a look stock")
    assert remedies.top_two(case) == (card("TS"), card("JS"))
    now = remedies.face_top(case, case.after)
    assert names(now.seen & ~case.after.seen) == {"TS", "JS"}
    assert remedies.put_on_top(card("TS"), now).stock == p.stock
    turned = remedies.put_on_top(card("JS"), now)
    assert top(turned, 2) == ["JS", "TS"]
    assert turned.stock[2:] == p.stock[2:]
