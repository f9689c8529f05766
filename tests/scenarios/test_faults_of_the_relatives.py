"""Faults of other engines where the relatives make another question of them: 65, 79 and 85 of the scenario list."""

import pytest

from referee.rules import cards, play, rulesets, views
from tests.properties.deals import pack_of
from tests.scenarios.test_engine_faults import after, at, counts, lawful, objections, result

NAMES = [name for name in rulesets.names() if rulesets.named(name).options["seats"] == 2 and name != "schnapsen"]
FOUR = [name for name in rulesets.names() if rulesets.named(name).options["partners"]]


@pytest.mark.parametrize("name", FOUR)
def test_65_four_follow_suit_win_if_they_can_and_trump_even_against_a_partner(name):
    """W-37, D-09; the cards that nobody holds lie in tricks."""
    text = "a:{} | b:9S 9C JH QH | c:AC 9H TH AS | d:KS QS JS QC | trump:H | dealer:d | tricks:{} | a leads"
    rest = [card for card in pack_of(rulesets.named(name)) if card not in f"KC TC KH AD {text}"]
    row = " ".join("a:" + "+".join(rest[at : at + 4]) for at in range(0, len(rest), 4))
    dealt = at(text.format("KC TC KH AD", row), name)
    led = after(dealt, "a KC", "b 9C")
    assert lawful(led) == {"c AC"}, "the ace is due although the partner is winning"
    assert lawful(after(led, "c AC")) == {"d QC"}
    trumped = after(dealt, "a AD", "b JH")
    assert lawful(trumped) == {"c TH"}, "void of the suit led, and able to overtrump"
    assert lawful(after(trumped, "c TH")) == {"d KS", "d QS", "d JS", "d QC"}, "no trump, so any card"
    assert after(trumped, "c TH", "d QC").tricks[-1][1] == 2


@pytest.mark.parametrize(
    ("names", "sizes", "stock"),
    [
        (NAMES, [6, 6], 12),
        (["three_handed"], [0, 6, 6], 12),
        (["schnapsen"], [5, 5], 10),
        (["four_handed"], [8, 8, 8, 8], 0),
        (["cruce"], [6, 6, 6, 6], 0),
    ],
)
def test_79_a_pack_is_dealt_in_hands_of_its_own_size(names, sizes, stock):
    for name in names:
        position = play.deal_position(rulesets.named(name), cards.pack_cards(rulesets.named(name).options["pack"]))
        assert [hand.bit_count() for hand in position.hands] == sizes
        assert views.view(position, 0)["stock"] == stock
    assert cards.CARD_POINTS[cards.card("9C")] == 0


JACK = "a:KS QS AH JC QD | b:AS TD JD QH QC | stock:* | turn-up:KC | dealer:b | a leads"


def test_85_schnapsen_is_asked_for_by_name_and_played_by_its_own_rules():
    position = at(JACK, "schnapsen")
    assert {"a exchange", "a close", "a marry KS"} <= lawful(position), "on the opening lead, without a trick"
    exchanged = after(position, "a exchange")
    assert (views.view(exchanged, 1)["turn_up"], views.view(exchanged, 1)["open"]["KC"]) == ("JC", "a")
    closed = after(exchanged, "a close", "a QD")
    assert lawful(closed) == {"b TD"}, "after the close he follows and heads"
    assert objections(after(position, "a close"), "a exchange") == {"exchange_after_close"}
    assert objections(after(position, "a AH", "b QH"), "a close") == {"close_before_drawing"}


def test_85_the_last_trick_wins_a_deal_of_schnapsen_whatever_the_counts():
    """E-03: 70 against 50, and the fifty have the last trick."""
    position = at(
        "a:JC | b:AC | trump:C | dealer:b | tricks:b:TD+KS a:AH+TS a:AS+KH a:TH+QS a:AD+QH a:JD+JH b:TC+QD b:KC+JS b:QC+KD"
        " | leader:a | a leads",
        "schnapsen",
    )
    assert sum(counts(position)) == 120 - 11 - 2
    ended = after(position, "a JC", "b AC")
    assert result(ended) == ("b", 1)
    assert sum(counts(ended)) == 120, "and counts no ten"
    assert counts(ended)[0] > counts(ended)[1]
