"""Scoring between two sides: by bands, by ticks, and what a side at fault pays; tables of counts."""

import pytest

from referee.rules import cards, play, rulesets, scoring
from referee.rules.positions import NOBODY, Marriages, Position, Stakes, fresh

A, B, C, D = range(4)


def stands(name: str, points: tuple[int, int], tricks: tuple[int, int] = (4, 4), **options: object) -> Position:
    """A position in which a and c have the first of these points and tricks, b and d the second."""
    rules = rulesets.named(name).override(options)
    p = fresh(play.deal_position(rules, cards.pack_cards(rules.options["pack"]), dealer=D))
    p.points, p.counts = points * 2, tricks * 2
    return p


def bid(p: Position, seat: int, ticks: int) -> Position:
    """The same position with the highest bid that was made."""
    q = fresh(p)
    q.stakes = Stakes(bids=((seat, ticks),))
    return q


@pytest.mark.parametrize(
    ("points", "tricks", "bands", "under_33"),
    [
        ((66, 64), (4, 4), 1, 1),
        ((99, 31), (5, 3), 1, 2),
        ((98, 32), (5, 3), 1, 2),
        ((97, 33), (5, 3), 1, 1),
        ((100, 30), (5, 3), 2, 2),
        ((129, 1), (7, 1), 2, 2),
        ((130, 0), (7, 1), 2, 2),
        ((130, 0), (8, 0), 3, 3),
    ],
)
def test_a_deal_scored_by_bands(points, tricks, bands, under_33):
    """4.3, C-01 to C-04, W-36: either side, on either basis."""
    for basis, scored in (("bands", bands), ("under_33", under_33)):
        for swap in (1, -1):
            p = stands("four_handed", points[::swap], tricks[::swap], schneider_basis=basis)
            result = scoring.played_out(p)
            winner, loser = (A, B) if swap == 1 else (B, A)
            assert (result.cause, result.winner, result.game_points) == ("played_out", winner, scored)
            assert (result.scores[winner], result.scores[loser]) == (scored, 0)
            assert result.scores == result.scores[:2] * 2, "partners score the same"


def test_sixty_five_each_is_a_draw_and_the_tens_that_were_taken_stay():
    """4.3, C-09."""
    p = stands("four_handed", (65, 65))
    assert (scoring.played_out(p).winner, scoring.gains(p, scoring.played_out(p))) == (NOBODY, (0, 0, 0, 0))
    p.stakes = Stakes(tens=(0, 1, 0, 1))
    assert (scoring.played_out(p).winner, scoring.gains(p, scoring.played_out(p))) == (NOBODY, (0, 1, 0, 1))


@pytest.mark.parametrize(
    ("ticks", "points", "cause", "winner", "scores"),
    [
        (1, (33, 87), "played_out", A, (1, 2)),
        (1, (32, 88), "set", B, (-1, 2)),
        (2, (65, 55), "set", B, (-2, 1)),
        (2, (66, 54), "played_out", A, (2, 1)),
        (2, (102, 18), "played_out", A, (3, 0)),
        (3, (99, 61), "played_out", A, (3, 1)),
        (4, (131, 9), "set", B, (-4, 0)),
        (4, (132, 8), "played_out", A, (4, 0)),
    ],
)
def test_a_bid_made_or_set(ticks, points, cause, winner, scores):
    """4.4, D-02, D-15, D-17, W-38, W-39."""
    result = scoring.played_out(bid(stands("cruce", points), C, ticks))
    assert (result.cause, result.scores) == (cause, scores * 2)
    assert result.winner in ((A, C) if winner == A else (B, D))
    twice = scoring.played_out(bid(stands("cruce", points, set_costs="twice_bid"), C, ticks))
    assert twice.scores[A] == (scores[0] if cause == "played_out" else 2 * scores[0])
    assert twice.scores[B] == scores[1]


@pytest.mark.parametrize(
    ("points", "tricks", "all_tricks", "by_points"),
    [((90, 0), (6, 0), 5, -5), ((70, 20), (5, 1), -5, -5), ((170, 0), (5, 1), -5, 5), ((199, 0), (6, 0), 5, 6)],
)
def test_the_moon_is_every_trick_or_as_many_points(points, tricks, all_tricks, by_points):
    """D-07, D-08: the others score their ticks in any case."""
    for goal, gained in (("all_tricks", all_tricks), ("points_165", by_points)):
        result = scoring.played_out(bid(stands("cruce", points, tricks, moon_goal=goal), B, 5))
        assert result.scores[A] == points[0] // 33, "a and c are the others here"
        result = scoring.played_out(bid(stands("cruce", points, tricks, moon_goal=goal), A, 5))
        assert result.scores == (gained, points[1] // 33) * 2


def test_a_deal_without_a_bid_scores_nothing():
    result = scoring.played_out(stands("cruce", (70, 50)))
    assert (result.winner, result.game_points, result.scores) == (NOBODY, 0, (0, 0, 0, 0))


@pytest.mark.parametrize(
    ("how", "law", "cause"),
    [
        (lambda p, seat: scoring.revoked(p, p, seat), "IR-9A", "remedy"),
        (scoring.time_out, "IR-92", "time"),
    ],
)
def test_who_is_at_fault_where_ticks_are_bid_is_set_or_makes_the_others_bid(how, law, cause):
    """IR-9A, D-21."""
    p = bid(stands("cruce", (70, 40)), C, 3)
    at_fault = how(p, A)
    assert (at_fault.scores, at_fault.law, at_fault.seat, at_fault.cause) == ((-3, 1, -3, 1), law, A, cause)
    for seat in (B, D):
        made = how(p, seat)
        assert (made.scores, made.law, made.seat) == ((3, 0, 3, 0), law, seat)


@pytest.mark.parametrize(
    ("points", "options", "scored"),
    [((0, 20), {}, 3), ((11, 20), {}, 2), ((11, 20), {"revoke_penalty": "flat_3"}, 3)],
)
def test_a_revoke_of_a_side_costs_two_or_three_without_points(points, options, scored):
    """IR-95: the points are those of the side, whichever of them revoked."""
    p = stands("four_handed", points, **options)
    for seat in (A, C):
        result = scoring.revoked(p, p, seat)
        assert (result.scores, result.law, result.seat) == ((0, scored, 0, scored), "IR-95", seat)


@pytest.mark.parametrize(
    ("points", "tricks", "conceded", "timed_out"),
    [
        ((40, 30), (4, 2), 1, 2),
        ((33, 30), (4, 2), 1, 2),
        ((32, 30), (4, 2), 2, 2),
        ((20, 30), (4, 2), 2, 2),
        ((0, 30), (0, 2), 3, 3),
        ((40, 0), (4, 0), 1, 3),
    ],
)
def test_conceding_and_absence_of_a_side_in_the_game_of_bands(points, tricks, conceded, timed_out):
    p = stands("four_handed", points, tricks)
    assert scoring.concession(p, C).scores == (0, conceded, 0, conceded)
    assert scoring.time_out(p, C).scores == (0, timed_out, 0, timed_out)


def test_an_award_keeps_the_tens_that_were_taken():
    p = stands("four_handed", (20, 30))
    p.stakes = Stakes(tens=(1, 0, 1, 0))
    assert scoring.remedied(p, A, law="IR-80").scores == (1, 1, 1, 1)
    assert scoring.remedied(p, B, law="IR-80").scores == (2, 0, 2, 0)


def test_a_marriage_led_before_trump_is_made_counts_forty():
    """D-12."""
    p = stands("cruce", (0, 0))
    assert (p.trump, scoring.marriage_points(p, 2)) == (-1, 40)
    p.trump = 1
    assert [scoring.marriage_points(p, suit) for suit in range(4)] == [20, 40, 20, 20]
    p.marriages = Marriages((), (40, 20, 40, 20), (0, 0, 0, 0))
    assert scoring.counts(p) == (40, 20, 40, 20)
