"""Clients share no code with the referee, and the Python ones need nothing but the standard library."""

import ast
import re
import sys
from pathlib import Path

import pytest

CLIENTS = Path(__file__).resolve().parents[2] / "clients"
PYTHON = sorted(CLIENTS.rglob("*.py"))
NODE = sorted(CLIENTS.rglob("*.mjs"))
OWN = {path.stem for path in PYTHON} | {"sixtysix"}


def test_there_are_clients_to_look_at():
    assert len(PYTHON) > 10
    assert len(NODE) >= 3


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: path.name)
def test_a_python_client_imports_only_itself_and_the_standard_library(path):
    roots = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            roots |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            roots.add((node.module or "").partition(".")[0])
    assert roots - OWN <= set(sys.stdlib_module_names)
    assert not roots & {"referee", "workers", "tests"}


@pytest.mark.parametrize("path", NODE, ids=lambda path: path.name)
def test_a_node_client_imports_only_itself_and_node(path):
    imported = re.findall(r'^import .* from "([^"]+)";$', path.read_text(), re.MULTILINE)
    assert imported
    assert all(name.startswith(("node:", "./")) for name in imported), imported
