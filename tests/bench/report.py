"""What the bench prints and writes: the machine, the date, a line a figure."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any, Literal

from tests.bench.pairs import Spread

ADDITIONS = 1_000_000


@dataclass(frozen=True, slots=True)
class Figure:
    """One ratio: what both sides took (microseconds), the spread of the ratio, the aim of DESIGN 9."""

    key: str
    what: str
    ours: float
    theirs: float
    ratio: Spread
    aim: Literal["at least", "at most"]
    bound: float

    @property
    def is_met(self) -> bool:
        """Tell whether the median reaches the aim."""
        return self.ratio.middle >= self.bound if self.aim == "at least" else self.ratio.middle <= self.bound


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure by itself, in its unit; one without a bound is only printed."""

    key: str
    what: str
    value: float
    unit: str
    aim: Literal["at least", "at most"] = "at most"
    bound: float | None = None

    @property
    def is_met(self) -> bool | None:
        """Tell whether it reaches the aim; None where there is none."""
        if self.bound is None:
            return None
        return self.value >= self.bound if self.aim == "at least" else self.value <= self.bound


@dataclass(frozen=True, slots=True)
class NotRun:
    """A figure that could not be taken, and why."""

    key: str
    why: str


def machine() -> dict[str, Any]:
    """What ran this: processor, cores, system, Python, load, and a loop to compare machines by."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "load": round(os.getloadavg()[0], 2),
        "million_additions_ms": round(median(additions() for _ in range(5)) * 1e3, 1),
    }


def processor() -> str:
    """The processor by name, as far as the system tells."""
    listed = Path("/proc/cpuinfo")
    if listed.exists():
        for line in listed.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def additions() -> float:
    """Seconds that a plain loop of a million additions takes."""
    total = 0
    started = time.process_time()
    for number in range(ADDITIONS):
        total += number
    return time.process_time() - started


def heading(about: dict[str, Any], when: datetime) -> str:
    """Two lines: date and machine."""
    return (
        f"{when:%Y-%m-%d %H:%M} UTC · {about['processor']} · {about['cores']} cores · {about['system']}\n"
        f"{about['python']} · load {about['load']} · a million additions in {about['million_additions_ms']} ms\n"
    )


HEADER = f"{'figure':<56} {'ours':>9} {'theirs':>9}  {'ratio':>6} {'(least–most)':>14}  aim"


Row = Figure | Measure | NotRun
"""What stands in a row of the table."""


def line(row: Row) -> str:
    """One row of the table."""
    if isinstance(row, NotRun):
        return f"{row.key:<56} not run: {row.why}"
    if isinstance(row, Measure):
        aim = "" if row.bound is None else f"  {row.aim} {row.bound:g}: {'met' if row.is_met else 'NOT MET'}"
        return f"{row.what:<56} {row.value:>9,.1f} {row.unit}{aim}"
    spread = f"({row.ratio.least:.2f}–{row.ratio.most:.2f})"
    verdict = "met" if row.is_met else "NOT MET"
    return (
        f"{row.what:<56} {row.ours:>6.1f} µs {row.theirs:>6.1f} µs  {row.ratio.middle:>6.2f} {spread:>14}"
        f"  {row.aim} {row.bound:g}: {verdict}"
    )


def write(path: Path, about: dict[str, Any], when: datetime, rows: Iterable[Row]) -> None:
    """Write everything as one JSON document."""
    listed = [{**asdict(row), **({} if isinstance(row, NotRun) else {"met": row.is_met})} for row in rows]
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {"date": when.isoformat(timespec="seconds"), "machine": about, "figures": listed}
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def now() -> datetime:
    """The time in UTC."""
    return datetime.now(UTC)
