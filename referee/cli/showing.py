"""How results look on a terminal: standings, crosstable, rulings, and progress."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

Ruling = tuple[dict[str, Any], dict[str, Any]]
PLAIN_STEPS = 5
WIDTH = 110


def console(*, stderr: bool) -> Console:
    """Return a console as wide as the terminal, or wide enough for a table where there is none."""
    made = Console(stderr=stderr)
    return made if made.is_terminal else Console(stderr=stderr, width=WIDTH)


class Teller:
    """Tells what happens: a bar on a terminal, now and then a line elsewhere."""

    def __init__(self, console: Console, bar: Progress) -> None:
        self._console = console
        self._bar = bar
        self._task = bar.add_task("matches", total=None, visible=False)
        self._told = -1

    def note(self, text: str) -> None:
        """Print a sentence above the bar."""
        self._console.print(text, highlight=False, markup=False)

    def progress(self, played: int, planned: int) -> None:
        """Move the bar, or print every few matches where there is none."""
        self._bar.update(self._task, completed=played, total=planned, visible=True)
        if self._console.is_terminal or played == self._told:
            return
        if played in (0, planned) or played >= self._told + PLAIN_STEPS:
            self._told = played
            self.note(f"{played} of {planned} matches are over")


@contextmanager
def teller(console: Console) -> Iterator[Teller]:
    """Show a progress bar for the length of the block."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield Teller(console, bar)


def standings(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Lay out the standings."""
    table = Table(title="Standings", title_justify="left")
    for heading in ("rank", "bot", "played", "won", "lost", "game points"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for row in rows:
        points = f"{row['game_points_for']} : {row['game_points_against']}"
        numbers = (str(row[key]) for key in ("played", "wins", "losses"))
        table.add_row(str(row["rank"]), row["name"], *numbers, points)
    return table


def crosstable(document: Mapping[str, Any]) -> Table:
    """Lay out the crosstable: matches won and lost against each, and the game points of them."""
    names = {bot["bot"]: bot["name"] for bot in document["bots"]}
    table = Table(title="Crosstable (matches won-lost, game points)", title_justify="left")
    table.add_column("")
    for bot in document["bots"]:
        table.add_column(bot["name"], justify="center")
    for row in document["rows"]:
        table.add_row(names[row["bot"]], *map(cell, row["cells"]))
    return table


def cell(of: Mapping[str, Any] | None) -> str:
    """Write one field of the crosstable."""
    if of is None:
        return "·"
    return f"{of['wins']}-{of['losses']}  {of['game_points_for']}:{of['game_points_against']}"


def rulings(chosen: Sequence[Ruling], laws: Mapping[str, str]) -> str:
    """Write rulings, two lines each: where and under which law; then what was done and what became of it."""
    lines = ["The first ruling under each law"]
    for match, ruling in chosen:
        cited = "; ".join(f"{law} {laws.get(law, '')}".strip() for law in ruling["laws"])
        lines.append(f"  match {match['number']:>2}  {cited}")
        lines.append(f"            {sentence(match, ruling)}")
    return "\n".join(lines)


def sentence(match: Mapping[str, Any], ruling: Mapping[str, Any]) -> str:
    """Put a ruling in a sentence: offender, act, facts, remedy, and who chose it out of how many."""
    act = " ".join(str(value) for value in (ruling.get("act") or {}).values())
    facts = ", ".join(f"{name.replace('_', ' ')} {plain(value)}" for name, value in ruling.get("facts", {}).items())
    done = (
        f"{named(match, ruling['offender'])}, act {ruling.get('number')} ({act})"
        if act
        else named(match, ruling["offender"])
    )
    remedy = str(ruling.get("option") or ruling["kind"]).replace("_", " ")
    award = ruling.get("award")
    gain = f", {award['game_points']} to {named(match, award['seat'])}" if award else ""
    by = named(match, ruling.get("chosen_by"))
    choice = f"chosen by {by} from {', '.join(ruling['options'])}" if len(ruling.get("options", ())) > 1 else f"by {by}"
    return f"{done}{f'; {facts}' if facts else ''}: {remedy} ({choice}){gain}"


def plain(value: Any) -> str:
    """Write a JSON value the way a sentence would hold it."""
    if isinstance(value, dict):
        return ", ".join(f"{key.replace('_', ' ')} {plain(inner)}" for key, inner in value.items() if inner)
    if isinstance(value, list):
        return "; ".join(map(plain, value))
    return str(value)


def named(match: Mapping[str, Any], seat: str | None) -> str:
    """Name the bot at a seat, or give back the word where it is no seat."""
    if seat is None:
        return ""
    held = match["seats"].get(seat)
    return f"{held['name']} ({seat})" if held else str(seat)


def first_under_each_law(found: Sequence[Ruling]) -> list[Ruling]:
    """Choose, in the order of the matches, each ruling that cites a law not cited before."""
    seen: set[str] = set()
    chosen: list[Ruling] = []
    for match, ruling in found:
        if not seen.issuperset(ruling["laws"]):
            seen.update(ruling["laws"])
            chosen.append((match, ruling))
    return chosen
