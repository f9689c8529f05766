"""`referee verify` and `referee test`."""

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

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

    What a log in order cannot show is that it is the log of that match: compare the SHA-256 with the `log_sha256` of the
    match, and the commitment with the one that was told before it began. The exit code is 1 if any log is not in order.
    """
    from referee.match import verify as verdict_on  # here, for the other verbs need no rules

    chosen = expanded(logs)
    console = Console(stderr=True)
    shown: Iterable[Path] = chosen
    if len(chosen) >= MANY and console.is_terminal:
        shown = track(chosen, "verifying", console=console, transient=True)
    verdicts = []
    for path in shown:
        log = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        verdict = verdict_on(log)
        told = {"log": str(path), "ok": verdict.ok, "events": verdict.events, "problem": verdict.problem}
        if verdict.ok:
            told |= {"log_sha256": hashlib.sha256(log).hexdigest(), "commitment": _commitment(log)}
        verdicts.append(told)
        if not as_json:
            click.echo(f"{path}: {_said(told)}")
    if as_json:
        click.echo(json.dumps(verdicts, indent=2))
    return 0 if all(verdict["ok"] for verdict in verdicts) else 1


def _commitment(log: bytes) -> str:
    """Return the commitment that a log in order begins with."""
    return str(json.loads(log.partition(b"\n")[0])["commitment"])


def _said(told: Mapping[str, Any]) -> str:
    if not told["ok"]:
        return str(told["problem"])
    return f"in order, {told['events']} events, log_sha256 {told['log_sha256']}, commitment {told['commitment']}"


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
