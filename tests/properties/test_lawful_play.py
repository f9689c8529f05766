"""Lawful play, whatever is chosen: it ends, nothing lawful is refused, no card is lost.

`REFEREE_SOAK_DEALS` says how many deals a rule-set are played from seeds (200 unless told);
Hypothesis adds a fifth of that of its own making, and shrinks what it finds.
"""

import random

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from referee.rules import cards, notation, play, rulesets
from tests.properties.deals import (
    DEALS,
    LONGEST,
    PROFILES,
    assert_conserved,
    assert_end_of_deal,
    assert_lawful_is_possible_without_objections,
    choose,
    dealt,
    pack_of,
    show,
)

pytestmark = pytest.mark.timeout(max(300, DEALS))


def assert_every_lawful_act_applies(position) -> None:
    """No lawful act is impossible or objected to, and each leads to a sound position."""
    for act in play.lawful_acts(position):
        assert play.is_possible(position, position.turn, act), (act, show(position))
        assert play.objections(position, position.turn, act) == (), (act, show(position))
        assert_conserved(play.apply(position, position.turn, act))


@pytest.mark.parametrize("name", PROFILES)
def test_59_random_lawful_play_always_ends_and_is_never_refused(name):
    for number in range(DEALS):
        rng = random.Random(f"lawful/{name}/{number}")
        position = start = dealt(name, rng)
        played = []
        while position.result is None:
            lawful = play.lawful_acts(position)
            assert lawful, f"nothing is lawful: {show(position)}"
            act = choose(position, rng)
            played.append((position.turn, act))
            position = play.apply(position, position.turn, act)
            assert_conserved(position)
            assert len(played) < LONGEST, show(position)
        assert_end_of_deal(position)
        again = start
        for seat, act in played:
            again = play.apply(again, seat, act)
        assert again.same_as(position), f"the same acts came to another end: {name}/{number}"


class LawfulDeal(RuleBasedStateMachine):
    """A deal that Hypothesis plays: any pack, any dealer, any lawful act, or one at own risk."""

    profile = "house"

    @initialize(data=st.data())
    def deal(self, data):
        rules = rulesets.named(self.profile)
        pack = data.draw(st.permutations(pack_of(rules)))
        dealer = data.draw(st.integers(0, rules.options["seats"] - 1))
        self.position = play.deal_position(rules, [cards.card(name) for name in pack], dealer=dealer)

    @precondition(lambda self: self.position.result is not None)
    @rule(seed=st.integers(0, 2**16))
    def deal_the_next(self, seed):
        self.position = dealt(self.profile, random.Random(seed))

    @precondition(lambda self: self.position.result is None)
    @rule(choice=st.integers(0, 11))
    def go_on(self, choice):
        lawful = play.lawful_acts(self.position)
        self.position = play.apply(self.position, self.position.turn, lawful[choice % len(lawful)])

    @precondition(lambda self: self.position.result is None and play.own_risk(self.position))
    @rule(choice=st.integers(0, 2), dare=st.integers(0, 9))
    def announce(self, choice, dare):
        risky = play.own_risk(self.position)
        if dare == 0:
            self.position = play.apply(self.position, self.position.turn, risky[choice % len(risky)])

    @invariant()
    def no_card_is_lost(self):
        assert_conserved(self.position)

    @invariant()
    def somebody_has_something_lawful(self):
        position = self.position
        if position.result is not None:
            assert play.lawful_acts(position) == ()
            assert_end_of_deal(position)
            return
        assert play.lawful_acts(position)
        assert_every_lawful_act_applies(position)
        assert_lawful_is_possible_without_objections(position)

    @invariant()
    def notation_says_it_all(self):
        position = self.position
        if position.result is None:
            text = notation.write_position(position)
            again = notation.read_position(text, position.frame.rule_set)
            assert notation.write_position(again) == text
            assert play.lawful_acts(again) == play.lawful_acts(position), text

    def teardown(self):
        if not hasattr(self, "position"):
            return
        for _ in range(LONGEST):
            if self.position.result is not None:
                return
            self._finish()
        raise AssertionError(f"the deal does not end: {show(self.position)}")

    def _finish(self):
        lawful = play.lawful_acts(self.position)
        self.position = play.apply(self.position, self.position.turn, lawful[-1])


def _machine(name: str):
    case = type(f"LawfulDealOf{name.title()}", (LawfulDeal,), {"profile": name}).TestCase
    case.settings = settings(
        max_examples=max(4, min(DEALS // 20, 400)),
        stateful_step_count=60,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    return case


globals().update({f"TestLawfulDealOf{name.title()}": _machine(name) for name in PROFILES})
