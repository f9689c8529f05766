"""`make faults`: many seeded runs of a double round robin of six bots in which everything is killed.

Each run is compared with a run of the same seed that was left alone. With PostgreSQL at hand (see `tests.postgresql`)
the database is killed too; with `--database sqlite`, or without a server, there is none to kill.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests import postgresql
from tests.faults.runs import Outcome, Tournament, left_alone, with_kills
from tests.postgresql import PostgresServer


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs, prints a line a run and the sum; 1 if anything was lost, doubled or came out otherwise."""
    chosen = read(arguments)
    seed = chosen.seed or secrets.token_hex(4)
    server = database(chosen.database)
    print(f"{chosen.runs} runs; `--seed {seed}` places the same stops again", flush=True)
    outcomes = []
    try:
        for number in range(chosen.first, chosen.first + chosen.runs):
            what = Tournament(target=chosen.target, duplicate=chosen.duplicate)
            outcomes.append(one(f"{seed}/{number}", what, server))
    finally:
        if server is not None:
            server.stop()
    print(summed_up(outcomes))
    return 0 if all(outcome.is_right for outcome in outcomes) else 1


def read(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--seed", default="", help="any text; drawn and printed if left out")
    parser.add_argument("--first", type=int, default=1, help="number of the first run: to repeat one of many")
    parser.add_argument("--target", type=int, default=2, help="game points to a match")
    parser.add_argument("--duplicate", choices=("none", "paired"), default="none")
    parser.add_argument("--database", choices=("postgresql", "sqlite"), default="postgresql")
    return parser.parse_args(arguments)


def database(kind: str) -> PostgresServer | None:
    """A PostgreSQL to be killed, where there can be one."""
    if kind == "sqlite":
        return None
    why = postgresql.lacking() or ("the PostgreSQL given is not ours to kill" if postgresql.GIVEN else "")
    if why:
        print(f"on SQLite, so that no database is killed: {why}")
        return None
    return postgresql.new_server(durable=True)


def one(seed: str, what: Tournament, server: PostgresServer | None) -> Outcome:
    """Plays the tournament of a seed twice and prints what came of it."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="referee-faults-", ignore_cleanup_errors=True) as folder:
        alone = left_alone(seed, what, data=Path(folder) / "alone", server=server)
        found = with_kills(seed, what, alone=alone, data=Path(folder) / "killed", server=server)
    print(told(alone, found, time.monotonic() - began), flush=True)
    for line in (*alone.faults, *alone.final.amiss, *problems(found)):
        print(f"    {line[:2000]}", flush=True)
    return found


def told(alone: Outcome, found: Outcome, seconds: float) -> str:
    """A run in a line."""
    final, kills = found.final, "; ".join(map(str, found.kills))
    sums = f"{len(final.lost)} lost, {len(final.doubled)} doubled, {len(found.differing)} differing"
    return (
        f"seed {found.seed}: {len(final.facts)} matches, {final.rulings} rulings, {alone.acts} acts,"
        f" {found.repeated} requests repeated; {sums}; {seconds:.0f} s; {len(found.kills)} kills: {kills}"
    )


def problems(found: Outcome) -> tuple[str, ...]:
    """All that is not as it must be."""
    return (*found.final.lost, *found.final.doubled, *found.final.amiss, *found.differing, *found.faults)


def summed_up(outcomes: Sequence[Outcome]) -> str:
    """All runs in a line."""
    kinds = Counter(whom for outcome in outcomes for kill in outcome.kills for whom in kill.whom)
    killed = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    sums = [
        sum(len(outcome.final.lost) for outcome in outcomes),
        sum(len(outcome.final.doubled) for outcome in outcomes),
        sum(len(outcome.differing) for outcome in outcomes),
    ]
    return (
        f"{len(outcomes)} runs, {sum(len(outcome.final.facts) for outcome in outcomes)} matches,"
        f" {sum(outcome.final.rulings for outcome in outcomes)} rulings, at least"
        f" {min((len(outcome.kills) for outcome in outcomes), default=0)} kills a run ({killed}):"
        f" {sums[0]} lost, {sums[1]} doubled, {sums[2]} differing;"
        f" {sum(not outcome.is_right for outcome in outcomes)} runs not as they must be"
    )


if __name__ == "__main__":
    sys.exit(main())
