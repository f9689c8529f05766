"""What a machine carries, computed from what things were measured to cost: `python -m tests.bench.capacity LATEST.json`.

The page says which figures it rests on. It reckons as simply as it can: what an act costs all processes together is shared
among the processors, of which a fifth is left free; Redis runs its commands in one thread, and a record in SQLite has one
writer, so that each of these has a limit of its own, however many processors there are.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CORES = (2, 8, 64)
USED = 0.8
THINKING_MS = 100
CONNECTIONS = 10_000  # of a web process, as the launcher sets it
NEEDED = frozenset(
    f"cost_{name}"
    for name in ("act_web", "act_redis", "batch_web", "batch_redis", "push_worker", "push_redis", "match_worker")
) | {"cost_match_acts", "cost_commit"}


class Lacking(ValueError):
    """The document lacks figures that the page is computed from; says which, and how they are had."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to play: its name, what an act costs the processes that grow in number, and what it costs Redis (both µs)."""

    name: str
    process: float
    redis: float


@dataclass(frozen=True, slots=True)
class Carried:
    """What so many processors carry: acts a second, matches an hour, and the part that ends it."""

    acts: float
    matches: float
    limit: str


def ways(value: Mapping[str, float]) -> tuple[Way, ...]:
    """The three ways to play, from the measured costs."""
    return (
        Way("acts in batches of 100", value["cost_batch_web"], value["cost_batch_redis"]),
        Way("an act a request", value["cost_act_web"], value["cost_act_redis"]),
        Way("push", value["cost_push_worker"], value["cost_push_redis"]),
    )


def carried(way: Way, value: Mapping[str, float], *, cores: int, sqlite: bool = True) -> Carried:
    """What so many cores carry of a way to play.

    >>> value = {"cost_match_worker": 1000.0, "cost_match_acts": 100.0, "cost_commit": 1.0}
    >>> carried(Way("x", 100, 10), value, cores=2)
    Carried(acts=13333.333333333334, matches=480000.0, limit='the processors')
    >>> carried(Way("x", 100, 10), value, cores=64).limit
    'Redis'
    """
    in_match = value["cost_match_acts"]
    whole = way.process + way.redis + value["cost_match_worker"] / in_match
    limits = {"the processors": USED * cores * 1e6 / whole, "Redis": USED * 1e6 / max(way.redis, 0.1)}
    if sqlite:
        limits["SQLite"] = USED * 1e3 / value["cost_commit"] * in_match
    limit = min(limits, key=lambda name: limits[name])
    return Carried(limits[limit], limits[limit] / in_match * 3600, limit)


def page(document: Mapping[str, Any]) -> str:
    """The page in Markdown. Raises Lacking."""
    value = {each["key"]: float(each["value"]) for each in document["figures"] if "value" in each}
    lacking = sorted(NEEDED - value.keys())
    if lacking:
        raise Lacking(f"not measured: {', '.join(lacking)}; run `python -m tests.bench --only costs --json PATH` first")
    about = document["machine"]
    busy = (
        " Others used the machine meanwhile, so that every cost is told too high."
        if about["load"] > about["cores"] / 2
        else ""
    )
    where = f"{about['processor']}, {about['cores']} cores, {about['python']}, load {about['load']} at the start"
    parts = [
        "# What it carries",
        (
            "Computed by `python -m tests.bench.capacity` from the figures of one run of the bench"
            f" ({document['date'][:10]}, {where}); made anew, not"
            f" edited. On another machine run `make figures`, which computes it again.{busy}"
        ),
        *_costs(value),
        *_tables(value),
        *_thinking(value),
        *_waiting(value),
        *_then(value),
    ]
    return "\n\n".join(parts) + "\n"


def _costs(value: Mapping[str, float]) -> list[str]:
    rows = [f"| {way.name} | {way.process:.0f} µs | {way.redis:.0f} µs |" for way in ways(value)]
    match = f"A match of {value['cost_match_acts']:.0f} acts costs the workers {value['cost_match_worker'] / 1e3:.1f} ms to open"
    memory = (
        f" and takes {value['cost_match_redis']:.0f} KiB of Redis while it is played"
        if "cost_match_redis" in value
        else ""
    )
    return [
        "## What was measured",
        "Processor time an act, log, hash, view and checks included:",
        "\n".join(["| way to play | its process | Redis |", "|---|---|---|", *rows]),
        (
            f"{match} and to put on record{memory}. A transaction with one log is on the disk after"
            f" {value['cost_commit']:.1f} ms (SQLite)."
        ),
    ]


def _tables(value: Mapping[str, float]) -> list[str]:
    head = ["| cores | way to play | acts a second | matches an hour | first at its end |", "|---|---|---|---|---|"]
    rows = [
        f"| {cores} | {way.name} | {found.acts:,.0f} | {found.matches:,.0f} | {found.limit} |"
        for cores in CORES
        for way in ways(value)
        for found in (carried(way, value, cores=cores),)
    ]
    return [
        "## Bots that answer at once",
        (
            f"The bots are elsewhere, {1 - USED:.0%} of the processors stay free, and so many web processes and workers run"
            " as there are cores to use. A push bot's rate is for as many workers, each one thread."
        ),
        "\n".join([*head, *rows]),
    ]


def _thinking(value: Mapping[str, float]) -> list[str]:
    single = ways(value)[1]
    seconds = value["cost_match_acts"] * THINKING_MS / 1e3
    rows = []
    for cores in CORES:
        found = carried(single, value, cores=cores)
        live = found.acts * THINKING_MS / 1e3
        few = min(found.matches, 200 * 3600 / seconds)
        rows.append(f"| {cores} | {found.acts:,.0f} | {live:,.0f} | {found.matches:,.0f} | {few:,.0f} |")
    head = (
        "| cores | acts a second | live at once to use them | matches an hour then | matches an hour with 200 at once |"
    )
    return [
        f"## Bots that think {THINKING_MS} ms",
        (
            f"They send an act a request, and a match takes {seconds:.0f} s whatever the machine: what counts is how many are"
            " live at once."
        ),
        "\n".join([head, "|---|---|---|---|---|", *rows]),
    ]


def _waiting(value: Mapping[str, float]) -> list[str]:
    each = value.get("poll_memory")
    memory = (
        "Memory of each was not measured in this run."
        if each is None
        else f"Each takes {each:.1f} KiB of a web process."
    )
    rows = [
        f"| {cores} | {cores * CONNECTIONS:,} | {'—' if each is None else f'{cores * CONNECTIONS * each / 1024**2:,.1f} GiB'} |"
        for cores in CORES
    ]
    return [
        "## Bots that wait",
        (
            f"A web process holds {CONNECTIONS:,} connections at most, and there is one a core. {memory}"
            " Open files are limited by the system as well (`ulimit -n`)."
        ),
        "\n".join(["| cores | long polls and streams held | memory for them |", "|---|---|---|", *rows]),
    ]


def _then(value: Mapping[str, float]) -> list[str]:
    batches, single, pushed = ways(value)
    ends = [f"{way.name}: {USED * 1e6 / max(way.redis, 0.1):,.0f} acts a second" for way in (batches, single, pushed)]
    matches = USED * 1e3 / value["cost_commit"] * 3600
    return [
        "## What is full first, and what to add then",
        "\n".join(
            [
                (
                    "- **The processors.** More web processes and workers (`--web`, `--workers`), or another host: every host"
                    " over the same `REFEREE_REDIS_URL` and a PostgreSQL in `REFEREE_DATABASE_URL` serves the same tournaments"
                    " (docs/RUNBOOK.md). Bots that send batches cost least."
                ),
                (
                    f"- **SQLite** has one writer: {matches:,.0f} matches an hour if each were a transaction of its own; those"
                    " that end together are written together. And it is one file of one host."
                    " PostgreSQL by `REFEREE_DATABASE_URL`."
                ),
                (
                    f"- **Redis** runs commands in one thread: {'; '.join(ends)}. A faster core helps. There is no second one to"
                    " add: a service keeps all its live matches on one Redis. Two services, each with its own Redis and database,"
                    " play different tournaments beside each other and know nothing of one another."
                ),
            ]
        ),
        (
            "The part `two_hosts` of the bench takes one point of this: acts through two hosts' processes over one Redis and one"
            " database, on the processors of one machine. `tests/launcher/test_two_hosts.py` plays a tournament through both."
        ),
    ]


def main(arguments: Sequence[str]) -> int:
    """Write the page of the document of the one argument to standard output."""
    if len(arguments) != 1:
        print("usage: python -m tests.bench.capacity LATEST.json > docs/CAPACITY.md", file=sys.stderr)
        return 2
    try:
        sys.stdout.write(page(json.loads(Path(arguments[0]).read_text(encoding="utf-8"))))
    except Lacking as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
