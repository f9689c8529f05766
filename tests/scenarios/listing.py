"""The list of scenarios: which tests stand for each, and how many of them have passed in a run."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

FILE = Path(__file__).with_name("scenarios.toml")
ROOT = FILE.parent.parent.parent


@dataclass(frozen=True, slots=True)
class Scenario:
    """One entry: its number, what it is about, the tests that stand for it, or why there can be none."""

    number: int
    about: str
    tests: tuple[str, ...]
    why_not: str


def scenarios() -> tuple[Scenario, ...]:
    """All of them, by number."""
    with FILE.open("rb") as file:
        found = tomllib.load(file)
    listed = [
        Scenario(int(number), entry["about"], tuple(entry.get("tests", ())), entry.get("why_not", ""))
        for number, entry in found.items()
    ]
    return tuple(sorted(listed, key=lambda one: one.number))


def is_of(test: str, node: str) -> bool:
    """Whether a test that ran, with its parameters, is the one that is named, or one in the file that is."""
    return node == test or node.startswith((f"{test}[", f"{test}::"))


def counts(passed: Iterable[str]) -> Mapping[int, int]:
    """By number how many tests of it have passed; 0 too where any that is named for it has none that did."""
    nodes = list(passed)
    found = {}
    for one in scenarios():
        each = [sum(is_of(test, node) for node in nodes) for test in one.tests]
        found[one.number] = sum(each) if each and all(each) else 0
    return found


def told(passed: Iterable[str]) -> list[str]:
    """The list with pass counts, in a few lines; nothing after a run of few tests, which says little of it."""
    found = counts(passed)
    listed = scenarios()
    if 2 * sum(count > 0 for count in found.values()) < len(listed):
        return []
    apply = [one for one in listed if one.tests]
    lacking = [one.number for one in apply if not found[one.number]]
    lines = [f"scenarios: {len(apply) - len(lacking)} of {len(apply)} passed; tests passed by number:"]
    lines += wrap(" ".join(f"{one.number}:{found[one.number]}" for one in apply if found[one.number]), 116)
    lines += wrap(f"not passed, or not run here: {' '.join(map(str, lacking))}", 116) if lacking else []
    for why in dict.fromkeys(one.why_not for one in listed if one.why_not):
        lines += wrap(f"no test of {', '.join(str(one.number) for one in listed if one.why_not == why)}: {why}", 116)
    return lines
