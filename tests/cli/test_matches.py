"""`referee match` plays one match and leaves a log; `referee work` plays for a service that has no workers."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from referee import cli
from referee.launcher import bots, processes
from referee.launcher.friendly import await_end
from referee.launcher.wire import Wire

pytestmark = pytest.mark.timeout(400)


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("REFEREE_"):
            monkeypatch.delenv(name)


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run a verb that goes on until it is told to stop; check that it then ends in order."""
    command = [sys.executable, "-u", "-m", "referee", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=processes.environment({}), text=True) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=120)
        assert process.returncode == 0


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_a_match_of_a_sample_and_a_program_of_ones_own_leaves_a_log_that_verifies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "mine.py"
    # It lies nowhere near the sample bots, and imports the SDK and what they share all the same.
    own.write_text("from command import arguments, play\nplay(lambda p: p['lawful'][-1], arguments('mine'))\n")
    data = tmp_path / "data"
    assert cli.main(["match", str(own), "greedy", "--target", "1", "--json", "--data", str(data)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {seat["name"] for seat in told["match"]["seats"].values()} == {"mine", "greedy"}
    assert told["match"]["state"] == "done"
    assert max(told["match"]["score"].values()) >= 1
    assert Path(told["log"]).parent == data / "logs"

    assert cli.main(["verify", told["log"]]) == 0
    said = capsys.readouterr().out
    assert "in order" in said
    assert {told["match"]["log_sha256"], told["match"]["commitment"]} <= {*re.split(r"[ ,\n]", said)}

    log = Path(told["log"])
    log.write_bytes(log.read_bytes().replace(b'"type":"acted"', b'"type":"acteD"', 1))
    assert cli.main(["verify", "--json", str(log.parent)]) == 1
    (verdict,) = json.loads(capsys.readouterr().out)
    assert (verdict["ok"], verdict["log"]) == (False, str(log))
    assert re.search(r"\d", verdict["problem"])


def test_a_match_at_four_is_of_one_bot_a_seat_and_partners_win_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    terms = ["--ruleset", "cruce", "--target", "1", "--data", str(tmp_path / "data")]
    assert cli.main(["match", "greedy", "careful", "random", "careful", *terms]) == 0
    told = capsys.readouterr().out
    assert re.match(r"(greedy and random|careful-2 and careful-4) win \(", told), told
    assert cli.main(["match", "greedy", "careful", "--ruleset", "cruce", "--data", str(tmp_path / "other")]) == 2
    assert re.search(r"cruce is played by 4, and 2 given", capsys.readouterr().err)


def test_workers_beside_a_service_that_has_none_play_for_push_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFEREE_ALLOW_PRIVATE_PUSH", "true")
    data = str(tmp_path / "data")
    with running("serve", "--port", "0", "--web", "1", "--workers", "0", "--data", data) as serving:
        address = re.search(r"http://[\d.:]+\d", first_line(serving))
        assert address
        service = Wire(address[0])
        with running("work", "--data", data) as working:
            assert first_line(working).startswith("1 at work")
            players: list[bots.Seated] = []
            try:
                for name in ("careful", "greedy"):
                    players.append(bots.seat(replace(bots.SAMPLES[name], push=True), service, tmp_path / "out"))
                challenger = Wire(service.url, players[0].token)
                terms = {"bots": [player.id for player in players], "overrides": {"target": 1}}
                done = await_end(challenger, challenger.post("/v1/matches", terms)["id"], players)
            finally:
                bots.dismiss(players)
    assert done["cause"] != "no_show"
    assert max(done["score"].values()) >= 1
