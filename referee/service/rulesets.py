"""Rule-sets: those that come with the game, and those that somebody stored, which never change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from referee.rules import rulesets
from referee.rules.rulesets import OPTIONS, RuleSet, RuleSetError
from referee.service import access, cursors
from referee.service.base import Caller, Page, Service
from referee.service.clock import wall_time
from referee.service.problems import ServiceProblem, unfit
from referee.store import ruleset_rows

MEMBERS = ("name", "base", "title", "about", "options")
NAME = "^[a-z][a-z0-9_-]{1,39}$"
LONGEST_TITLE = 100
LONGEST_ABOUT = 1000
MOST_OF_A_BOT = 20
MOST_OF_THE_ORGANISER = 200
HOUSE = "house"
IN_A_LIST = ("name", "title", "digest", "base", "stored_by", "stored_at")


def store(service: Service, fields: Mapping[str, Any], *, caller: Caller) -> tuple[dict[str, Any], bool]:
    """Stores a rule-set of one's own (any bot, or the organiser) and answers RULESET, and whether it is new.

    fields: `name`, `base` (a name out of the list, stored ones too), `options` (option: value, where it differs from
    the base), `title` (the name if left out), `about`. What is stored under a name once stays: the same again
    answers the same, whoever asks. A base that was stored itself stands for what it was derived from and its options.
    401 `auth/token_missing`; 404 `ruleset/unknown` (the base); 409 `ruleset/name_taken`, `ruleset/too_many` with `most`;
    422 `ruleset/unfit`, `ruleset/unknown_option` and its like, `ruleset/contradiction` with both options in `errors`.
    """
    owner = access.name_of(caller)
    _require_fit(fields)
    made = _derived(service, fields)
    with service.record.writing() as connection:
        ruleset_rows.one_storer_at_a_time(connection)
        kept = ruleset_rows.by_name(connection, made.name)
        if kept is not None:
            if not _alike(_from_row(kept), made):
                raise _taken(f"{made.name!r} is another rule-set, and none that is stored ever changes.")
            return _shown(_from_row(kept), kept), False
        _require_room(connection, owner)
        row = {name: getattr(made, name) for name in ("name", "base", "title", "about", "digest")}
        row |= {"options": dict(made.options), "stored_by": owner, "stored_at": wall_time()}
        ruleset_rows.add(connection, row)
    return _shown(_from_row(row), row), True


def get_ruleset(service: Service, name: str) -> dict[str, Any]:
    """Is RULESET: `{"name","title","digest","base","stored_by","stored_at","about","overrides","options","differences"}`.

    404 `ruleset/unknown`. `base`, `stored_by` (a bot, or `organiser`) and `stored_at` are null where it comes with the game;
    `overrides` is what was chosen to differ from the base.
    `options`: `[{"option","value","source","rule","meaning","allowed","values"}]`, the source being the base's, or `override`.
    `differences`: `[{"option","value","house","meaning"}]`, what is not as in the house rules.
    """
    if name in rulesets.names():
        return _shown(rulesets.named(name), None)
    with service.record.reading() as connection:
        row = ruleset_rows.by_name(connection, name)
    if row is None:
        raise _unknown(name)
    return _shown(_from_row(row), row)


def list_rulesets(service: Service, *, cursor: str | None = None, limit: int = 50) -> Page:
    """Is a page of RULESET, those of the game first, then the stored ones by name. 400 `page/cursor_unknown`.

    Without `about`, `overrides`, `options` and `differences`.
    """
    after, limit = cursors.read(cursor) or "", cursors.bounded(limit)
    names = rulesets.names()
    first = names[names.index(after) + 1 :] if after in names else () if after else names
    rows = [_entry(rulesets.named(name), None) for name in first[: limit + 1]]
    with service.record.reading() as connection:
        place = "" if after in names else after
        stored = ruleset_rows.page(connection, after=place, limit=limit + 1 - len(rows))
    rows += [{name: row[name] for name in IN_A_LIST} for row in stored]
    return cursors.page(rows, limit, show=dict, place=lambda row: row["name"])


def find(service: Service, name: str) -> RuleSet:
    """Is the rule-set of that name, stored or not. 404 `ruleset/unknown`."""
    found = look_up(service, name)
    if found is None:
        raise _unknown(name)
    return found


def look_up(service: Service, name: str) -> RuleSet | None:
    """Is the rule-set of that name, stored or not, or None."""
    if name in rulesets.names():
        return rulesets.named(name)
    with service.record.reading() as connection:
        row = ruleset_rows.by_name(connection, name)
    return None if row is None else _from_row(row)


def misfit(problem: RuleSetError, *, under: str, name: str) -> ServiceProblem:
    """Is the 422 for options that cannot be, given in the member `under` of a body for the rule-set `name`."""
    more = f"; GET /v1/rulesets/{name} lists them" if problem.code == "ruleset/unknown_option" else ""
    keys = [key.replace("~", "~0").replace("/", "~1") for key in problem.options or (problem.key,)]
    detail = f"{problem.problem}; {problem.right}{more}"
    errors = [{"pointer": f"/{under}/{key}" if key else f"/{under}", "detail": detail} for key in keys]
    title = "The rule-set cannot be used"
    return ServiceProblem(422, problem.code, title=title, detail=f"{problem}{more}.", errors=errors)


def _derived(service: Service, fields: Mapping[str, Any]) -> RuleSet:
    name, base = fields["name"], find(service, fields["base"])
    if name in rulesets.names():
        raise _taken(f"{name!r} is a rule-set that comes with the game.")
    title, about = fields.get("title", name), fields.get("about", "")
    try:
        return base.derive(name, fields["options"], title=title, about=about)
    except RuleSetError as problem:
        raise misfit(problem, under="options", name=base.name) from problem


def _from_row(row: Mapping[str, Any]) -> RuleSet:
    # An option that the game has got since is as in the base: its file says how the base has always been played.
    kept = {option: value for option, value in row["options"].items() if option in OPTIONS}
    return rulesets.named(row["base"]).derive(row["name"], kept, title=row["title"], about=row["about"])


def _alike(one: RuleSet, other: RuleSet) -> bool:
    """Tells whether two rule-sets of one name say the same."""
    return all(getattr(one, name) == getattr(other, name) for name in ("base", "title", "about", "options"))


def _entry(ruleset: RuleSet, row: Mapping[str, Any] | None) -> dict[str, Any]:
    said = {"name": ruleset.name, "title": ruleset.title, "digest": ruleset.digest}
    return {**said, **{name: row and row[name] for name in ("base", "stored_by", "stored_at")}}


def _shown(ruleset: RuleSet, row: Mapping[str, Any] | None) -> dict[str, Any]:
    house = rulesets.named(HOUSE).options
    return {
        **_entry(ruleset, row),
        "about": ruleset.about,
        "overrides": dict(ruleset.overrides),
        "options": [_option(ruleset, option) for option in ruleset.options],
        "differences": [
            {"option": option, "value": value, HOUSE: house[option], "meaning": OPTIONS[option].meaning}
            for option, value in ruleset.options.items()
            if value != house[option]
        ],
    }


def _option(ruleset: RuleSet, name: str) -> dict[str, Any]:
    option = OPTIONS[name]
    numbers = option.allowed
    return {
        "option": name,
        "value": ruleset.options[name],
        "source": ruleset.sources[name],
        "rule": option.rule,
        "meaning": option.meaning,
        "allowed": {"least": numbers[0], "most": numbers[-1]} if isinstance(numbers, range) else list(numbers),
        "values": dict(option.values),
    }


def _require_fit(fields: Mapping[str, Any]) -> None:
    errors = [(f"/{name}", "is not a member of a rule-set to store") for name in fields if name not in MEMBERS]
    name, title, about = fields.get("name"), fields.get("title", "title"), fields.get("about", "")
    if not isinstance(name, str) or not re.fullmatch(NAME, name):
        errors.append(("/name", f"must fit {NAME}: 2 to 40 small letters, digits, - and _, a letter first"))
    if not isinstance(fields.get("base"), str):
        errors.append(("/base", "must be the name of a rule-set"))
    if not isinstance(title, str) or not title.strip() or len(title) > LONGEST_TITLE or not title.isprintable():
        errors.append(("/title", f"must be text of 1 to {LONGEST_TITLE} printable characters"))
    if not isinstance(about, str) or len(about) > LONGEST_ABOUT or not about.isprintable():
        errors.append(("/about", f"must be text of at most {LONGEST_ABOUT} printable characters"))
    if not isinstance(fields.get("options"), dict):
        errors.append(("/options", "must be an object of option names and values"))
    if errors:
        raise unfit("ruleset/unfit", errors)


def _require_room(connection: Connection, owner: str) -> None:
    most = MOST_OF_THE_ORGANISER if owner == access.ORGANISER else MOST_OF_A_BOT
    if ruleset_rows.count(connection, stored_by=owner) >= most:
        detail = f"{owner} has stored {most} rule-sets, as many as may be; for one tournament `overrides` will do."
        title = "Too many rule-sets are stored"
        raise ServiceProblem(409, "ruleset/too_many", title=title, detail=detail, most=most)


def _taken(why: str) -> ServiceProblem:
    detail = f"{why} Choose another name."
    return ServiceProblem(409, "ruleset/name_taken", title="The name is taken", detail=detail)


def _unknown(name: str) -> ServiceProblem:
    known = ", ".join(rulesets.names())
    detail = f"There is no rule-set {name!r}; there are {known}, and those stored: GET /v1/rulesets lists them all."
    return ServiceProblem(404, "ruleset/unknown", title="No such rule-set", detail=detail)
