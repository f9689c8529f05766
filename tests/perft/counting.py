"""Counting what can happen: how many sequences of lawful acts there are, by length (perft).

A position is a deal and the acts played so far, as text. Its count says for every depth how many
sequences of so many lawful acts there are, of which kinds their last acts are, and, for those
that end the deal within that depth, how many end in which game points.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).with_name("counts")
HEADING = """\
Sequences of lawful acts from positions of {name}, counted by the slow model in tests/perft.
A line a depth: depth, sequences, kinds of their last acts. Ends: game points by seat, times.
Made anew by: python -m tests.perft {name}
"""


class Game(NamedTuple):
    """What is counted on: the slow model's functions, or the engine's behind the same face."""

    deal: Callable[[list[str], str], Any]
    is_over: Callable[[Any], bool]
    lawful: Callable[[Any], list[str]]
    after: Callable[[Any, str], Any]
    game_points: Callable[[Any], dict[str, int]]


@dataclass(frozen=True)
class Start:
    """A position as text: a pack, its dealer, and what has been played since; counted to `depth`."""

    title: str
    pack: tuple[str, ...]
    dealer: str
    played: tuple[str, ...]
    depth: int


@dataclass
class Count:
    """What was counted from one position; `kinds` holds one counter a depth, depth 1 first."""

    kinds: list[Counter[str]] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)

    @property
    def nodes(self) -> int:
        """All sequences of all lengths."""
        return sum(sum(kinds.values()) for kinds in self.kinds)


def of_model(model: Any) -> Game:
    """The functions of a slow model that counting needs."""
    return Game(model.deal, model.is_over, model.lawful, model.after, model.game_points)


def position_of(game: Game, start: Start) -> Any:
    """The state of a game at `start`; each act played on the way must be lawful."""
    state = game.deal(list(start.pack), start.dealer)
    for number, act in enumerate(start.played, start=1):
        lawful = game.lawful(state)
        assert act in lawful, f"{start.title}: act {number}, {act!r}, is not lawful; lawful: {sorted(lawful)}"
        state = game.after(state, act)
    return state


def count(game: Game, start: Start) -> Count:
    """Walk every sequence of lawful acts from `start`, to its depth or the end of the deal."""
    counted = Count([Counter() for _ in range(start.depth)])
    _walk(game, position_of(game, start), start.depth, counted)
    while counted.kinds and not counted.kinds[-1]:
        counted.kinds.pop()
    return counted


def _walk(game: Game, state: Any, depth: int, counted: Count) -> None:
    if game.is_over(state):
        points = game.game_points(state)
        counted.ends[" ".join(f"{points[seat]:+d}" for seat in sorted(points))] += 1
        return
    if not depth:
        return
    for act in game.lawful(state):
        counted.kinds[-depth][act.split()[0]] += 1
        _walk(game, game.after(state, act), depth - 1, counted)


# ---- as text


def written(name: str, counts: Iterable[tuple[Start, Count]]) -> str:
    """The text of a file of counts."""
    return "\n".join([HEADING.format(name=name), *(_block(start, counted) for start, counted in counts)])


def _block(start: Start, counted: Count) -> str:
    lines = [start.title, "pack   " + " ".join(start.pack), "dealer " + start.dealer]
    lines += ["played " + ", ".join(start.played)] if start.played else []
    lines += [f"depth  {start.depth}"]
    for depth, kinds in enumerate(counted.kinds, start=1):
        listed = ", ".join(f"{kind} {times}" for kind, times in sorted(kinds.items()))
        lines.append(f"{depth:>4} {sum(kinds.values()):>8}  {listed}")
    lines += [f"ends   {points}: {times}" for points, times in sorted(counted.ends.items())]
    return "\n".join(lines) + "\n"


def read(text: str) -> list[tuple[Start, Count]]:
    """The positions of a file, and what it says was counted."""
    return [_read_block(block.splitlines()) for block in text.strip().split("\n\n")[1:]]


def _read_block(lines: list[str]) -> tuple[Start, Count]:
    words = {"pack": "", "dealer": "", "played": "", "depth": ""}
    counted = Count()
    for line in lines[1:]:
        word, _, rest = line.strip().partition(" ")
        if word in words:
            words[word] = rest.strip()
        elif word == "ends":
            points, _, times = rest.strip().partition(": ")
            counted.ends[points] = int(times)
        else:
            counted.kinds.append(_read_row(word, rest))
    played = tuple(words["played"].split(", ")) if words["played"] else ()
    start = Start(lines[0], tuple(words["pack"].split()), words["dealer"], played, int(words["depth"]))
    return start, counted


def _read_row(depth: str, rest: str) -> Counter[str]:
    total, _, listed = rest.strip().partition("  ")
    kinds = Counter({kind: int(times) for kind, times in (each.split(" ") for each in listed.split(", "))})
    assert sum(kinds.values()) == int(total), f"depth {depth}: {total} sequences, but the kinds add up otherwise"
    return kinds


def stored(name: str) -> list[tuple[Start, Count]]:
    """The positions and counts kept for a rule-set."""
    return read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
