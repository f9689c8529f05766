"""What each remedy does to a position, card by card: hands, stock, turn-up, and what everybody has seen."""

from dataclasses import replace

import pytest

from referee.laws import remedies
from referee.laws.law import Case
from referee.rules import notation, play, rulesets
from referee.rules.cards import card, names_of
from referee.rules.positions import NO_CARD, Position, fresh

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
    p = aside(at(LEADS), looks=((B, 1),))
    case = case_of(p, "b KD")
    since = aside(case.after, looks=((B, 1), (A, 1), (B, 2)), barred=frozenset((B,)))
    back = remedies.undo(case, since)
    # The second trick is open again: a look at it is none.
    assert back.aside.looks == ((B, 1), (A, 1))
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


def last_but_one(turn_up: str) -> Position:
    """The last two draws: one card of the stock and the turn-up."""
    cards = {"AS", "JH"} - {turn_up}
    return at(
        f"a:KS QS TD 9D JC | b:AH TH KD QD AC | stock:TS | turn-up:{turn_up} | dealer:b"
        f" | tricks:a:{cards.pop()}+9S a:KH+QH a:JS+9H a:TC+KC a:QC+9C a:AD+JD | to-draw:a b | a draws"
    )


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
