"""The counts in the files are those of the slow models, and the engine's are the same.

Without `REFEREE_SOAK_DEALS` the models count only positions of up to SMALL sequences anew; the
engine counts every position always.
"""

import os

import pytest

from referee.rules import rulesets
from tests.perft import counting, engine
from tests.perft.models import MODELS

SMALL = 5000
AT_LENGTH = "REFEREE_SOAK_DEALS" in os.environ
POSITIONS = [(name, start, counted) for name in MODELS for start, counted in counting.stored(name)]
NAMED = [(name, start, counted) for name, start, counted in POSITIONS if name in rulesets.names()]
LIGHT = [each for each in POSITIONS if AT_LENGTH or each[2].nodes <= SMALL]
KINDS = {
    "house": {"play", "marry", "exchange", "close", "draw"},
    "schnapsen": {"play", "marry", "exchange", "close", "draw"},
    "three_handed": {"play", "marry", "exchange", "close", "draw"},
    "four_handed": {"play"},
    "cruce": {"play", "marry", "bid", "pass"},
}


def titles(positions) -> list[str]:
    """Names the cases: rule-set and position."""
    return [f"{name}: {start.title}" for name, start, _ in positions]


def assert_same(counted: counting.Count, kept: counting.Count, start: counting.Start, who: str) -> None:
    """Fails with the first depth at which two counts part."""
    for depth, (now, then) in enumerate(zip(counted.kinds, kept.kinds, strict=False), start=1):
        assert now == then, f"{start}\nat depth {depth} {who} counts {dict(now)}, the file has {dict(then)}"
    assert len(counted.kinds) == len(kept.kinds), f"{start}\n{who}: {len(counted.kinds)} depths, not {len(kept.kinds)}"
    assert counted.ends == kept.ends, f"{start}\nends by {who}: {dict(counted.ends)}, the file has {dict(kept.ends)}"


@pytest.mark.parametrize(("name", "start", "kept"), LIGHT, ids=titles(LIGHT))
def test_the_slow_model_counts_what_the_file_says(name, start, kept):
    assert_same(counting.count(counting.of_model(MODELS[name]), start), kept, start, "the model")


@pytest.mark.parametrize(("name", "start", "kept"), NAMED, ids=titles(NAMED))
def test_the_engine_counts_what_the_file_says(name, start, kept):
    assert_same(counting.count(engine.game(name), start), kept, start, "the engine")


@pytest.mark.parametrize("name", MODELS)
def test_a_file_is_written_as_it_was_read(name):
    text = (counting.FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert counting.written(name, counting.read(text)) == text


@pytest.mark.parametrize("name", MODELS)
def test_a_file_has_every_kind_of_act_and_whole_ends_of_deals(name):
    counts = [counted for _, counted in counting.stored(name)]
    assert set().union(*(kinds for counted in counts for kinds in counted.kinds)) == KINDS[name]
    ends = {points for counted in counts for points in counted.ends}
    assert len(ends) >= 4, f"every position of {name} ends in one of {sorted(ends)}"


def test_a_wrong_count_is_noticed():
    start, kept = counting.stored("schnapsen")[0]
    game = counting.of_model(MODELS["schnapsen"])
    lazy = game._replace(lawful=lambda state: [act for act in game.lawful(state) if act != "exchange"])
    with pytest.raises(AssertionError, match="at depth"):
        assert_same(counting.count(lazy, start), kept, start, "the model")
