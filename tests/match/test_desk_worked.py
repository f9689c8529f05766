"""The worked examples of the dossier asked at the desk: the same ruling as at the table."""

import tomllib
from pathlib import Path

import pytest

from referee.laws import cases as law_cases
from referee.match import desk
from referee.match.casework import play_case
from referee.match.trying import OWN_CHORES
from referee.rules import rulesets
from referee.rules.cards import SEATS
from referee.rules.notation import read_position, write_position

EXAMPLES = tomllib.loads((Path(__file__).parents[1] / "worked" / "examples.toml").read_text(encoding="utf-8"))["case"]
FILES = sorted(Path(law_cases.__file__).parent.glob("*.toml"))
OF_THE_BOOK = [
    (f"{file.stem}-{number}", case)
    for file in FILES
    for number, case in enumerate(tomllib.loads(file.read_text(encoding="utf-8"))["case"])
]
ALL = [(case["id"], case) for case in EXAMPLES] + OF_THE_BOOK
KINDS = {"act/impossible": "impossible", "act/match_over": "impossible"}


def question(case):
    asked = {
        name: case[name] for name in ("overrides", "start", "deal", "acts", "conduct", "calls", "carry") if name in case
    }
    asked |= {"ruleset": case["rules"]} if "rules" in case else {}
    asked |= {"score": dict(zip(seats_of(case), case["score"], strict=True))} if "score" in case else {}
    return asked | {"chores": case.get("chores", {seat: list(OWN_CHORES) for seat in seats_of(case)})}


def seats_of(case):
    rules = rulesets.named(case.get("rules", "house")).override(case.get("overrides", {}))
    return SEATS[: rules.options["seats"]]


@pytest.mark.parametrize(("name", "case"), ALL, ids=[name for name, _ in ALL])
def test_the_desk_rules_as_the_table_does(name, case):
    at_the_table = play_case(case)
    answer = desk.adjudicate_body(question(case))
    assert answer["verdict"] in desk.VERDICTS
    if at_the_table.refused is not None and answer["verdict"] in ("impossible", "refused"):
        assert answer["verdict"] == KINDS.get(at_the_table.refused, "refused")
        return
    last = answer["rulings"][-1] if answer["rulings"] else None
    if at_the_table.kind is not None:
        assert last is not None, answer
        assert [law["id"] for law in last["laws"]] == at_the_table.laws
        assert (last["offender"], last["option"], last["award"]) == (
            at_the_table.offender, at_the_table.option, at_the_table.award,
        )  # fmt: skip
    else:
        assert last is None
    if at_the_table.result is not None:
        found = answer["result"]
        assert {**at_the_table.result, "winner": at_the_table.result["winner"] or None} == {
            key: found[key] for key in ("winner", "game_points", "cause")
        }
    holds(answer, case)


def holds(answer, case):
    """Every position of an answer is read again as it was written, and every law of it has a source."""
    rules = rulesets.named(case.get("rules", "house")).override(case.get("overrides", {}))
    for place in (answer["position"], *(each["after"] for ruled in answer["rulings"] for each in ruled["options"])):
        if place is not None:
            assert write_position(read_position(place, rules)) == place
    for ruled in answer["rulings"]:
        assert all(law["citations"] and law["title"] for law in ruled["laws"])
        assert ruled["options"][0]["effect"]
        assert ruled["act"] is not None or ruled["event"] is not None
