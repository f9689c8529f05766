"""A bot's day: the prompts that wait for it, and its acts. The two hot paths of the service."""

from typing import Any, Final

from flask import Response, request

from referee.service import acts as use_acts
from referee.service import turns as use_turns
from referee.web import bodies
from referee.web.access import Access, caller, service
from referee.web.answers import json_response
from referee.web.api import Resource
from referee.web.keys import KEY_PARAMETER, as_response, key_of
from referee.web.problems import Problem
from referee.web.schemas import matches as shapes

play: Final = Resource("play", "/v1", about="A bot's day: prompts and acts.")

JSON: Final = "application/json"
_EXAMPLES: Final = {
    "play": {"summary": "play a card", "value": {"version": 41, "act": "play", "card": "AS"}},
    "marry": {
        "summary": "lead a king and announce the marriage",
        "value": {"version": 41, "act": "marry", "card": "KS"},
    },
    "draw": {"summary": "draw from the stock", "value": {"version": 42, "act": "draw"}},
    "exchange": {"summary": "exchange the trump nine", "value": {"version": 42, "act": "exchange"}},
    "close": {"summary": "turn the turn-up down", "value": {"version": 42, "act": "close"}},
    "declare": {"summary": "announce 66", "value": {"version": 57, "act": "declare"}},
    "claim": {
        "summary": "claim an act of the other's, where calls: players",
        "value": {"version": 58, "act": "claim", "number": 55},
    },
    "confirm": {"summary": "nothing to claim: go on", "value": {"version": 58, "act": "confirm"}},
    "elect": {"summary": "choose a remedy", "value": {"version": 58, "act": "elect", "case": 1, "option": "accept"}},
}


@play.on("GET", "/turns", query=shapes.WaitQuery, answer=shapes.Turns, access=Access.TOKEN)
def get_turns(query: dict[str, Any]) -> Response:
    """Fetch every prompt that waits for the bot

    With `wait` the request is held until there is one; the list is empty when the time is over. Fetching a prompt
    starts the seat's clock.
    """
    return json_response(use_turns.get_turns(service(), caller=caller(), wait=float(query["wait"])))


@play.on(
    "POST",
    "/matches/<id('mat'):match_id>/acts",
    answer=shapes.ActTaken,
    access=Access.TOKEN,
    refusals=[400, 404, 409, 413, 415, 422],
    headers=[KEY_PARAMETER],
    doc={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": shapes.Act, "examples": _EXAMPLES}},
        },
    },
)
def post_act(match_id: str) -> Response:
    """Act

    `version` is that of the prompt. What is no act is 400 or 422 `act/unreadable`; what cannot be, or is refused, at
    this table now is 409. An irregular act that is admitted is taken, and the rulings that follow at once are in the
    answer. Without an Idempotency-Key the version guards against acting twice.
    """
    raw = bodies.read_once(request)
    if request.environ.get("CONTENT_TYPE") != JSON and request.mimetype != JSON:
        raise Problem("request/content_type", detail="Send the act as JSON, with Content-Type: application/json.")
    body = bodies.parse_object(raw, code="act/unreadable")
    return as_response(use_acts.act(service(), match_id, caller=caller(), body=body, raw=raw, key=key_of(request)))
