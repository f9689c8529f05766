"""Run a command that dies with the process that started it.

Used as a script, `python tether.py PARENT SIGNAL COMMAND...`: it asks the kernel (Linux) to send SIGNAL
when the parent with that process id ends, and becomes the command.
Doing so here rather than between fork and exec keeps threads in the parent harmless.

The kernel watches the thread that started the child: start children from a thread that outlives them.
Standard library only, and few modules of it, for it runs before every child.
"""

import os
import sys

SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


def main(parent: int, signal: int, command: list[str]) -> None:
    """Tie this process to `parent`, then become `command`. Exits 127 where there is no such command."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal, 0, 0, 0)
    if os.getppid() != parent:  # it died before the kernel was asked
        raise SystemExit(1)
    try:
        os.execvp(command[0], command)
    except OSError as problem:
        print(f"cannot start {command[0]}: {problem.strerror}", file=sys.stderr)
        raise SystemExit(127) from problem


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
