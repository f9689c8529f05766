"""The README's bot is ten lines, needs curl alone, and plays a match to its end; its links lead somewhere."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from referee import settings as environment
from referee.launcher import bots
from referee.launcher.stack import Shape, Stack
from referee.launcher.wire import Wire

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")


def block(text: str, language: str) -> str:
    """Return the one code block of that language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_bot_is_ten_lines() -> None:
    assert len(block((ROOT / "README.md").read_text(), "bash").splitlines()) == 10


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_bot_plays_a_match_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("REFEREE_"):
            monkeypatch.delenv(name)
    (tmp_path / "bot.sh").write_text(block((ROOT / "README.md").read_text(), "bash"))
    settings = replace(environment.read(), data=tmp_path / "data")
    with Stack(settings, Shape(web=1, workers=1)) as stack:
        other = bots.seat(bots.SAMPLES["greedy"], Wire(stack.url), tmp_path)
        try:
            done = subprocess.run(
                ["bash", str(tmp_path / "bot.sh"), other.id],
                env={**os.environ, "REFEREE_URL": stack.url},
                capture_output=True,
                text=True,
                timeout=240,
            )
        finally:
            bots.dismiss([other])
        assert done.returncode == 0, done.stderr
        last = json.loads(done.stdout[done.stdout.rindex('{"id"') :])
        assert last["state"] == "done"
        assert max(last["score"].values()) >= 7
        # Every act it sent was taken: it met no problem on its way.
        assert '"code"' not in done.stdout
        assert stack.organiser.get(f"/v1/matches/{last['id']}/rulings")["rulings"] == []


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_tournament_of_the_bot_authors_page_is_created_filled_and_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in list(os.environ):
        if name.startswith("REFEREE_"):
            monkeypatch.delenv(name)
    (tmp_path / "cup.sh").write_text(block((ROOT / "clients" / "README.md").read_text(), "bash"))
    settings = replace(environment.read(), data=tmp_path / "data")
    with Stack(settings, Shape(web=1, workers=0)) as stack:
        ids = [Wire(stack.url).post("/v1/bots", {"name": name})["bot"]["id"] for name in ("north", "south")]
        done = subprocess.run(
            ["bash", str(tmp_path / "cup.sh"), *ids],
            env={**os.environ, "REFEREE_URL": stack.url, "REFEREE_ORGANISER_TOKEN": stack.organiser_token},
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert done.returncode == 0, done.stderr
    _entry, _started, cup, standings = (json.loads(line) for line in done.stdout.splitlines())
    assert (cup["state"], cup["planned"]) == ("running", 2)
    assert {each["bot"] for each in standings["standings"]} == set(ids)


@pytest.mark.parametrize("page", PAGES)
def test_every_link_to_a_file_leads_somewhere(page: str) -> None:
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / page).read_text())
    assert [link for link in links if "://" not in link and not (ROOT / link.partition("#")[0]).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_command_shown_is_one_there_is(page: str) -> None:
    from referee.cli import command

    verbs = re.findall(r"python3 -m referee (\w+)", (ROOT / page).read_text())
    assert set(verbs) <= set(command.commands)
