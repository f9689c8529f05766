"""Whole matches beside the oracle: packs, dealers, scores and the carry, deal after deal."""

import os
import random

import orjson
import pytest

from referee import match
from referee.rules import cards, rulesets
from tests.oracle.around_the_deal import next_deal
from tests.oracle.random_play import next_act
from tests.oracle.two_handed import Table
from tests.perft.models import RELATIVES

pytestmark = pytest.mark.timeout(3600)
MATCHES = max(12, int(os.environ.get("REFEREE_SOAK_DEALS", "200")) // 15)


def cut_in_the_middle(pack):
    """The attendant's cut: the lower half comes on top."""
    return pack[12:] + pack[:12]


def play_beside_the_oracle(name: str, number: int) -> int:
    """Plays one match on both sides; returns how many deals it took."""
    rng = random.Random(f"match/{name}/{number}")
    rules = rulesets.named(name).override({"target": rng.choice((1, 3, 7, 11))})
    seats = tuple(match.Seating(f"bot_{x}", x, frozenset({"draw"})) for x in "ab")
    terms = match.Terms("mat_oracle", rules, seats, first_dealer=rng.randrange(2))
    seed = rng.randbytes(32)
    step = match.open_match(terms, seed)
    dealer, score, carry, deal = "ab"[terms.first_dealer], {"a": 0, "b": 0}, 0, 0
    while not step.match.is_over:
        deal += 1
        pack = [cards.CARD_NAMES[card] for card in match.pack_for(seed, deal, 1, 24)]
        table = Table(rules.options, cut_in_the_middle(pack), dealer)
        where = f"match/{name}/{number} deal {deal}"
        assert (step.match.deal, step.match.attempt, step.match.dealer) == (deal, 1, "ab".index(dealer)), where
        while table.result is None:
            assert step.match.position.phase == table.phase, where
            assert step.match.asked == ("ab".index(table.turn),), where
            seat, act = next_act(table, rng)
            step = match.act(step.match, "ab".index(seat), act, ms=5)
            assert isinstance(step, match.Step), (where, seat, act, step)
            table.apply(seat, act)
        scored = [event for event in map(orjson.loads, step.lines) if event["type"] == "scored"]
        assert len(scored) == 1, where
        winner = table.result["winner"]
        gained = next_deal(rules.options, dealer, table.result, carry)
        if winner is not None:
            score[winner] += gained[1]
        dealer, _, carry = gained
        said = (scored[0]["winner"], scored[0]["score"], scored[0]["carry"], scored[0]["game_points"])
        assert said == (winner, score, carry, table.result["points"]), where
    best = max(score, key=score.__getitem__)
    assert step.match.outcome.winner == "ab".index(best)
    assert score[best] >= rules.options["target"]
    assert step.match.score == (score["a"], score["b"])
    return deal


@pytest.mark.parametrize("name", [name for name in rulesets.names() if name not in RELATIVES])
def test_matches_go_as_the_oracle_says(name):
    deals = sum(play_beside_the_oracle(name, number) for number in range(MATCHES))
    assert deals > MATCHES
