"""The examples in the docstrings of the web layer hold."""

import doctest

import pytest

from referee.web import bodies, words, yaml


@pytest.mark.parametrize("module", [bodies, words, yaml], ids=lambda module: module.__name__)
def test_docstring_examples_hold(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted > 0
    assert result.failed == 0
