"""The worked cases of every law, played against the engine: each must come out as it says."""

import tomllib
from pathlib import Path

import pytest

from referee.laws import cases
from referee.match.casework import play_case
from tests.laws.outcomes import differences

FILES = sorted(Path(cases.__file__).parent.glob("*.toml"))
ALL = [(path.stem, case) for path in FILES for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]]
RAN: list[str] = []


@pytest.mark.parametrize(("law", "case"), ALL, ids=[f"{law}-{case['name'][:60]}" for law, case in ALL])
def test_case(law, case):
    RAN.append(law)
    wrong = differences(case["expect"], play_case(case))
    assert not wrong, f"{law}: {case['name']}\n  " + "\n  ".join(wrong)


def test_every_case_ran(capsys):
    with capsys.disabled():
        print(f"\nworked cases: {len(RAN)} of {len({*RAN})} laws ran", end=" ")
    assert len(ALL) >= 280
