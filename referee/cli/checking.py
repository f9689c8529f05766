"""`referee verify` and `referee test`."""

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track

from referee.launcher.processes import ROOT, LauncherError

MANY = 10


#: Without arguments all tests run, the files shared out between two processes.
ALL_TESTS = ("-n", "2", "--dist", "loadfile")


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array, one verdict a log.")
def verify(logs: tuple[Path, ...], as_json: bool) -> int:
    """Replay each of LOGS with no server and compare every byte; a directory stands for its *.ndjson files.

    The exit code is 1 if any log is not in order.
    """
    from referee.match import verify as verdict_on  # here, for the other verbs need no rules

    chosen = expanded(logs)
    console = Console(stderr=True)
    shown: Iterable[Path] = chosen
    if len(chosen) >= MANY and console.is_terminal:
        shown = track(chosen, "verifying", console=console, transient=True)
    verdicts = []
    for path in shown:
        verdict = verdict_on(sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes())
        verdicts.append({"log": str(path), "ok": verdict.ok, "events": verdict.events, "problem": verdict.problem})
        if not as_json:
            click.echo(f"{path}: {f'in order, {verdict.events} events' if verdict.ok else verdict.problem}")
    if as_json:
        click.echo(json.dumps(verdicts, indent=2))
    return 0 if all(verdict["ok"] for verdict in verdicts) else 1


def expanded(logs: Iterable[Path]) -> list[Path]:
    """Put a directory's logs in place of it, in the order of their names."""
    found: list[Path] = []
    for path in logs:
        inside = sorted(path.glob("*.ndjson")) if path.is_dir() else [path]
        if not inside:
            raise click.BadParameter(f"{path} holds no file *.ndjson", param_hint="LOGS")
        found += inside
    return found


@click.command(context_settings={"ignore_unknown_options": True, "help_option_names": []})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def test(arguments: tuple[str, ...]) -> None:
    """Run the tests with pytest; ARGUMENTS are pytest's. Needs a checkout."""
    if not (ROOT / "tests").is_dir():
        raise LauncherError(f"there are no tests beside {ROOT / 'referee'}: this runs from a checkout only")
    os.chdir(ROOT)
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *(arguments or ALL_TESTS)])
