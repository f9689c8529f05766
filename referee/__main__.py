"""Run the command `referee` from a bare checkout: `python3 -m referee demo`.

Needs Python 3.11 and its `venv` module, nothing else. Where the interpreter lacks what the command
needs, this makes `.venv` in the checkout, installs the hashed requirements there and starts itself
again inside. Where nothing is missing it does none of that.

Only the standard library is imported before the requirements are known to be there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
RESTARTED = "REFEREE_BOOTSTRAPPED"
OLDEST = (3, 11)


class CannotSetUp(Exception):
    """The environment cannot be made; the message says what is missing and how to get it."""


def main() -> int:
    """Make sure of the environment, then run the command line; the exit code is the command's."""
    arguments = sys.argv[1:]
    kind = "dev" if arguments[:1] == ["test"] else "runtime"
    try:
        if not is_ready(kind):
            enter_environment(kind, arguments)
    except CannotSetUp as problem:
        print(f"referee: {problem}", file=sys.stderr)
        return 1
    from referee.cli import main as command

    return command(arguments)


def is_ready(kind: str) -> bool:
    """Tell whether this interpreter can run the command as it is.

    An installed package brings its own requirements. In the checkout's own environment the stamp
    decides, so that changed requirements are installed; in any other, what is installed.
    """
    if not requirements(kind).exists():
        return True
    if sys.version_info < OLDEST:
        return False
    if Path(sys.prefix).resolve() == ENVIRONMENT.resolve() and any(ENVIRONMENT.glob("referee-*.sha256")):
        return is_stamped(kind)
    return not missing(kind)


def missing(kind: str) -> list[str]:
    """List the direct dependencies that are not installed here, or older than their floor."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = list(project["dependencies"])
    if kind == "dev":
        wanted += [line for extra in project["optional-dependencies"].values() for line in extra]
    return [line for line in wanted if not is_met(line)]


def is_met(requirement: str) -> bool:
    """Tell whether the distribution named is here and at least as new as its floor, if it has one."""
    import re
    from importlib import metadata

    parts = re.match(r"([\w.-]+)(?:\[[^]]*\])?(?:>=([\d.]+))?", requirement)
    if parts is None:
        return False
    name, floor = parts.groups()
    if "win32" in requirement and sys.platform == "win32":
        return True
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return release(version) >= release(floor or "0")


def release(version: str) -> tuple[int, ...]:
    """Read the leading numbers of a version: `9.1.2.post2` is (9, 1, 2)."""
    numbers: list[int] = []
    for part in version.split("."):
        if not part.isdigit():
            break
        numbers.append(int(part))
    return tuple(numbers)


def enter_environment(kind: str, arguments: list[str]) -> None:
    """Make or refresh the environment, then replace this process by one inside it. Never returns."""
    if os.environ.get(RESTARTED) == kind:
        raise CannotSetUp(
            f"{ENVIRONMENT} was just set up and still lacks what is needed; delete that directory and try again"
        )
    if sys.version_info < OLDEST:
        raise CannotSetUp(
            f"Python {sys.version_info[0]}.{sys.version_info[1]} is too old: 3.11 or newer is needed;"
            " start it as python3.11 -m referee, or whatever newer one is installed"
        )
    ensure_environment(kind)
    surroundings = dict(os.environ)
    surroundings[RESTARTED] = kind
    if Path.cwd() != ROOT:
        known = [surroundings["PYTHONPATH"]] if surroundings.get("PYTHONPATH") else []
        surroundings["PYTHONPATH"] = os.pathsep.join([str(ROOT), *known])
    python = str(interpreter())
    sys.stdout.flush()
    os.execve(python, [python, "-m", "referee", *arguments], surroundings)


def ensure_environment(kind: str) -> None:
    """Make the environment where it is absent and install where the requirements changed.

    One process at a time does so; the others wait, and find it done.
    """
    import fcntl

    with (ROOT / ".venv.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("referee: waiting for another process that sets up .venv", file=sys.stderr)
            fcntl.flock(lock, fcntl.LOCK_EX)
        if is_stamped(kind):
            return
        if not works():
            create()
        install(kind)


def works() -> bool:
    """Tell whether the environment is there and its pip answers."""
    if not interpreter().exists():
        return False
    asked = subprocess.run([str(interpreter()), "-m", "pip", "--version"], check=False, capture_output=True)
    return asked.returncode == 0


def create() -> None:
    """Create an empty environment, over whatever an interrupted attempt left."""
    from importlib.util import find_spec

    if find_spec("venv") is None or find_spec("ensurepip") is None:
        mine = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
        raise CannotSetUp(
            f"Python's venv module is missing, so .venv cannot be made; on Debian or Ubuntu install it with\n"
            f"    apt-get install python3-venv      (for a Python beside the system's: {mine})\n"
            "and start this again"
        )
    say(f"making {ENVIRONMENT}")
    run([sys.executable, "-m", "venv", "--clear", ENVIRONMENT], "the virtual environment could not be made")


def install(kind: str) -> None:
    """Install the hashed requirements and, last of all, note which they were."""
    listed = requirements(kind)
    count = sum(1 for line in listed.read_text("utf-8").splitlines() if "==" in line)
    say(f"installing {count} packages from {listed.relative_to(ROOT)} (once; under a minute on most machines)")
    run(
        [
            *[interpreter(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"],
            *["--require-hashes", "--requirement", listed],
        ],
        "the requirements could not be installed",
    )
    stamp(kind).write_text(fingerprint(kind), "utf-8")
    if kind == "dev":  # every pin of the runtime list is in the longer one
        stamp("runtime").write_text(fingerprint("runtime"), "utf-8")


def run(command: list[object], failure: str) -> None:
    """Run a step of the set-up; its output is shown only when it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise CannotSetUp(f"{failure}; the command was\n    {' '.join(words)}\nand it said\n{done.stdout}")


def is_stamped(kind: str) -> bool:
    """Tell whether exactly the present requirements were installed into the environment."""
    return stamp(kind).exists() and interpreter().exists() and stamp(kind).read_text("utf-8") == fingerprint(kind)


def fingerprint(kind: str) -> str:
    """Hash the requirements file together with the interpreter they are installed for."""
    import hashlib

    text = requirements(kind).read_bytes() + (ENVIRONMENT / "pyvenv.cfg").read_bytes()
    return hashlib.sha256(text).hexdigest()


def requirements(kind: str) -> Path:
    """Name the hashed requirements file: `runtime`, or `dev` with tests and checks."""
    return ROOT / "requirements" / f"{kind}.txt"


def stamp(kind: str) -> Path:
    """Name the file that tells which requirements are installed."""
    return ENVIRONMENT / f"referee-{kind}.sha256"


def interpreter() -> Path:
    """Name the environment's Python."""
    return ENVIRONMENT / "bin" / "python"


def say(text: str) -> None:
    """Tell what takes time, on standard error so that output for programs stays clean."""
    print(f"referee: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
