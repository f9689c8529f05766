"""Bots, their tokens and their checks on the wire."""

from typing import Any

import marshmallow as ma

from referee.web.fields import Flag, Listed, Text, Whole, Word
from referee.web.schemas import Answer, flag, many, number, one, tables, text, texts
from referee.web.schemas.terms import CONDUCT, OverrideField, SeedField

CHORES = ("shuffle", "cut", "deal", "draw", "watch")
TRANSPORTS = ("pull", "push")
MOST_LIVE = "most live matches it is seated in at once; further ones wait"
FRIENDLIES = "whether any other bot may seat it in a friendly"


def _chores(**usual: Any) -> Listed:
    return Listed(
        Word(CHORES),
        most=len(CHORES),
        metadata={"description": "what the bot does itself; the attendant does the rest", **usual},
    )


class BotChange(ma.Schema):
    """What may change of a bot."""

    name = Text(1, 64, metadata={"description": "free among the active bots"})
    url = Text(1, 2000, metadata={"description": "where prompts are posted; push only"})
    chores = _chores()
    language = Text(0, 40)
    version = Text(0, 40)
    concurrency = Whole(1, 1000, metadata={"description": MOST_LIVE})
    accepts_friendlies = Flag(metadata={"description": FRIENDLIES})


class BotNew(BotChange):
    """A bot to be registered; only its name is needed."""

    name = Text(1, 64, required=True, metadata={"description": "free among the active bots", "example": "greedy"})
    transport = Word(
        TRANSPORTS, load_default="pull", metadata={"description": "pull fetches prompts, push is posted them"}
    )
    chores = _chores(default=[])
    language = Text(0, 40, metadata={"default": ""})
    version = Text(0, 40, metadata={"default": ""})
    concurrency = Whole(1, 1000, metadata={"description": MOST_LIVE, "default": 1})
    accepts_friendlies = Flag(metadata={"description": FRIENDLIES, "default": True})


class Bot(Answer):
    """A bot as everybody sees it; its url only the bot itself and the organiser."""

    id = text(metadata={"example": "bot_01j9"})
    name = text()
    transport = text("pull or push")
    url = text(required=False, allow_none=True)
    chores = texts("what the bot does itself")
    language = text()
    version = text()
    concurrency = number("most live matches it is seated in at once")
    accepts_friendlies = flag()
    state = text("active or deleted")
    created_at = text("RFC 3339, UTC")


class BotWithToken(Answer):
    """A bot and its token, shown this once; a push bot's webhook secret too."""

    bot = one(Bot)
    token = text("send it as Authorization: Bearer TOKEN")
    webhook_secret = text("signs the prompts (Standard Webhooks)", required=False)


class BotPage(Answer):
    """A page of bots."""

    bots = many(Bot)
    next = text("cursor of the next page", allow_none=True)


class CheckNew(ma.Schema):
    """How the check is played; everything has a default."""

    ruleset = Text(
        1, 64, pattern="^[a-z0-9_-]+$", metadata={"description": "a name out of /v1/rulesets", "default": "house"}
    )
    overrides = ma.fields.Dict(keys=Text(1, 64), values=OverrideField(), metadata={"default": {}})
    conduct = Word(CONDUCT, metadata={"default": "adjudicate"})
    seed = SeedField(metadata={"description": "for the same deal again"})


class Check(Answer):
    """One deal against the built-in random bot, and what the bot got wrong in it."""

    id = number("number among this bot's checks")
    bot = text()
    state = text("queued, running or done")
    position = number("jobs before it", allow_none=True)
    match = text(allow_none=True)
    passed = flag(allow_none=True)
    prompts = number("prompts delivered: fetched, or posted to a push bot's server")
    acts = number("acts taken")
    refused = tables("requests that were refused: seat, body, problem")
    late = tables("acts that came too late: version, elapsed_ms")
    unread = number("prompts never fetched or, of a push bot, never got through")
    unanswered = texts("push only: why posts of prompts got no answer, with the address", required=False)
    irregular = tables("rulings against the bot")
    cause = text("how the match ended", allow_none=True)
    reason = text("why it could not be run, or empty")
    advice = texts("what to mend, in sentences")
    created_at = text("RFC 3339, UTC")
    ended_at = text(allow_none=True)
