"""The sample bots count as the rules do, and the clumsy one slips as it means to."""

import random

import pytest
import slips
from cardplay import RANKS, SUITS, beats
from careful_bot import Careful
from clumsy_bot import A_DEAL, Clumsy
from counting import Memory, count, unseen
from greedy_play import greedy_act
from scene import Scene


def card(name):
    return {"act": "play", "card": name}


def view(**changes):
    seen = {
        "seat": "a",
        "ruleset": "house",
        "deal": 1,
        "attempt": 1,
        "phase": "lead",
        "turn": "a",
        "dealer": "b",
        "leader": "a",
        "trump": "S",
        "turn_up": "TS",
        "hand": ["AH", "KD", "QD", "9S", "JC", "9C"],
        "sizes": {"a": 6, "b": 6},
        "stock": 12,
        "table": [],
        "tricks": {"a": 0, "b": 0},
        "last_trick": None,
        "to_draw": [],
        "drawn": [],
        "lifted": None,
        "marriages": [],
        "open": {},
        "closed_by": None,
        "looked": [],
        "barred": [],
        "score": {"a": 0, "b": 0},
        "target": 7,
        "carry": 0,
    }
    return {**seen, **changes}


def prompt(lawful=None, own_risk=(), *, version=1, **changes):
    seen = view(**changes)
    lawful = [card(name) for name in seen["hand"]] if lawful is None else lawful
    return {
        "match": "mat_1",
        "version": version,
        "seat": "a",
        "view": seen,
        "lawful": lawful,
        "own_risk": list(own_risk),
    }


def trick(cards, winner):
    return {"leader": "a", "cards": cards, "winner": winner}


DECLARE = {"act": "declare"}
SIXTY_FIVE = [trick(["AH", "TH"], "a"), trick(["AD", "TD"], "a"), trick(["AC", "TC"], "a"), trick(["JC", "9C"], "a")]


def remembered(tricks):
    memory = Memory()
    for place, one in enumerate(tricks, start=1):
        memory.look(view(tricks={"a": place, "b": 0}, last_trick=one))
    return memory


def meld(counts, suit="D"):
    amount = 40 if suit == "S" else 20
    return {"seat": "a", "suit": suit, "amount": amount, "shown": True, "counts": counts}


def careful_after(tricks, **changes):
    bot = Careful(random.Random(1))
    bot.memories["mat_1"] = remembered(tricks)
    asked = {"tricks": {"a": len(tricks), "b": 0}, "last_trick": tricks[-1], **changes}
    return bot.choose(prompt(own_risk=[DECLARE], stock=4, hand=["9D", "JD"], sizes={"a": 2, "b": 2}, **asked))


def test_the_count_adds_own_tricks_and_marriages_that_count_now():
    memory = remembered(SIXTY_FIVE)
    assert count(memory, view(), "a") == 65
    assert count(memory, view(), "b") == 0
    assert count(memory, view(marriages=[meld("now"), meld("pending", "S"), meld("void", "C")]), "a") == 85


def test_the_memory_forgets_with_the_deal_and_with_a_trick_undone():
    memory = remembered(SIXTY_FIVE)
    memory.look(view(tricks={"a": 3, "b": 0}, last_trick=SIXTY_FIVE[2]))
    assert count(memory, view(), "a") == 63
    memory.look(view(attempt=2))
    assert count(memory, view(), "a") == 0


def test_unseen_are_all_cards_but_those_seen():
    left = unseen(remembered(SIXTY_FIVE[:2]), view())
    whole = {rank + suit for rank in RANKS[2:] for suit in SUITS}
    assert left == whole - {"AH", "TH", "AD", "TD", "TS", "KD", "QD", "9S", "JC", "9C"}


def test_the_careful_bot_declares_with_66_and_not_with_65():
    assert careful_after([*SIXTY_FIVE, trick(["JH", "9H"], "a")]) == DECLARE
    assert careful_after(SIXTY_FIVE) != DECLARE


def test_the_careful_bot_does_not_rest_on_a_pending_marriage():
    assert careful_after(SIXTY_FIVE, marriages=[meld("pending")]) != DECLARE
    assert careful_after(SIXTY_FIVE, marriages=[meld("now")]) == DECLARE


def test_the_careful_bot_shows_the_marriage_that_makes_66():
    bot, show = Careful(random.Random(1)), {"act": "show", "suit": "D"}
    bot.memories["mat_1"] = remembered(SIXTY_FIVE)
    asked = {"tricks": {"a": 4, "b": 0}, "last_trick": SIXTY_FIVE[-1], "stock": 4}
    assert bot.choose(prompt(own_risk=[DECLARE, show], hand=["KD", "QD"], **asked)) == show
    bot.memories["mat_1"] = remembered([trick(["JC", "9C"], "a")])
    asked = {"tricks": {"a": 1, "b": 0}, "last_trick": trick(["JC", "9C"], "a"), "stock": 4}
    assert bot.choose(prompt(own_risk=[DECLARE, show], hand=["KD", "QD"], **asked)) not in (show, DECLARE)


def test_the_careful_bot_closes_on_sure_winners_and_not_on_losers():
    close = {"act": "close"}
    asked = {"tricks": {"a": 2, "b": 0}, "last_trick": SIXTY_FIVE[1], "stock": 8}
    for hand, closes in (
        (["AS", "TS", "KS", "QS", "AC", "TC"], True),
        (["9D", "JD", "9C", "JC", "9H", "JH"], False),
    ):
        bot = Careful(random.Random(1))
        bot.memories["mat_1"] = remembered(SIXTY_FIVE[:2])
        lawful = [*map(card, hand), close]
        assert (bot.choose(prompt(lawful, hand=hand, turn_up="JS", **asked)) == close) is closes


@pytest.mark.parametrize(
    ("second", "led", "wins"), [("9S", "AH", True), ("TH", "AH", False), ("AD", "9H", False), ("TH", "KH", True)]
)
def test_a_trick_goes_to_the_highest_trump_or_card_of_the_suit_led(second, led, wins):
    assert beats(second, led, "S") is wins


def test_the_greedy_bot_takes_the_trick_with_its_dearest_card_in_suit():
    table = [{"seat": "b", "card": "JH"}]
    assert greedy_act(prompt(hand=["AH", "KH", "9S", "9C"], table=table)) == card("AH")
    assert greedy_act(prompt(hand=["9S", "KS", "9C"], table=table)) == card("9S")
    assert greedy_act(prompt(hand=["9H", "KC", "9C"], table=table)) == card("9H")


SCENES = {
    "IR-06": (
        prompt([{"act": "deal", "to": "b", "cards": 3}], sizes={"a": 3, "b": 3}, stock=18, hand=[], phase="deal"),
        {"act": "deal", "to": "b", "cards": 4},
    ),
    "IR-07": (
        prompt([{"act": "deal", "to": "a", "cards": 3}], sizes={"a": 3, "b": 6}, stock=15, hand=[], phase="deal"),
        {"act": "turn_up"},
    ),
    "IR-21": (prompt([{"act": "draw"}], hand=["AH", "KD"], to_draw=["a", "b"], phase="draw"), card("AH")),
    "IR-22": (prompt(), {"act": "draw"}),
    "IR-23": (prompt([{"act": "draw"}], to_draw=["a", "b"], phase="draw"), {"act": "draw", "cards": 2}),
    "IR-36": (
        prompt([card("KD"), card("QD")], table=[{"seat": "b", "card": "9D"}], closed_by="b", phase="follow"),
        card("AH"),
    ),
    "IR-43": (prompt(hand=["KC", "9H"]), {"act": "marry", "card": "KC"}),
    "IR-51": (prompt(), {"act": "exchange"}),
    "IR-52": (
        prompt([{"act": "draw"}], to_draw=["a"], leader="b", tricks={"a": 1, "b": 1}, stock=8, phase="draw"),
        {"act": "exchange"},
    ),
    "IR-55": (prompt(table=[{"seat": "b", "card": "9D"}], phase="follow"), {"act": "close"}),
    "IR-57": (prompt(barred=["a"]), {"act": "close"}),
    "IR-61": (prompt(own_risk=[DECLARE], tricks={"a": 1, "b": 1}), DECLARE),
    "IR-62": (prompt(table=[{"seat": "b", "card": "9D"}], tricks={"a": 1, "b": 1}), DECLARE),
    "IR-91": (prompt(tricks={"a": 0, "b": 5}, stock=2), {"act": "concede"}),
}


@pytest.mark.parametrize("law", SCENES)
def test_a_slip_is_committed_in_its_scene_and_is_not_lawful(law):
    asked, act = SCENES[law]
    assert slips.SLIPS[law](Scene(asked, Memory())) == act
    assert act not in asked["lawful"]


@pytest.mark.parametrize(
    ("law", "seen", "act"),
    [
        ("IR-20", {"phase": "draw", "to_draw": ["b", "a"]}, {"act": "draw"}),
        ("IR-20", {"phase": "draw", "to_draw": ["a"]}, None),
        ("IR-31", {"phase": "lead", "turn": "b"}, card("AH")),
        ("IR-31", {"phase": "lead", "turn": "a"}, None),
        ("IR-04", {"phase": "cut", "dealer": "a"}, {"act": "deal", "to": "b", "cards": 3}),
        ("IR-04", {"phase": "cut", "dealer": "b"}, None),
    ],
)
def test_an_act_off_turn_waits_for_its_moment(law, seen, act):
    assert slips.OFF_TURN[law](view(**seen)) == act


def test_a_look_back_is_at_an_own_trick_that_is_not_the_last():
    won = [trick(["AH", "TH"], "a"), trick(["9D", "AD"], "b")]
    memory, seen = remembered(won), prompt(tricks={"a": 1, "b": 1})
    assert slips.looks_back(Scene(seen, memory)) == {"act": "look", "trick": 1}
    assert slips.looks_back(Scene(prompt(tricks={"a": 1, "b": 0}), remembered(won[:1]))) is None


def test_the_clumsy_bot_slips_at_most_twice_a_deal_and_no_law_twice():
    bot, acts = Clumsy(), []
    for version in range(1, 30):
        asked = prompt(version=version)
        act = bot.choose(asked)
        if act not in asked["lawful"]:
            acts.append(act)
    assert len(acts) == A_DEAL
    assert acts[0] != acts[1]


def test_the_clumsy_bot_drops_a_law_once_ruled_under_it():
    bot = Clumsy()
    bot.ruled = {*slips.SLIPS}
    asked = prompt()
    assert bot.choose(asked) in asked["lawful"]
