"""The desk, `/v1/adjudications` and `/v1/validations`: questions about any table, for anybody, so many a minute."""

from typing import Any, Final

from flask import Response

from referee.service import desk as use_desk
from referee.service import rates
from referee.web import limits
from referee.web.access import service
from referee.web.answers import json_response
from referee.web.api import Resource
from referee.web.schemas import desk as shapes

desk: Final = Resource("desk", "/v1", about="The desk: what the laws say of a question. No token, no match.")

_START: Final = "a:KS QS TD 9D JC QC | b:AH KH TH KD AC 9H | stock:* | turn-up:JH | dealer:b | tricks:a:AS+9S | a leads"


def _count() -> None:
    """Count the request against the address it comes from, before its body is read; raises `Problem` 429 beyond the quota."""
    limits.bounded(rates.DESK, by=limits.source(), what="questions from one address")


@desk.on(
    "POST",
    "/adjudications",
    body=shapes.AdjudicationNew,
    answer=shapes.Adjudication,
    counted=_count,
    refusals=[404, 429],
    example={"start": _START, "acts": ["b AH"], "claim": {"by": "a", "number": 1}},
)
def adjudicate(body: dict[str, Any]) -> Response:
    """Ask what follows

    The answer holds the ruling or rulings with laws, citations, options and the position after each, or says why there
    is none. With `calls: referee` every irregularity is called; with `calls: players` the claim given is heard.
    """
    return json_response(use_desk.adjudicate(service(), body))


@desk.on(
    "POST",
    "/validations",
    body=shapes.ValidationNew,
    answer=shapes.Validation,
    counted=_count,
    refusals=[404, 429],
    example={"position": _START, "act": "a KS"},
)
def validate(body: dict[str, Any]) -> Response:
    """Ask whether one act is in order

    It is lawful, irregular (with the objections), or impossible.
    """
    return json_response(use_desk.validate(service(), body))
