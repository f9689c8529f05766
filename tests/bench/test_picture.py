"""The picture of a run: well-formed, every figure named, nothing taken from elsewhere, nothing that could break out of it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.bench import picture, report
from tests.bench.pairs import Spread
from tests.bench.report import Figure, Measure, NotRun

ROWS = [
    Figure("engine", "rules engine, an act", 2.0, 9.0, Spread(4.6, 4.0, 5.0), "at least", 4.5),
    Figure(
        "odd",
        'a <b> & "c" that is longer than any row of a picture could ever be made',
        1,
        1,
        Spread(9, 8, 10),
        "at most",
        2,
    ),
    Figure("none", "nothing at all", 0, 1, Spread(0, 0, 0), "at most", 2),
    Measure("wake", "99th percentile of the wake </text>", 12.5, "ms", "at most", 25),
    Measure("memory", "memory at its most", 4096, "KiB"),
    NotRun("http", "no <server>"),
]


def document(tmp_path: Path) -> Path:
    path = tmp_path / "latest.json"
    report.write(path, {"processor": "A & B", "cores": 2, "python": "CPython", "load": 1}, report.now(), ROWS)
    return path


def test_every_figure_is_named_and_what_is_met_is_told_from_what_is_not(tmp_path: Path) -> None:
    root = ElementTree.fromstring(picture.drawn(json.loads(document(tmp_path).read_text("utf-8"))))
    words = " ".join(root.itertext())
    for row in ROWS:
        assert (row.key if isinstance(row, NotRun) else row.what) in words
    bars = [each.get("class") for each in root.iter("{http://www.w3.org/2000/svg}rect")]
    assert bars == ["page", "track", "met", "track", "short", "track", "met"]
    assert "A & B" in words
    assert "12.5 ms" in words


def test_nothing_comes_from_elsewhere(tmp_path: Path) -> None:
    drawn = picture.drawn(json.loads(document(tmp_path).read_text("utf-8")))
    assert re.findall(r"(?:href|src|url|@import|@font-face)", drawn) == []
    assert "prefers-color-scheme: dark" in drawn


@pytest.mark.parametrize(
    ("better", "place"),
    [(0, picture.WORDS), (1, picture.AIM), (8, picture.RIGHT), (99, picture.RIGHT), (float("inf"), picture.RIGHT)],
)
def test_a_bar_ends_at_the_aim_where_the_aim_is_just_reached(better: float, place: float) -> None:
    assert picture._place(better) == pytest.approx(place)


def test_the_command_draws_what_it_is_given_and_says_how_it_is_used(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.bench.picture"]
    done = subprocess.run([*command, str(document(tmp_path))], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert ElementTree.fromstring(done.stdout).tag.endswith("svg")
    assert subprocess.run(command, capture_output=True, text=True).returncode == 2
