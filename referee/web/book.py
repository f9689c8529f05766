"""The resources /v1/rulesets and /v1/laws: how this game is played, and what follows when it is not."""

from functools import cache
from typing import Any, Final

import orjson
from flask import Response

from referee.laws import book as law_book
from referee.rules import rulesets
from referee.web.answers import JSON_HEADERS
from referee.web.api import Resource
from referee.web.problems import Problem
from referee.web.schemas import book as shapes

book: Final = Resource("book", "/v1", about="Rule-sets and the law book.")


@book.on("GET", "/rulesets", answer=shapes.RuleSets)
def list_rulesets() -> dict[str, Any]:
    """List the named rule-sets"""
    named = [rulesets.named(name) for name in rulesets.names()]
    return {"rulesets": [{"name": one.name, "title": one.title, "digest": one.digest} for one in named]}


@book.on("GET", "/rulesets/<name:name>", answer=shapes.RuleSet, refusals=[404])
def get_ruleset(name: str) -> dict[str, Any]:
    """Show a rule-set, option by option, each with its source and what else is allowed"""
    return ruleset_json(name)


@book.on("GET", "/laws", answer=shapes.Laws)
def list_laws() -> Response:
    """List the laws of this edition, each with all that is known of it, and what the texts say of irregularities"""
    return Response(_whole_book(), headers=JSON_HEADERS)


@cache
def _whole_book() -> bytes:
    """Return the book as JSON, made once: it is large and never changes while the service runs."""
    whole = {
        "edition": law_book.EDITION,
        "parts": {letter: title for letter, (title, _) in law_book.PARTS.items()},
        "laws": [law_json(law.id) for law in law_book.laws()],
        "coverage": list(law_book.coverage()),
    }
    return orjson.dumps(whole)


@book.on("GET", "/laws/<name:law_id>", answer=shapes.Law, refusals=[404])
def get_law(law_id: str) -> dict[str, Any]:
    """Show a law: text, citations, window, remedies and worked cases"""
    return law_json(law_id)


def require_law(law_id: str) -> None:
    """Pass if the book has a law of that id; raises `Problem` 404 `law/unknown`."""
    if law_book.find(law_id) is None:
        raise Problem("law/unknown", detail=f"No law {law_id} in edition {law_book.EDITION}; ids look like IR-20.")


def law_json(law_id: str) -> dict[str, Any]:
    """Return the law as the wire shows it; raises `Problem` 404 `law/unknown`."""
    require_law(law_id)
    law: dict[str, Any] = law_book.law_json(law_id) or {}
    return law


def ruleset_json(name: str) -> dict[str, Any]:
    """Return the rule-set as the wire shows it; raises `Problem` 404 `ruleset/unknown`."""
    if name not in rulesets.names():
        known = ", ".join(rulesets.names())
        raise Problem("ruleset/unknown", detail=f"No rule-set {name}; there are {known}.")
    ruleset = rulesets.named(name)
    options = [
        {
            "option": option,
            "value": value,
            "source": ruleset.sources[option],
            "rule": rulesets.OPTIONS[option].rule,
            "meaning": rulesets.OPTIONS[option].meaning,
            "allowed": allowed_json(rulesets.OPTIONS[option].allowed),
            "values": dict(rulesets.OPTIONS[option].values),
        }
        for option, value in ruleset.options.items()
    ]
    entry = {"name": ruleset.name, "title": ruleset.title, "digest": ruleset.digest}
    return {**entry, "about": ruleset.about, "options": options}


def allowed_json(allowed: Any) -> Any:
    """Return what an option may be: {"least", "most"} for a range of whole numbers, else the list of values."""
    if isinstance(allowed, range):
        return {"least": allowed.start, "most": allowed.stop - 1}
    return list(allowed)
