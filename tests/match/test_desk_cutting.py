"""Cutting for deal asked at the desk (R-02, R-03)."""

from referee.match import desk
from referee.rules import rulesets
from referee.rules.notation import read_position, write_position
from tests.match.test_desk import CUTTING, ONE_CUT, ask


def test_cutting_for_deal_is_answered_as_at_the_table_and_its_positions_are_read_again():
    """Example W-42: of 24 the first may lift 20, since the second can lift two then and leave two."""
    house = rulesets.named("house")
    first = ask(start=CUTTING, acts=["a cut 20"])
    assert (first["verdict"], first["position"].split(" | ", 3)[2:]) == (
        "lawful",
        ["stock:KC QC JC 9C", "dealer:b | cuts:a:TC | b cuts for deal"],
    )
    assert read_position(first["position"], house).same_as(read_position(ONE_CUT, house))
    both = ask(start=first["position"], acts=["b cut 2"])
    assert (both["verdict"], both["why"]) == ("lawful", "What was done is in order. a has cut the highest card.")
    assert both["position"].endswith("cuts:a:TC b:QC | all have cut")
    again = read_position(both["position"], house)
    assert (again.phase, again.turn, again.result, write_position(again)) == ("scored", 0, None, both["position"])
    for start, act in ((CUTTING, "a cut 21"), (CUTTING, "a cut 1"), (ONE_CUT, "b cut 1"), (ONE_CUT, "b cut 3")):
        for calls in ("referee", "players"):
            answer = ask(start=start, acts=[act], calls=calls)
            [ruled] = answer["rulings"]
            assert (answer["verdict"], ruled["laws"][0]["id"], ruled["option"]) == ("ruled", "IR-01", "undo")
            assert read_position(answer["position"], house).turn == read_position(start, house).turn
            [objection] = desk.validate_body({"position": start, "act": act})["objections"]
            assert (objection["law"], objection["rule"]) == ("IR-01", "R-03")


def test_equal_ranks_cut_again():
    assert "all cut again." in ask(start=CUTTING, acts=["a cut 4", "b cut 6"])["why"]
