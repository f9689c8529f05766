"""Scoring where the worked cases do not reach it: what a match is worth."""

import pytest

from referee.rules import rulesets, scoring
from referee.rules.options import compiled


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
