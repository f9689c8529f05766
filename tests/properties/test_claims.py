"""Random play with claims, rightly and wrongly, in both `calls`: nothing raises, every deal ends, every log verifies."""

import os
import random
from collections import Counter

import orjson
import pytest

from referee import match
from referee.rules import acts, play, rulesets
from referee.rules.cards import SEATS, cards_of
from tests.properties.walks import MOST_DEALS, VARIED, assert_scorable, assert_scores_add_up

EVERY_ACT = tuple(acts.finite_acts())
HANDS_ON = ("shuffle", "cut", "deal", "draw")
CHORES = ((), ("draw",), HANDS_ON, (*HANDS_ON, "watch"), ("watch",))
DEALS = int(os.environ.get("REFEREE_SOAK_DEALS", "40"))
MOST_STEPS = 30_000


class Walk:
    """One match at random; everything it does follows from its number."""

    def __init__(self, number: int, name: str, calls: str) -> None:
        self.dice = random.Random(f"{name}/{calls}/{number}")
        changed = self.dice.choice(VARIED[name]) if self.dice.random() < 0.25 else {}
        rules = rulesets.named(name).override({"most_deals": MOST_DEALS, **changed})
        self.players = range(rules.options["seats"])
        letters = SEATS[: len(self.players)]
        seats = tuple(match.Seating(seat, seat, frozenset(self.dice.choice(CHORES))) for seat in letters)
        self.terms = match.Terms("mat_walk", rules, seats, calls=calls, opened_at="2026-11-30T00:00:00.000Z")
        self.seed = self.dice.randbytes(32)
        self.irregular = self.dice.choice((0.0, 0.3, 0.6, 0.9))
        self.claiming = self.dice.choice((0.0, 0.1, 0.4)) if calls == "players" else 0.0
        step = match.open_match(self.terms, self.seed)
        self.m, self.lines = step.match, list(step.lines)

    def choose(self) -> tuple[int, dict]:
        m, dice = self.m, self.dice
        if m.past and dice.random() < self.claiming:
            kind = dice.choice((acts.CLAIM, acts.CLAIM, acts.TAKE_BACK))
            return dice.choice(self.players), {"act": kind, "number": dice.choice(m.past).number}
        if dice.random() < self.irregular:
            seat = dice.choice(self.players)
            return seat, acts.act_json(self.odd_act(seat))
        seat = dice.choice(m.asked)
        prompt = match.prompt(m, seat)
        assert prompt["lawful"], "a seat is asked and has nothing lawful"
        risky = prompt["own_risk"] and dice.random() < 0.05
        body = dice.choice(prompt["own_risk"] if risky else prompt["lawful"])
        high = body["act"] == "bid" and dice.random() < 0.7  # who always bids high is always set
        return seat, prompt["lawful"][0] if high else body

    def odd_act(self, seat: int) -> acts.Act:
        """Any act that could happen now, in order or not; now and then one that could not."""
        for _ in range(60):
            one = self.dice.choice(EVERY_ACT)
            if play.is_possible(self.m.position, seat, one):
                return one
        return self.dice.choice(EVERY_ACT)

    def step(self) -> None:
        seat, body = self.choose()
        done = match.act(self.m, seat, body, ms=1)
        if self.dice.random() < 0.001:
            done = match.time_out(self.m, self.dice.choice(self.m.asked), elapsed_ms=1)
        if isinstance(done, match.Step):
            self.m = done.match
            self.lines += done.lines
            self.check()

    def check(self) -> None:
        m, p = self.m, self.m.position
        held = [card for hand in p.hands for card in cards_of(hand)] + [*p.stock, *p.table]
        held += [card for trick in p.tricks for card in trick[2]] + ([p.turn_up] if p.turn_up >= 0 else [])
        held += [card for _, card in p.aside.early]
        assert m.deal == 0 or sorted(held) == sorted(p.frame.pack), "cards are conserved"
        assert m.is_over or m.asked, "somebody is asked"
        for seat in self.players:
            match.view(m, seat)
        if p.phase not in ("cut_for_deal", "scored"):
            assert_scorable(p)


@pytest.mark.timeout(max(300, DEALS))
@pytest.mark.parametrize("calls", ["referee", "players"])
@pytest.mark.parametrize("name", rulesets.names())
def test_random_players_who_claim_at_random_come_to_an_end(name, calls):
    laws, deals, number = Counter(), 0, 0
    while deals < DEALS:
        number += 1
        walk = Walk(number, name, calls)
        for _ in range(MOST_STEPS):
            if walk.m.is_over:
                break
            walk.step()
        assert walk.m.is_over, f"walk {name}/{calls}/{number} does not end: {walk.m.position.phase}"
        events = [orjson.loads(line) for line in walk.lines]
        laws.update(law for event in events if event["type"] == "ruled" for law in event["laws"])
        scored = [event for event in events if event["type"] == "scored"]
        deals += len(scored)
        assert len({event["deal"] for event in scored}) == len(scored), "a deal has one scoring reason"
        assert_scores_add_up(walk.terms, walk.m, events)
        verdict = match.verify(match.finished_log(walk.m, walk.lines, walk.seed))
        assert verdict.ok, f"walk {name}/{calls}/{number}: {verdict.problem}"
    assert laws, "nothing was ruled on"
