"""Run every check but the tests: `python -m tests.checks`. All run, whatever fails; exit code 1 if any did."""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
BIN = Path(sys.executable).parent
CHECKS: dict[str, tuple[str, ...]] = {
    "format": (str(BIN / "ruff"), "format", "--check", "."),
    "lint": (str(BIN / "ruff"), "check", "."),
    "lengths": (sys.executable, "-m", "tests.checks.lengths"),
    "types": (str(BIN / "mypy"),),
    "layers": (str(BIN / "lint-imports"),),
}


def main(chosen: list[str]) -> int:
    """Run the checks named, or all; print what a failing one said."""
    if unknown := set(chosen) - set(CHECKS):
        print(f"no such check: {', '.join(sorted(unknown))}; there are {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    failed = [name for name in chosen or CHECKS if not passes(name)]
    print(f"checks failed: {', '.join(failed)}" if failed else "all checks passed", flush=True)
    return 1 if failed else 0


def passes(name: str) -> bool:
    """Run one check and tell whether it passed."""
    began = time.monotonic()
    done = subprocess.run(CHECKS[name], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    ok = done.returncode == 0
    print(f"{name}: {'passed' if ok else 'FAILED'} ({time.monotonic() - began:.1f} s)", flush=True)
    if not ok:
        print(done.stdout, flush=True)
    return ok


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
