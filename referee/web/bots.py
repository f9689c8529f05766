"""The resource /v1/bots: registration, tokens, changes, farewell, checks."""

from typing import Any, Final

from flask import Response

from referee.service import bots as use_bots
from referee.service import checks as use_checks
from referee.service import rates
from referee.web import limits
from referee.web.access import Access, caller, service
from referee.web.answers import json_response
from referee.web.api import Resource
from referee.web.paging import LINKED, PageQuery, page_response
from referee.web.schemas import bots as shapes

bots: Final = Resource("bots", "/v1/bots", about="Bots: programs that play.")


def _count() -> None:
    """Count the registration against its address, before its body is read; raises `Problem` 429 beyond a quota."""
    if caller().kind != "organiser":
        policies = rates.registrations(service().settings)
        limits.bounded(*policies, by=limits.source(), what="registrations from one address")


@bots.on(
    "POST",
    "",
    status=201,
    body=shapes.BotNew,
    answer=shapes.BotWithToken,
    access=Access.SEEN,
    counted=_count,
    once=True,
    refusals=[403, 429],
    example={"name": "greedy", "chores": ["deal"], "language": "Python", "version": "1.2"},
)
def register_bot(body: dict[str, Any]) -> Response:
    """Register a bot

    Open to all unless the operator wants the organiser's token. The token in the answer is shown this once. From one
    address, loopback too, so many are heard in a minute (usually 120) and in a day (2000), those that are refused too;
    the organiser is not counted.
    """
    made = use_bots.register(service(), body, caller=caller())
    return json_response(made, status=201, location=f"/v1/bots/{made['bot']['id']}")


@bots.on("GET", "", query=PageQuery, answer=shapes.BotPage, access=Access.SEEN, refusals=[400], doc=LINKED)
def list_bots(query: dict[str, Any]) -> Response:
    """List the active bots, oldest first"""
    return page_response("bots", use_bots.list_bots(service(), caller=caller(), **query), query)


@bots.on("GET", "/<id('bot'):bot_id>", answer=shapes.Bot, access=Access.SEEN, refusals=[404])
def get_bot(bot_id: str) -> dict[str, Any]:
    """Show one bot"""
    return use_bots.get_bot(service(), bot_id, caller=caller())


@bots.on(
    "PATCH",
    "/<id('bot'):bot_id>",
    body=shapes.BotChange,
    answer=shapes.Bot,
    access=Access.TOKEN,
    refusals=[404, 409],
    example={"concurrency": 4, "accepts_friendlies": False},
)
def change_bot(body: dict[str, Any], bot_id: str) -> dict[str, Any]:
    """Change a bot

    With its own token or the organiser's. Chores count for matches opened later; `accepts_friendlies` false voids the
    planned friendlies that others asked for.
    """
    return use_bots.patch_bot(service(), bot_id, caller=caller(), changes=body)


@bots.on("DELETE", "/<id('bot'):bot_id>", status=204, access=Access.TOKEN, refusals=[404])
def delete_bot(bot_id: str) -> Response:
    """Take a bot out

    Its token dies and its live matches are lost by withdrawal; its record stays.
    """
    use_bots.delete_bot(service(), bot_id, caller=caller())
    return Response(status=204)


@bots.on(
    "POST", "/<id('bot'):bot_id>/token", answer=shapes.BotWithToken, access=Access.TOKEN, once=True, refusals=[404, 409]
)
def rotate_token(bot_id: str) -> dict[str, Any]:
    """Give a bot a new token

    The old one is dead at once: it changes nothing any more, and polls and streams held for it end with 401, and the
    answer to an act that waits comes without a prompt. Only where Redis cannot tell the other
    processes of a service they go on with it for two seconds, in reading and acting alone.
    """
    return use_bots.rotate_token(service(), bot_id, caller=caller())


@bots.on(
    "POST",
    "/<id('bot'):bot_id>/checks",
    status=202,
    body=shapes.CheckNew,
    answer=shapes.Check,
    access=Access.TOKEN,
    once=True,
    refusals=[404, 429],
    example={"ruleset": "house"},
)
def start_check(body: dict[str, Any], bot_id: str) -> Response:
    """Start a conformance check

    One deal against the built-in random bot; the answer tells what the bot got wrong. The body may be left out. A bot has
    at most 120 in an hour, not counting the organiser's.
    """
    if caller().kind == "bot":
        limits.bounded(rates.CHECKS, by=limits.who(caller()), what="checks asked for by one bot")
    check = use_checks.start_check(service(), bot_id, caller=caller(), fields=body)
    return json_response(check, status=202, location=f"/v1/bots/{bot_id}/checks/{check['id']}")


@bots.on("GET", "/<id('bot'):bot_id>/checks/<count:number>", answer=shapes.Check, access=Access.TOKEN, refusals=[404])
def get_check(bot_id: str, number: int) -> dict[str, Any]:
    """Show a check, done or under way"""
    return use_checks.get_check(service(), bot_id, number=number, caller=caller())
