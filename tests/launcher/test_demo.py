"""The demonstration plays a tournament of each game, verifies every log, and leaves no process behind."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from referee.launcher import games, processes

LIMIT = 600
MUST_BE_RULED_ON = {f"IR-{number}" for number in ("06", "20", "21", "22", "23", "36", "43", "51", "61", "80")}
#: For each game how many matches there are, how many of them each entry plays, and laws that the clumsy bot is
#: ruled under however fast the others are.
GAMES: dict[str, tuple[int, int, set[str]]] = {
    "schnapsen": (10, 4, {"IR-06", "IR-22", "IR-43"}),
    "three_handed": (14, 6, {"IR-06", "IR-22", "IR-43"}),
    "four_handed": (12, 6, {"IR-06", "IR-95"}),
    "cruce": (12, 6, {"IR-98", "IR-9A"}),
}
pytestmark = pytest.mark.timeout(LIMIT + 100)


def command(data: Path, *options: str) -> list[str]:
    return [sys.executable, "-u", "-m", "referee", "demo", "--data", str(data), *options]


def left_over(data: Path) -> list[str]:
    """List the living processes whose environment or command names the data directory."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            text = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
            if str(data).encode() in text:
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
    return found


def until(holds: Callable[[], object], what: Callable[[], object]) -> None:
    """Poll until something holds; fail saying what is the case instead."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, what()
        time.sleep(0.1)


def played(data: Path, *options: str) -> tuple[dict[str, Any], str]:
    """Run the demonstration to its end; return its result and what it told meanwhile."""
    done = subprocess.run(
        command(data, "--json", *options), capture_output=True, text=True, timeout=LIMIT, env=processes.environment({})
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout), done.stderr


def test_the_demo_plays_verifies_and_tidies_up(tmp_path: Path) -> None:
    data = tmp_path / "demo"
    result, told = played(data)

    tournament = result["tournament"]
    assert (tournament["state"], tournament["played"], tournament["planned"]) == ("finished", 20, 20)
    names = {row["name"] for row in result["standings"]}
    assert len(names) == 5
    assert {row["played"] for row in result["standings"]} == {8}
    assert sum(row["wins"] for row in result["standings"]) == 20

    logs = sorted((data / "logs").glob("*.ndjson"))
    assert [verdict["log"] for verdict in result["logs"]] == [str(log) for log in logs]
    assert all(verdict["ok"] for verdict in result["logs"])
    pairings = sorted(tuple(sorted(re.sub(r"^\d+-|\.ndjson$", "", log.name).split("-", 1))) for log in logs)
    if not any("stand-in" in name for name in names):
        assert pairings == sorted([tuple(sorted(pair)) for pair in combinations(names, 2)] * 2)

    assert {law for ruling in result["rulings"] for law in ruling["laws"]} >= MUST_BE_RULED_ON
    for word in ("Standings", "Crosstable", "The first ruling under each law", "20 of 20 logs verified", str(data)):
        assert word in told
    assert left_over(data) == []


def sides(log: Path) -> list[set[str]]:
    """Read from a log who played together: at four those opposite each other, else each alone."""
    with log.open(encoding="utf-8") as lines:
        names = [seat["name"] for seat in json.loads(next(lines))["seats"]]
    return [set(names[::2]), set(names[1::2])] if len(names) == 4 else [{name} for name in names]


#: Each takes most of a minute; with REFEREE_ALL_DEMOS set every game is demonstrated.
SHOWN = tuple(GAMES) if os.environ.get("REFEREE_ALL_DEMOS") else ("three_handed", "cruce")


@pytest.mark.parametrize("name", SHOWN)
def test_the_demo_of_every_other_game_is_played_to_its_end(tmp_path: Path, name: str) -> None:
    data = tmp_path / "demo"
    result, told = played(data, "--game", name)
    matches, each, laws = GAMES[name]
    tournament = result["tournament"]
    assert (tournament["state"], tournament["played"], tournament["planned"]) == ("finished", matches, matches)
    assert tournament["ruleset"] == name
    assert {row["played"] for row in result["standings"]} == {each}
    assert sum(row["wins"] for row in result["standings"]) == matches
    assert sum(verdict["ok"] for verdict in result["logs"]) == matches
    assert {law for ruling in result["rulings"] for law in ruling["laws"]} >= laws
    assert f"{matches} of {matches} logs verified" in told

    teams = {entrant["name"]: {bot["name"] for bot in entrant["members"]} for entrant in tournament["entrants"]}
    meetings: Counter[frozenset[str]] = Counter()
    for log in (data / "logs").glob("*.ndjson"):
        entries = [next(team for team, bots in teams.items() if bots == side) for side in sides(log)]
        meetings.update(frozenset(two) for two in combinations(entries, 2))
    assert meetings == dict.fromkeys((frozenset(two) for two in combinations(teams, 2)), games.GAMES[name].cycles)
    assert left_over(data) == []


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_demo_that_is_stopped_tidies_up_all_the_same(tmp_path: Path, number: int, code: int) -> None:
    data = tmp_path / "demo"
    environment = processes.environment({})
    with subprocess.Popen(command(data), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment) as demo:
        assert demo.stdout is not None
        told = iter(demo.stdout.readline, b"")
        assert any(b"of 20 matches are over" in line for line in told)
        assert len(left_over(data)) > 5
        os.kill(demo.pid, number)
        rest = demo.stdout.read()
        assert demo.wait(LIMIT) == code, rest
    assert b"Traceback" not in rest
    until(lambda: left_over(data) == [], lambda: left_over(data))
