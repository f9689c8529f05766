"""A process of bots that pull by the SDK, think a bit, and note how long each act really took them.

Is told on its standard input which bots at which referee; on SIGTERM it writes what they noted to its standard output
and ends. Used by `tests.faults.clocks`.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients" / "python"))
import sixtysix
from sixtysix import running

LONGEST_THOUGHT_MS = 20


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot: its token, the seed of its choices and of how long it thinks, and by how much it oversleeps its fourth act."""

    token: str
    seed: str
    oversleeps_ms: int = 0


@dataclass(slots=True)
class Notes:
    """By match, seat and version: when the prompt was in hand (monotonic s), and what its act took, in ms.

    `trips` is what the referee said such an act took in all, from delivery to arrival.
    """

    in_hand: dict[tuple[str, str, int], float] = field(default_factory=dict)
    own: dict[tuple[str, str, int], float] = field(default_factory=dict)
    trips: dict[tuple[str, str, int], int] = field(default_factory=dict)
    last: dict[tuple[str, str], int] = field(default_factory=dict)

    def got(self, prompts: Sequence[sixtysix.Prompt]) -> None:
        """Notes prompts whose reply has just been read."""
        now = time.monotonic()
        for prompt in prompts:
            table = prompt["match"], prompt["seat"]
            self.in_hand.setdefault((*table, prompt["version"]), now)
            before = self.last.pop(table, None)
            if before is not None and before < prompt["version"]:
                self.trips[(*table, before)] = prompt["clock"]["round_trip_ms"]

    def sends(self, decisions: Sequence[sixtysix.Decision]) -> None:
        """Notes acts that are about to be sent; of one that is repeated the first time counts."""
        now = time.monotonic()
        for each in decisions:
            table, version = (each.prompt["match"], each.prompt["seat"]), each.prompt["version"]
            self.own.setdefault((*table, version), (now - self.in_hand[(*table, version)]) * 1000)
            self.last[table] = version


@dataclass(slots=True)
class TimedSession(sixtysix.Session):
    """A session that keeps notes."""

    notes: Notes = field(default_factory=Notes)

    def over(self, connection: sixtysix.Connection) -> TimedSession:
        return TimedSession(connection, self.notes)

    def turns(self, *, wait: int = 25, most: int = 200) -> list[sixtysix.Prompt]:
        prompts = sixtysix.Session.turns(self, wait=wait, most=most)
        self.notes.got(prompts)
        return prompts

    def acts(
        self, decisions: Sequence[sixtysix.Decision], *, wait: int | None = None, most: int = 200
    ) -> tuple[list[sixtysix.Verdict], list[sixtysix.Prompt]]:
        self.notes.sends(decisions)
        verdicts, prompts = sixtysix.Session.acts(self, decisions, wait=wait, most=most)
        self.notes.got(prompts)
        return verdicts, prompts


@dataclass(slots=True)
class Thinker:
    """Plays any lawful act after up to LONGEST_THOUGHT_MS, and oversleeps its fourth if it is one who does."""

    bot: Bot
    dice: random.Random
    acts: int = 0

    def choose(self, prompt: sixtysix.Prompt) -> sixtysix.Act:
        """Thinks and chooses."""
        self.acts += 1
        late = self.bot.oversleeps_ms if self.acts == 4 else 0
        time.sleep((self.dice.uniform(0, LONGEST_THOUGHT_MS) + late) / 1000)
        return self.dice.choice(prompt["lawful"])


def play(bot: Bot, url: str, notes: Notes, faults: list[str]) -> None:
    """Plays for one bot for as long as the process lives."""
    thinker = Thinker(bot, random.Random(bot.seed))
    try:
        running.play(thinker.choose, TimedSession(sixtysix.Connection(url, bot.token), notes))
    except Exception as fault:  # told at the end; a thread's death must not pass unseen
        faults.append(f"{bot.seed}: {fault!r}")


def told(notes: Sequence[Notes], faults: Sequence[str]) -> str:
    """What was noted, as one JSON document."""
    acts = [(*name, each.own.get(name), each.trips.get(name)) for each in notes for name in list(each.in_hand)]
    return json.dumps({"acts": acts, "faults": list(faults)})


def order(url: str, bots: Sequence[Bot]) -> str:
    """What such a process is to be told."""
    return json.dumps({"url": url, "bots": [asdict(bot) for bot in bots]})


def main() -> None:
    """Plays until SIGTERM."""
    told_to_end = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: told_to_end.set())
    given = json.loads(sys.stdin.readline())
    bots = [Bot(**each) for each in given["bots"]]
    notes: list[Notes] = [Notes() for _ in bots]
    faults: list[str] = []
    for bot, kept in zip(bots, notes, strict=True):
        threading.Thread(target=play, args=(bot, given["url"], kept, faults), daemon=True).start()
    told_to_end.wait()
    print(told(notes, faults), flush=True)
    os._exit(0)  # the threads are in long polls


if __name__ == "__main__":
    main()
