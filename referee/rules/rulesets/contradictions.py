"""Pairs of option values that cannot both hold in one rule-set.

Each pair says why. An option that merely means nothing beside another is no contradiction, unless
it was plainly meant to have an effect.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.rules.rulesets.options import RuleSetError, Value, shown


@dataclass(frozen=True, slots=True)
class _Contradiction:
    """Two options that cannot both hold: the test on all options that finds it, and why not."""

    first: str
    second: str
    found_in: Callable[[Mapping[str, Any]], bool]
    why: str


def _descending(lower: str, higher: str) -> _Contradiction:
    return _Contradiction(lower, higher, lambda o: bool(o[lower] > o[higher]), "the graver case would cost less")


_CONTRADICTIONS = (
    _Contradiction(
        "partners", "seats", lambda o: o["partners"] != (o["seats"] == 4), "four play as partners, fewer never do"
    ),
    _Contradiction(
        "dealer_rests",
        "seats",
        lambda o: o["dealer_rests"] != (o["seats"] == 3),
        "of three the dealer rests, so that two play",
    ),
    _Contradiction("play_on", "seats", lambda o: o["play_on"] and o["seats"] != 3, "playing on is for three seats"),
    _Contradiction(
        "play_on",
        "win_by",
        lambda o: o["play_on"] and o["win_by"] > 1,
        "where the others play on, who reaches the target is out, by however little",
    ),
    _Contradiction(
        "carry_on_draw",
        "dealer_rests",
        lambda o: o["carry_on_draw"] != "none" and o["dealer_rests"],
        "what the resting dealer scores for a drawn deal takes the place of a carry",
    ),
    _Contradiction(
        "hand_size",
        "pack",
        lambda o: o["seats"] < 4 and 2 * o["hand_size"] + 1 > o["pack"],
        "two hands and the turn-up do not fit into the pack",
    ),
    _Contradiction(
        "hand_size",
        "pack",
        lambda o: o["seats"] == 4 and 4 * o["hand_size"] != o["pack"],
        "four hands are the whole pack",
    ),
    _Contradiction(
        "min_stock_to_close",
        "hand_size",
        lambda o: o["seats"] < 4 and o["min_stock_to_close"] > o["pack"] - 2 * o["hand_size"],
        "the stock is never so large, so nobody could close",
    ),
    _Contradiction(
        "trump_method",
        "seats",
        lambda o: (o["trump_method"] in ("last_card", "first_lead")) != (o["seats"] == 4),
        "with a stock trump is turned from it; where everything is dealt it is not",
    ),
    _Contradiction(
        "bidding",
        "trump_method",
        lambda o: (o["bidding"] == "ticks") != (o["trump_method"] == "first_lead"),
        "who bids highest makes trump by his first lead",
    ),
    _Contradiction(
        "score_by",
        "bidding",
        lambda o: (o["score_by"] == "ticks") != (o["bidding"] == "ticks"),
        "ticks are bid and scored, or neither",
    ),
    _Contradiction(
        "score_by",
        "partners",
        lambda o: (o["score_by"] == "loser") == o["partners"],
        "bands and ticks are for sides, the loser's count is for single adversaries",
    ),
    _Contradiction(
        "declare_window",
        "seats",
        lambda o: (o["declare_window"] == "never") != (o["seats"] == 4),
        "four play every deal out, two declare",
    ),
    _Contradiction(
        "deal_style",
        "hand_size",
        lambda o: (
            (o["deal_style"] == "three_two_three" and o["hand_size"] != 8)
            or (o["deal_style"] == "cross_twos" and o["hand_size"] % 2 != 0)
        ),
        "the packets do not make full hands",
    ),
    _Contradiction(
        "deal_style",
        "seats",
        lambda o: o["deal_style"] != "packets" and o["seats"] != 4,
        "these packets are for four seats",
    ),
    _Contradiction(
        "ten_of_trumps",
        "score_by",
        lambda o: o["ten_of_trumps"] != "none" and o["score_by"] != "bands",
        "the ten of trumps scores of itself in the four-handed game only",
    ),
    _Contradiction(
        "next_dealer",
        "seats",
        lambda o: o["next_dealer"] == "winner" and o["seats"] > 2,
        "with more than two seats the deal passes to the left",
    ),
    _Contradiction(
        "last_trick",
        "score_by",
        lambda o: o["last_trick"] == "wins_hand_1" and o["score_by"] != "loser",
        "bands and ticks go by the count, whoever takes the last trick",
    ),
    _Contradiction("packet", "hand_size", lambda o: o["packet"] > o["hand_size"], "a packet would overfill the hand"),
    _Contradiction(
        "trump_method",
        "packet",
        lambda o: o["trump_method"] == "turn_after_3" and o["packet"] != 3,
        "a card is turned after three cards each, so three are dealt at a time",
    ),
    _Contradiction(
        "cut_least",
        "pack",
        lambda o: (o["seats"] + 1) * o["cut_least"] > o["pack"],
        "a cut for deal by every seat, and what the last one leaves, do not fit into the pack",
    ),
    _Contradiction(
        "trump_position",
        "trump_method",
        lambda o: o["trump_position"] != "top" and o["trump_method"] != "pone_draws",
        "a place in the stock is for a trump that the pone draws",
    ),
    _Contradiction(
        "two_turned",
        "trump_method",
        lambda o: o["two_turned"] == "choose" and o["trump_method"] in ("pone_draws", "last_card", "first_lead"),
        "the pone chooses among two cards of the stock that the dealer has turned",
    ),
    _Contradiction(
        "nine_after_opening_close",
        "close_before_first_lead",
        lambda o: o["nine_after_opening_close"] and not o["close_before_first_lead"],
        "an exchange after an opening close needs an opening close",
    ),
    _Contradiction(
        "nine_after_opening_close",
        "nine_after_close",
        lambda o: o["nine_after_opening_close"] and o["nine_after_close"] == "none",
        "an exchange after an opening close is an exchange after a close",
    ),
    _Contradiction(
        "schneider_below",
        "declare_at",
        lambda o: o["schneider_below"] > o["declare_at"],
        "a loser with enough to declare would be schneider",
    ),
    _descending("points_plain", "points_schneider"),
    _descending("points_schneider", "points_schwarz"),
    _descending("fail_points", "fail_points_no_trick"),
    _descending("false_points", "false_points_no_trick"),
    _descending("revoke_points", "revoke_points_no_points"),
)


def refuse_contradictions(options: Mapping[str, Value], *, where: str, key: str) -> None:
    """Raise `RuleSetError` naming both options if two values cannot both hold; None if all agree."""
    for each in _CONTRADICTIONS:
        if each.found_in(options):
            raise RuleSetError(
                "contradiction",
                where,
                key=key,
                problem=f"{_stated(each.first, options)} contradicts {_stated(each.second, options)}",
                right=each.why,
                options=(each.first, each.second),
            )


def _stated(name: str, options: Mapping[str, Value]) -> str:
    return f"{name} = {shown(options[name])}"
