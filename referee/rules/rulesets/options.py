"""What an option of a rule-set is and which values it takes; all of them, read from `options.toml`.

An option is a choice among names, a flag, or a whole number.
"""

import difflib
import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType
from typing import Any, Literal

Value = str | int | bool
Kind = Literal["choice", "flag", "number"]

_FLAGS = {"true": True, "false": False}
_KIND_WORDS = {"choice": "a name in quotes", "flag": "true or false", "number": "a whole number"}


class RuleSetError(ValueError):
    """A rule-set, an option or a value that there is not; says where, what, and what would be right.

    `code` is the word for it on the wire (`ruleset/unknown_option`, ...), `where` the file or the
    rule-set meant, `key` the place in it (empty for the whole), `options` those that contradict each other.
    """

    def __init__(
        self, code: str, where: str, *, key: str = "", problem: str, right: str, options: tuple[str, ...] = ()
    ) -> None:
        self.code = f"ruleset/{code}"
        self.where = where
        self.key = key
        self.problem = problem
        self.right = right
        self.options = options
        place = f"{where}, {key}" if key else where
        super().__init__(f"{place}: {problem}; {right}")


@dataclass(frozen=True, slots=True)
class Option:
    """One option: the values it takes, and what each means.

    `allowed` is a tuple of values or, for a number without a list of its own, a range.
    """

    name: str
    kind: Kind
    allowed: tuple[Value, ...] | range
    rule: str
    meaning: str
    values: Mapping[str, str]

    def allowed_text(self) -> str:
        """The allowed values in words, as errors and pages show them."""
        if isinstance(self.allowed, range):
            return f"a whole number from {self.allowed.start} to {self.allowed.stop - 1}"
        return ", ".join(shown(value) for value in self.allowed)

    def check(self, value: object, *, where: str, key: str) -> Value:
        """Give `value` back if the option takes it, else raise `RuleSetError`.

        A flag takes no number and a number takes no flag, although Python calls both int.
        """
        if not self._is_of_kind(value):
            raise RuleSetError(
                "wrong_type",
                where,
                key=key,
                problem=f"found {shown(value)}, which is not {_KIND_WORDS[self.kind]}",
                right=f"allowed: {self.allowed_text()}",
            )
        assert isinstance(value, str | int)
        if value in self.allowed:
            return value
        raise self._refusal(value, where=where, key=key)

    def _is_of_kind(self, value: object) -> bool:
        if self.kind == "choice":
            return isinstance(value, str)
        return isinstance(value, int) and isinstance(value, bool) == (self.kind == "flag")

    def _refusal(self, value: Value, *, where: str, key: str) -> RuleSetError:
        is_outside = isinstance(self.allowed, range)
        return RuleSetError(
            "out_of_range" if is_outside else "unknown_value",
            where,
            key=key,
            problem=f"found {shown(value)}, which is {'out of range' if is_outside else 'no value of it'}",
            right=f"allowed: {self.allowed_text()}{nearest(value, self.values)}",
        )


def shown(value: object) -> str:
    """`value` as it would be written in a rule-set file: `"ten"`, `true`, `7`."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)


def nearest(word: object, known: Iterable[str]) -> str:
    """`" (nearest: target)"` if some known word is like `word`, else nothing."""
    close = difflib.get_close_matches(word, list(known), n=1) if isinstance(word, str) else []
    return f" (nearest: {close[0]})" if close else ""


def _value_of(kind: Kind, word: str) -> Value:
    if kind == "flag":
        return _FLAGS[word]
    return int(word) if kind == "number" else word


def _option_from(name: str, entry: Mapping[str, Any]) -> Option:
    kind: Kind = entry["kind"]
    meanings: dict[str, str] = entry.get("values", {})
    allowed: tuple[Value, ...] | range = tuple(_value_of(kind, word) for word in meanings)
    if "least" in entry:
        allowed = range(entry["least"], entry["most"] + 1)
    return Option(
        name=name,
        kind=kind,
        allowed=allowed,
        rule=entry["rule"],
        meaning=entry["meaning"],
        values=MappingProxyType(meanings),
    )


def _all_options() -> dict[str, Option]:
    text = resources.files(__package__).joinpath("options.toml").read_text(encoding="utf-8")
    return {name: _option_from(name, entry) for name, entry in tomllib.loads(text).items()}


OPTIONS: Mapping[str, Option] = MappingProxyType(_all_options())
"""Every option by its name, in the order of `options.toml`."""
