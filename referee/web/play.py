"""A bot's day: the prompts that wait for it, and its acts. The two hot paths of the service."""

from typing import Any, Final

from flask import Response, request

from referee.service import acts as use_acts
from referee.service import turns as use_turns
from referee.web import bodies, limits
from referee.web.access import Access, caller, service
from referee.web.answers import json_response
from referee.web.api import Resource
from referee.web.keys import KEY_PARAMETER, as_response, key_of
from referee.web.schemas import matches as shapes
from referee.web.schemas.acts import POSTED, posted_examples

play: Final = Resource("play", "/v1", about="A bot's day: prompts and acts.")

JSON: Final = "application/json"


@play.on("GET", "/turns", query=shapes.WaitQuery, answer=shapes.Turns, access=Access.TOKEN, refusals=[429])
def get_turns(query: dict[str, Any]) -> Response:
    """Fetch every prompt that waits for the bot

    With `wait` the request is held until there is one; the list is empty when the time is over. Fetching a prompt
    starts the seat's clock.
    """
    with limits.held(query["wait"]):
        return json_response(use_turns.get_turns(service(), caller=caller(), wait=float(query["wait"])))


@play.on(
    "POST",
    "/matches/<id('mat'):match_id>/acts",
    answer=shapes.ActTaken,
    access=Access.TOKEN,
    refusals=[400, 404, 408, 409, 413, 415, 422],
    headers=[KEY_PARAMETER],
    doc={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": POSTED, "examples": posted_examples(41)}},
        },
    },
)
def post_act(match_id: str) -> Response:
    """Act

    `version` is that of the prompt. What is no act is 400 or 422 `act/unreadable`; what cannot be, or is refused, at
    this table now is 409. An irregular act that is admitted is taken, and the rulings that follow at once are in the
    answer. Without an Idempotency-Key the version guards against acting twice.

    What is refused as `act/unreadable` (422), `act/impossible` or `act/irregular` counts against the seat: the problem
    tells `conduct_count` and `conduct_limit`, and with the limit (20 unless the rule-set says otherwise) the match is
    lost by conduct (IR-85), which `over` tells. A stale or late act does not count, nor does a body that is not JSON (400).
    """
    raw = bodies.read_once(request)
    if request.environ.get("CONTENT_TYPE") != JSON:
        bodies.require_json(request)
    body = bodies.parse_object(raw, code="act/unreadable")
    return as_response(use_acts.act(service(), match_id, caller=caller(), body=body, raw=raw, key=key_of(request)))
