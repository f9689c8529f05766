"""Play that is also irregular never breaks anything (acceptance 5).

Every rule-set, seats of every kind, acts in order and odd, bodies that are no acts, elections answered at random,
time-outs now and then: nothing raises, no card is lost, somebody is always asked and has something
lawful, every position can be scored, every deal ends, and every finished log verifies.
"""

import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from referee.laws import book
from referee.rules import rulesets
from tests.properties.deals import DEALS, PROFILES, assert_lawful_is_possible_without_objections
from tests.properties.walks import Walk

pytestmark = pytest.mark.timeout(max(300, DEALS))

LONGEST_DEAL = 600  # acts taken in one attempt at a deal; patience bounds what is undone


def walk_on(walk: Walk, rng: random.Random, wildness: float) -> None:
    """Walks until the match is over."""
    while not walk.m.is_over:
        draw = rng.random()
        if walk.m.electing and draw < 0.1:
            walk.try_every_option()
        if draw < 0.0005:
            walk.leave(rng)
        elif draw < 0.002:
            walk.time_out(rng)
        elif draw < 0.01:
            walk.resume_here()
        elif draw < 0.014:
            assert_lawful_is_possible_without_objections(walk.m.position)
        elif draw < 0.014 + wildness:
            walk.wild(rng)
        else:
            walk.lawful(rng)
        assert walk.taken < LONGEST_DEAL, f"the deal does not end\n{walk.story()}"


@pytest.mark.parametrize("name", PROFILES)
def test_random_play_with_irregular_acts_never_raises_and_always_ends(name):
    seen: Counter = Counter()
    number = 0
    while seen["scored"] < DEALS:
        rng = random.Random(f"walk/{name}/{number}")
        walk = Walk(name, rng)
        try:
            walk_on(walk, rng, wildness=rng.choice((0.05, 0.2, 0.6, 0.9)))
            walk.verify()
        except BaseException:
            print(f"walk/{name}/{number}\n{walk.story()}")
            raise
        seen.update(walk.seen)
        number += 1
    common = {"scored", "ruled", "case_opened", "act/irregular", "act/impossible", "act/unreadable"} | _laws_of(name)
    assert common <= set(seen), f"the walks never came to {common - set(seen)}"


OF_FOUR_SEATS = {"IR-95", "IR-96", "IR-98", "IR-99", "IR-9A"}


def _laws_of(name: str) -> set[str]:
    """Laws that walks under a rule-set come to before long."""
    if not rulesets.named(name).options["partners"]:
        return {"IR-22", "IR-61"}
    return {"IR-96", "IR-98", "IR-99", "IR-9A"} if name == "cruce" else {"IR-96", "IR-95"}


def test_walks_break_every_law_of_the_book():
    """What the test above says is said of every law that an act can breach where the referee calls.

    Unfounded claims (IR-37) belong to `calls: players`; a mate is withheld (IR-47) only after a demand, which
    walks hardly ever come to: both have cases, and rows in the end-to-end table.
    """
    wanted = {law.id for law in book.laws() if not law.online} - {"IR-37", "IR-47"}
    with_a_stock = [name for name in PROFILES if not rulesets.named(name).options["partners"]]
    for number in range(1500):
        among = PROFILES if wanted & OF_FOUR_SEATS else with_a_stock  # where most laws are that are hard to come to
        name = among[number % len(among)]
        rng = random.Random(f"every law/{number}")
        no_late_call = {"late_marriage_call": "none"} if "IR-41" in wanted and number % 3 == 0 else None
        walk = Walk(name, rng, changed=no_late_call)
        walk_on(walk, rng, wildness=0.5)
        wanted -= set(walk.seen)
        if not wanted:
            return
    pytest.fail(f"1500 walks never came to {sorted(wanted)}")


class AnyMatch(RuleBasedStateMachine):
    """A match that Hypothesis walks through; what it finds it shrinks."""

    profile = "house"

    @initialize(rng=st.randoms(use_true_random=False))
    def open(self, rng):
        self.walk = Walk(self.profile, rng)

    @precondition(lambda self: self.walk.m.is_over)
    @rule(rng=st.randoms(use_true_random=False))
    def open_the_next(self, rng):
        self.walk.verify()
        self.walk = Walk(self.profile, rng)

    @precondition(lambda self: not self.walk.m.is_over)
    @rule(rng=st.randoms(use_true_random=False))
    def something_lawful(self, rng):
        self.walk.lawful(rng)

    @precondition(lambda self: not self.walk.m.is_over)
    @rule(seed=st.integers(0, 2**32))
    def anything(self, seed):
        self.walk.wild(random.Random(seed))

    @precondition(lambda self: self.walk.m.electing)
    @rule()
    def every_option(self):
        self.walk.try_every_option()

    @precondition(lambda self: not self.walk.m.is_over)
    @rule(rng=st.randoms(use_true_random=False), late=st.integers(0, 9))
    def clock_runs_out(self, rng, late):
        if late == 0:
            self.walk.time_out(rng)

    @rule()
    def resumed(self):
        if not self.walk.m.is_over:
            self.walk.resume_here()

    def teardown(self):
        if hasattr(self, "walk"):
            walk_on(self.walk, random.Random(1), wildness=0)
            self.walk.verify()


def _machine(name: str):
    case = type(f"AnyMatchOf{name.title()}", (AnyMatch,), {"profile": name}).TestCase
    case.settings = settings(
        max_examples=max(20, min(DEALS // 8, 1500)),
        stateful_step_count=50,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    return case


globals().update({f"TestAnyMatchOf{name.title()}": _machine(name) for name in PROFILES})
