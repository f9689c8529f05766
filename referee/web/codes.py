"""The closed list of problem codes: what each means and what the caller can do about it, read from problems.toml."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of refusal: its namespaced code, usual status, title, and what the caller can do about it."""

    code: str
    status: int
    title: str
    remedy: str


def _read() -> dict[str, Code]:
    rows = tomllib.loads(files("referee.web").joinpath("problems.toml").read_text("utf-8"))
    return {code: Code(code, **row) for code, row in rows.items()}


CODES: Final[Mapping[str, Code]] = _read()
