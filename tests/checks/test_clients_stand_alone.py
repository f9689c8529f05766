"""What runs at a bot author's shares no code with the referee and needs nothing installed."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CLIENTS = sorted((ROOT / "clients").rglob("*.py"))
OWN = {path.stem for path in CLIENTS} | {path.parent.name for path in CLIENTS}


def imported(path: Path) -> set[str]:
    """Return the top-level names of the packages a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module.partition(".")[0])
    return found


def test_there_are_clients_to_look_at() -> None:
    assert len(CLIENTS) > 5


@pytest.mark.parametrize("path", CLIENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_client_imports_the_standard_library_and_its_own_package_only(path: Path) -> None:
    assert imported(path) - OWN <= sys.stdlib_module_names
    assert not imported(path) & {"referee", "workers", "tests"}
