"""x"""

import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def ways() -> tuple[dict[str, Any], ...]:
    """Return by which acts each law comes about, a row a way."""
    text = (resources.files("referee.laws") / "acts.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["row"])
