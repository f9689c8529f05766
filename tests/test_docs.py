"""What the pages for operators and reviewers name is there: calls, verbs, settings, figures, tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from referee import cli, settings
from referee.service import metrics

ROOT = Path(__file__).resolve().parent.parent
PAGES = {name: (ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in ("RUNBOOK", "THREATS")}
CALLS = re.compile(r"/v1/[\w/{}]+")


def addresses() -> set[str]:
    """The addresses of the contract, each parameter written as `*`."""
    described = yaml.safe_load((ROOT / "openapi.yaml").read_text("utf-8"))
    return {re.sub(r"\{\w+\}", "*", path) for path in described["paths"]}


@pytest.mark.parametrize("name", PAGES)
def test_every_call_is_in_the_contract(name: str) -> None:
    found = {
        re.sub(r"(mat|bot|trn)_ID|/\d+(?=/)", lambda hit: "/*" if hit[0][0] == "/" else "*", call)
        for call in CALLS.findall(PAGES[name])
    }
    assert found
    assert found - addresses() == set()


def test_every_verb_and_setting_of_the_runbook_is_there() -> None:
    text = PAGES["RUNBOOK"]
    verbs = set(re.findall(r"python3 -m referee (\w+)", text))
    assert verbs >= {"serve", "work", "backup"}
    assert verbs - set(cli.command.commands) == set()
    named = set(re.findall(r"REFEREE_\w+", text))
    assert len(named) > 4
    assert [each for each in named if f"`{each}`" not in (settings.__doc__ or "")] == []


def test_every_figure_of_the_runbook_is_one_of_the_service() -> None:
    source = Path(metrics.__file__).read_text("utf-8")
    figures = {each.removesuffix("_total") for each in re.findall(r"referee_[a-z_]+", PAGES["RUNBOOK"])}
    made = set(re.findall(r'"(referee_[a-z_]+)"', source))
    made |= {f"referee_{each}" for each in ("waiting_jobs", "workers", "table_live", "table_pushed", "table_ended")}
    assert len(figures) > 5
    assert figures - made == set()


def test_every_test_that_the_threat_model_rests_on_is_there() -> None:
    named = re.findall(r"`(tests/[\w/.]+)`", PAGES["THREATS"])
    assert len(named) > 12
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_a_page(name: str) -> None:
    assert len(PAGES[name].splitlines()) < 100
