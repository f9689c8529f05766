"""Every test of a use case runs on SQLite and the embedded Valkey; with REFEREE_BOTH_STORES set on PostgreSQL too.

The store contract itself (tests/store) runs on both always, and so do a few modules here in which several services meet
(`ALWAYS`): to do all of this twice in every run takes minutes.
"""

from __future__ import annotations

import os

import pytest

from tests.conftest import EMBEDDED, STORE_KINDS

ALWAYS = ("test_several_processes", "test_recovery", "test_keys", "test_upgrading", "test_large_tournaments")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeats whatever asks for stores."""
    if "store_kind" in metafunc.fixturenames:
        both = metafunc.module.__name__.endswith(ALWAYS) or bool(os.environ.get("REFEREE_BOTH_STORES"))
        metafunc.parametrize("store_kind", STORE_KINDS if both else (EMBEDDED,))
