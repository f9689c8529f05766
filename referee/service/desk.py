"""The desk as a use case: questions about any table, answered without a match and without a token."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from referee.match import desk
from referee.match.questions import QuestionError
from referee.rules import rulesets
from referee.service import rulesets as use_rulesets
from referee.service.base import Service
from referee.service.problems import ServiceProblem

TITLES = {
    "ruleset/unknown": (404, "No such rule-set"),
    "ruleset/unknown_option": (422, "The rule-set cannot be used"),
    "ruleset/contradiction": (422, "The overrides contradict each other"),
    "desk/position": (422, "The position cannot be"),
    "desk/act": (422, "This is not an act"),
    "desk/no_such_act": (422, "There is no such act to claim"),
    "desk/log": (422, "The log does not hold"),
    "desk/unfit": (422, "The question cannot be judged"),
}


def adjudicate(service: Service, body: Mapping[str, Any]) -> dict[str, Any]:
    """Answers a question: rulings with their laws, options and the position after each, or why there is none.

    404 `ruleset/unknown`; 422 `ruleset/unknown_option`, `ruleset/contradiction`, `desk/position`, `desk/act`,
    `desk/no_such_act`, `desk/log`, `desk/unfit`, each with the places in `errors`.
    """
    try:
        return desk.adjudicate_body(body, find=partial(_ruleset, service))
    except QuestionError as error:
        raise _problem(error) from error


def validate(service: Service, body: Mapping[str, Any]) -> dict[str, Any]:
    """Classifies one act in a position: lawful, irregular with its objections, or impossible. Refuses as `adjudicate` does."""
    try:
        return desk.validate_body(body, find=partial(_ruleset, service))
    except QuestionError as error:
        raise _problem(error) from error


def _ruleset(service: Service, name: str) -> rulesets.RuleSet:
    """Is the rule-set of that name, stored or not; the refusal of one that there is not is the game's own."""
    return use_rulesets.look_up(service, name) or rulesets.named(name)


def _problem(error: QuestionError) -> ServiceProblem:
    status, title = TITLES[error.code]
    errors = [{"pointer": pointer, "detail": error.detail} for pointer in error.pointers]
    detail = f"At {' and '.join(error.pointers) or 'the body'}: {error.detail}"
    return ServiceProblem(status, error.code, title=title, detail=detail, errors=errors)
