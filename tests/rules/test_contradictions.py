"""Options that contradict each other are refused with both named; values that only look odd together are not."""

import pytest

from referee.rules import rulesets
from referee.rules.rulesets import RuleSetError
from referee.rules.rulesets.contradictions import _CONTRADICTIONS

#: Rule-set, what is changed, and the two options that cannot both hold then.
REFUSED = (
    ("house", {"partners": True}, "partners", "seats"),
    ("cruce", {"partners": False}, "partners", "seats"),
    ("four_handed", {"seats": 3}, "partners", "seats"),
    ("house", {"seats": 3}, "dealer_rests", "seats"),
    ("house", {"dealer_rests": True}, "dealer_rests", "seats"),
    ("three_handed", {"dealer_rests": False}, "dealer_rests", "seats"),
    ("house", {"play_on": True}, "play_on", "seats"),
    ("cruce", {"play_on": True}, "play_on", "seats"),
    ("three_handed", {"play_on": True, "win_by": 2}, "play_on", "win_by"),
    ("three_handed", {"carry_on_draw": "cumulative_1"}, "carry_on_draw", "dealer_rests"),
    ("schnapsen", {"hand_size": 10}, "hand_size", "pack"),
    ("cruce", {"pack": 32}, "hand_size", "pack"),
    ("four_handed", {"hand_size": 6, "deal_style": "packets"}, "hand_size", "pack"),
    ("schnapsen", {"min_stock_to_close": 11}, "min_stock_to_close", "hand_size"),
    ("house", {"trump_method": "last_card"}, "trump_method", "seats"),
    ("three_handed", {"trump_method": "first_lead"}, "trump_method", "seats"),
    ("four_handed", {"trump_method": "turn_13th"}, "trump_method", "seats"),
    ("cruce", {"trump_method": "last_card"}, "bidding", "trump_method"),
    ("four_handed", {"trump_method": "first_lead"}, "bidding", "trump_method"),
    ("house", {"bidding": "ticks"}, "bidding", "trump_method"),
    ("four_handed", {"score_by": "ticks"}, "score_by", "bidding"),
    ("cruce", {"score_by": "bands"}, "score_by", "bidding"),
    ("house", {"score_by": "bands"}, "score_by", "partners"),
    ("four_handed", {"score_by": "loser"}, "score_by", "partners"),
    ("house", {"declare_window": "never"}, "declare_window", "seats"),
    ("four_handed", {"declare_window": "any_time"}, "declare_window", "seats"),
    ("cruce", {"deal_style": "three_two_three"}, "deal_style", "hand_size"),
    ("four_handed", {"pack": 20, "hand_size": 5, "deal_style": "cross_twos"}, "deal_style", "hand_size"),
    ("house", {"deal_style": "cross_twos"}, "deal_style", "seats"),
    ("house", {"ten_of_trumps": "game_point"}, "ten_of_trumps", "score_by"),
    ("cruce", {"ten_of_trumps": "game_point"}, "ten_of_trumps", "score_by"),
    ("three_handed", {"next_dealer": "winner"}, "next_dealer", "seats"),
    ("four_handed", {"last_trick": "wins_hand_1"}, "last_trick", "score_by"),
    ("cruce", {"last_trick": "wins_hand_1"}, "last_trick", "score_by"),
    ("schnapsen", {"packet": 6}, "packet", "hand_size"),
    ("schnapsen", {"packet": 2}, "trump_method", "packet"),
    ("cruce", {"cut_least": 5}, "cut_least", "pack"),
    ("schnapsen", {"cut_least": 7}, "cut_least", "pack"),
    ("three_handed", {"cut_least": 7}, "cut_least", "pack"),
    ("house", {"trump_position": "middle"}, "trump_position", "trump_method"),
    ("house", {"two_turned": "choose", "trump_method": "pone_draws"}, "two_turned", "trump_method"),
    ("cruce", {"two_turned": "choose"}, "two_turned", "trump_method"),
    ("pagat", {"nine_after_opening_close": True}, "nine_after_opening_close", "close_before_first_lead"),
    ("schnapsen", {"nine_after_opening_close": True}, "nine_after_opening_close", "nine_after_close"),
    ("house", {"schneider_below": 67}, "schneider_below", "declare_at"),
    ("four_handed", {"points_plain": 3}, "points_plain", "points_schneider"),
    ("schnapsen", {"points_schneider": 4}, "points_schneider", "points_schwarz"),
    ("house", {"fail_points": 4}, "fail_points", "fail_points_no_trick"),
    ("house", {"false_points": 4}, "false_points", "false_points_no_trick"),
    ("four_handed", {"revoke_points": 4}, "revoke_points", "revoke_points_no_points"),
)

#: What is accepted although it is at the edge of one of those above.
ACCEPTED = (
    ("house", {"seats": 3, "dealer_rests": True, "carry_on_draw": "none"}),
    ("schnapsen", {"hand_size": 6}),
    ("schnapsen", {"hand_size": 9}),
    ("schnapsen", {"seats": 3, "dealer_rests": True}),
    ("schnapsen", {"min_stock_to_close": 10}),
    ("schnapsen", {"last_trick": "ten", "last_trick_bonus": 10, "both_66_undeclared": "draw_carry"}),
    ("three_handed", {"play_on": True}),
    ("three_handed", {"win_by": 3}),
    ("three_handed", {"pack": 32, "hand_size": 8}),
    ("four_handed", {"pack": 24, "hand_size": 6, "deal_style": "packets"}),
    ("four_handed", {"deal_style": "cross_twos"}),
    ("cruce", {"deal_style": "cross_twos"}),
    ("cruce", {"pack": 32, "hand_size": 8, "packet": 4}),
    ("cruce", {"cut_least": 4}),
    ("house", {"cut_least": 8}),
    ("house", {"packet": 6}),
    ("house", {"trump_method": "turn_after_3"}),
)


@pytest.mark.parametrize(("name", "changes", "first", "second"), REFUSED)
def test_two_options_that_cannot_both_hold_are_refused_with_both_named(name, changes, first, second):
    with pytest.raises(RuleSetError) as refusal:
        rulesets.named(name).override(changes)
    assert refusal.value.code == "ruleset/contradiction"
    assert refusal.value.options == (first, second), refusal.value
    assert f"{first} = " in str(refusal.value)
    assert f"{second} = " in str(refusal.value)


@pytest.mark.parametrize(("name", "changes"), ACCEPTED)
def test_what_only_looks_odd_is_accepted(name, changes):
    assert rulesets.named(name).override(changes).options.items() >= changes.items()


def test_every_contradiction_is_tried_here():
    tried = set()
    for name, changes, _, _ in REFUSED:
        options = {**rulesets.named(name).options, **changes}
        tried.add(next(number for number, each in enumerate(_CONTRADICTIONS) if each.found_in(options)))
    left_out = [(each.first, each.second) for number, each in enumerate(_CONTRADICTIONS) if number not in tried]
    assert not left_out


def test_no_rule_set_that_comes_with_the_game_contradicts_itself():
    for name in rulesets.names():
        assert not [each for each in _CONTRADICTIONS if each.found_in(rulesets.named(name).options)]
