"""A bot's day: the prompts that wait for it, and its acts. The hot paths of the service."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

import orjson
from flask import Response, current_app, request

from referee.service import ServiceProblem, strict_json
from referee.service import acts as use_acts
from referee.service import batches as use_batches
from referee.service import prompts as use_prompts
from referee.service import streaming as use_streaming
from referee.service import turns as use_turns
from referee.service.batches import MOST_ACTS, Batch
from referee.service.prompts import Delivered
from referee.service.taking import Taken
from referee.service.turns import MOST_PROMPTS
from referee.web import bodies, limits
from referee.web.access import Access, caller, service
from referee.web.answers import JSON_HEADERS, json_response
from referee.web.api import Resource
from referee.web.arrivals import lay_ms
from referee.web.keys import KEY_PARAMETER, as_response, key_of
from referee.web.loading import load_query
from referee.web.problems import STORE_AWAY, Problem
from referee.web.schemas import matches as shapes
from referee.web.schemas.acts import BATCH, LONGEST_WAIT, POSTED, batch_examples, posted_examples

play: Final = Resource("play", "/v1", about="A bot's day: prompts and acts.")

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
HEARTBEAT_S: Final = 10.0
OF_BATCH: Final = ("acts", "wait", "most")
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
    asked: dict[str, Any] = {"wait": float(query["wait"]), "most": query["most"]}
    with limits.held(query["wait"]), use_prompts.noting() as delivered:
        response = json_response(use_turns.get_turns(service(), caller=caller(), **asked))
    return _going_out(response, delivered)


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
    raw = bodies.read_once(request)
    if request.environ.get("CONTENT_TYPE") != JSON:
        bodies.require_json(request)
    body = bodies.parse_object(raw, code="act/unreadable")
    asked: dict[str, Any] = {"caller": caller(), "body": body, "raw": raw, "key": key_of(request)}
    asked["lay"] = lay_ms(request.environ)
    if wait is None:
        return as_response(use_acts.act(service(), match_id, **asked))
    with limits.held(wait), use_prompts.noting() as delivered:
        response = as_response(use_batches.act_and_wait(service(), match_id, **asked, wait=float(wait)))
    return _going_out(response, delivered)


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
    body = bodies.read_object(request)
    acts, asked = _envelope(body)
    asked |= {"caller": caller(), "key": key_of(request), "lay": lay_ms(request.environ)}
    with limits.held(asked["wait"] or 0), use_prompts.noting() as delivered:
        response = Response(batch_body(use_batches.act_all(service(), acts, **asked)), headers=JSON_HEADERS)
    return _going_out(response, delivered)


def _going_out(response: Response, delivered: Sequence[Delivered]) -> Response:
    """Return the response as it goes out: the clocks of the prompts in it run from now, and not from when they were read."""
    if delivered:
        opened, at = service(), service().clock.now_ms()

        @response.call_on_close
        def hand_over() -> None:
            with suppress(*STORE_AWAY):  # the bot has its prompts, and the clock is as it was marked
                use_prompts.handed_over(opened, delivered, at=at)

    return response


def _envelope(body: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return the acts of a batch, and its `wait` and `most`; raises `Problem` 422 naming what does not fit."""
    acts, wait, most = body.get("acts"), body.get("wait"), body.get("most", MOST_PROMPTS)
    errors = [(strict_json.pointer(name), "is not a member of a batch") for name in body if name not in OF_BATCH]
    if not isinstance(acts, list) or len(acts) > MOST_ACTS:
        errors.append(("/acts", f"must be a list of at most {MOST_ACTS} acts"))
    if "wait" in body and not (type(wait) is int and 0 <= wait <= LONGEST_WAIT):
        errors.append(("/wait", f"must be a whole number of seconds from 0 to {LONGEST_WAIT}"))
    if not (type(most) is int and 1 <= most <= MOST_PROMPTS):
        errors.append(("/most", f"must be a whole number from 1 to {MOST_PROMPTS}"))
    if errors:
        detail = "; ".join(f"{pointer}: {what}" for pointer, what in errors)
        raise Problem(
            "request/invalid", detail=detail, errors=[{"pointer": place, "detail": what} for place, what in errors]
        )
    return list(acts or []), {"wait": None if wait is None else float(wait), "most": most}


def batch_body(batch: Batch) -> bytes:
    """Return the answer to a batch; the replies to acts are written as they were kept."""
    verdicts = b",".join(_verdict(place, *each) for place, each in enumerate(batch.taken))
    prompts = b"" if batch.prompts is None else b',"prompts":' + orjson.dumps(batch.prompts)
    return b'{"verdicts":[%s]%s}' % (verdicts, prompts)


def _verdict(place: int, match: str | None, taken: Taken) -> bytes:
    status, body = _answered(place, match, taken)
    return b'{"match":%s,"status":%d,"body":%s}' % (orjson.dumps(match), status, body)


def _answered(place: int, match: str | None, taken: Taken) -> tuple[int, bytes]:
    if not isinstance(taken.answer, Exception):
        return taken.answer.status, taken.answer.body
    if isinstance(taken.answer, ServiceProblem):
        members = taken.answer.body()
    else:
        current_app.logger.error("an act on %s failed", match, exc_info=taken.answer)
        members = Problem(
            "service/error", detail="The referee failed on this act; nothing is known to be done."
        ).members()
    if match:
        members["instance"] = f"/v1/matches/{match}/acts"
    if "errors" in members:
        members["errors"] = [_placed(error, strict_json.pointer("acts", place)) for error in members["errors"]]
    return members["status"], orjson.dumps(members)


def _placed(error: dict[str, str], act: str) -> dict[str, str]:
    return {**error, "pointer": act + error["pointer"]} if "pointer" in error else error
