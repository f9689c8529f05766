"""Children start, stop and die with whoever started them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.launcher import processes
from referee.launcher.processes import Program
from referee.launcher.supervisor import Supervisor

LIMIT = 60.0


def until(holds: Callable[[], object], what: str) -> None:
    """Poll until something holds; fail saying what did not come about."""
    end = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < end, f"not within {LIMIT:.0f} s: {what}"
        time.sleep(0.02)


def is_running(pid: int) -> bool:
    """Tell whether a process runs; one that ended and was not collected yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def python(tmp_path: Path, code: str, **surroundings: str) -> Program:
    """Describe a few lines of Python as a program."""
    return Program("sample", (sys.executable, "-u", "-c", code), surroundings, tmp_path / "out" / "sample.log")


def said(program: Program) -> str:
    return program.output.read_text() if program.output.exists() else ""


def test_a_child_gets_its_environment_and_its_output_is_kept(tmp_path: Path) -> None:
    program = python(tmp_path, "import os, referee; print(os.environ['WORD'], referee.__version__)", WORD="seen")
    child = processes.start(program)
    assert child.process.wait(LIMIT) == 0
    assert said(program).startswith("seen 0.")
    assert processes.tail(program.output) == said(program).strip()


def test_stopping_kills_what_does_not_heed_the_request_and_all_it_started(tmp_path: Path) -> None:
    # The grandchild has a process group of its own, as a job of an RQ worker has.
    code = (
        "import os, signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "inner = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], process_group=0)\n"
        "print(inner.pid)\n"
        "time.sleep(600)\n"
    )
    program = python(tmp_path, code)
    child = processes.start(program)
    until(lambda: said(program).strip(), "the child names the process it started")
    inner = int(said(program))
    assert is_running(inner)
    processes.stop([child], patience=0.2)
    assert child.process.returncode == -signal.SIGKILL
    until(lambda: not is_running(inner), "the grandchild is gone")


def test_a_child_that_heeds_the_request_ends_in_its_own_way(tmp_path: Path) -> None:
    code = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\n"
        "print('ready')\n"
        "time.sleep(600)\n"
    )
    program = python(tmp_path, code)
    child = processes.start(program)
    until(lambda: "ready" in said(program), "the child is ready")
    processes.stop([child])
    assert child.process.returncode == 7


def test_a_command_that_there_is_not_ends_with_a_message(tmp_path: Path) -> None:
    program = Program("nothing", ("no-such-command-here",), {}, tmp_path / "nothing.log")
    assert processes.start(program).process.wait(LIMIT) == 127
    assert said(program) == "cannot start no-such-command-here: No such file or directory\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties a child to its parent")
def test_a_child_dies_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from referee.launcher import processes\n"
        "command = (sys.executable, '-c', 'import time; time.sleep(600)')\n"
        "program = processes.Program('inner', command, {}, Path(sys.argv[1]))\n"
        "print(processes.start(program).process.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "inner.log")],
        stdout=subprocess.PIPE,
        env=processes.environment({}),
        text=True,
    ) as parent:
        assert parent.stdout is not None
        inner = int(parent.stdout.readline())
        until(
            lambda: b"time.sleep(600)" in Path(f"/proc/{inner}/cmdline").read_bytes(),
            "the child has become the command",
        )
        assert is_running(inner)
        parent.kill()
    until(lambda: not is_running(inner), "the child died with its parent")


def test_the_supervisor_starts_again_what_dies_and_says_why(tmp_path: Path) -> None:
    notes: list[str] = []
    program = python(tmp_path, "import time; print('begun'); time.sleep(600)")
    supervisor = Supervisor(notes.append)
    supervisor.fill("sample", processes.start(program), lambda: processes.start(program))
    supervisor.begin()
    try:
        first = supervisor.child("sample")
        until(lambda: "begun" in said(program), "the first child has begun")
        os.kill(first.process.pid, signal.SIGKILL)
        until(lambda: supervisor.refills("sample") == 1, "the post is filled again")
        second = supervisor.child("sample")
        assert second.is_alive
        assert second.process.pid != first.process.pid
        assert notes == ["sample ended (signal 9); starting it again\nbegun"]
    finally:
        processes.stop(supervisor.release(), patience=0.1)
    assert not second.is_alive


def test_the_supervisor_leaves_a_released_child_dead(tmp_path: Path) -> None:
    notes: list[str] = []
    program = python(tmp_path, "import time; time.sleep(600)")
    supervisor = Supervisor(notes.append)
    supervisor.fill("sample", processes.start(program), lambda: processes.start(program))
    supervisor.begin()
    (child,) = supervisor.release()
    processes.kill(child)
    assert supervisor.refills("sample") == 0
    assert notes == []


def test_who_begins_with_few_open_files_is_allowed_as_many_as_the_system_lets_it() -> None:
    told = """
import resource
from referee.launcher import processes
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (100, hard))
processes.allow_files()
print(resource.getrlimit(resource.RLIMIT_NOFILE) == (min(processes.FILES, hard if hard > 0 else processes.FILES), hard))
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 120))
processes.allow_files()
print(resource.getrlimit(resource.RLIMIT_NOFILE) == (120, 120))
processes.allow_files()
"""
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True)
    assert done.stdout.split() == ["True", "True"], done.stderr
