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
        "hand_size",
        "pack",
        lambda o: 2 * o["hand_size"] + 1 > o["pack"],
        "two hands and the turn-up do not fit into the pack",
    ),
    _Contradiction(
        "min_stock_to_close",
        "hand_size",
        lambda o: o["min_stock_to_close"] > o["pack"] - 2 * o["hand_size"],
        "the stock is never so large, so nobody could close",
    ),
    _Contradiction("packet", "hand_size", lambda o: o["packet"] > o["hand_size"], "a packet would overfill the hand"),
    _Contradiction(
        "cut_least", "pack", lambda o: 3 * o["cut_least"] > o["pack"], "two cuts for deal do not fit into the pack"
    ),
    _Contradiction(
        "trump_position",
        "trump_method",
        lambda o: o["trump_position"] != "top" and o["trump_method"] != "pone_draws",
        "a place in the stock is for a trump that the pone draws",
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
