"""The resource /v1/matches: friendlies, and all that may be read of a match."""

from typing import Any, Final

from flask import Response, request

from referee.service import appeals as use_appeals
from referee.service import matches as use_matches
from referee.service import rates
from referee.service import salts as use_salts
from referee.web import limits
from referee.web.access import Access, caller, service
from referee.web.answers import json_response
from referee.web.api import Resource
from referee.web.paging import LINKED, page_response
from referee.web.problems import Problem
from referee.web.schemas import desk as desk_shapes
from referee.web.schemas import matches as shapes
from referee.web.streams import RESUME_PARAMETER, sse_response, wants_stream

matches: Final = Resource("matches", "/v1/matches", about="Matches: friendlies, views, events, logs and rulings.")
ONE: Final = "/<id('mat'):match_id>"
LOG_TYPES: Final = ("application/json", "application/x-ndjson", "text/plain")


@matches.on(
    "POST",
    "",
    status=201,
    body=shapes.MatchNew,
    answer=shapes.Match,
    access=Access.TOKEN,
    once=True,
    refusals=[404, 409, 429],
    example={"bots": ["bot_01j9", "bot_01ja"], "ruleset": "house", "overrides": {"target": 3}},
)
def create_match(body: dict[str, Any]) -> Response:
    """Seat bots in a friendly

    With the token of one of them, or the organiser's; it is opened as soon as all have room. Matches of tournaments and
    checks come first, and the last place of a bot is kept for a tournament that awaits it. A bot may have asked for
    4 friendlies that are not over, and be seated in 20 before others are refused; it may ask for 120 in a minute. The
    organiser is not counted.
    """
    if caller().kind == "bot":
        limits.bounded(rates.FRIENDLIES, by=limits.who(caller()), what="friendlies asked for by one bot")
    made = use_matches.create_friendly(service(), body, caller=caller())
    return json_response(made, status=201, location=f"/v1/matches/{made['id']}")


@matches.on("GET", "", query=shapes.FriendliesQuery, answer=shapes.MatchPage, refusals=[400], doc=LINKED)
def list_matches(query: dict[str, Any]) -> Response:
    """List matches, newest first"""
    return page_response("matches", use_matches.list_matches(service(), **query), query)


@matches.on("GET", ONE, answer=shapes.Match, refusals=[404])
def get_match(match_id: str) -> dict[str, Any]:
    """Show one match"""
    return use_matches.get_match(service(), match_id)


@matches.on(
    "PUT",
    f"{ONE}/salt",
    body=shapes.SaltNew,
    answer=shapes.Salt,
    access=Access.TOKEN,
    refusals=[403, 404, 409],
    example={"salt": "5a" * 32},
)
def give_match_salt(body: dict[str, Any], match_id: str) -> dict[str, Any]:
    """Give a salt for a friendly

    With the token of a bot seated in it, while it is planned: its commitment is published then, and the packs come from
    the seed and the salts. A friendly asked for with `wait_for_salts_ms` waits for those of all its bots.
    """
    return use_salts.give_for_match(service(), match_id, salt=body["salt"], caller=caller())


@matches.on(
    "GET",
    f"{ONE}/view",
    query=shapes.ViewQuery,
    answer=shapes.ViewAnswer,
    access=Access.SEEN,
    refusals=[403, 404, 409, 429],
)
def get_view(query: dict[str, Any], match_id: str) -> Response:
    """Show what the token's seat may know

    Without a token, or with one that has no seat here, what a spectator sees. Where the seat is asked, its prompt too.
    A bot that sits in several seats says which by `seat`; else it gets the one that is asked, or the first.
    """
    with limits.held(query["wait"]):
        return json_response(use_matches.get_view(service(), match_id, caller=caller(), **query))


@matches.on(
    "GET",
    f"{ONE}/events",
    query=shapes.EventsQuery,
    answer=shapes.Events,
    access=Access.SEEN,
    refusals=[403, 404, 409, 429],
    headers=[RESUME_PARAMETER],
    doc={
        "responses": {
            200: {
                "content": {
                    "text/event-stream": {
                        "schema": {"type": "string", "description": "id is the event's number, data the event"}
                    }
                }
            },
            204: {"description": "A stream that was resumed after the last event of a finished match"},
        },
    },
)
def get_events(query: dict[str, Any], match_id: str) -> Response:
    """Follow the events

    Everything here is open to all: no event names a card that some seat has not seen. Where other matches are still to
    be played on the same packs, it is open to the bots of this one alone, by their tokens. With `wait` the request is
    held until there is an event; with Accept: text/event-stream the events come as a stream.
    """
    if wants_stream():
        return limits.held_stream(lambda: sse_response(service(), match_id, after=query["after"], caller=caller()))
    with limits.held(query["wait"]):
        lines, over = use_matches.get_events(service(), match_id, **query, caller=caller())
    ended = over and len(lines) < query["limit"]
    return Response(events_body(match_id, lines, over=ended, after=query["after"]), mimetype="application/json")


def events_body(match_id: str, lines: tuple[bytes, ...], *, over: bool, after: int) -> bytes:
    """Return the answer of the events poll; the lines are written as they stand in the log."""
    end = b'],"version":%d,"over":%s}' % (after + len(lines), b"true" if over else b"false")
    return b'{"match":"%s","events":[' % match_id.encode() + b",".join(lines) + end


@matches.on(
    "GET",
    f"{ONE}/log",
    answer=shapes.Log,
    access=Access.SEEN,
    refusals=[403, 404, 406, 409],
    doc={
        "responses": {
            200: {
                "content": {
                    "application/x-ndjson": {"schema": {"type": "string"}},
                    "text/plain": {"schema": {"type": "string"}},
                }
            }
        }
    },
)
def get_log(match_id: str) -> Response:
    """Show the log of a finished match

    By Accept: one JSON document, NDJSON (the bytes that `referee verify` reads), or readable text. The text of a
    live match goes as far as the match has come.
    """
    form = log_type()
    if form == "application/x-ndjson":
        body: bytes | str = use_matches.get_log(service(), match_id)
    elif form == "text/plain":
        body = use_matches.get_transcript(service(), match_id, caller=caller())
    else:
        body = use_matches.get_log_json(service(), match_id)
    return Response(body, mimetype=form, headers={"Vary": "Accept"})


def log_type() -> str:
    """Return the media type the request wants its log in; raises `Problem` 406 where none fits."""
    if not request.accept_mimetypes:
        return LOG_TYPES[0]
    form = request.accept_mimetypes.best_match(LOG_TYPES)
    if form is None:
        raise Problem("request/not_acceptable", detail=f"A log comes as {', '.join(LOG_TYPES)}.")
    return str(form)


@matches.on("GET", f"{ONE}/rulings", answer=shapes.Rulings, access=Access.SEEN, refusals=[403, 404, 409])
def get_rulings(match_id: str) -> Response:
    """Show the rulings so far

    Each names its laws, acts, facts, options, who chose what, the points, and the position afterwards.
    """
    return json_response(use_matches.get_rulings(service(), match_id, caller=caller()))


@matches.on(
    "POST",
    f"{ONE}/rulings/<count:case>/appeal",
    answer=desk_shapes.Appeal,
    access=Access.TOKEN,
    once=True,
    refusals=[404, 429],
)
def appeal_ruling(match_id: str, case: int) -> Response:
    """Have a ruling derived again

    `case` is the ruling's. The referee judges anew from the inputs in the log; the answer holds the ruling as recorded
    and as derived, and says whether they agree. For a seated bot, 60 times in a minute, or the organiser.
    """
    if caller().kind == "bot":
        limits.bounded(rates.APPEALS, by=limits.who(caller()), what="appeals of one bot")
    return json_response(use_appeals.appeal(service(), match_id, case=case, caller=caller()))


@matches.on(
    "POST",
    f"{ONE}/rulings/<count:case>/overrule",
    body=desk_shapes.OverruleNew,
    answer=desk_shapes.Overruled,
    access=Access.ORGANISER,
    once=True,
    refusals=[404],
    example={"winner": "b", "score": {"a": 5, "b": 7}, "reason": "The ruling in case 1 rested on a fault of ours."},
)
def overrule_ruling(body: dict[str, Any], match_id: str, case: int) -> Response:
    """Decide otherwise

    The decision is a new event of the finished match, with its reason, and the seal covers it; nothing is edited.
    The result of the match and the standings follow it. With `winner` null the match counts for nobody.
    """
    return json_response(use_appeals.overrule(service(), match_id, case=case, fields=body, caller=caller()))
