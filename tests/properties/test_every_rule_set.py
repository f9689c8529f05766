"""Every registered rule-set, as it stands and under other options, keeps what every game of this family keeps.

A new rule-set is walked through all of this, and through the other modules here, by being registered: nothing has to
be written for it.  Said here: no card is lost and 120 points lie in the pack; a deal is dealt, played and scored by
lawful acts alone; no view names a card that its seat has not seen; every position is read from notation as itself;
whole matches verify and resume; and no accepted combination of options, however odd, breaks any of it.
"""

import json
import random
import re
from collections import Counter

import pytest

from referee.rules import notation, play, rulesets, scoring, views
from referee.rules.acts import act_json
from referee.rules.positions import begin, frame_for
from referee.rules.rulesets import OPTIONS, RuleSet, RuleSetError
from tests.properties.deals import (
    DEALS,
    LONGEST,
    PROFILES,
    assert_conserved,
    assert_end_of_deal,
    choose,
    dealt,
    names,
    show,
    shuffled,
    worth,
)
from tests.properties.matches import assert_log_holds, play_lawfully
from tests.properties.walks import ACTS, COMMON, VARIED, Walk

pytestmark = pytest.mark.timeout(max(300, DEALS))

CARD = re.compile(r'"([ATKQJ987][SHDC])"')


def deal_and_play(rules: RuleSet, rng: random.Random, seen: Counter):
    """One deal from the shuffle to its score by lawful acts; of its positions one in five is looked at closely."""
    pack = tuple(shuffled(rules, rng))
    position = begin(frame_for(rules, dealer=rng.randrange(rules.options["seats"])), pack)
    for _ in range(LONGEST):
        closely = rng.random() < 0.2
        if closely or position.result is not None:
            assert_conserved(position)
            assert_nothing_hidden_is_named(position)
            assert worth(position) == 120
        if position.result is not None:
            return position
        seen[position.phase] += 1
        assert play.lawful_acts(position), f"nothing is lawful: {show(position)}"
        if closely:
            assert_read_as_itself(position)
            assert_ends_are_defined(position)
        position = play.apply(position, position.turn, choose(position, rng))
    raise AssertionError(f"the deal does not end: {show(position)}")


def assert_nothing_hidden_is_named(position) -> None:
    """A view names no card of another hand or of the stock, the partner's included, unless everybody has seen it.

    What a seat has looked at on the stock, in order or not, it has seen.
    """
    dealing = position.phase in ("shuffle", "cut", "deal", "turn_up")
    for seat in (*range(position.frame.players), None):
        hands = [hand for each, hand in enumerate(position.hands) if each != seat or dealing]
        hidden = {name for hand in hands for name in names(hand & ~position.seen)}
        hidden |= {name for card in position.stock for name in names(1 << card & ~position.seen)}
        hidden -= {name for who, what in position.aside.looks if who == seat and what < 0 for name in names(1 << ~what)}
        told = [json.dumps(views.view(position, seat))]
        if seat == position.turn and not dealing:
            told += [notation_of(act) for act in (*play.lawful_acts(position), *play.own_risk(position))]
        assert not hidden.intersection(CARD.findall(" ".join(told))), f"seat {seat}: {show(position)}"


def notation_of(act) -> str:
    """An act as it stands on the wire."""
    return json.dumps(act_json(act))


def assert_read_as_itself(position) -> None:
    """Notation says all there is in a position."""
    text = notation.write_position(position)
    again = notation.read_position(text, position.frame.rule_set)
    assert again.same_as(position), text
    assert notation.write_position(again) == text
    assert play.lawful_acts(again) == play.lawful_acts(position), text


def assert_ends_are_defined(position) -> None:
    """However the deal ended now, it would have a score."""
    for seat in range(position.frame.players):
        for judged in (scoring.concession, scoring.time_out, scoring.declaration):
            result = judged(position, seat)
            assert len(scoring.gains(position, scoring.shared(position, result))) == position.frame.players
    ended = scoring.played_out(position)
    assert len(scoring.gains(position, scoring.shared(position, ended))) == position.frame.players


@pytest.mark.parametrize("name", PROFILES)
def test_a_deal_of_every_rule_set_is_dealt_played_and_scored(name):
    seen: Counter = Counter()
    for number in range(DEALS):
        rng = random.Random(f"every/{name}/{number}")
        position = deal_and_play(rulesets.named(name), rng, seen)
        assert_end_of_deal(position)
        if name == "four_handed":
            assert position.points[0] + position.points[1] == 130, "every deal is played out, and totals 130"
    assert {"shuffle", "cut", "deal", "lead", "follow"} <= set(seen)


@pytest.mark.parametrize(("name", "changes"), [(name, each) for name in PROFILES for each in VARIED[name]], ids=str)
def test_a_deal_under_the_options_of_each_game_keeps_what_the_game_keeps(name, changes):
    rules = rulesets.named(name).override(changes)
    for number in range(max(4, min(DEALS // 40, 200))):
        assert_end_of_deal(deal_and_play(rules, random.Random(f"{name}/{changes}/{number}"), Counter()))
    played = play_lawfully(rules.override({"target": 3}), random.Random(f"{name}/{changes}"))
    assert_log_holds(played)


@pytest.mark.parametrize("name", PROFILES)
def test_a_whole_match_of_every_rule_set_verifies_and_resumes(name):
    for number in range(max(3, min(DEALS // 100, 100))):
        played = play_lawfully(rulesets.named(name), random.Random(f"match/{name}/{number}"))
        assert_log_holds(played)
        assert played.match.outcome is not None
        assert played.match.outcome.winner is not None


@pytest.mark.parametrize("name", PROFILES)
def test_whatever_could_happen_leads_to_a_position_that_can_be_seen_written_and_scored(name):
    """`apply` is total over the possible acts of every seat, and asks no law whether they may stand."""
    for number in range(max(40, DEALS // 10)):
        rng = random.Random(f"total/{name}/{number}")
        position = dealt(name, rng)
        for _ in range(100):
            if position.result is not None or play.nothing_left(position):
                break
            seat, act = any_possible(position, rng) if rng.random() < 0.3 else (position.turn, choose(position, rng))
            position = play.apply(position, seat, act)
            assert_conserved(position)
            assert_nothing_hidden_is_named(position)
            if position.result is None:
                assert_read_as_itself(position)
                assert_ends_are_defined(position)


def any_possible(position, rng: random.Random):
    """A seat and what it could do now, in order or not, but for ending the deal."""
    seat = rng.randrange(position.frame.players)
    some = [act for act in rng.sample(ACTS, 150) + COMMON if act.kind not in ("concede", "declare")]
    found = [act for act in some if play.is_possible(position, seat, act)]
    if not found:
        return position.turn, choose(position, rng)
    act = play.usual(position, rng.choice(found))
    play.objections(position, seat, act)
    return seat, act


# ---- any combination of options that is accepted

#: Options that hang together, so that a change of one is mostly refused without the others.
TOGETHER = (
    "seats", "partners", "dealer_rests", "play_on", "pack", "hand_size", "packet", "deal_style", "trump_method", "bidding",
    "score_by", "declare_window", "cut_least", "last_trick", "min_stock_to_close", "carry_on_draw",
)  # fmt: skip
#: Other games that somebody may make of one of these.
MADE = (
    ("house", {"seats": 3, "dealer_rests": True, "carry_on_draw": "none"}),
    ("schnapsen", {"seats": 3, "dealer_rests": True}),
    ("schnapsen", {"hand_size": 6}),
    ("schnapsen", {"hand_size": 9, "min_stock_to_close": 2}),
    ("house", {"pack": 32, "hand_size": 8, "packet": 4}),
    ("house", {"hand_size": 11, "packet": 11}),
    ("house", {"hand_size": 2, "packet": 1}),
    ("three_handed", {"pack": 32, "play_on": True}),
    ("four_handed", {"pack": 24, "hand_size": 6, "deal_style": "packets", "marriage_opening_lead": "pending"}),
    ("four_handed", {"marriage_opening_lead": "pending", "marriage_after_stock": True, "marriage_proof": "on_demand"}),
    ("four_handed", {"pack": 20, "hand_size": 5, "deal_style": "packets", "strict_play": "follow_only"}),
    ("cruce", {"pack": 32, "hand_size": 8, "packet": 8, "moon_bid": 4}),
    ("cruce", {"pack": 20, "hand_size": 5, "packet": 1, "last_trick": "ten", "moon_bid": 1}),
    ("cruce", {"marriage_proof": "on_demand", "tick": 1, "all_pass": "dealer_forced_1"}),
)


def drawn(name: str, rng: random.Random) -> RuleSet:
    """A rule-set with a few options, or many, of values drawn at random; what contradicts itself is drawn again."""
    base = rulesets.named(name)
    if rng.random() < 0.3:
        made_of, changes = rng.choice(MADE)
        base = rulesets.named(made_of).override(changes)
    for _ in range(500):
        some = rng.sample(list(OPTIONS), rng.choice((1, 2, 4, 8, 16)))
        some += rng.sample(TOGETHER, rng.choice((0, 0, 2, 4)))
        try:
            return base.override({option: value_of(option, rng) for option in some})
        except RuleSetError as refusal:
            assert refusal.code == "ruleset/contradiction", refusal
    raise AssertionError("five hundred draws of option values contradict each other")


def value_of(option: str, rng: random.Random):
    """A value that the option takes: of a range its ends as often as what lies between."""
    allowed = OPTIONS[option].allowed
    return rng.choice((allowed[0], allowed[-1], rng.choice(allowed), rng.choice(allowed)))


@pytest.mark.parametrize("name", PROFILES)
def test_no_combination_of_options_that_is_accepted_breaks_a_deal_or_a_match(name):
    for number in range(max(40, min(DEALS // 5, 2000))):
        rng = random.Random(f"combination/{name}/{number}")
        rules = drawn(name, rng)
        changed = {
            key: rules.options[key] for key in OPTIONS if rules.options[key] != rulesets.named(name).options[key]
        }
        try:
            deal_and_play(rules, rng, Counter())
            walk = Walk(name, rng, changed={**changed, "target": min(rules.options["target"], 3), "conduct_limit": 99})
            for _ in range(150):
                if walk.m.is_over:
                    walk.verify()
                    break
                walk.wild(rng) if rng.random() < 0.2 else walk.lawful(rng)
            walk.resume_here()
        except BaseException:
            print(f"combination/{name}/{number}: {changed}")
            raise


def test_what_is_made_of_a_rule_set_is_another_game_that_can_be_played():
    for name, changes in MADE:
        rules = rulesets.named(name).override(changes)
        for number in range(5):
            deal_and_play(rules, random.Random(f"{name}/{changes}/{number}"), Counter())
