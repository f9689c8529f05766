"""Every test of a store runs twice: on SQLite and the embedded Valkey, on PostgreSQL and a server of its own."""

from __future__ import annotations

import pytest

from tests.conftest import STORE_KINDS


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeats whatever asks for stores."""
    if "store_kind" in metafunc.fixturenames:
        metafunc.parametrize("store_kind", STORE_KINDS)
