"""The page on capacity: it is computed, says what ends first, and says what it lacks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bench import capacity, picture
from tests.bench.capacity import Way, carried

VALUES = {
    "cost_act_web": 300.0, "cost_act_redis": 40.0, "cost_batch_web": 60.0, "cost_batch_redis": 25.0,
    "cost_push_worker": 300.0, "cost_push_redis": 40.0, "cost_match_worker": 4000.0, "cost_match_acts": 200.0,
    "cost_commit": 1.0,
}  # fmt: skip
ABOUT = {"processor": "one", "cores": 2, "python": "CPython", "load": 0.1}


def document(**others: float) -> dict[str, Any]:
    figures = [{"key": key, "what": key, "value": value} for key, value in {**VALUES, **others}.items()]
    return {"date": "2026-11-30T00:00:00+00:00", "machine": ABOUT, "figures": figures}


def test_what_ends_first_is_the_processors_then_redis_and_with_a_slow_disk_the_one_writer() -> None:
    way = Way("x", 100, 10)
    assert [carried(way, VALUES, cores=cores).limit for cores in capacity.CORES] == [
        "the processors",
        "the processors",
        "Redis",
    ]
    slow = {**VALUES, "cost_commit": 500.0}
    assert carried(way, slow, cores=64).limit == "SQLite"
    assert carried(way, slow, cores=64, sqlite=False).limit == "Redis"
    assert carried(way, VALUES, cores=8).acts == pytest.approx(4 * carried(way, VALUES, cores=2).acts)


def test_the_page_tells_costs_and_capacity_and_memory_where_it_was_measured() -> None:
    page = capacity.page(document(poll_memory=20.0, cost_match_redis=15.0))
    assert "| acts in batches of 100 | 60 µs | 25 µs |" in page
    assert "| 2 | 20,000 | 0.4 GiB |" in page
    assert "15 KiB of Redis" in page
    assert "was not measured" in capacity.page(document())


def test_what_lacks_is_named_with_the_command_that_measures_it(tmp_path: Path) -> None:
    lacking = document()
    lacking["figures"] = lacking["figures"][1:]
    path = tmp_path / "latest.json"
    path.write_text(json.dumps(lacking))
    done = subprocess.run([sys.executable, "-m", "tests.bench.capacity", str(path)], capture_output=True, text=True)
    assert done.returncode == 1
    assert "cost_act_web" in done.stderr
    assert "--only costs" in done.stderr


def test_the_picture_and_the_page_in_docs_are_those_of_the_run_kept_there() -> None:
    docs = Path(__file__).resolve().parent.parent.parent / "docs"
    run = json.loads((docs / "bench.json").read_text("utf-8"))
    anew = "make figures, or the commands at the top of tests/bench/picture.py and capacity.py"
    assert (docs / "bench.svg").read_text("utf-8") == picture.drawn(run), anew
    assert (docs / "CAPACITY.md").read_text("utf-8") == capacity.page(run), anew
