"""Child processes: started tethered, each in a session of its own, stopped with that whole session.

A session and not a process group: an RQ worker puts each job into a group of its own.
"""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TETHER = Path(__file__).with_name("tether.py")
PATIENCE = 10.0
FILES = 20_000  # a web process holds 10,000 connections (`WEB_COMMAND`), and has others to the stores


class LauncherError(RuntimeError):
    """Something could not be started; the message says what, why and what would help."""


@dataclass(frozen=True, slots=True)
class Program:
    """What to start: a name for people, the command, what its environment adds, and where its output goes."""

    name: str
    command: tuple[str, ...]
    surroundings: Mapping[str, str]
    output: Path
    directory: Path | None = None
    farewell: int = signal.SIGTERM


@dataclass(frozen=True, slots=True)
class Child:
    """A program that was started, with the process that runs it."""

    program: Program
    process: subprocess.Popen[bytes]

    @property
    def is_alive(self) -> bool:
        """Tell whether it still runs."""
        return self.process.poll() is None


def allow_files() -> None:
    """Let this process and those it starts have FILES files open, or as many as the system lets it: each poll is one.

    Many systems begin with 1024, and a shell's user seldom knows.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with contextlib.suppress(ValueError, OSError):  # then it stays as it is
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def start(program: Program) -> Child:
    """Start the program in a session of its own; it gets its farewell signal when we die.

    Call it from a thread that lives as long as the child should (see `tether`).
    """
    program.output.parent.mkdir(parents=True, exist_ok=True)
    tethered = [sys.executable, "-I", "-S", str(TETHER), str(os.getpid()), str(int(program.farewell))]
    with program.output.open("ab") as output:
        process = subprocess.Popen(
            [*tethered, *program.command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment(program.surroundings),
            cwd=program.directory,
            start_new_session=True,
        )
    return Child(program, process)


def environment(added: Mapping[str, str]) -> dict[str, str]:
    """Return this process's environment with `added`, and with the referee importable."""
    surroundings = {**os.environ, **added}
    known = [path for path in surroundings.get("PYTHONPATH", "").split(os.pathsep) if path and path != str(ROOT)]
    surroundings["PYTHONPATH"] = os.pathsep.join([str(ROOT), *known])
    return surroundings


def stop(children: Sequence[Child], patience: float = PATIENCE) -> None:
    """Ask all to end, wait for `patience` seconds in all, then kill what is left of their sessions."""
    for child in children:
        send(child, signal.SIGTERM)
    limit = time.monotonic() + patience
    for child in children:
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.process.wait(max(0.0, limit - time.monotonic()))
    for child in children:
        kill(child)


def kill(child: Child) -> None:
    """End the child and whatever it started, at once; return when it is gone."""
    session = child.process.pid
    send(child, signal.SIGKILL)
    for member in members(session):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(member, signal.SIGKILL)
    child.process.wait()


def send(child: Child, signal_number: int) -> None:
    """Send a signal to the child's own process group, if anything of it is left."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.process.pid, signal_number)


def members(session: int) -> list[int]:
    """List the living processes of a session, as far as the system shows them (Linux does, in /proc)."""
    found: list[int] = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            after_name = status.read_text("utf-8", "replace").rpartition(")")[2].split()
            if int(after_name[3]) == session and after_name[0] != "Z":
                found.append(int(status.parent.name))
    return found


def tail(path: Path, lines: int = 12) -> str:
    """Return the last lines of an output file, for an error message."""
    if not path.exists():
        return "(no output)"
    with path.open("rb") as output:
        output.seek(0, os.SEEK_END)
        output.seek(max(0, output.tell() - 16_384))
        text = output.read().decode("utf-8", "replace")
    return "\n".join(text.splitlines()[-lines:]) or "(no output)"
