"""How matches are to be played: rule-set with overrides, conduct, calls, clock. Read once, kept as `play` with each match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee import match as matches
from referee.match.terms import CALLS, CONDUCT
from referee.rules import rulesets
from referee.service import rulesets as use_rulesets
from referee.service.base import Service
from referee.service.problems import unfit

CLOCK = {"act_ms": 10_000, "bank_ms": 60_000, "increment_ms": 0, "grace_ms": 250, "absence_ms": 60_000}
BOUNDS = {
    "act_ms": (10, 3_600_000),
    "bank_ms": (0, 86_400_000),
    "increment_ms": (0, 3_600_000),
    "grace_ms": (0, 60_000),
    "absence_ms": (100, 86_400_000),
}
MEMBERS = ("ruleset", "overrides", "conduct", "calls", "clock")


def read(
    service: Service, fields: Mapping[str, Any], *, code: str, longest: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Reads the members of a body that say how to play, usual values filled in; `code` is that of the 422.

    `longest`: what the members of the clock may be at most, in ms, where that is less than usual.

    Answers `{"ruleset","overrides","conduct","calls","clock","options","derived"}`, `options` being the resolved set:
    every option with its value, as it was when this was read; `derived`, of a rule-set that was stored, what it was
    derived from: `{"base","title","overrides"}`, else null. 404 `ruleset/unknown`, 422 `ruleset/unknown_value` and its like.
    """
    play = {
        "ruleset": fields.get("ruleset", "house"),
        "overrides": fields.get("overrides") or {},
        "conduct": fields.get("conduct", "adjudicate"),
        "calls": fields.get("calls", "referee"),
        "clock": {**CLOCK, **(fields.get("clock") or {})},
    }
    errors = [*_unfit_choices(play), *_unfit_clock(play["clock"], longest or {})]
    if errors:
        raise unfit(code, errors)
    named = use_rulesets.find(service, play["ruleset"])
    derived = {"base": named.base, "title": named.title, "overrides": dict(named.overrides)}
    play["derived"] = None if named.base == named.name else derived
    return {**play, "options": dict(ruleset_of(play).options)}


def differences(play: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Are the options in which the resolved set differs from the rule-set of its name: option, value, `named` value, meaning."""
    named = _named(play).options
    return [
        {"option": name, "value": value, "named": named.get(name), "meaning": rulesets.OPTIONS[name].meaning}
        for name, value in ruleset_of(play).options.items()
        if named.get(name) != value
    ]


def ruleset_of(play: Mapping[str, Any]) -> rulesets.RuleSet:
    """Is the rule-set of a play: the one resolved and kept, else (still to be read) the named one with its overrides.

    422 `ruleset/unknown_value` and its like, `ruleset/contradiction` with both options in `errors`.
    """
    try:
        named = _named(play)
        kept = play.get("options", {})
        changes = {name: value for name, value in kept.items() if named.options.get(name) != value} or play["overrides"]
        return named.override(changes) if changes else named
    except rulesets.RuleSetError as problem:
        raise use_rulesets.misfit(problem, under="overrides", name=play["ruleset"]) from problem


def _named(play: Mapping[str, Any]) -> rulesets.RuleSet:
    """Is the rule-set of a play's name, made anew of what was kept where it was stored."""
    derived = play.get("derived")
    if derived is None:
        return rulesets.named(play["ruleset"])
    return rulesets.named(derived["base"]).derive(play["ruleset"], derived["overrides"], title=derived["title"])


def seats(play: Mapping[str, Any]) -> int:
    """Is how many sit at the table."""
    return int(str(ruleset_of(play).options["seats"]))


def has_partners(play: Mapping[str, Any]) -> bool:
    """Tells whether two sides of partners play."""
    return bool(ruleset_of(play).options["partners"])


def clock_of(play: Mapping[str, Any]) -> matches.Clock:
    """Is the clock of a play."""
    return matches.Clock(**play["clock"])


def _unfit_choices(play: Mapping[str, Any]) -> list[tuple[str, str]]:
    errors = []
    if not isinstance(play["ruleset"], str):
        errors.append(("/ruleset", "must be the name of a rule-set"))
    if not isinstance(play["overrides"], dict):
        errors.append(("/overrides", "must be an object of option names and values"))
    if play["conduct"] not in CONDUCT:
        errors.append(("/conduct", f"must be one of {', '.join(CONDUCT)}"))
    if play["calls"] not in CALLS:
        errors.append(("/calls", f"must be one of {', '.join(CALLS)}"))
    return errors


def _unfit_clock(clock: Mapping[str, Any], longest: Mapping[str, int]) -> list[tuple[str, str]]:
    errors = [(f"/clock/{name}", "is not a member of a clock") for name in clock if name not in BOUNDS]
    for name, (least, usual) in BOUNDS.items():
        most = longest.get(name, usual)
        if type(clock[name]) is not int or not least <= clock[name] <= most:
            errors.append((f"/clock/{name}", f"must be a whole number of milliseconds from {least} to {most}"))
    return errors
