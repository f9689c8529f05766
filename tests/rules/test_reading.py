"""What is no position is refused by the section it stands in, whatever game it is read for."""

import pytest

from referee.rules import notation, rulesets
from referee.rules.notation import NotationError

HANDS = "a:KS QS AH TH 9C JD | b:9S AS TD 9D QH QC | stock:* | turn-up:KC | dealer:b | tricks:a:TS+JS"
FOURS = "a:AS TS KS | b:AH TH KH | c:AD TD KD | d:AC TC KC | trump:H | dealer:d | tricks:{}"
SPENT = " ".join(f"a:{'+'.join(rank + suit for suit in 'SHDC')}" for rank in "QJ9")


@pytest.mark.parametrize(
    ("extra", "section"),
    [
        ("c leads", "last section"),
        ("leader:d | a leads", "leader"),
        ("table:c:KH | b follows", "table"),
        ("marriages:c:S | a leads", "marriages"),
        ("closed-by:c | a leads", "closed-by"),
        ("barred:d | a leads", "barred"),
        ("looked:c:1 | a leads", "looked"),
        ("drawn:c: | a draws", "drawn"),
        ("to-draw:c | a draws", "to-draw"),
        ("laid-open:c | a leads", "laid-open"),
        ("early:c:KH | a leads", "early"),
        ("bids:c:1 | a leads", "bids"),
        ("cancelled:c:- | a leads", "cancelled"),
        ("lifted:c:KH QD | a draws", "lifted"),
        ("received:c:KH | a leads", "received"),
        ("dealing:c | a leads", "dealing"),
        ("cuts:c:KH | a cuts for deal", "cuts"),
        ("scored:declared c 1 1-1 - -", "scored"),
        ("scored:declared a 1 1-1 - d", "scored"),
    ],
)
def test_a_seat_that_is_not_at_the_table_is_refused_where_it_stands(extra, section):
    with pytest.raises(NotationError, match=rf"^{section}: found '[cd]'; it must be a seat: a, b$"):
        notation.read_position(f"{HANDS} | {extra}", rulesets.named("house"))


@pytest.mark.parametrize(
    ("extra", "section"),
    [
        ("tens:x | a leads", "tens"),
        ("tens:1/0/1 | a leads", "tens"),
        ("scored:played_out a one 70-50-70-50 - - 1/0/1/0", "scored"),
        ("scored:played_out a 1 70-50 - - 1/0/1/0", "scored"),
        ("scored:played_out a 1 70-50-70-50 - - 1/0", "scored"),
        ("bids:a:two | a leads", "bids"),
    ],
)
def test_numbers_that_are_none_or_not_one_a_seat_are_refused(extra, section):
    text = FOURS.format(SPENT)
    with pytest.raises(NotationError, match=f"^{section}: found"):
        notation.read_position(f"{text} | {extra}", rulesets.named("cruce"))


def test_scores_below_nothing_are_read():
    text = f"{FOURS.format(SPENT)} | bids:a:4 | scored:set b 1 60-60-60-60 - - -4/1/-4/1"
    position = notation.read_position(text, rulesets.named("cruce"))
    assert position.result.scores == (-4, 1, -4, 1)
    assert notation.write_position(position).endswith("scored:set b 1 60-60-60-60 - - -4/1/-4/1")
