"""The lines that docstrings show as run are run."""

import doctest
import importlib
import pkgutil

import pytest

import referee
from referee import laws, match, rules, tournament

MODULES = [
    name
    for package in (rules, laws, match, tournament)
    for _, name, _ in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_come_out_as_shown(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    found = [test for name in MODULES for test in finder.find(importlib.import_module(name)) if test.examples]
    assert len(found) >= 5, f"{len(found)} docstrings of {referee.__name__} have examples"
