"""Every sample bot is there; where one cannot run another is seated in its place and it is said."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from referee.launcher import bots, games
from referee.launcher.processes import LauncherError


@pytest.mark.parametrize("name", bots.SAMPLES)
def test_a_sample_is_a_file_of_the_clients(name: str) -> None:
    assert (bots.CLIENTS / bots.SAMPLES[name].script).is_file()


@pytest.mark.parametrize("name", games.GAMES)
def test_the_demo_of_a_game_seats_bots_of_three_languages_under_names_of_their_own(name: str) -> None:
    game = games.GAMES[name]
    names = [bot.name for bot in game.line_up]
    assert len(names) == len(set(names))
    assert {bot.language for bot in game.line_up} == {"python", "node", "shell"}
    assert "clumsy" in names
    entered = game.entries(names)
    if game.in_teams:
        assert [bot for team in entered["teams"] for bot in team["bots"]] == names
        assert all(len(team["bots"]) == 2 for team in entered["teams"])
    else:
        assert entered == {"entrants": names}


def test_the_demo_seats_five_bots_in_three_languages_one_pushed_and_two_with_all_chores() -> None:
    line_up = games.FIVE
    assert len(line_up) == len({bot.name for bot in line_up}) == 5
    assert len({bot.language for bot in line_up}) == 3
    assert [bot.name for bot in line_up if bot.push] == ["careful"]
    assert {bot.name for bot in line_up if set(bot.chores) >= {"shuffle", "cut", "deal", "draw"}} == {"tidy", "clumsy"}


def test_without_node_and_curl_python_bots_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    line_up, notes = bots.with_stand_ins(games.FIVE)
    assert [bot.name for bot in line_up] == ["careful", "tidy", "clumsy", "node-stand-in", "shell-stand-in"]
    assert {bot.language for bot in line_up} == {"python"}
    for game in games.GAMES.values():
        names = [bot.name for bot in bots.with_stand_ins(game.line_up)[0]]
        assert len(names) == len(set(names))
    assert notes == (
        "node is not installed: the Python bot greedy stands in for the node bot",
        "curl is not installed: the Python bot random stands in for the shell bot",
    )


def test_a_node_too_old_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(bots, "node_version", lambda: 16)
    assert bots.lacking(bots.SAMPLES["node"]) == "the node installed is older than version 18"
    monkeypatch.setattr(bots, "node_version", lambda: 18)
    assert bots.lacking(bots.SAMPLES["node"]) == ""


def test_the_command_of_a_push_bot_names_its_port() -> None:
    pushed = replace(bots.SAMPLES["careful"], push=True)
    assert pushed.command(4711)[-2:] == ("--push", "4711")
    assert "--push" not in bots.SAMPLES["careful"].command(4711)


def test_an_unknown_sample_is_an_error_that_lists_the_known() -> None:
    with pytest.raises(LauncherError, match=r"'nobody'.*random, greedy, careful"):
        bots.sample("nobody")


def test_a_program_of_ones_own_is_named_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "mine.sh").write_text("exit 0\n")
    mine = bots.sample(str(tmp_path / "mine.sh"))
    assert (mine.name, mine.command(0)) == ("mine", ("bash", str(tmp_path / "mine.sh")))
    with pytest.raises(LauncherError, match=r"path of a program"):
        bots.sample(str(tmp_path / "absent.sh"))
