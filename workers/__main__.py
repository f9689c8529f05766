"""`python -m workers` runs a worker; `python -m workers sweep` only its sweeper."""

import sys

from workers import run

if __name__ == "__main__":
    sys.exit(run.sweep() if sys.argv[1:] == ["sweep"] else run.main(*sys.argv[1:]))
