"""Take the figures of DESIGN section 9 that exist so far, print them and write them as JSON.

Exit status 0 when every figure asked for was taken, whether or not it reaches its aim; 1 when
one could not be taken.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from referee import settings
from tests.bench import (
    compiled,
    costs,
    crowd,
    engine,
    growth,
    in_process,
    live_memory,
    many_acts,
    over_http,
    peer,
    picture,
    polls,
    push,
    report,
    two_hosts,
)
from tests.bench.pairs import Pairs, Run, Sample, paired, percentile, spread
from tests.bench.report import Figure, Measure, NotRun, Row


@dataclass(frozen=True, slots=True)
class Plan:
    """Where things lie and how much is measured."""

    folder: Path
    rounds: int
    acts: int
    matches: int
    growth: int
    live: int


def rules_engine(plan: Plan) -> Iterator[Figure]:
    """Whole lawful deals against the yardstick's."""
    yield _against_the_peer(plan, "engine", "rules engine, an act", engine.lawful_deals, 4.5)


def referee_in_process(plan: Plan) -> Iterator[Figure]:
    """Prompt, act, event and hash against the yardstick's bare engine."""
    yield _against_the_peer(plan, "in_process", "referee in process, an act", in_process.acts_with_prompts, 1.5)


def compiled_by_mypyc(plan: Plan) -> Iterator[Figure]:
    """The same two in a copy of the package whose hot modules are compiled."""
    with compiled.playing(plan.folder / "compiled", run="engine") as ours:
        yield _against_the_peer(plan, "compiled_engine", "compiled: rules engine, an act", ours, 8)
    with compiled.playing(plan.folder / "compiled", run="in_process") as ours:
        yield _against_the_peer(plan, "compiled_in_process", "compiled: referee in process, an act", ours, 1.5)


def _against_the_peer(plan: Plan, key: str, what: str, ours: Run, bound: float) -> Figure:
    with peer.yardstick(plan.folder) as theirs:
        pairs = paired(ours, theirs, rounds=plan.rounds)
    what = f"{what} (against schnapsen)"
    return Figure(key, what, median(pairs.ours), median(pairs.theirs), pairs.times_as_fast, "at least", bound)


def one_act_over_http(plan: Plan) -> Iterator[Figure]:
    """Acts and health requests in turn on one connection, then whole matches and their logs."""
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as data, over_http.table(Path(data)) as seats:
        rounds = [over_http.tempo(seats, acts=plan.acts) for _ in range(max(plan.rounds // 3, 2))]
        yield _latency("http", "an act over HTTP, median (against /health)", rounds, percent=50, bound=2.5)
        yield _latency("http_p99", "an act over HTTP, 99th percentile", rounds, percent=99, bound=4)
        yield _verification([over_http.finished(seats) for _ in range(plan.matches)])


def _latency(key: str, what: str, rounds: Sequence[over_http.Tempo], *, percent: int, bound: float) -> Figure:
    ours = [percentile(each.acts, percent) * 1e6 for each in rounds]
    theirs = [percentile(each.health, percent) * 1e6 for each in rounds]
    ratios = spread([one / other for one, other in zip(ours, theirs, strict=True)])
    return Figure(key, what, median(ours), median(theirs), ratios, "at most", bound)


def _verification(played: Iterable[over_http.Finished]) -> Figure:
    pairs = [(in_process.verifying(each.log, acts=each.acts), Sample(each.acts, each.seconds)) for each in played]
    return Figure(
        "verify",
        "verifying a log, an act (against playing it)",
        median(ours.per_unit for ours, _ in pairs),
        median(theirs.per_unit for _, theirs in pairs),
        spread([theirs.per_unit / ours.per_unit for ours, theirs in pairs]),
        "at least",
        40,
    )


def acts_in_batches(plan: Plan) -> Iterator[Figure]:
    """Batches of 100 acts against acts one by one and health requests, each at its best; then every log is verified."""
    with tempfile.TemporaryDirectory(prefix="referee-bench-") as data, many_acts.hall(Path(data)) as hall:
        rounds = [many_acts.rates(hall, acts=plan.acts) for _ in range(max(plan.rounds // 3, 2))]
        for key, what, bound in (
            ("batch", "an act in batches of 100 (against one by one on 32 connections)", 4),
            ("batch_health", "an act in batches of 100 (against /health on 32 connections)", 1.5),
        ):
            theirs = [each.one_by_one if key == "batch" else each.health for each in rounds]
            pairs = Pairs(tuple(each.batches.per_unit for each in rounds), tuple(each.per_unit for each in theirs))
            yield Figure(key, what, median(pairs.ours), median(pairs.theirs), pairs.times_as_fast, "at least", bound)
        many_acts.verified(hall)


def pushed(plan: Plan) -> Iterator[Figure]:
    """One job of 200 push matches against a bare client loop, in turn."""
    yield from push.figures(requests=20 * plan.acts, rounds=max(plan.rounds // 3, 2))


def processor_costs(plan: Plan) -> Iterator[Measure]:
    """What acts, pushes and matches cost each process of a stack."""
    yield from costs.figures(acts=20 * plan.acts, requests=20 * plan.acts)


def over_two_hosts(plan: Plan) -> Iterator[Figure | Measure]:
    """Acts through one host's processes and through those of two."""
    yield from two_hosts.figures(acts=10 * plan.acts, rounds=max(plan.rounds // 3, 2))


def cost_of_growth(plan: Plan) -> Iterator[Figure | Measure]:
    """What a match costs in a large tournament against in a small one, and what memory both take."""
    yield from growth.figures(matches=plan.growth)


def memory_of_a_live_match(plan: Plan) -> Iterator[Measure]:
    """What a match has in Redis when it is over."""
    yield from live_memory.figures(count=plan.live)


def crowd_at_once(_plan: Plan) -> Iterator[Measure]:
    """Two hundred matches at once, in batches and act by act; then every log is verified."""
    yield from crowd.figures()


def thousands_of_polls(_plan: Plan) -> Iterator[Measure]:
    """Five thousand bots in long polls beside a hundred matches at play; then what was played is verified."""
    yield from polls.figures()


PARTS: dict[str, Callable[[Plan], Iterator[Figure | Measure]]] = {
    "engine": rules_engine,
    "in_process": referee_in_process,
    "compiled": compiled_by_mypyc,
    "http": one_act_over_http,
    "batch": acts_in_batches,
    "push": pushed,
    "costs": processor_costs,
    "two_hosts": over_two_hosts,
    "crowd": crowd_at_once,
    "polls": thousands_of_polls,
    "growth": cost_of_growth,
    "redis_match": memory_of_a_live_match,
}


def taken(parts: Iterable[str], plan: Plan) -> Iterator[Row]:
    """Take the figures of `parts` one after another; a part that fails says why and ends."""
    for part in parts:
        try:
            yield from PARTS[part](plan)
        except Exception as problem:
            traceback.print_exc()
            yield NotRun(part, f"{type(problem).__name__}: {problem}")


def main(arguments: Sequence[str]) -> int:
    """Run the command line; the exit status is the program's."""
    asked = _parser().parse_args(arguments)
    data = settings.read().data
    sizes = {name: getattr(asked, name) for name in ("rounds", "acts", "matches", "growth", "live")}
    plan = Plan(folder=data / "bench", **sizes)
    when, about = report.now(), report.machine()
    print(report.heading(about, when))
    print(report.HEADER)
    rows: list[Row] = []
    for row in taken(asked.only or PARTS, plan):
        print(report.line(row), flush=True)
        rows.append(row)
    written = asked.json or plan.folder / "latest.json"
    report.write(written, about, when, rows)
    print(f"\nwritten to {written}")
    if asked.picture:
        asked.picture.write_text(picture.drawn(json.loads(written.read_text(encoding="utf-8"))), encoding="utf-8")
        print(f"drawn in {asked.picture}")
    return int(any(isinstance(row, NotRun) for row in rows))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--only", action="append", choices=PARTS, help="take this part only (may be repeated)")
    parser.add_argument("--rounds", type=int, default=15, help="paired runs; a third as many over HTTP (default 15)")
    parser.add_argument("--acts", type=int, default=300, help="acts over HTTP in each round (default 300)")
    parser.add_argument("--matches", type=int, default=5, help="matches played and verified (default 5)")
    parser.add_argument("--growth", type=int, default=10_000, help="matches of the large tournament (default 10000)")
    parser.add_argument("--live", type=int, default=100, help="matches whose memory in Redis is measured (default 100)")
    parser.add_argument("--json", type=Path, help="where the figures go (default: bench/latest.json with the data)")
    parser.add_argument("--picture", type=Path, help="where they are drawn as well, an SVG (default: nowhere)")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
