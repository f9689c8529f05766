"""The examples in the docstrings of the web layer hold."""

import doctest

import pytest

from referee.service import strict_json
from referee.web import words, yaml


@pytest.mark.parametrize("module", [strict_json, words, yaml], ids=lambda module: module.__name__)
def test_docstring_examples_hold(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted > 0
    assert result.failed == 0
