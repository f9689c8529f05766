"""The demonstration: a tournament of sample bots against a referee of its own, over HTTP only."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from referee.launcher import bots
from referee.launcher.games import GAMES, Game
from referee.launcher.processes import LauncherError, environment, tail
from referee.launcher.stack import Shape, Stack
from referee.launcher.wire import Wire
from referee.settings import Settings

SEED = "66" * 32
HOUSE = GAMES["house"]
CONCURRENCY = 4
STUCK_AFTER = 120.0


class Reporter(Protocol):
    """What is told while it runs."""

    def note(self, text: str) -> None:
        """Take a sentence about what happens."""

    def progress(self, played: int, planned: int) -> None:
        """Take how many matches are over, out of how many."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tournament left behind, as the service told it, and where its logs were written."""

    tournament: dict[str, Any]
    standings: list[dict[str, Any]]
    crosstable: dict[str, Any]
    rulings: list[tuple[dict[str, Any], dict[str, Any]]]
    laws: dict[str, str]
    logs: list[Path]


def play(settings: Settings, seed: str, report: Reporter, *, game: Game = HOUSE) -> Outcome:
    """Play the tournament in `settings.data`; every process it started has ended when this returns or raises."""
    line_up, notes = bots.with_stand_ins(game.line_up)
    for text in notes:
        report.note(text)
    report.note("starting Valkey, two web processes and two workers")
    with Stack(replace(settings, allow_private_push=True), Shape(workers=2), note=report.note) as stack:
        report.note(f"the referee answers at {stack.url}; its organiser is this program")
        with seated(line_up, stack) as players:
            tournament = start_tournament(stack.organiser, [bot.id for bot in players], seed, game=game)
            await_end(stack.organiser, tournament, players, report)
        report.note("all matches are over; fetching standings, rulings and logs")
        return gather(stack.organiser, tournament, settings.data / "logs")


@contextmanager
def seated(line_up: Sequence[bots.Sample], stack: Stack) -> Iterator[list[bots.Seated]]:
    """Register and start the bots, each as a process of its own; end them on leaving."""
    players: list[bots.Seated] = []
    try:
        for bot in line_up:
            output = stack.data / "output"
            players.append(bots.seat(bot, Wire(stack.url), output, concurrency=CONCURRENCY))
        yield players
    finally:
        bots.dismiss(players)


def start_tournament(organiser: Wire, entrants: Sequence[str], seed: str, *, game: Game = HOUSE) -> str:
    """Create a round robin of the game to the target of its rule-set, start it and return its id."""
    tournament = organiser.post(
        "/v1/tournaments",
        {
            "name": "Demonstration",
            "ruleset": game.ruleset,
            "format": "round_robin",
            "cycles": game.cycles,
            **game.entries(entrants),
            "conduct": "adjudicate",
            "calls": "referee",
            "seed": seed,
        },
    )
    organiser.post(f"/v1/tournaments/{tournament['id']}/start")
    return str(tournament["id"])


def await_end(organiser: Wire, tournament: str, players: Sequence[bots.Seated], report: Reporter) -> None:
    """Watch until the tournament has finished; raises `LauncherError` when a bot dies or nothing moves on."""
    seen, since = -1, time.monotonic()
    while True:
        state = organiser.get(f"/v1/tournaments/{tournament}")
        report.progress(state["played"], state["planned"])
        if state["state"] == "finished":
            return
        if state["state"] == "cancelled":
            raise LauncherError("the tournament was cancelled")
        for bot in players:
            if bot.child is not None and not bot.child.is_alive:
                said = tail(bot.child.program.output)
                raise LauncherError(f"the bot {bot.name} ended before the tournament did; it said\n{said}")
        if state["played"] != seen:
            seen, since = state["played"], time.monotonic()
        if time.monotonic() - since > STUCK_AFTER:
            raise LauncherError(f"no match ended within {STUCK_AFTER:.0f} s; {seen} of {state['planned']} are over")
        time.sleep(0.2)


def gather(organiser: Wire, tournament: str, folder: Path) -> Outcome:
    """Fetch the results and write each match's log into `folder`, one NDJSON file a match."""
    matches = all_matches(organiser, tournament)
    logs: list[Path] = []
    rulings: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for match in matches:
        logs.append(write_log(organiser, match, folder))
        rulings += [(match, ruling) for ruling in organiser.get(f"/v1/matches/{match['id']}/rulings")["rulings"]]
    cited = sorted({law for _, ruling in rulings for law in ruling["laws"]})
    return Outcome(
        tournament=organiser.get(f"/v1/tournaments/{tournament}"),
        standings=organiser.get(f"/v1/tournaments/{tournament}/standings")["standings"],
        crosstable=organiser.get(f"/v1/tournaments/{tournament}/crosstable"),
        rulings=rulings,
        laws={law: str(organiser.get(f"/v1/laws/{law}")["title"]) for law in cited},
        logs=logs,
    )


def all_matches(organiser: Wire, tournament: str) -> list[dict[str, Any]]:
    """Fetch every match of the tournament, page by page, in schedule order."""
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        page = organiser.get(f"/v1/tournaments/{tournament}/matches?limit=200{cursor}")
        found += page["matches"]
        if not page.get("next"):
            return found
        cursor = f"&cursor={page['next']}"


def write_log(organiser: Wire, match: dict[str, Any], folder: Path) -> Path:
    """Write the sealed log of a match as it lies on the wire; the name tells number and bots."""
    names = "-".join(
        re.sub(r"[^A-Za-z0-9_]+", "_", match["seats"][letter]["name"]) for letter in sorted(match["seats"])
    )
    number = f"{match['number']:02d}-" if match.get("number") is not None else ""
    path = folder / f"{number}{names}.ndjson"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(organiser.fetch(f"/v1/matches/{match['id']}/log", accept="application/x-ndjson"))
    return path


def verified(folder: Path) -> list[dict[str, Any]]:
    """Run `referee verify` over the folder, as anyone would with no server; return its verdicts."""
    command = [sys.executable, "-m", "referee", "verify", "--json", str(folder)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment({}))
    try:
        verdicts: list[dict[str, Any]] = json.loads(done.stdout)
    except ValueError:
        raise LauncherError(f"referee verify failed:\n{done.stdout}{done.stderr}") from None
    return verdicts
