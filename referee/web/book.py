"""The resources /v1/rulesets and /v1/laws: how this game is played, and what follows when it is not."""

from functools import cache
from typing import Any, Final

import orjson
from flask import Response

from referee.laws import book as law_book
from referee.service import rulesets as use_rulesets
from referee.web.access import Access, caller, service
from referee.web.answers import JSON_HEADERS, json_response
from referee.web.api import Resource
from referee.web.paging import LINKED, PageQuery, page_response
from referee.web.problems import Problem
from referee.web.schemas import book as shapes

book: Final = Resource("book", "/v1", about="Rule-sets and the law book.")
_RULESET: Final = {"application/json": {"schema": shapes.RuleSet}}


@book.on("GET", "/rulesets", query=PageQuery, answer=shapes.RuleSetPage, refusals=[400], doc=LINKED)
def list_rulesets(query: dict[str, Any]) -> Response:
    """List the rule-sets: those that come with the game, then the stored ones"""
    return page_response("rulesets", use_rulesets.list_rulesets(service(), **query), query)


@book.on(
    "POST",
    "/rulesets",
    status=201,
    body=shapes.RuleSetNew,
    answer=shapes.RuleSet,
    access=Access.TOKEN,
    once=True,
    refusals=[404],
    example={"name": "club", "base": "house", "title": "The club's rules", "options": {"target": 5}},
    doc={"responses": {200: {"description": "It was stored before, and says the same", "content": _RULESET}}},
)
def store_ruleset(body: dict[str, Any]) -> Response:
    """Store a rule-set of one's own

    Tournaments, friendlies, checks and the desk take its name from then on. It never changes: the same again answers
    the same, another under its name is refused.
    """
    stored, is_new = use_rulesets.store(service(), body, caller=caller())
    return json_response(stored, status=201 if is_new else 200, location=f"/v1/rulesets/{stored['name']}")


@book.on("GET", "/rulesets/<name:name>", answer=shapes.RuleSet, refusals=[404])
def get_ruleset(name: str) -> dict[str, Any]:
    """Show a rule-set, option by option, each with its source and what else is allowed, and what differs from `house`"""
    return use_rulesets.get_ruleset(service(), name)


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
