"""The referee compiled by mypyc: a copy of the package with its hot modules as C extensions, in a process of its own.

The sources are not changed for it. What is compiled is what an act passes through: the rules, and of a match the state,
its steps and its prompts. As an optional extra: `python -m tests.bench.compiled FOLDER` builds the copy there, and
`PYTHONPATH=FOLDER python3 -m referee serve` runs it. It needs a C compiler.

Run with `--play` it is that process: a line `engine 7` or `in_process 7` asks for one run, `acts seconds` answers.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import referee
from tests.bench import engine, in_process
from tests.bench.pairs import Run, Sample

PACKAGE = Path(referee.__file__).parent
HERE = Path(__file__).parent
#: Of a match: what lawful play passes through. The rest (the desk, appeals, overruling) reads what people sent, and its
#: checks tell `True` from 1, which compiled code does not.
OF_A_MATCH = ("deciding", "prompting", "state", "steps", "table", "terms")
RUNS = {"engine": engine.lawful_deals, "in_process": in_process.acts_with_prompts}
SETUP = """
from mypyc.build import mypycify
from setuptools import setup
import sys
setup(name="compiled", packages=[], ext_modules=mypycify(sys.argv.pop().split(","), opt_level="3", debug_level="0"))
"""
#: mypy reads its options from here; the package's own file asks for a newer setuptools than mypyc's need be.
MYPY = "[mypy]\nstrict = True\nfollow_imports = silent\n"


class NotCompiled(Exception):
    """The package could not be compiled; the message says what the compiler said."""


def sources() -> list[Path]:
    """The modules that are compiled, relative to the package's parent."""
    rules = [each for each in (PACKAGE / "rules").glob("*.py") if each.name != "__init__.py"]
    of_a_match = [PACKAGE / "match" / f"{name}.py" for name in OF_A_MATCH]
    return sorted(each.relative_to(PACKAGE.parent) for each in (*rules, *of_a_match))


def build(folder: Path) -> Path:
    """Copy the package below `folder` and compile it there, unless that copy is of these very sources; give the folder."""
    mark = folder / "sources.sha256"
    now = _digest()
    if mark.exists() and mark.read_text(encoding="ascii") == now:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    without = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(PACKAGE, folder / "referee", ignore=without)
    shutil.copytree(HERE, folder / "tests" / "bench", ignore=without)
    (folder / "mypy.ini").write_text(MYPY, encoding="ascii")
    (folder / "setup.py").write_text(SETUP, encoding="ascii")
    names = ",".join(str(each) for each in sources())
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace", names]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder)
    if done.returncode:
        raise NotCompiled((done.stderr or done.stdout).strip()[-2000:])
    mark.write_text(now, encoding="ascii")
    return folder


@contextmanager
def playing(folder: Path, *, run: str) -> Iterator[Run]:
    """Run the compiled copy's process while the block lasts; `run` is one of RUNS."""
    environment = {**os.environ, "PYTHONPATH": str(build(folder))}
    command = [sys.executable, "-m", "tests.bench.compiled", "--play"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=folder, env=environment) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        into, out = process.stdin, process.stdout

        def sample(number: int) -> Sample:
            into.write(f"{run} {number}\n")
            into.flush()
            answer = out.readline().split()
            if len(answer) != 2:
                raise NotCompiled(f"the compiled copy ended instead of answering; it exited with {process.wait()}")
            return Sample(int(answer[0]), float(answer[1]))

        try:
            yield sample
        finally:
            into.close()


def play() -> None:
    """Answer runs until nobody asks any more."""
    if not play_is_compiled():
        raise SystemExit("this is not the compiled copy")
    for line in sys.stdin:
        name, number = line.split()
        sample = RUNS[name](int(number))
        print(sample.units, sample.seconds, flush=True)


def play_is_compiled() -> bool:
    """Tell whether the engine of this process is compiled."""
    return engine.play.__file__.endswith(".so")


def _digest() -> str:
    digest = hashlib.sha256()
    for each in sorted((*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.toml"), *HERE.glob("*.py"))):
        digest.update(str(each.relative_to(PACKAGE.parent)).encode() + each.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    if sys.argv[1:] == ["--play"]:
        play()
    elif len(sys.argv) == 2:
        print(f"compiled in {build(Path(sys.argv[1]).resolve())}")
    else:
        raise SystemExit(__doc__)
