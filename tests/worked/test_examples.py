"""The worked examples of the rules dossier, F-xx and W-xx, each a test that carries its number."""

import tomllib
from pathlib import Path

import pytest

from referee.match.casework import play_case
from tests.laws.outcomes import differences

EXAMPLES = tomllib.loads((Path(__file__).parent / "examples.toml").read_text(encoding="utf-8"))["case"]
RAN: list[str] = []

PLAYED = {
    *(f"F-{number:02}" for number in range(1, 24)),
    *(f"W-{number:02}" for number in range(1, 49)),
}


@pytest.mark.parametrize("case", EXAMPLES, ids=[case["id"] for case in EXAMPLES])
def test_example(case):
    RAN.append(case["id"])
    wrong = differences(case["expect"], play_case(case))
    assert not wrong, f"{case['id']}: {case['name']}\n  " + "\n  ".join(wrong)


def test_every_example_of_the_dossier_is_played():
    assert {case["id"].split()[0] for case in EXAMPLES} == PLAYED


def test_every_example_ran(capsys):
    with capsys.disabled():
        print(f"\nworked examples: {len(RAN)} tests of {len({each.split()[0] for each in RAN})} numbers ran", end=" ")
    assert len({case["id"] for case in EXAMPLES}) == len(EXAMPLES)
