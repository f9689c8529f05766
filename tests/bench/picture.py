"""The figures of a run as one picture: `python -m tests.bench.picture LATEST.json > docs/bench.svg`.

A bar a ratio, drawn so that its aim is at the same place in every row: as far right of it as it is better, twice as far for
a figure that is twice as good. Figures in units of their own stand below in words. Light or dark as the reader has it set,
in whatever letters the reader's machine has.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

WIDTH, ROW, TOP = 860, 26, 62
WORDS, AIM, RIGHT = 400, 600, 740
DOUBLINGS = 3  # a bar ends where a figure is so many times twice as good as its aim
LONGEST_WORDS = 62

STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
.small { font-size: 11px; fill: #59636e; }
.title { font-size: 15px; font-weight: 600; }
.value { font-variant-numeric: tabular-nums; }
.page { fill: #ffffff; } .track { fill: #eaeef2; } .met { fill: #1a7f37; } .short { fill: #bc4c00; } .aim { stroke: #1f2328; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; } .small { fill: #9198a1; }
  .page { fill: #0d1117; } .track { fill: #2a313c; } .met { fill: #3fb950; } .short { fill: #f0883e; } .aim { stroke: #e6edf3; }
}
"""

Row = Mapping[str, Any]


def drawn(document: Row) -> str:
    """The picture of a document as `report.write` writes it."""
    figures: Sequence[Row] = document["figures"]
    ratios = [each for each in figures if "ratio" in each]
    others = [each for each in figures if "ratio" not in each]
    below = TOP + ROW * len(ratios) + (30 if others else 0)
    height = below + 20 * len(others) + 20
    parts = [
        *_heading(document),
        *(line for place, each in enumerate(ratios) for line in _bar(each, TOP + ROW * place)),
    ]
    if others:
        parts.append(_text(10, below - 12, "In units of their own", "small"))
    parts += [line for place, each in enumerate(others) for line in _words(each, below + 20 * place + 6)]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    title = "<title>The figures of the bench beside their aims</title>"
    page = f'<rect class="page" width="{WIDTH}" height="{height}" rx="6"/>'  # of its own, whatever the reader's page is
    return "\n".join([f'{head} role="img">', title, f"<style>{STYLE}</style>", page, *parts, "</svg>", ""])


def _heading(document: Row) -> list[str]:
    about = document["machine"]
    where = [document["date"][:10], str(about.get("processor", "")), f"{about.get('cores', '?')} cores"]
    where += [str(about.get("python", "")), f"load {about.get('load', '?')}"]
    return [
        _text(10, 22, "Ratios to what was run beside them, and their aims", "title"),
        _text(10, 40, " · ".join(each for each in where if each), "small"),
        _text(AIM, 54, "aim", "small", anchor="middle"),
    ]


def _bar(row: Row, top: int) -> list[str]:
    """A ratio: words, a bar from the left to where it stands beside its aim, and both as numbers."""
    middle, bound = row["ratio"]["middle"], row["bound"]
    better = middle / bound if row["aim"] == "at least" else bound / middle if middle else math.inf
    end = _place(better)
    spread = f"{row['ratio']['least']:.2f} to {row['ratio']['most']:.2f}"
    colour = "met" if row["met"] else "short"
    return [
        "<g>",
        f"<title>{escape(row['what'])}: {middle:.2f} ({spread}), aim {row['aim']} {bound:g}</title>",
        _text(10, top + 15, _short(row["what"]), ""),
        f'<rect class="track" x="{WORDS}" y="{top + 4}" width="{RIGHT - WORDS}" height="14" rx="3"/>',
        f'<rect class="{colour}" x="{WORDS}" y="{top + 4}" width="{end - WORDS:.0f}" height="14" rx="3"/>',
        f'<line class="aim" x1="{AIM}" x2="{AIM}" y1="{top + 1}" y2="{top + 21}"/>',
        _text(RIGHT + 8, top + 15, f"{middle:.2f} ({'≥' if row['aim'] == 'at least' else '≤'} {bound:g})", "value"),
        "</g>",
    ]


def _place(better: float) -> float:
    """Where a bar ends: at the aim for 1, at the right for DOUBLINGS doublings, at the left for nothing at all."""
    if better < 1:
        return WORDS + max(0.0, better) * (AIM - WORDS)
    return AIM + min(math.log2(better), DOUBLINGS) / DOUBLINGS * (RIGHT - AIM)


def _words(row: Row, top: int) -> list[str]:
    if "why" in row:
        return [_text(10, top, f"{row['key']}: not run ({row['why']})"[:120], "small")]
    said = f"{row['value']:,.1f} {row['unit']}"
    if row["bound"] is None:
        return [_text(10, top, _short(row["what"]), "small"), _text(AIM, top, said, "small value", anchor="end")]
    aim = f"{row['aim']} {row['bound']:g}: {'met' if row['met'] else 'not met'}"
    words = [_text(10, top, _short(row["what"]), ""), _text(AIM, top, said, "value", anchor="end")]
    return [*words, _text(AIM + 12, top, aim, "small")]


def _short(words: str) -> str:
    return words if len(words) <= LONGEST_WORDS else f"{words[: LONGEST_WORDS - 1]}…"


def _text(x: int, y: int, words: str, kind: str, *, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def main(arguments: Sequence[str]) -> int:
    """Draw the document of the one argument to standard output."""
    if len(arguments) != 1:
        print("usage: python -m tests.bench.picture LATEST.json > docs/bench.svg", file=sys.stderr)
        return 2
    sys.stdout.write(drawn(json.loads(Path(arguments[0]).read_text(encoding="utf-8"))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
