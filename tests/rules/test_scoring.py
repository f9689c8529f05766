"""Scoring where the worked cases do not reach it: tables of counts, and what a match is worth."""

import pytest

from referee.rules import notation, rulesets, scoring
from referee.rules.cards import SUITS
from referee.rules.options import compiled
from referee.rules.positions import NOBODY, Closing, Marriages, Position, frame_for, fresh, replaced

#: Queens and kings of two suits on each side; a leads.
START = "a:KS QS KH QH TD 9D | b:AS KC QC TH JH 9H | stock:* | turn-up:JD | dealer:b | tricks:a:AD+KD | a leads"
A, B = 0, 1


def stands(
    points: tuple[int, int], tricks: tuple[int, int] = (1, 1), *, closed: Closing | None = None, **options: object
) -> Position:
    """A position with these card points and tricks of a and b; 66, 33 and the rest as in the house."""
    p = fresh(notation.read_position(START, rulesets.named("house").override(options)))
    p.points, p.counts, p.closing = points, tricks, closed
    return p


def closed(*, tricks: int = 1, points: int = 10, by: int = A) -> Closing:
    return Closing(by, tricks, points, tricks + 1)


@pytest.mark.parametrize(
    ("points", "tricks", "level"),
    [(33, 2, 1), (40, 2, 1), (32, 2, 2), (32, 1, 2), (20, 0, 3), (0, 0, 3), (33, 0, 1)],
)
def test_what_the_loser_has_sets_the_level(points, tricks, level):
    assert scoring.level(stands((66, points), (3, tricks)), B) == level
    assert scoring.won(stands((66, points), (3, tricks)), A) == ("declared", level)


@pytest.mark.parametrize(("has", "level"), [(33, 1), (34, 1), (32, 2), (0, 2)])
def test_a_count_that_is_given_stands_for_the_losers_own(has, level):
    assert scoring.level(stands((66, 0), (3, 1)), B, loser_count=has) == level


@pytest.mark.parametrize(
    ("points", "tricks", "frozen"),
    [(33, 2, 1), (45, 3, 1), (32, 1, 2), (0, 1, 2), (0, 0, 3)],
)
def test_a_frozen_success_is_scored_by_the_close_and_another_by_the_end(points, tricks, frozen):
    def scored(has, won, **options):
        return scoring.success_level(stands((66, has), (4, won), closed=at_close, **options), A)

    at_close = closed(tricks=tricks, points=points)
    for has, won, by_the_end in ((40, 3, 1), (20, 3, 2), (0, 0, 3)):
        assert scored(has, won, success_level_frozen=True) == frozen
        assert scored(has, won) == by_the_end


def test_where_nobody_closed_success_is_scored_by_the_end_and_nothing_fails():
    for options in ({}, {"success_level_frozen": True}):
        assert scoring.success_level(stands((66, 20), **options), A) == 2
    assert scoring.fail_points(stands((50, 20))) == 0
    assert not scoring.is_closer(stands((50, 20)), A)


@pytest.mark.parametrize(
    ("how", "tricks", "closer_has", "points"),
    [
        ("2_3_at_close", 1, 50, 2),
        ("2_3_at_close", 0, 50, 3),
        ("flat_2", 1, 10, 2),
        ("flat_2", 0, 10, 2),
        ("by_closer_count", 1, 33, 1),
        ("by_closer_count", 2, 50, 1),
        ("by_closer_count", 1, 32, 2),
        ("by_closer_count", 1, 0, 2),
        ("by_closer_count", 0, 50, 3),
        ("by_closer_count", 0, 10, 3),
    ],
)
def test_what_a_failed_close_costs(how, tricks, closer_has, points):
    # The other has a trick by now in any case: that of the close decides.
    p = stands((closer_has, 30), (3, 2), closed=closed(tricks=tricks), fail_penalty=how)
    assert scoring.fail_points(p) == points


def test_a_declaration_against_a_closer_is_worth_his_failing_or_two():
    lost = closed(tricks=0)
    assert scoring.won(stands((30, 66), closed=lost), B) == ("declared", 3)
    assert scoring.won(stands((30, 66), closed=lost, non_closer_declares="flat_2"), B) == ("declared", 2)


@pytest.mark.parametrize(
    ("shown", "counts"),
    [("", 50), ("S", 70), ("H", 90), ("SH", 70), ("HS", 90), ("C", 50)],
)
def test_only_the_first_marriage_shown_counts_with_a_declaration(shown, counts):
    p = stands((50, 0))
    p.trump = SUITS.index("H")
    p.aside = p.aside.__class__(shown=tuple(SUITS.index(suit) for suit in shown))
    assert scoring.declared_count(p, A) == counts
    assert scoring.declared_count(p, B) == 0
    p.table = (5,)
    assert scoring.declared_count(p, A) == 50


@pytest.mark.parametrize(
    ("tricks", "options"),
    [(0, {}), (1, {"show_unled_to_66": False}), (0, {"show_unled_to_66": False})],
)
def test_a_marriage_shown_does_not_count_before_a_trick_nor_where_none_may_be_shown(tricks, options):
    p = stands((50, 0), (tricks, 0), **options)
    p.aside = p.aside.__class__(shown=(SUITS.index("S"),))
    assert scoring.declared_count(p, A) == 50


def test_a_marriage_counts_by_what_trump_is_whichever_suit_it_is():
    for trump in range(len(SUITS)):
        p = fresh(stands((0, 0)))
        p.trump = trump
        assert [scoring.marriage_points(p, suit) for suit in range(len(SUITS))].count(40) == 1
        assert scoring.marriage_points(p, trump) == 40
    p.trump = -1
    assert {scoring.marriage_points(p, suit) for suit in range(len(SUITS))} == {40}


def test_a_false_declaration_shows_the_count_it_was_made_on():
    p = stands((40, 12), (3, 0))
    p.aside = p.aside.__class__(shown=(SUITS.index("S"),))
    result = scoring.declaration(p, A)
    assert (result.cause, result.winner, result.game_points, result.counts) == ("false_declaration", B, 3, (60, 12))
    assert (result.law, result.seat) == ("IR-61", A)


@pytest.mark.parametrize(
    ("total", "other_tricks", "options", "at_close", "winner", "points"),
    [
        (66, 1, {}, None, A, 2),
        (67, 0, {}, None, A, 3),
        (65, 1, {}, None, B, 2),
        (65, 0, {}, None, B, 3),
        (65, 0, {"false_declaration": "flat_2"}, None, B, 2),
        (65, 1, {"false_declaration": "flat_2"}, None, B, 2),
        (65, 2, {}, closed(tricks=0), B, 3),
        (65, 2, {}, closed(tricks=1), B, 2),
        (65, 2, {}, closed(tricks=0, by=B), B, 2),
    ],
)
def test_a_declaration_good_or_false(total, other_tricks, options, at_close, winner, points):
    result = scoring.declaration(stands((total, 10), (3, other_tricks), closed=at_close, **options), A)
    assert (result.winner, result.game_points, result.counts) == (winner, points, (total, 10))
    assert result.cause == ("declared" if winner == A else "false_declaration")


@pytest.mark.parametrize(
    ("has", "tricks", "at_close", "conceded", "timed_out"),
    [
        ((40, 30), (3, 2), None, 1, 2),
        ((32, 30), (3, 2), None, 2, 2),
        ((0, 30), (0, 2), None, 3, 3),
        ((40, 0), (3, 0), None, 1, 3),
        ((40, 30), (3, 2), closed(tricks=0), 3, 3),
        ((40, 30), (3, 2), closed(tricks=1), 2, 2),
        ((0, 30), (0, 2), closed(tricks=1), 2, 2),
        ((40, 30), (3, 2), closed(tricks=2, by=B), 1, 2),
    ],
)
def test_time_never_costs_less_than_conceding(has, tricks, at_close, conceded, timed_out):
    p = stands(has, tricks, closed=at_close)
    for how, points, cause, law in (
        (scoring.concession, conceded, "conceded", "IR-91"),
        (scoring.time_out, timed_out, "time", "IR-92"),
    ):
        result = how(p, A)
        assert (result.cause, result.winner, result.game_points) == (cause, B, points)
        assert (result.law, result.seat, result.counts) == (law, A, has)


@pytest.mark.parametrize(
    ("has", "options", "at_close", "points"),
    [
        (20, {}, None, 2),
        (1, {}, None, 2),
        (0, {}, None, 3),
        (20, {"revoke_penalty": "flat_3"}, None, 3),
        (20, {}, closed(tricks=0), 3),
        (0, {}, closed(tricks=1), 3),
        (20, {}, closed(tricks=0, by=B), 2),
    ],
)
def test_a_revoke_is_judged_on_what_the_offender_had_at_the_act(has, options, at_close, points):
    at_act = stands((has, 10), closed=at_close, **options)
    result = scoring.revoked(stands((60, 20), **options), at_act, A)
    assert (result.winner, result.game_points, result.counts) == (B, points, (60, 20))
    assert (result.cause, result.law, result.seat) == ("remedy", "IR-36", A)


def test_a_remedy_scores_the_award_and_a_false_accusation_what_it_alleged():
    p = stands((20, 10), remedy_award=4, revoke_points=5, revoke_points_no_points=5)
    assert scoring.remedied(p, A, law="IR-20").game_points == 4
    for law, points in (("IR-20", 4), ("IR-36", 5)):
        result = scoring.accused_falsely(p, B, law=law)
        assert (result.winner, result.game_points, result.law, result.seat) == (A, points, "IR-37", B)


@pytest.mark.parametrize(
    ("points", "options", "winner", "scored"),
    [
        ((66, 54), {}, A, 1),
        ((54, 66), {}, B, 1),
        ((32, 98), {}, B, 2),
        ((65, 65), {}, NOBODY, 0),
        ((65, 65), {"both_66_undeclared": "higher_total"}, NOBODY, 0),
        ((60, 65), {"both_66_undeclared": "higher_total"}, NOBODY, 0),
        ((70, 80), {}, NOBODY, 0),
        ((70, 80), {"both_66_undeclared": "higher_total"}, B, 1),
        ((80, 70), {"both_66_undeclared": "higher_total"}, A, 1),
        ((70, 70), {"both_66_undeclared": "higher_total"}, NOBODY, 0),
    ],
)
def test_a_deal_played_out_with_the_stock_open(points, options, winner, scored):
    result = scoring.played_out(stands(points, (6, 6), **options))
    assert (result.cause, result.winner, result.game_points) == ("played_out", winner, scored)
    assert (result.counts, result.law, result.seat) == (points, "", NOBODY)


LAST = {"closer_66_undeclared": "if_won_last_trick"}
HIGHER = {"both_66_undeclared": "higher_total"}


@pytest.mark.parametrize(
    ("points", "tricks", "options", "cause", "winner", "scored"),
    [
        ((66, 40), "ab", {}, "played_out", A, 1),
        ((66, 20), "ab", {}, "played_out", A, 2),
        ((65, 40), "ba", {}, "closer_failed", B, 2),
        ((65, 70), "ba", {}, "closer_failed", B, 2),
        ((66, 66), "ba", {}, "played_out", NOBODY, 0),
        ((67, 66), "ba", HIGHER, "played_out", A, 1),
        ((67, 90), "ba", HIGHER, "played_out", B, 1),
        ((70, 20), "ba", LAST, "played_out", A, 2),
        ((70, 20), "baa", LAST, "played_out", A, 2),
        ((70, 20), "aab", LAST, "closer_failed", B, 2),
        ((70, 20), "ab", LAST, "closer_failed", B, 2),
        ((70, 20), "", LAST, "closer_failed", B, 2),
        ((65, 20), "ba", LAST, "closer_failed", B, 2),
    ],
)
def test_a_deal_played_out_after_a_close(points, tricks, options, cause, winner, scored):
    p = stands(points, (3, 2), closed=closed(), **options)
    p.tricks = tuple((A, "ab".index(winner_of), (0, 5)) for winner_of in tricks)
    result = scoring.played_out(p)
    assert (result.cause, result.winner, result.game_points) == (cause, winner, scored)
    assert result.seat == (A if cause == "closer_failed" else NOBODY)


def test_a_count_is_card_points_and_the_marriages_that_count():
    p = stands((30, 12))
    p.marriages = Marriages((), (20, 0), (0, 40))
    assert scoring.counts(p) == (50, 12)
    p.marriages = Marriages((), replaced((20, 0), B, 40), (0, 0))
    assert scoring.counts(p) == (50, 52)


@pytest.mark.parametrize(
    ("how", "winner", "loser", "owed"),
    [
        ("none", 8, 3, 0),
        ("per_game", 7, 3, 1),
        ("per_game", 9, 0, 2),
        ("per_point", 8, 3, 4),
        ("per_point", 7, 0, 14),
    ],
)
def test_settlement_caps_the_winner_at_the_target_and_doubles_against_nothing(how, winner, loser, owed):
    options = compiled(rulesets.named("house").override({"settlement": how}).options)
    assert scoring.settlement(options, winner, loser) == owed


#: A deal that c has dealt: a and b play, c rests.
RESTING = START.replace("dealer:b", "dealer:c")
C = 2


def rests(points: tuple[int, int, int], tricks: tuple[int, int, int] = (6, 6, 0), **options: object) -> Position:
    """A position of three, c resting, with these card points and tricks."""
    p = fresh(notation.read_position(RESTING, rulesets.named("three_handed").override(options)))
    p.points, p.counts = points, tricks
    return p


@pytest.mark.parametrize(
    ("points", "options", "winner", "gains"),
    [
        ((66, 64, 0), {}, A, (1, 0, 1)),
        ((32, 98, 0), {}, B, (0, 2, 2)),
        ((65, 65, 0), {}, NOBODY, (0, 0, 1)),
        ((70, 80, 0), {}, NOBODY, (0, 0, 1)),
        ((70, 80, 0), {"rest_share": 3}, NOBODY, (0, 0, 3)),
        ((70, 80, 0), {"both_66_undeclared": "higher_total"}, B, (0, 1, 1)),
        ((80, 80, 0), {"both_66_undeclared": "higher_total"}, NOBODY, (0, 0, 1)),
    ],
)
def test_a_resting_dealer_scores_what_either_scores_or_his_share(points, options, winner, gains):
    """4.2, B-03, B-04."""
    p = rests(points, **options)
    result = scoring.shared(p, scoring.played_out(p))
    assert (result.winner, scoring.gains(p, result)) == (winner, gains)


def test_the_higher_total_is_that_of_the_two_who_played_wherever_they_sit():
    """The dealer a rests: b and c with the same count are a draw, with another the higher wins."""
    p = rests((66, 66, 0), both_66_undeclared="higher_total")
    p.frame = frame_for(p.frame.rule_set, dealer=A)
    p.points, p.counts = (0, 75, 75), (0, 6, 6)
    assert scoring.played_out(p).winner == NOBODY
    p.points = (0, 70, 80)
    assert scoring.played_out(p).winner == C
    p.points = (0, 80, 70)
    assert scoring.played_out(p).winner == B


def test_a_fault_of_his_own_gives_a_resting_dealer_nothing():
    """B-03 with P6: what is awarded against a player is the dealer's too; of his own fault both the others have it."""
    p = rests((20, 30, 0))
    for seat, gains in ((A, (0, 2, 2)), (B, (2, 0, 2)), (C, (2, 2, 0))):
        assert scoring.gains(p, scoring.shared(p, scoring.time_out(p, seat))) == gains


def test_the_last_trick_wins_the_deal_where_the_rule_set_says_so_and_a_deal_without_a_trick_is_drawn():
    """E-03, W-41; no deal ends without a trick but by accident of wrong packets."""
    p = stands((70, 50), (3, 2), last_trick="wins_hand_1")
    assert scoring.played_out(p).winner == A, "the only trick that was played is a's"
    p.tricks = (*p.tricks, (A, B, (0, 5)))
    result = scoring.played_out(p)
    assert (result.winner, result.game_points) == (B, 1)
    p.tricks, p.points = (), (0, 0)
    assert (scoring.played_out(p).winner, scoring.played_out(p).game_points) == (NOBODY, 0)


@pytest.mark.parametrize(("points", "winner", "scored"), [((70, 80), B, 1), ((80, 70), B, 1), ((66, 66), B, 1)])
def test_both_with_enough_may_leave_it_to_the_last_trick(points, winner, scored):
    p = stands(points, (6, 6), both_66_undeclared="last_trick")
    p.tricks = (*p.tricks, (A, A, (1, 6)), (A, B, (0, 5)))
    result = scoring.played_out(p)
    assert (result.winner, result.game_points) == (winner, scored)


@pytest.mark.parametrize(("other_has", "other_tricks", "points"), [(40, 3, 1), (32, 3, 2), (0, 0, 3)])
def test_a_false_declaration_may_cost_what_a_good_one_would_have_scored(other_has, other_tricks, points):
    """E-05."""
    p = stands((65, other_has), (3, other_tricks), false_declaration="as_claimed")
    result = scoring.declaration(p, A)
    assert (result.cause, result.winner, result.game_points) == ("false_declaration", B, points)
