"""What a web process does to itself before the first request."""

from __future__ import annotations

import subprocess
import sys


def test_what_is_loaded_is_not_searched_for_garbage_again_and_the_rest_seldom() -> None:
    told = (
        "import gc; from referee.web import serving; serving.spare_searches(); "
        "print(gc.isenabled(), gc.get_freeze_count() > 1000, gc.get_threshold() == serving.SEARCHES)"
    )
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True)
    assert done.stdout.split() == ["True"] * 3, done.stderr


def test_garbage_is_found_still() -> None:
    told = """
import gc, weakref
from referee.web import serving
serving.spare_searches()
class Ring: pass
first = Ring(); first.itself = first; gone = weakref.ref(first); del first
kept = []
while gone() is not None and len(kept) < 1_000_000: kept.append([])
print(gone() is None)
"""
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True)
    assert done.stdout.split() == ["True"], done.stderr
