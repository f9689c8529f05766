"""Random deals of Schnapsen played on the PyPI package `schnapsen` and followed act by act.

The package (GPL-3) is no dependency: it is looked for in this environment and in the one the
bench makes for it, and talked to through a pipe. `REFEREE_SOAK_DEALS` says how many deals (100
unless told).
"""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee import settings
from referee.rules import rulesets
from tests.bench.peer import REQUIREMENTS
from tests.perft import engine, schnapsen
from tests.perft.tricks import worth

DEALS = int(os.environ.get("REFEREE_SOAK_DEALS", "100"))
PROGRAM = Path(__file__).with_name("schnapsen_package.py")
SEED = "schnapsen package"
BUILT = ["model", *(["engine"] if "schnapsen" in rulesets.names() else [])]
pytestmark = pytest.mark.timeout(max(300, DEALS))


def python_with_the_package() -> str:
    """A Python that has the package, or "": this one, or the yardstick's of the bench."""
    if importlib.util.find_spec("schnapsen"):
        return sys.executable
    python = settings.read().data / "bench" / "yardstick" / "bin" / "python"
    if not python.exists():
        return ""
    tried = subprocess.run([str(python), "-c", "import schnapsen.game"], capture_output=True)
    return "" if tried.returncode else str(python)


def deals_of_the_package(number: int):
    """Deals with every step of their play, as `schnapsen_package` writes them."""
    python = python_with_the_package()
    if not python:
        pytest.skip(
            f"the PyPI package schnapsen ({REQUIREMENTS.read_text().split()[0]}) is neither in this environment nor in "
            "the one of the bench: `python -m tests.bench --only engine` makes that one"
        )
    command = [python, str(PROGRAM), str(number), SEED]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        yield from map(json.loads, process.stdout)
        said = process.stderr.read()
    assert process.returncode == 0, said


class Follower:
    """One deal of the package on another table: the engine, or the slow model."""

    def __init__(self, table, state, deal) -> None:
        self.table, self.state, self.deal = table, state, deal
        self.played: list[str] = []

    def same(self, what: str, ours: object, theirs: object) -> None:
        """Fails with the deal so far and both answers."""
        __tracebackhide__ = True
        if ours != theirs:
            pytest.fail(
                f"{what} differ\n  {self.table.__name__}: {ours}\n  package: {theirs}\n"
                f"pack   {' '.join(self.deal['pack'])}\nplayed {', '.join(self.played)}"
            )

    def do(self, act: str) -> None:
        """One act on our table."""
        self.played.append(act)
        self.state = self.table.after(self.state, act)

    def play_out(self) -> list[str]:
        """Follows every step to the last card, and gives the acts."""
        for step in self.deal["steps"]:
            while "draw" in self.table.lawful(self.state):
                self.do("draw")
            self.same("seats on turn", self.table.turn(self.state), step["seat"])
            lawful = [act for act in self.table.lawful(self.state) if act != "close" and not act.startswith("marry Q")]
            self.same("legal moves", sorted(lawful), step["legal"])
            self.do(step["act"])
            if "trick" in step:
                self.compare_trick(step["trick"])
        assert self.table.is_over(self.state)
        last = self.deal["steps"][-1]["trick"]["winner"]
        self.same(
            "game points",
            self.table.game_points(self.state),
            {seat: 1 if seat == last else 0 for seat in "ab"},
        )
        return self.played

    def compare_trick(self, trick: dict) -> None:
        """Who won it, what both have now, and what going out would score."""
        over = self.table.is_over(self.state)
        if not over:
            self.same("trick winners", winner_of(self), trick["winner"])
        self.same("card points", self.table.card_points(self.state), {s: worth(trick["won"][s]) for s in "ab"})
        self.same("marriages", self.table.marriage_points(self.state), {s: marriages_of(trick, s) for s in "ab"})
        if trick["out"] and not over:
            scored = self.table.game_points(self.table.after(self.state, "declare"))
            winner, _ = trick["out"]
            self.same("game points", scored, {s: level(trick, s) if s == winner else 0 for s in "ab"})


def winner_of(follower: Follower) -> str:
    """The seat that has just won a trick: it leads next, and draws first while there is a stock."""
    return follower.table.turn(follower.state)


def marriages_of(trick: dict, seat: str) -> int:
    """What a seat's marriages count by our rules, from the package's figures."""
    if not trick["won"][seat]:
        return 0
    return trick["direct"][seat] + trick["pending"][seat] - worth(trick["won"][seat])


def level(trick: dict, winner: str) -> int:
    """What the package pays for going out, but for its loser's marriage of this very trick."""
    loser = "b" if winner == "a" else "a"
    _, points = trick["out"]
    has = worth(trick["won"][loser]) + marriages_of(trick, loser)
    if trick["direct"][loser] < 33 <= has:
        assert points == 2
        return 1
    return points


def test_schnapsen_without_closing_agrees_with_the_package():
    """Legal cards, trick winners, card points, marriages and game points, trick by trick.

    Where the two rule texts differ:

    * The package has no closing and no announcing: `close` is left out of our lawful acts, and
      play goes on to the last card when somebody has sixty-six. There, beside it, `declare` is
      tried, and must score what the package gives.
    * It leads the king of every marriage; `marry` with the queen is left out of ours (SCENARIOS
      68 says why we have it).
    * Every marriage waits there for the next trick won, though the seat has one already; with us
      it counts at once then (E-01, R-32). So what waits there for a seat with a trick is taken to
      count, also toward the loser's thirty-three.
    * Sixty-six reached with the last trick itself goes out there; with us nobody is in time any
      more and the last trick wins one point (E-03, R-63), as it does there if nobody has sixty-six.
    """
    tables = {"engine": (engine, engine.game("schnapsen").deal), "model": (schnapsen, schnapsen.deal)}
    seen: set[str] = set()
    outs: set[int] = set()
    followed = 0
    for deal in deals_of_the_package(DEALS):
        for table, begin in (tables[name] for name in BUILT):
            seen |= {act.split()[0] for act in Follower(table, begin(deal["pack"], "a"), deal).play_out()}
        outs |= {step["trick"]["out"][1] for step in deal["steps"] if "trick" in step and step["trick"]["out"]}
        followed += 1
    assert followed == DEALS
    assert seen == {"play", "marry", "exchange", "draw"}
    assert outs == {1, 2, 3}
