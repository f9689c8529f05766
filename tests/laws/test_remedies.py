"""What remedies do to a position, card by card: hands, stock, turn-up, and what everybody has seen."""

from dataclasses import replace

import pytest

from referee.laws import remedies
from referee.laws.law import Case
from referee.rules import notation, play
from referee.rules.cards import card
from referee.rules.positions import Position, fresh
from tests.laws.tables import (
    DRAWS,
    LEADS,
    A,
    B,
    after_moves,
    as_before,
    aside,
    at,
    case_of,
    hands,
    last_but_one,
    names,
    top,
)

# Taken back


def test_a_card_taken_back_is_in_the_hand_again_and_stays_known():
    p = at(LEADS)
    case = case_of(p, "b KD")
    back = remedies.undo(case, case.after)
    assert as_before(back, p)
    assert names(back.seen & ~p.seen) == {"KD"}


def test_what_was_played_since_is_taken_back_with_it_and_known_too():
    p = at(LEADS)
    case = case_of(p, "b KD")
    played_to = after_moves(case.after, "a 9D")
    back = remedies.undo(case, played_to)
    assert as_before(back, p)
    assert names(back.seen & ~p.seen) == {"KD", "9D"}
    followed = after_moves(played_to, "b draw", "a draw", "b AC")
    assert names(remedies.undo(case, followed).seen & ~p.seen) == {"KD", "9D", "AC"}


def test_the_follower_s_card_is_taken_back_and_the_lead_lies_as_it_lay():
    p = after_moves(at(LEADS), "a KS")
    case = case_of(p, "b AH")
    back = remedies.undo(case, case.after)
    assert as_before(back, p)
    assert names(back.seen & ~p.seen) == {"KS", "AH"} - names(p.seen)


def test_looks_at_tricks_and_lost_privileges_outlast_what_is_taken_back():
    p = aside(at(LEADS.replace("a:AS+9S", "a:AS+9S a:AD+JD")), looks=((B, 1),))
    case = case_of(p, "b KD")
    since = aside(case.after, looks=((B, 1), (A, 2), (A, 1), (B, 3)), barred=frozenset((B,)))
    back = remedies.undo(case, since)
    # The third trick is open again: a look at it is none.
    assert back.aside.looks == ((B, 1), (A, 2), (A, 1))
    assert back.aside.barred == {B}


@pytest.mark.parametrize(
    ("looks", "barred"), [(((A, 1),), frozenset()), ((), frozenset((A,))), (((A, 1),), frozenset((A,)))]
)
def test_either_a_look_or_a_lost_privilege_is_kept(looks, barred):
    case = case_of(at(LEADS), "b KD")
    back = remedies.undo(case, aside(case.after, looks=looks, barred=barred))
    assert (back.aside.looks, back.aside.barred) == (looks, barred)


def test_where_there_is_nothing_to_keep_what_is_aside_is_untouched():
    p = aside(at(LEADS), looks=((A, 1),), barred=frozenset((A,)))
    case = case_of(p, "b KD")
    assert remedies.undo(case, case.after).aside is p.aside


def test_king_and_queen_of_the_marriage_are_shown_and_one_of_them_is_led():
    p = at(LEADS)
    case = case_of(p, "a marry KS lead TD")
    back = remedies.lead_the_marriage(case, case.after)
    assert names(back.seen & ~p.seen) == {"KS", "QS", "TD"}
    assert back.aside.shown == (0,)
    assert back.hands == p.hands
    lone = at(LEADS.replace("QS TD", "JD TD"))
    case = case_of(lone, "a marry KS lead TD")
    assert names(remedies.lead_the_marriage(case, case.after).seen & ~lone.seen) == {"KS", "TD"}


# The exchange


def test_a_wrong_exchange_is_undone_on_the_position_as_it_is_now():
    case = case_of(at(LEADS), "a exchange 9D")
    now = after_moves(case.after, "a JC")
    back = remedies.swap_back(replace(case, now=now), now)
    assert back.turn_up == card("JH")
    assert hands(back)[0] == {"KS", "QS", "TD", "9D", "QC"}
    assert back.table == (card("JC"),)


def test_where_the_turn_up_has_been_led_the_lead_is_undone_too():
    p = at(LEADS)
    case = case_of(p, "a exchange 9D")
    now = after_moves(case.after, "a JH")
    back = remedies.swap_back(replace(case, now=now), now)
    assert as_before(back, p)


# Filling up short hands


def dealt(hand_a: str, hand_b: str) -> Position:
    """A deal with wrong numbers; b dealt, so that a's hand is filled up first."""
    p = fresh(at("a:KS QS TD 9D JC QC | b:AH TH KD QD AC 9C | stock:TS JS KH * | turn-up:JH | dealer:b | a leads"))
    p.hands = tuple(sum(1 << card(name) for name in hand.split()) for hand in (hand_a, hand_b))
    return p


@pytest.mark.parametrize(
    ("hand_a", "hand_b", "drawn_a", "drawn_b"),
    [
        ("KS QS TD 9D JC", "AH TH KD QD AC 9C", {"TS"}, set()),
        ("KS QS TD 9D JC QC", "AH TH KD QD", set(), {"TS", "JS"}),
        ("KS QS TD 9D JC", "AH TH KD QD AC", {"TS"}, {"JS"}),
        ("KS QS TD 9D JC QC AD", "AH TH KD QD AC", set(), {"TS"}),
        ("KS QS TD 9D JC QC AD", "AH TH KD QD AC 9C", set(), set()),
    ],
)
def test_short_hands_are_filled_from_the_top_pone_first_and_long_ones_left(hand_a, hand_b, drawn_a, drawn_b):
    p = dealt(hand_a, hand_b)
    case = Case(3, B, p, p)
    now = remedies.fill_hands(case, p)
    assert hands(now) == ({*hand_a.split()} | drawn_a, {*hand_b.split()} | drawn_b)
    assert now.stock == p.stock[len(drawn_a | drawn_b) :]


def test_a_card_led_counts_to_the_hand_it_was_led_from():
    p = dealt("KS QS TD 9D JC", "AH TH KD QD AC")
    p.table, p.leader = (card("QC"),), A
    now = remedies.fill_hands(Case(3, B, p, p), p)
    assert hands(now) == ({"KS", "QS", "TD", "9D", "JC"}, {"AH", "TH", "KD", "QD", "AC", "TS"})


def test_hands_are_filled_no_further_than_the_stock_goes():
    p = dealt("KS QS TD 9D", "AH TH KD QD AC")
    p.stock = p.stock[:1]
    now = remedies.fill_hands(Case(3, B, p, p), p)
    assert hands(now) == ({"KS", "QS", "TD", "9D", "TS"}, {"AH", "TH", "KD", "QD", "AC"})
    assert (now.stock, now.turn_up) == ((), card("JH"))


# Privileges


def test_who_looked_may_not_close_and_the_other_keeps_what_he_had():
    p = aside(at(LEADS), barred=frozenset((B,)), laid_open=frozenset((B,)))
    case = case_of(p, "a look 1")
    assert remedies.bar_from_closing(case, p).aside.barred == {A, B}
    open_now = remedies.lay_tricks_open(case, p)
    assert (open_now.aside.barred, open_now.aside.laid_open) == ({A, B}, {A, B})


# Closing when the other has drawn out of turn


def closing(start: str = DRAWS, move: str = "b draw") -> Case:
    drawn = after_moves(at(start), move)
    return case_of(drawn, "a close")


def test_what_the_other_drew_too_early_goes_back_on_the_stock():
    case = closing()
    now = remedies.put_back_draw(case, case.after)
    assert hands(now) == ({"KS", "QS", "TD", "9D", "JC"}, {"AH", "TH", "KD", "QD", "AC"})
    assert top(now, 2) == ["TS", "JS"]
    assert (now.turn_up, now.drawn, now.closing.closer) == (card("JH"), (), A)


def test_a_turn_up_drawn_too_early_is_the_turn_up_again():
    p = fresh(last_but_one("JH"))
    p.stock = ()
    p.to_draw = (A, B)
    drawn = play.apply(p, B, notation.read_move("b draw turn_up")[1])
    case = Case(4, A, drawn, drawn, notation.read_move("a close")[1])
    now = remedies.put_back_draw(case, drawn)
    assert (now.turn_up, now.stock) == (card("JH"), ())
    assert now.hands == p.hands


def test_both_draw_the_closer_first_and_the_stock_is_closed_after_it():
    case = closing()
    now = remedies.both_draw(case, case.after)
    assert hands(now) == ({"KS", "QS", "TD", "9D", "JC", "JS"}, {"AH", "TH", "KD", "QD", "AC", "TS"})
    assert now.closing.closer == A
    short = closing(DRAWS.replace("QD AC", "QD").replace("a b |", "a b b |"))
    assert short.before.to_draw == (A, B)
    now = remedies.both_draw(short, short.after)
    assert "JS" in hands(now)[0]
    assert len(hands(now)[1]) == 6


# Dealing


def test_there_is_a_fresh_cut_by_the_pone_and_nothing_is_dealt():
    pack = tuple(at("stock:* | b shuffles").stock)
    p = at("stock:* | b deals")
    case = case_of(p, "b shuffle")
    now = remedies.cut_again(case, case.after)
    assert (now.phase, now.turn) == ("cut", A)
    assert now.hands == (0, 0)
    assert {*now.stock} == {*pack}


def test_of_two_cards_turned_either_is_made_trump_and_everybody_has_seen_both():
    dealt_out = "a:KS QS TD 9D JC QC | b:AH TH KD QD AC 9C | stock:TS JS *"
    p = at(f"{dealt_out} | turn-up:JH | dealer:b | a leads")
    case = Case(5, B, p, p)
    for chosen, left in (("JH", "TS"), ("TS", "JH")):
        q = remedies.make_trump(card(chosen), case, p)
        assert names(q.seen & ~p.seen) | {"JH"} == {"JH", "TS"}
        assert (q.turn_up, q.trump) == (card(chosen), card(chosen) // 8)
        assert top(q, 2) == [left, "JS"]
