"""A match that nobody wins ends all the same: after so many deals the score decides."""

import pytest

from referee import match
from tests.match import playing


def test_a_table_that_always_passes_comes_to_an_end():
    step = match.open_match(playing.terms("cruce", overrides={"most_deals": 3}), bytes(32))
    lines, passes = list(step.lines), 0
    while not step.match.is_over:
        step = match.act(step.match, step.match.asked[0], {"act": "pass"}, ms=1)
        lines, passes = lines + list(step.lines), passes + 1
    assert passes == 12
    assert step.match.outcome == match.Outcome(None, "deal_limit", (0, 0, 0, 0))
    assert match.verify(match.finished_log(step.match, lines, bytes(32))).ok


@pytest.mark.parametrize("seed", range(6))
def test_after_the_last_deal_most_game_points_win(seed):
    ended = playing.play(seed, name="four_handed", overrides={"most_deals": 1}).match
    score = ended.outcome.score
    winner = None if score[0] == score[1] else score.index(max(score))
    assert (ended.outcome.winner, ended.outcome.cause) == (winner, "deal_limit")
