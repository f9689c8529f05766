"""Objections are one source of truth: for the mask of lawful acts, and for why not."""

import random

import pytest

from referee.rules import acts, notation, objections, play, rulesets
from referee.rules.cards import pack_cards

EVERY_ACT = tuple(acts.finite_acts())
#: In order for either seat at any time, or judged by its count: never among the lawful acts.
APART = ("declare", "show", "concede", "look")


def positions(name, seed, deals=12):
    """Positions of lawful play at random."""
    dice = random.Random(seed)
    rules = rulesets.named(name)
    pack = list(pack_cards(rules.options["pack"]))
    for _ in range(deals):
        dice.shuffle(pack)
        p = play.deal_position(rules, pack, dice.randrange(rules.options["seats"]))
        while p.result is None:
            yield p
            p = play.apply(p, p.turn, dice.choice(play.lawful_acts(p)))


@pytest.mark.parametrize("name", rulesets.names())
def test_an_objection_forbids_only_what_it_says_it_touches(name):
    checked = 0
    for p in positions(name, 3):
        for each in objections.listed_for(p.frame.options, p.phase):
            assert not each.forbids(p) & ~each.touches, f"{each.objection.code} at {notation.write_position(p)}"
            checked += 1
    assert checked > 300


@pytest.mark.parametrize("name", rulesets.names())
def test_every_act_is_lawful_or_has_an_objection(name):
    for p in positions(name, 4, deals=2):
        lawful = set(play.lawful_acts(p))
        for one in EVERY_ACT:
            if one.kind in APART or not play.is_possible(p, p.turn, one):
                assert one not in lawful
                continue
            against = play.objections(p, p.turn, one)
            assert (one in lawful) == (not against), f"{one} at {notation.write_position(p)}: {against}"


def test_every_objection_says_what_which_law_and_which_rule():
    for each in objections._LISTED:
        objection = each.objection
        assert objection.code.islower()
        assert objection.law.startswith("IR-") or not objection.law, "no law: it is only ever refused"
        assert objection.rule[:2] in ("R-", "4.", "D-", "IR")
        assert objection.detail


def test_a_position_is_not_changed_by_an_act():
    p = next(iter(positions("house", 5)))
    before = notation.write_position(p)
    for one in play.lawful_acts(p):
        play.apply(p, p.turn, one)
    assert notation.write_position(p) == before


@pytest.mark.parametrize("name", ["house", "foster", "uspc", "hobby", "wikipedia", "pagat"])
def test_only_a_card_led_is_against_the_marriage_shown_and_never_a_showing(name):
    possible, against = set(), set()
    for shown in ("S", "S H"):
        for place in ("a leads", "to-draw:a b | a draws"):
            p = notation.read_position(
                "a:KS QS KH QH 9D | b:AS TS AH TH AD | stock:* | turn-up:JC | dealer:b | tricks:a:TD+KD"
                f" | shown:{shown} | {place}",
                rulesets.named(name),
            )
            for seat, one in ((seat, one) for seat in (0, 1) for one in EVERY_ACT if play.is_possible(p, seat, one)):
                possible.add(one.kind)
                if any(each.law == "IR-46" for each in play.objections(p, seat, one)):
                    against.add(one.kind)
    assert "show" in possible
    assert against == {"play", "marry"}
