"""The verbs of the command print for people and for programs, and their exit codes are honest."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from referee import __version__, cli
from referee.launcher import processes
from referee.rules import rulesets

Capture = pytest.CaptureFixture[str]


def test_help_lists_every_verb(capsys: Capture) -> None:
    assert cli.main(["--help"]) == 0
    listed = re.findall(r"^  (\w+)  ", capsys.readouterr().out, re.MULTILINE)
    assert listed == ["backup", "demo", "laws", "match", "rule", "rulesets", "serve", "test", "verify", "work"]


def test_the_version_is_that_of_the_package(capsys: Capture) -> None:
    assert cli.main(["--version"]) == 0
    assert __version__ in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["bid"], "No such command 'bid'"),
        (["demo", "--seed", "66"], "64 hexadecimal digits"),
        (["rulesets", "houses"], "house"),
        (["verify"], "Missing argument"),
        (["verify", "no-such-file"], "does not exist"),
        (["match", "careful"], "house is played by 2"),
        (["match", "careful", "greedy", "--ruleset", "cruce"], "cruce is played by 4"),
        (["match", "careful", "greedy", "--ruleset", "houses"], "house"),
        (["serve", "--port", "70000"], "0<=x<=65535"),
    ],
)
def test_a_wrong_command_line_says_what_is_wrong_and_exits_2(
    arguments: list[str], complaint: str, capsys: Capture
) -> None:
    assert cli.main(arguments) == 2
    assert complaint in capsys.readouterr().err


def test_a_match_with_an_unknown_bot_lists_the_known_and_exits_1(capsys: Capture, tmp_path: Path) -> None:
    assert cli.main(["match", "nobody", "careful", "--data", str(tmp_path)]) == 1
    assert "random, greedy, careful" in capsys.readouterr().err


def test_a_demo_wants_a_directory_of_its_own(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "something").touch()
    assert cli.main(["demo", "--data", str(tmp_path)]) == 2
    assert "not empty" in capsys.readouterr().err


def test_an_unusable_environment_is_a_sentence(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_PORT", "eighty")
    assert cli.main(["serve"]) == 1
    assert capsys.readouterr().err.startswith("referee: the environment cannot be used")


def test_work_without_a_service_says_how_to_name_one(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("REFEREE_REDIS_URL", raising=False)
    assert cli.main(["work", "--data", str(tmp_path)]) == 1
    assert "REFEREE_REDIS_URL" in capsys.readouterr().err


def test_rulesets_are_listed(capsys: Capture) -> None:
    assert cli.main(["rulesets"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(rulesets.names())
    assert cli.main(["rulesets", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [each["digest"] for each in listed] == [rulesets.named(name).digest for name in rulesets.names()]


def test_a_ruleset_is_shown_with_every_option_and_its_source(capsys: Capture) -> None:
    assert cli.main(["rulesets", "foster", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert {row["option"]: row["value"] for row in shown["options"]} == dict(rulesets.named("foster").options)
    assert all(row["source"] and row["meaning"] and row["rule"] for row in shown["options"])
    assert cli.main(["rulesets", "foster"]) == 0
    text = capsys.readouterr().out
    assert all(f"\n  {name} " in text for name in rulesets.OPTIONS)


def test_serve_ends_in_order_when_told_to(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "referee", "serve", "--port", "0", "--web", "1", "--workers", "0"]
    with subprocess.Popen(
        [*command, "--data", str(tmp_path / "data")], stdout=subprocess.PIPE, env=processes.environment({}), text=True
    ) as launcher:
        assert launcher.stdout is not None
        assert re.match(r"the referee answers at http://127\.0\.0\.1:\d+; data in ", launcher.stdout.readline())
        assert launcher.stdout.readline().startswith("organiser token")
        launcher.send_signal(signal.SIGTERM)
        assert launcher.stdout.read() == "stopping\n"
        assert launcher.wait(60) == 0
    assert not (tmp_path / "data" / "redis" / "valkey.pid").exists()
