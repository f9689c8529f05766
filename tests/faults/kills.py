"""What is killed in a run, and when: drawn from the run's seed before it begins."""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from referee.launcher.processes import LauncherError, send
from referee.launcher.stack import Stack
from tests.postgresql import PostgresServer

WEB, WORKER, REDIS, DATABASE = "web", "worker", "redis", "database"
FEWEST, MOST = 6, 9
DOWN_SECONDS = 0.2  # how long the database stays dead before somebody starts it again
LATEST_SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class Kill:
    """One stop: after how many acts and how much later (s), who all at once, and how: -9, TERM, the first process alone."""

    after: int
    later: float
    whom: tuple[str, ...]
    how: str

    def __str__(self) -> str:
        return f"{'+'.join(self.whom)} {self.how} at {self.after}"


def plan(seed: str, *, acts: int, database: bool) -> list[Kill]:
    """Draws 6 to 9 stops over a run of so many acts: each kind alone once, then any, together, or in order (TERM)."""
    dice = random.Random(f"kills/{seed}")
    kinds = [WEB, WORKER, REDIS] + ([DATABASE] if database else [])
    count = dice.randint(FEWEST, MOST)
    whom = [(kind,) for kind in kinds]
    while len(whom) < count:
        whom.append(tuple(kind for kind in kinds if dice.random() < 0.4) or (dice.choice(kinds),))
    dice.shuffle(whom)
    places = sorted(dice.sample(range(max(1, acts // 20), max(count + 1, acts - acts // 10)), count))
    return [
        Kill(at, dice.uniform(0, LATEST_SECONDS), who, manner(who, dice)) for at, who in zip(places, whom, strict=True)
    ]


def manner(whom: tuple[str, ...], dice: random.Random) -> str:
    """How they are stopped: mostly killed outright."""
    if set(whom) <= {WEB, WORKER} and dice.random() < 0.3:
        return "TERM"
    if whom == (DATABASE,) and dice.random() < 0.4:
        return "-9 of its first process"
    return "-9"


class Killer(threading.Thread):
    """Carries a plan out while the bots play."""

    def __init__(
        self,
        kills: Sequence[Kill],
        stack: Stack,
        *,
        seed: str,
        acted: Callable[[], int],
        database: PostgresServer | None,
    ) -> None:
        super().__init__(name="killer", daemon=True)
        self.kills, self.stack, self.acted, self.database = kills, stack, acted, database
        self.dice = random.Random(f"targets/{seed}")
        self.done: list[Kill] = []
        self.over = False
        self.faults: list[str] = []

    def run(self) -> None:
        try:
            for kill in self.kills:
                while self.acted() < kill.after:
                    if self.over:
                        return
                    time.sleep(0.002)
                time.sleep(kill.later)
                self.carry_out(kill)
                self.done.append(kill)
        except Exception as fault:  # told at the end; a thread's death must not pass unseen
            self.faults.append(f"the killer: {fault!r}")

    def carry_out(self, kill: Kill) -> None:
        """Stops all of them at once; the stack's supervisor starts its own again, and here the database is."""
        for whom in kill.whom:
            if whom == REDIS:
                self.stack.kill_redis()
            elif whom in (WEB, WORKER):
                self.stop(whom, kill.how)
        if DATABASE in kill.whom:
            assert self.database is not None
            self.database.kill(whole=kill.how == "-9")
            time.sleep(DOWN_SECONDS)
            self.database.start()

    def stop(self, kind: str, how: str) -> None:
        """Stops one process of a kind, or all."""
        posts = [name for name in self.stack.pids() if name.startswith(f"{kind}-")]
        chosen = self.dice.choice([*([post] for post in posts), posts])
        for post in chosen:
            with suppress(LauncherError):
                if how == "TERM":
                    send(self.stack.child(post), signal.SIGTERM)
                elif kind == WEB:
                    self.stack.kill_web(int(post.rpartition("-")[2]))
                else:
                    self.stack.kill_worker(int(post.rpartition("-")[2]))
