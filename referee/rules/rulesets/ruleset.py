"""A rule-set: a value for every option, each with its source; read from a file, checked, immutable."""

import functools
import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from referee.rules.rulesets.contradictions import refuse_contradictions
from referee.rules.rulesets.options import OPTIONS, RuleSetError, Value, nearest, shown

_NAMES = ("house", "foster", "uspc", "hobby", "wikipedia", "pagat", "schnapsen", "three_handed", "four_handed", "cruce")
_FILE_KEYS = ("name", "title", "about", "options")
_ENTRY_KEYS = ("value", "source")
_OVERRIDE_SOURCE = "override"


@dataclass(frozen=True, slots=True, eq=False)
class RuleSet:
    """A value for every option of the game; equal only to itself, so that it can key a cache.

    `options` and `sources` are read-only mappings with the keys of `OPTIONS`; `base` is the named
    rule-set it comes from, mostly its own name, and `overrides` holds what was chosen to differ from
    that. `digest` is the SHA-256 in hex of the canonical JSON of name and options: two rule-sets that
    play alike under one name have the same.
    """

    name: str
    base: str
    title: str
    about: str
    options: Mapping[str, Value]
    sources: Mapping[str, str]
    overrides: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        canonical = json.dumps(
            {"name": self.name, "options": dict(self.options)},
            ensure_ascii=False,
            separators=(",", ":"),
            sort_keys=True,
        )
        object.__setattr__(self, "digest", hashlib.sha256(canonical.encode()).hexdigest())

    def override(self, changes: Mapping[str, object]) -> "RuleSet":
        """This rule-set with other values for some options; the name stays, `overrides` says what changed.

        The same changes give the same object while it is remembered. Raises `RuleSetError` for an
        option or value that there is not, and for a contradiction.

        >>> named("foster").override({"trump_method": "turn_7th"}).overrides["trump_method"]
        'turn_7th'
        """
        where = f"overrides of {self.name}"
        checked = _checked(changes, where=where)
        if not checked:
            return self
        return _changed(self, checked, name=self.name, title=self.title, about=self.about, where=where)

    def derive(self, name: str, changes: Mapping[str, object], *, title: str, about: str = "") -> "RuleSet":
        """A rule-set of another name that plays as this one but for the changes.

        A value that is here already is no change and keeps its source. Refuses as `override` does; whether the
        name is free is for who keeps the rule-set to say.

        >>> club = named("house").derive("club", {"target": 3, "look_back": "last_trick"}, title="The club's")
        >>> club.base, dict(club.overrides), club.sources["target"]
        ('house', {'target': 3}, 'override')
        """
        where = f"options of {name}"
        kept = tuple((key, value) for key, value in _checked(changes, where=where) if self.options[key] != value)
        return _changed(self, kept, name=name, title=title, about=about, where=where)


def _checked(changes: object, *, where: str) -> tuple[tuple[str, Value], ...]:
    if not isinstance(changes, Mapping):
        raise RuleSetError(
            "wrong_type",
            where,
            problem=f"found {shown(changes)}, which is not a table",
            right="allowed: option names, each with a value",
        )
    return tuple(sorted((key, _option_value(key, value, where=where, key=str(key))) for key, value in changes.items()))


@functools.lru_cache(maxsize=256)
def _changed(
    origin: RuleSet, changes: tuple[tuple[str, Value], ...], *, name: str, title: str, about: str, where: str
) -> RuleSet:
    options = dict(origin.options) | dict(changes)
    refuse_contradictions(options, where=where, key="")
    return RuleSet(
        name=name,
        base=origin.base,
        title=title,
        about=about,
        options=MappingProxyType(options),
        sources=MappingProxyType(dict(origin.sources) | {key: _OVERRIDE_SOURCE for key, _ in changes}),
        overrides=MappingProxyType(dict(origin.overrides) | dict(changes)),
    )


def names() -> tuple[str, ...]:
    """The names of the rule-sets that come with the game, the default first."""
    return _NAMES


def named(name: str) -> RuleSet:
    """The rule-set of that name, always the same object; `RuleSetError` if there is none.

    >>> named("house").title
    'House rules'
    """
    if name not in _NAMES:
        raise RuleSetError(
            "unknown_name",
            f"rule-set {shown(name)}",
            problem="there is no such rule-set",
            right=f"there are: {', '.join(_NAMES)}{nearest(name, _NAMES)}",
        )
    return _named(name)


@functools.cache
def _named(name: str) -> RuleSet:
    file = f"{name}.toml"
    return read(resources.files(__package__).joinpath(file).read_text(encoding="utf-8"), file=file)


def from_toml(path: Path | str) -> RuleSet:
    """The rule-set in the file at `path`; `RuleSetError` names the file, OSError if it cannot be read."""
    file = Path(path)
    return read(file.read_text(encoding="utf-8"), file=file.name)


def read(text: str, *, file: str) -> RuleSet:
    """The rule-set that the TOML `text` states; `file` is what errors call it.

    The text holds `name`, `title`, `about` and the table `options` with every option there is, each
    a table of `value` and `source`. Nothing is inherited and nothing has a default.
    """
    content = _parsed(text, file=file)
    _refuse_other_keys(content, _FILE_KEYS, where=file, key="", code="unknown_key")
    name, title, about = (_text(content, key, where=file, path=key) for key in ("name", "title", "about"))
    entries = _table(content, "options", where=file)
    _refuse_other_keys(entries, tuple(OPTIONS), where=file, key="options", code="unknown_option")
    missing = [option for option in OPTIONS if option not in entries]
    if missing:
        raise RuleSetError(
            "missing_option",
            file,
            key="options",
            problem=f"missing {', '.join(missing)}",
            right="a rule-set states every option, and inherits none",
        )
    options = {option: _entry_value(entries[option], option, where=file) for option in OPTIONS}
    sources = {
        option: _text(entries[option], "source", where=file, path=f"options.{option}.source") for option in OPTIONS
    }
    refuse_contradictions(options, where=file, key="options")
    return RuleSet(
        name=name,
        base=name,
        title=title,
        about=about,
        options=MappingProxyType(options),
        sources=MappingProxyType(sources),
    )


def _parsed(text: str, *, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RuleSetError(
            "unreadable", file, problem=f"not TOML: {error}", right="a rule-set is a TOML document"
        ) from error


def _option_value(name: object, value: object, *, where: str, key: str) -> Value:
    if not isinstance(name, str) or name not in OPTIONS:
        raise RuleSetError(
            "unknown_option",
            where,
            key=key,
            problem="there is no such option",
            right=f"allowed: the options that the rule-set states{nearest(name, OPTIONS)}",
        )
    return OPTIONS[name].check(value, where=where, key=key)


def _entry_value(entry: object, name: str, *, where: str) -> Value:
    key = f"options.{name}"
    if not isinstance(entry, dict):
        raise RuleSetError(
            "wrong_type",
            where,
            key=key,
            problem=f"found {shown(entry)}, which is not a table",
            right="each option is written { value = ..., source = ... }",
        )
    _refuse_other_keys(entry, _ENTRY_KEYS, where=where, key=key, code="unknown_key")
    if "value" not in entry:
        raise RuleSetError(
            "missing_key",
            where,
            key=key,
            problem="no value given",
            right=f"allowed: {OPTIONS[name].allowed_text()}",
        )
    return _option_value(name, entry["value"], where=where, key=key)


def _text(table: Mapping[str, Any], key: str, *, where: str, path: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise RuleSetError(
            "missing_key" if value is None else "wrong_type",
            where,
            key=path,
            problem="not given" if value is None else f"found {shown(value)}",
            right="it is a text, and not an empty one",
        )
    return value


def _table(content: Mapping[str, Any], key: str, *, where: str) -> dict[str, Any]:
    value = content.get(key)
    if not isinstance(value, dict):
        raise RuleSetError(
            "missing_key" if value is None else "wrong_type",
            where,
            key=key,
            problem="not given" if value is None else f"found {shown(value)}",
            right="it is a table with an entry for every option",
        )
    return value


def _refuse_other_keys(table: Mapping[str, Any], known: tuple[str, ...], *, where: str, key: str, code: str) -> None:
    for found in table:
        if found not in known:
            listed = "options.toml lists them all" if code == "unknown_option" else f"there are: {', '.join(known)}"
            raise RuleSetError(
                code,
                where,
                key=f"{key}.{found}" if key else found,
                problem="there is no such option" if code == "unknown_option" else "there is no such key",
                right=f"{listed}{nearest(found, known)}",
            )
