"""The list of scenarios is whole, and every test it names is there."""

from __future__ import annotations

import re

import pytest

from tests.scenarios.listing import ROOT, Scenario, counts, is_of, scenarios, told

EVERY = 86
CARRIES = re.compile(r"^def (test_(?:t\d+_)?(?:scenario_)?(\d+)(?:_and_(\d+))?_\w+)\(", re.MULTILINE)


def test_every_scenario_has_tests_or_a_reason_why_it_cannot_apply() -> None:
    assert [one.number for one in scenarios()] == list(range(1, EVERY + 1))
    for one in scenarios():
        assert one.about, one
        assert bool(one.tests) != bool(one.why_not), one


@pytest.mark.parametrize("one", [one for one in scenarios() if one.tests], ids=lambda one: str(one.number))
def test_the_tests_that_are_named_are_there(one: Scenario) -> None:
    for test in one.tests:
        path, _, name = test.partition("::")
        assert (ROOT / path).is_file(), test
        assert not name or f"\ndef {name}(" in (ROOT / path).read_text(), test


def test_every_test_that_carries_the_number_of_a_scenario_is_on_its_list() -> None:
    listed = {(one.number, test) for one in scenarios() for test in one.tests}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        where = path.relative_to(ROOT).as_posix()
        for name, *numbers in CARRIES.findall(path.read_text()):
            if "scenario_" in name or where.startswith("tests/scenarios/"):
                for number in filter(None, numbers):
                    assert (int(number), f"{where}::{name}") in listed, (
                        f"{where}::{name} is not on the list of {number}"
                    )


def test_a_scenario_counts_only_if_each_of_its_tests_has_passed() -> None:
    first, second = next(one.tests for one in scenarios() if one.number == 1)
    assert counts([f"{first}[a]", f"{first}[b]", second])[1] == 3
    assert counts([first])[1] == 0
    assert not is_of(first, f"{first}_and_more")
    assert is_of("tests/a.py", "tests/a.py::test_b")


def test_the_list_is_told_with_counts_what_is_lacking_and_why_there_can_be_none() -> None:
    assert told([]) == told(["tests/scenarios/test_match_faults.py::test_61_score_and_target_are_in_every_view"]) == []
    everything = [test for one in scenarios() for test in one.tests]
    whole = "\n".join(told(everything))
    apply = sum(bool(one.tests) for one in scenarios())
    assert f"scenarios: {apply} of {apply} passed" in whole
    assert "not passed" not in whole
    assert "no test of 35, 37: there are no ratings yet" in whole
    but_one = "\n".join(told([test for test in everything if "scenario_8_" not in test]))
    assert f"scenarios: {apply - 1} of {apply} passed" in but_one
    assert "not passed, or not run here: 8\n" in but_one
