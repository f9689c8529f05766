"""`python -m workers` runs a worker."""

import sys

from workers import run

if __name__ == "__main__":
    sys.exit(run.main(*sys.argv[1:2]))
