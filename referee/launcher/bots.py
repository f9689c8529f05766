"""The sample bots of `clients/`, as programs to start, and their registration with the service."""

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.launcher.processes import ROOT, Child, LauncherError, Program, start, stop
from referee.launcher.valkey import LOOPBACK, free_port
from referee.launcher.wire import Wire

CLIENTS = ROOT / "clients"
#: Where a Python bot finds the SDK and what the sample bots share, wherever its program lies.
SHARED = (CLIENTS / "python", CLIENTS / "python" / "bots")
OLDEST_NODE = 18
ALL_CHORES = ("shuffle", "cut", "deal", "draw")


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample bot: how it is started and what it is registered as.

    `needs` names the program without which it cannot run; `stand_in` is the sample to seat then.
    A push bot is told its port by the words `--push PORT` after its command.
    """

    name: str
    language: str
    script: str
    needs: str = ""
    push: bool = False
    chores: tuple[str, ...] = ()
    stand_in: str = ""

    def command(self, port: int) -> tuple[str, ...]:
        """Return the words that start it."""
        runner = {"python": sys.executable, "node": "node", "shell": "bash"}[self.language]
        words: tuple[str, ...] = (runner, str(CLIENTS / self.script))
        return (*words, "--push", str(port)) if self.push else words


SAMPLES: Mapping[str, Sample] = {
    sample.name: sample
    for sample in (
        Sample("random", "python", "python/bots/random_bot.py"),
        Sample("greedy", "python", "python/bots/greedy_bot.py"),
        Sample("careful", "python", "python/bots/careful_bot.py"),
        Sample("tidy", "python", "python/bots/tidy_bot.py", chores=ALL_CHORES),
        Sample("clumsy", "python", "python/bots/clumsy_bot.py", chores=ALL_CHORES),
        Sample("node", "node", "node/bot.mjs", needs="node", stand_in="greedy"),
        Sample("shell", "shell", "shell/bot.sh", needs="curl", stand_in="random"),
    )
}


@dataclass(frozen=True, slots=True)
class Seated:
    """A bot that plays: registered under `id` as `name`, run by `child` (none for a remote one)."""

    name: str
    id: str
    token: str
    secret: str
    child: Child | None


LANGUAGES: Mapping[str, tuple[str, str]] = {".py": ("python", ""), ".mjs": ("node", "node"), ".sh": ("shell", "")}


def sample(name: str) -> Sample:
    """Return the sample bot of that name, or a bot of one's own by the path of its program.

    Such a program reads REFEREE_URL and REFEREE_TOKEN and pulls. Raises `LauncherError` listing what there is.
    """
    if name in SAMPLES:
        return SAMPLES[name]
    path = Path(name)
    if path.suffix in LANGUAGES and path.is_file():
        language, needs = LANGUAGES[path.suffix]
        return Sample(path.stem, language, str(path.resolve()), needs=needs)
    raise LauncherError(
        f"no sample bot and no program is called {name!r}; there are {', '.join(SAMPLES)}; or give the path of a"
        f" program that ends in {', '.join(LANGUAGES)}, or the URL of a push bot"
    )


def lacking(bot: Sample) -> str:
    """Say what the bot needs and this machine lacks; empty where it can run."""
    if not bot.needs:
        return ""
    if shutil.which(bot.needs) is None:
        return f"{bot.needs} is not installed"
    if bot.needs == "node" and node_version() < OLDEST_NODE:
        return f"the node installed is older than version {OLDEST_NODE}"
    return ""


def node_version() -> int:
    """Ask node for its version and return the first number; 0 where it does not say."""
    said = subprocess.run(["node", "--version"], check=False, capture_output=True, text=True).stdout
    first = said.strip().removeprefix("v").partition(".")[0]
    return int(first) if first.isdigit() else 0


def with_stand_ins(bots: Sequence[Sample]) -> tuple[tuple[Sample, ...], tuple[str, ...]]:
    """Put a Python bot in place of each that cannot run here; return the bots and what was done, in words.

    A stand-in keeps the name of the bot it stands for with `-stand-in` added.
    """
    seated: list[Sample] = []
    notes: list[str] = []
    for bot in bots:
        trouble = lacking(bot)
        if not trouble:
            seated.append(bot)
            continue
        stand_in = sample(bot.stand_in)
        seated.append(replace(stand_in, name=f"{bot.name}-stand-in"))
        notes.append(f"{trouble}: the Python bot {stand_in.name} stands in for the {bot.name} bot")
    return tuple(seated), tuple(notes)


def seat(bot: Sample, service: Wire, output: Path, *, concurrency: int = 1, name: str = "") -> Seated:
    """Register the bot and start it as a process that dies with this one."""
    if not (CLIENTS / bot.script).is_file():
        raise LauncherError(
            f"{CLIENTS / bot.script} is not there: the sample bots come with a checkout, not with the package"
        )
    port = free_port() if bot.push else 0
    card: dict[str, Any] = {
        "name": name or bot.name,
        "transport": "push" if bot.push else "pull",
        "chores": list(bot.chores),
        "language": bot.language,
        "version": "1",
        "concurrency": concurrency,
    }
    if bot.push:
        card["url"] = f"http://{LOOPBACK}:{port}/"
    registered = service.post("/v1/bots", card)
    surroundings = {
        "REFEREE_URL": service.url,
        "REFEREE_TOKEN": registered["token"],
        "REFEREE_WEBHOOK_SECRET": registered.get("webhook_secret") or "",
        "PYTHONPATH": os.pathsep.join([*map(str, SHARED), os.environ.get("PYTHONPATH", "")]),
    }
    child = start(Program(card["name"], bot.command(port), surroundings, output / f"bot-{card['name']}.log"))
    return Seated(
        card["name"], registered["bot"]["id"], registered["token"], surroundings["REFEREE_WEBHOOK_SECRET"], child
    )


def seat_remote(url: str, service: Wire, name: str) -> Seated:
    """Register a push bot that runs elsewhere; it must learn `secret` to know that a call is ours."""
    registered = service.post("/v1/bots", {"name": name, "transport": "push", "url": url})
    return Seated(name, registered["bot"]["id"], registered["token"], registered["webhook_secret"], None)


def dismiss(bots: Sequence[Seated]) -> None:
    """End the bots' processes: ask, wait a little, then kill what is left of them."""
    stop([bot.child for bot in bots if bot.child is not None], patience=3.0)


def fresh_seed() -> str:
    """Draw a seed: 64 hexadecimal digits."""
    return secrets.token_hex(32)
