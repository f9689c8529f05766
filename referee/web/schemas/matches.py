"""Matches, prompts, acts, events and rulings on the wire."""

import marshmallow as ma

from referee.match.causes import CAUSES
from referee.rules.cards import SEATS
from referee.service.strict_json import MAX_INTEGER
from referee.service.turns import MOST_PROMPTS
from referee.web.fields import Listed, QueryWhole, Text, Whole, Word
from referee.web.schemas import Answer, flag, many, one, table, tables, text
from referee.web.schemas import number as whole
from referee.web.schemas.acts import LONGEST_WAIT
from referee.web.schemas.terms import Clock, FriendlyClockNew, SeedField, TermsNew
from referee.web.schemas.views import Prompt, View

STATES = ("planned", "live", "done", "void")
LONGEST_STREAM = 600
_BOT_ID = "^bot_[0-9A-Za-z]{1,64}$"


class MatchNew(TermsNew):
    """A friendly to be played."""

    bots = Listed(
        Text(1, 80, pattern=_BOT_ID),
        least=2,
        most=len(SEATS),
        required=True,
        metadata={
            "description": "the bots at seats a, b and so on, as many as the rule-set has seats; one may sit in several"
        },
    )
    clock = ma.fields.Nested(FriendlyClockNew)
    seed = SeedField(metadata={"description": "organiser only; drawn by the server if left out"})
    wait_for_salts_ms = Whole(
        0, 60_000, metadata={"description": "how long it waits for the salts of all its bots", "default": 0}
    )


class SaltNew(ma.Schema):
    """What a bot gives toward its packs: 32 bytes of its own drawing."""

    salt = Text(64, 64, pattern="^[0-9a-f]{64}$", required=True, metadata={"description": "64 hexadecimal digits"})


class GivenSalt(Answer):
    """A salt as it is kept, and the commitment it was given after."""

    bot = text()
    salt = text()
    commitment = text("SHA-256 of the seed, published before the salt was given")


class Salt(GivenSalt):
    """A salt for one match."""

    match = text()


class Match(Answer):
    """A match, planned, live or over."""

    id = text(metadata={"example": "mat_01j9"})
    tournament = text(allow_none=True)
    number = whole(allow_none=True)
    cycle = whole(allow_none=True)
    round = whole(allow_none=True)
    state = text("planned, live, done or void")
    seats = table('{"a": {"bot", "name"}, "b": ...}')
    sides = ma.fields.List(
        ma.fields.List(ma.fields.String()),
        required=True,
        metadata={"description": "who scores together, that of seat a first", "example": [["a", "c"], ["b", "d"]]},
    )
    first_dealer = text("a seat", allow_none=True)
    ruleset = text()
    overrides = table()
    conduct = text("adjudicate or enforce")
    calls = text("referee or players")
    clock = one(Clock)
    commitment = text("SHA-256 of the match's seed", allow_none=True)
    version = whole("how many events there are", allow_none=True)
    score = table("game points by seat", allow_none=True)
    winner = text(
        "seat of the winner, of partners the first; null too where `lost_by` leaves two who are level: then both have won",
        allow_none=True,
    )
    lost_by = text(
        "at tables of three and four: the seat that lost the match by itself, as by time or withdrawal", allow_none=True
    )
    cause = text(
        "how the match ended: " + "; ".join(f"{name}, {each.meaning}" for name, each in CAUSES.items() if each.match),
        allow_none=True,
        validate=ma.validate.OneOf([name for name, each in CAUSES.items() if each.match]),
    )
    evidence = table(
        "what the cause rests on: the `event` that ended it with its `type`, `seat`, times and counts, the `laws` ruled on, "
        "where the match stood; of a void match the `fault`, the worker, who was silent and for how long",
        required=False,
        allow_none=True,
    )
    log_sha256 = text(allow_none=True)
    withheld = flag(
        "whether others are still to be played on its packs: till then only its bots are told what was played, in their views, "
        "and `version`, `score`, `winner`, `lost_by`, `cause`, `evidence` and `log_sha256` are null"
    )
    seed = text("the match's seed, once all matches on its packs are over", allow_none=True)
    created_at = text("RFC 3339, UTC")
    opened_at = text(allow_none=True)
    ended_at = text(allow_none=True)
    reason = text(
        "why a match is void or was overruled or, where one match is shown, what a planned one waits for",
        required=False,
        allow_none=True,
    )


class MatchPage(Answer):
    """A page of matches."""

    matches = many(Match)
    next = text("cursor of the next page", allow_none=True)


class MatchesQuery(ma.Schema):
    """Which matches."""

    limit = QueryWhole(1, 200, load_default=50)
    cursor = Text(1, 200, pattern="^[0-9A-Za-z_=-]+$", metadata={"description": "opaque, out of a Link header"})
    state = Word(STATES)


class FriendliesQuery(MatchesQuery):
    """Which matches, of which bot."""

    bot = Text(1, 80, pattern=_BOT_ID)


class WaitQuery(ma.Schema):
    """How long to hold the request while there is nothing new."""

    wait = QueryWhole(0, LONGEST_WAIT, load_default=0, metadata={"description": "seconds"})


class TurnsQuery(WaitQuery):
    """How long to wait for prompts, and how many to fetch."""

    most = QueryWhole(
        1,
        MOST_PROMPTS,
        load_default=MOST_PROMPTS,
        metadata={"description": "prompts at most: the clock of those that are not fetched does not run"},
    )


class ViewQuery(WaitQuery):
    """From which version on, how long to wait for it, and of which seat."""

    after = QueryWhole(0, load_default=0, metadata={"description": "answer once the version is above this"})
    seat = Word(
        SEATS,
        metadata={
            "description": "of a bot that sits in several seats: which of them; left out, the one that is asked, else the first"
        },
    )


class EventsQuery(WaitQuery):
    """Which events, and how long to wait for the first."""

    after = QueryWhole(0, load_default=0, metadata={"description": "answer once the version is above this"})
    limit = QueryWhole(1, 1000, load_default=1000)


class StreamQuery(ma.Schema):
    """How long the stream lasts, and after which line it goes on."""

    seconds = QueryWhole(
        0, LONGEST_STREAM, load_default=LONGEST_STREAM, metadata={"description": "after which the stream ends"}
    )
    after = QueryWhole(
        0,
        MAX_INTEGER,
        load_default=0,
        metadata={"description": "the `line` of the last prompt that came whole on the bot's stream before"},
    )


class ActQuery(ma.Schema):
    """Whether to wait for the next prompt; described by WAIT_PARAMETER, as it is read by hand."""

    wait = QueryWhole(0, LONGEST_WAIT)


WAIT_PARAMETER = {
    "in": "query",
    "name": "wait",
    "required": False,
    "description": "seconds to wait for the bot's next prompt in this match, which then comes as `prompt`",
    "schema": {"type": "integer", "minimum": 0, "maximum": LONGEST_WAIT},
}


class ActTaken(Answer):
    """The act was taken, as event number `taken`."""

    match = text()
    taken = whole("number of the act's event")
    version = whole("how many events the match has now")
    over = flag("whether the match is over")
    rulings = tables("rulings that followed at once")
    prompt = one(
        Prompt,
        "only with `wait`: the bot's next prompt in this match; null where none came in time, or the match is over",
        required=False,
        allow_none=True,
    )


class Verdict(Answer):
    """What came of one act of a batch: status and body that a request of its own would have been answered."""

    match = text("the match the act named; null where it named none", allow_none=True)
    status = whole("200 if the act was taken", metadata={"example": 200})
    body = table("that of POST /v1/matches/{match_id}/acts: ActTaken, or a problem where `status` is 400 or more")


class Verdicts(Answer):
    """One verdict for each act, in order, and the prompts where the batch asked for them."""

    verdicts = many(Verdict)
    prompts = many(
        Prompt,
        "only with `wait`: the prompts that wait for the bot, those that have waited longest first",
        required=False,
    )


class Turns(Answer):
    """The prompts that wait for the bot, those that have waited longest first."""

    prompts = many(Prompt)


class ViewAnswer(Answer):
    """The view, and the prompt where the seat is asked."""

    match = text()
    version = whole()
    over = flag()
    seat = text(allow_none=True)
    view = one(View)
    asked = flag()
    prompt = one(Prompt, required=False)


class Event(Answer):
    """One numbered event; `prev` is the SHA-256 of the line before."""

    n = whole("number, from 1")
    prev = text("hash of the line before")
    type = text("match_opened, deal_begun, acted, ruled, scored, ...")


class Events(Answer):
    """Events in order, numbered without gap."""

    match = text()
    events = many(Event)
    version = whole("number of the last event here, or what was asked after")
    over = flag("whether the match is over and nothing comes after these events")


class Log(Answer):
    """The sealed log as one document."""

    match = text()
    events = many(Event)
    seal = table("number of events, head hash and seed")


class Rulings(Answer):
    """The rulings of a match: laws, facts, options, who chose what, points, and the position afterwards.

    One without laws and offender is the choice of the first deal by the highest cut (R-02, `first_dealer`).
    """

    match = text()
    rulings = tables("events of type ruled")
