"""What the sample bots make of a view of three or four seats: sides, packs, bids, cards for a partner."""

import partner_slips
import pytest
from bidding import bid, in_the_suit_to_make, suit_to_make, worth
from counting import Memory, count, unseen
from greedy_play import greedy_act
from partnering import lead_for_two, reply_for_two
from scene import Scene
from seating import active, adversary, hand_size, is_last, pack, side, tricks_played, winning

from tests.clients.test_sample_bots import card, meld, prompt, trick, view

NONE_WON = {"a": 0, "b": 0, "c": 0, "d": 0}


def of_three(**changes):
    seen = {
        "sizes": {"a": 6, "b": 0, "c": 6},
        "tricks": {"a": 0, "b": 0, "c": 0},
        "resting": "b",
        "dealer": "b",
        "turn": "c",
    }
    return view(**{**seen, **changes})


def of_four(**changes):
    seen = {"sizes": dict.fromkeys("abcd", 8), "tricks": NONE_WON, "stock": 0, "turn_up": None, "partner": "c"}
    return view(**{**seen, **changes})


def of_cruce(**changes):
    seen = {"sizes": dict.fromkeys("abcd", 6), "trump": None, "bids": [], "cancelled_bids": [], "bidder": None}
    return of_four(**{**seen, **changes})


def bids(*made):
    return [{"seat": seat, "ticks": ticks} for seat, ticks in made]


def placed(*cards):
    return [{"seat": seat, "card": name} for seat, name in cards]


@pytest.mark.parametrize(
    ("seen", "playing", "against"),
    [
        (view(), "ab", "b"),
        (of_three(), "ac", "c"),
        (of_three(seat="b"), "ac", "c"),
        (of_three(resting=None, out="c", sizes={"a": 6, "b": 6, "c": 0}), "ab", "b"),
        (of_four(seat="d", partner="b"), "abcd", "a"),
        (of_cruce(out="b"), "acd", "d"),
    ],
)
def test_who_plays_and_who_against_is_read_off_the_view(seen, playing, against):
    assert active(seen) == list(playing)
    assert adversary(seen) == against


def test_partners_hold_the_tricks_of_their_side_together():
    seen = of_four(tricks={"a": 2, "b": 3, "c": 2, "d": 3})
    assert (side(seen, "a"), side(seen, "b"), tricks_played(seen)) == ({"a", "c"}, {"b", "d"}, 5)
    assert tricks_played(of_three(tricks={"a": 2, "b": 0, "c": 1})) == 3


@pytest.mark.parametrize(
    ("seen", "size", "hand"),
    [
        (view(), 24, 6),
        (view(sizes={"a": 5, "b": 5}, stock=10), 20, 5),
        (of_three(stock=8, tricks={"a": 2, "b": 0, "c": 0}), 24, 6),
        (of_four(), 32, 8),
        (of_four(sizes=dict.fromkeys("abcd", 5), tricks={"a": 1, "b": 2, "c": 1, "d": 2}), 32, 8),
        (of_cruce(sizes={"a": 5, "b": 6, "c": 5, "d": 6}, table=placed(("a", "AS")), early=placed(("c", "JS"))), 24, 6),
        (of_cruce(out="c", sizes={"a": 4, "b": 4, "c": 6, "d": 4}, tricks={"a": 2, "b": 0, "c": 2, "d": 0}), 24, 6),
    ],
)
def test_the_pack_is_told_by_counting(seen, size, hand):
    assert len({*pack(seen)}) == size
    assert hand_size(seen) == hand


def test_a_pair_counts_its_tricks_and_marriages_together():
    memory = Memory()
    won = [trick(["AH", "TH", "KH", "QH"], "c"), trick(["AD", "TD", "9D", "JD"], "b")]
    for place, one in enumerate(won, start=1):
        memory.look(of_cruce(tricks={"a": 1, "b": place - 1, "c": 1, "d": place - 1}, last_trick=one))
    seen = of_cruce(trump="H", marriages=[{**meld("now"), "seat": "c"}, {**meld("now", "C"), "seat": "d"}])
    assert count(memory, seen, "a") == 28 + 20
    assert count(memory, seen, "b") == 23 + 20


def test_a_trump_turned_in_the_dealers_hand_may_still_be_played_against_us():
    seen = of_four(turn_up="9S", hand=["AH"], dealer="d", open={"9S": "d"})
    assert "9S" in unseen(Memory(), seen)
    assert "TS" not in unseen(Memory(), view())


@pytest.mark.parametrize(
    ("table", "wins", "last"),
    [
        ([("b", "KH")], "b", False),
        ([("b", "KH"), ("c", "AH"), ("d", "9S")], "d", True),
        ([("d", "KH"), ("a", "QH")], "d", False),
    ],
)
def test_the_best_card_on_the_table_is_found(table, wins, last):
    seen = of_four(table=placed(*table))
    assert winning(seen)["seat"] == wins
    assert is_last(seen) is last


STRONG = ["AS", "TS", "KS", "QS", "AH", "9D"]
WEAK = ["9S", "JS", "QH", "JH", "9D", "JC"]
OFFERED = [{"act": "pass"}, *({"act": "bid", "ticks": ticks} for ticks in range(1, 6))]


def asked_to_bid(hand, *made, lawful=OFFERED):
    highest = max((ticks or 0 for _, ticks in made), default=0)
    lawful = [act for act in lawful if act["act"] == "pass" or act["ticks"] > highest]
    return {**prompt(lawful), "view": of_cruce(phase="bid", hand=hand, bids=bids(*made))}


@pytest.mark.parametrize(
    ("hand", "made", "said"),
    [
        (STRONG, [], 3),
        (STRONG, [("b", 1)], 3),
        (STRONG, [("b", 1), ("c", None), ("d", 2)], 3),
        (STRONG, [("b", 1), ("c", None), ("d", None)], 2),
        (STRONG, [("b", 1), ("c", 2)], None),
        (STRONG, [("b", 3)], None),
        (WEAK, [], None),
    ],
)
def test_a_bid_is_what_the_hand_is_worth_and_never_over_the_partners(hand, made, said):
    assert bid(asked_to_bid(hand, *made)) == ({"act": "bid", "ticks": said} if said else {"act": "pass"})


def test_who_must_bid_bids_the_least():
    assert bid(asked_to_bid(WEAK, lawful=OFFERED[1:])) == OFFERED[1]


def test_nothing_is_bid_where_no_bid_is_asked_for():
    assert bid(prompt()) is None


def test_the_first_lead_makes_the_suit_trump_that_is_worth_most():
    hand = ["AH", "9D", "AS", "KC", "QC", "9C"]
    assert suit_to_make(hand) == "C"
    assert worth(hand, "C") > worth(hand, "S")
    asked = {**prompt([card(name) for name in hand]), "view": of_cruce(hand=hand)}
    assert greedy_act(asked)["card"][1] == "C"
    only = {**asked, "lawful": [card("AS")]}
    assert in_the_suit_to_make(only, "play") == [card("AS")]


def test_a_partners_trick_is_made_dear_and_anothers_is_taken_or_kept_cheap():
    ours = of_four(table=placed(("b", "9H"), ("c", "AH"), ("d", "QH")), trump="S")
    assert reply_for_two(["TH", "KH"], ours, set()) == "TH"
    theirs = of_four(table=placed(("b", "AH"), ("c", "9H"), ("d", "QH")), trump="S")
    assert reply_for_two(["TH", "KH"], theirs, set()) == "KH"
    early = of_four(table=placed(("c", "QH")), trump="S")
    assert reply_for_two(["TH", "9H"], {**early, "trump": "H"}, {"AH"}) == "9H"
    asked = {**prompt([card("TH"), card("KH")]), "view": ours}
    assert greedy_act(asked) == card("TH")


def test_a_lead_is_a_high_card_that_is_still_followed_or_the_least():
    seen = of_four(trump="S")
    out = {"TH", "KH", "9H", "AD", "JC", "TS"}
    assert lead_for_two(["AH", "TC", "AS", "9D"], seen, out) == "AH"
    assert lead_for_two(["TD", "KD", "AS", "9D"], seen, out) == "9D"


EARLY = of_four(phase="follow", turn="b", trump="S", table=placed(("d", "AH")))


@pytest.mark.parametrize(
    ("law", "seen", "act"),
    [
        ("IR-96", EARLY, card("AH")),
        ("IR-96", {**EARLY, "turn": "a"}, None),
        ("IR-96", {**EARLY, "early": placed(("a", "AH"))}, None),
        ("IR-96", {**EARLY, "phase": "lead", "turn": "d", "table": []}, card("AH")),
        ("IR-96", {**of_cruce(phase="lead", turn="d"), "trump": None}, None),
        ("IR-38", {**EARLY, "table": placed(("a", "KS"))}, card("AH")),
        ("IR-38", EARLY, None),
        ("IR-38", view(phase="follow", turn="b", table=placed(("a", "KS"))), None),
        ("IR-99", of_cruce(phase="lead", turn="d"), card("AH")),
        ("IR-99", of_cruce(phase="lead", turn="a"), None),
        ("IR-99", of_cruce(phase="lead", turn="c", out="a"), None),
        ("IR-98", of_cruce(phase="bid", turn="b", bids=bids(("a", 2))), {"act": "bid", "ticks": 2}),
        ("IR-98", of_cruce(phase="bid", turn="a"), None),
    ],
)
def test_an_act_off_turn_at_four_waits_for_its_moment(law, seen, act):
    assert partner_slips.OFF_TURN[law](seen) == act


def scene(lawful, **changes):
    return Scene({**prompt(lawful), "view": of_cruce(**changes)}, Memory())


def test_a_bid_too_low_is_no_higher_than_the_highest():
    low = partner_slips.SLIPS["IR-98"]
    assert low(scene(OFFERED[:1], phase="bid", bids=bids(("d", 2)))) == {"act": "bid", "ticks": 2}
    assert low(scene(OFFERED, phase="bid")) is None


def test_a_revoke_is_under_the_law_of_its_game():
    table, hand = placed(("d", "9H")), ["AH", "AS", "AD"]
    at_ticks = scene([card("AH")], table=table, hand=hand, trump="S")
    at_bands = Scene({**prompt([card("AH")]), "view": of_four(table=table, hand=hand)}, Memory())
    for law, right, wrong in (("IR-9A", at_ticks, at_bands), ("IR-95", at_bands, at_ticks)):
        assert partner_slips.SLIPS[law](right) == card("AD")
        assert partner_slips.SLIPS[law](wrong) is None
