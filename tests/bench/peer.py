"""The yardstick: an engine of a cousin of our game, in an environment and process of its own.

`schnapsen` is GPL-3: it is neither a dependency nor shipped; the bench installs it where the
data lie and talks to it through a pipe.
"""

from __future__ import annotations

import subprocess
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.pairs import Run, Sample

REQUIREMENTS = Path(__file__).with_name("yardstick.txt")
PROGRAM = Path(__file__).with_name("yardstick.py")
DEALS = 100


class NoYardstick(Exception):
    """The package could not be installed; the message says what was tried and what it said."""


def interpreter(folder: Path) -> Path:
    """Give the Python of an environment below `folder` that has the yardstick, made if need be."""
    environment = folder / "yardstick"
    python = environment / "bin" / "python"
    if not _works(python):
        venv.create(environment, with_pip=True, clear=True)
        _install(python)
    return python


@contextmanager
def yardstick(folder: Path, *, deals: int = DEALS) -> Iterator[Run]:
    """Run the yardstick's process while the block lasts; each run plays `deals` deals."""
    command = [str(interpreter(folder)), str(PROGRAM)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        into, out = process.stdin, process.stdout

        def run(number: int) -> Sample:
            into.write(f"{deals} {number}\n")
            into.flush()
            answer = out.readline().split()
            if len(answer) != 2:
                raise NoYardstick(f"{PROGRAM.name} ended instead of answering; it exited with {process.wait()}")
            return Sample(int(answer[0]), float(answer[1]))

        try:
            yield run
        finally:
            into.close()


def _works(python: Path) -> bool:
    if not python.exists():
        return False
    tried = subprocess.run([str(python), "-c", "import schnapsen.game"], check=False, capture_output=True)
    return tried.returncode == 0


def _install(python: Path) -> None:
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--require-hashes", "-r", str(REQUIREMENTS)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise NoYardstick(f"pip could not install {REQUIREMENTS.name}: {done.stderr.strip()}")
