"""A rule-set's options as typed attributes, ready for the hot path.

`compiled` turns the option values of a `RuleSet` into one `Options` value; nothing here
knows what an option means.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """Every option of a rule-set under its own name (RULES section 2; `options.toml`)."""

    seats: int
    partners: bool
    dealer_rests: bool
    rest_share: int
    play_on: bool
    pack: int
    hand_size: int
    packet: int
    deal_style: str
    cut_least: int
    trump_method: str
    trump_position: str
    two_turned: str
    first_dealer: str
    next_dealer: str
    look_back: str
    nine_needs_trick: bool
    nine_window: str
    nine_after_close: str
    nine_after_opening_close: bool
    marriage_plain: int
    marriage_royal: int
    marriage_opening_lead: str
    marriage_after_stock: bool
    marriage_after_close: bool
    show_unled_to_66: bool
    marriage_proof: str
    late_marriage_call: str
    strict_play: str
    undertrump: bool
    last_trick: str
    last_trick_bonus: int
    close_before_first_lead: bool
    close_before_draw: bool
    min_stock_to_close: int
    fail_penalty: str
    fail_points: int
    fail_points_no_trick: int
    success_level_frozen: bool
    closer_66_undeclared: str
    non_closer_declares: str
    declare_at: int
    declare_window: str
    false_declaration: str
    false_points: int
    false_points_no_trick: int
    both_66_undeclared: str
    carry_on_draw: str
    carry_step: int
    bidding: str
    all_pass: str
    tick: int
    moon_bid: int
    moon_goal: str
    set_costs: str
    score_by: str
    schneider_basis: str
    schneider_from: int
    ten_of_trumps: str
    schneider_below: int
    points_plain: int
    points_schneider: int
    points_schwarz: int
    remedy_award: int
    revoke_penalty: str
    revoke_points: int
    revoke_points_no_points: int
    target: int
    win_by: int
    most_deals: int
    settlement: str
    patience: int
    conduct_limit: int
    other_card_led: str
    false_accusation: str


def compiled(values: Mapping[str, Any]) -> Options:
    """Return the options of a rule-set as attributes; options read elsewhere are left out."""
    return Options(**{each.name: values[each.name] for each in fields(Options)})
