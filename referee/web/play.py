"""A bot's day: the prompts that wait for it, and its acts, as operations; `acting` does them."""

from collections.abc import Iterator
from typing import Any, Final

import orjson
from flask import Response, request

from referee.service import ServiceProblem
from referee.service import streaming as use_streaming
from referee.web import acting, bodies, limits
from referee.web.access import Access, caller, service
from referee.web.acting import Asked
from referee.web.answers import as_response
from referee.web.api import Resource
from referee.web.arrivals import lay_ms
from referee.web.keys import KEY_PARAMETER, key_of
from referee.web.loading import load_query
from referee.web.problems import STORE_AWAY
from referee.web.schemas import matches as shapes
from referee.web.schemas.acts import BATCH, POSTED, batch_examples, posted_examples

play: Final = Resource("play", "/v1", about="A bot's day: prompts and acts.")

NDJSON: Final = "application/x-ndjson"
HEARTBEAT_S: Final = 10.0
BATCH_KEY_PARAMETER: Final = {
    **KEY_PARAMETER,
    "description": "Stands, with its place, for the `key` of every act that has none: repeat the batch with the same header "
    "and body, and the verdicts come again byte for byte. 1 to 200 visible ASCII characters.",
}
_ACT_QUERY: Final = shapes.ActQuery()


@play.on("GET", "/turns", query=shapes.TurnsQuery, answer=shapes.Turns, access=Access.TOKEN, refusals=[429])
def get_turns(query: dict[str, Any]) -> Response:
    """Fetch the prompts that wait for the bot

    At most `most`, those that have waited longest first. With `wait` the request is held until there is one; the list is
    empty when the time is over. Fetching a prompt starts the seat's clock, so ask for no more than you can answer in time.
    """
    return as_response(
        acting.get_turns(Asked(service(), caller(), limits.held), wait=float(query["wait"]), most=query["most"])
    )


@play.on(
    "GET",
    "/stream",
    query=shapes.StreamQuery,
    access=Access.TOKEN,
    refusals=[429],
    doc={
        "responses": {
            200: {
                "description": "prompts, one on a line as in GET /v1/turns, with `line`; empty lines, at least one in ten "
                "seconds; and at its end a problem, with `code`, where the referee had to end the stream",
                "content": {NDJSON: {"schema": {"type": "string"}}},
            }
        }
    },
)
def get_stream(query: dict[str, Any]) -> Response:
    """Follow every prompt that waits for the bot, as it comes

    The stream begins with every prompt that waits, and then has each once for each version. Every prompt has the member
    `line`, its number: whoever opens another stream with `after`, the last `line` that came whole, is sent what came
    later and nothing twice, whichever server it comes to. Only when the store of live matches was started anew, every
    prompt that waits comes again; answer each that comes, for an act may have been lost there. Sending a prompt starts
    the seat's clock. An empty line says that the connection stands: fifteen seconds without a line mean that it does
    not. A bot has one stream: a new one ends the one before with the problem `stream/replaced`, whichever server it is at.
    """
    asked: dict[str, Any] = {"seconds": float(query["seconds"]), "after": query["after"]}

    def begin() -> Response:
        lists = use_streaming.open_stream(service(), caller=caller(), silence=HEARTBEAT_S, **asked)
        stream = _lines(lists)
        return Response(stream, mimetype=NDJSON, headers={"X-Accel-Buffering": "no"})

    return limits.held_stream(begin)


def _lines(lists: Iterator[list[dict[str, Any]]]) -> Iterator[bytes]:
    try:
        for prompts in lists:
            yield b"".join(orjson.dumps(prompt) + b"\n" for prompt in prompts) or b"\n"
    except ServiceProblem as problem:
        yield orjson.dumps(problem.body()) + b"\n"
    except STORE_AWAY:
        return  # the client comes back, and is told of the outage with a status


@play.on(
    "POST",
    "/matches/<id('mat'):match_id>/acts",
    answer=shapes.ActTaken,
    access=Access.TOKEN,
    hot=True,
    refusals=[400, 404, 408, 409, 413, 415, 422, 429],
    headers=[KEY_PARAMETER, shapes.WAIT_PARAMETER],
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

    With `wait` the answer to an act that is taken comes with the next prompt in this match, as soon as there is one.
    """
    wait = load_query(_ACT_QUERY).get("wait") if request.environ.get("QUERY_STRING") else None
    raw = bodies.read_bytes(request)
    bodies.require_json(request)
    return as_response(acting.post_act(_asked(), match_id, raw, wait=wait))


@play.on(
    "POST",
    "/acts",
    answer=shapes.Verdicts,
    access=Access.TOKEN,
    hot=True,
    refusals=[400, 408, 413, 415, 422, 429],
    headers=[BATCH_KEY_PARAMETER],
    doc={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": BATCH, "examples": batch_examples(41)}},
        }
    },
)
def post_acts() -> Response:
    """Act in several matches

    At most 200 acts in 64 KiB, each with its `match`, at most 20 of them on one; every act gets a verdict of its own, in
    order, and none fails for another. What is wrong with an act is told with its place in the batch, as `/acts/17/card`.

    With `wait` the answer has the prompts that wait for the bot, at most `most` (200), those that have waited longest first,
    and is held until there is one, or the seconds are over; with `wait` 0 it has those that wait at once.

    An act may have a `key`, which does for it what the header Idempotency-Key does for a request of its own; the header
    on a batch gives one to every act that has none. So a batch whose answer was lost is sent again as it was: what was
    taken is not taken twice, and its verdict comes again. `prompts` are always those of the moment.
    """
    raw = bodies.read_bytes(request)
    bodies.require_json(request)
    return as_response(acting.post_acts(_asked(), raw))


def _asked() -> Asked:
    return Asked(service(), caller(), limits.held, key_of(request), lay_ms(request.environ))
