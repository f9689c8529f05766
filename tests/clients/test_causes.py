"""Causes: one closed list, which code, contract and guide keep to."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from referee import match
from referee.match.causes import CAUSES, evidence
from referee.rules import scoring
from tests.clients.in_process import Table, play

ROOT = Path(__file__).resolve().parents[2]
DEALS = ("DECLARED", "FALSE_DECLARATION", "PLAYED_OUT", "CLOSER_FAILED", "REMEDY", "CONCEDED", "TIME")
OF_SCORING = (*DEALS, "PASSED_OUT", "SET", "TEN")


def test_every_cause_of_a_deal_is_one_of_the_list() -> None:
    named = {getattr(scoring, name) for name in OF_SCORING}
    assert named == {name for name, cause in CAUSES.items() if cause.deal}


def test_every_cause_the_code_gives_a_match_is_one_of_the_list() -> None:
    source = "\n".join(file.read_text() for file in (ROOT / "referee/match").glob("*.py"))
    given = set(re.findall(r'cause="(\w+)"', source)) | {"time", "conduct", "deal_limit", "overruled", "void"}
    assert given <= {name for name, cause in CAUSES.items() if cause.match}
    assert {"no_show", "conceded"} <= given


def test_the_guide_lists_them_all_in_the_same_words() -> None:
    told = (ROOT / "clients/README.md").read_text()
    for name, cause in CAUSES.items():
        of = "deal, match" if cause.deal else "match"
        assert f"- `{name}` ({of}): {cause.meaning}\n" in told


def test_the_contract_lists_them_all() -> None:
    told = (ROOT / "openapi.yaml").read_text()
    assert [name for name in CAUSES if name not in told] == []


def ended(table: Table, step: match.Step) -> list[bytes]:
    lines = [*table.lines, *step.lines]
    assert step.match.outcome is not None
    assert step.match.outcome.cause in CAUSES
    return lines


def table(seed: int = 1) -> Table:
    return Table(seed.to_bytes(32, "big"), chores=[(), ()])


def test_a_no_show_has_how_long_was_waited() -> None:
    one = table()
    found = evidence(ended(one, match.no_show(one.match, 1, waited_ms=60_321)))
    assert (found["type"], found["seat"], found["waited_ms"]) == ("no_show", "b", 60_321)


def test_a_match_lost_by_time_has_the_time_and_the_law() -> None:
    one = table()
    for _ in range(2):
        while one.match.asked[0] != 0:
            one.take(1, match.prompt(one.match, 1)["lawful"][0])
        step = match.time_out(one.match, 0, elapsed_ms=70_300)
        if not step.match.is_over:
            one.match, one.lines = step.match, [*one.lines, *step.lines]
    found = evidence(ended(one, step))
    assert (found["type"], found["seat"], found["elapsed_ms"], found["laws"]) == ("timed_out", "a", 70_300, ["IR-92"])
    assert (found["deal"], found["attempt"], found["attempts"]) == (2, 1, 2)


def test_a_match_lost_by_conduct_has_how_often_it_was_refused() -> None:
    one = table()
    found = evidence(ended(one, match.conduct_reached(one.match, 0, refused=20)))
    assert (found["type"], found["refused"], found["laws"]) == ("conduct_reached", 20, ["IR-85"])


@pytest.mark.parametrize("seed", range(5))
def test_whatever_ends_a_match_is_the_event_the_evidence_names(seed: int) -> None:
    dice = random.Random(seed)
    one = play(table(seed), [(lambda prompt: dice.choice(prompt["lawful"]), None)] * 2)
    found = evidence(one.lines)
    last = json.loads(one.lines[found["event"] - 1])
    assert (last["n"], last["type"], last["act"]) == (found["event"], "acted", found["act"])
    assert one.match.outcome is not None
    assert one.match.outcome.cause in CAUSES
    assert found["attempts"] == sum(b'"deal_begun"' in line for line in one.lines)
