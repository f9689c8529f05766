"""The words of the book where the book itself has no example: what is not known is said as it stands."""

import pytest

from referee.laws import reading, words


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a leads", "a leads."),
        ("the stock is open", "The stock is open."),
        ("x marks it", "X marks it."),
        ("all is done!", "All is done!"),
    ],
)
def test_a_sentence_begins_with_a_capital_but_for_the_letter_of_a_seat(text, sentence):
    assert reading.sentence(text) == sentence


def test_what_is_not_known_is_said_as_it_stands():
    assert words.card_words("XZ") == "X of Z"
    assert words.card_sign("XZ") == "XZ"
    assert words.suit_words("Z") == "Z"
    assert reading.move_words("a dance") == "a dance"


def test_a_packet_of_one_card_is_one_card():
    assert "one card" in reading.move_words("b deal a 1")
    assert "2 cards" in reading.move_words("b deal a 2")
