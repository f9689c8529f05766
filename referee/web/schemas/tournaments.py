"""Tournaments, entries, standings and the crosstable on the wire."""

import marshmallow as ma

from referee.web.fields import Flag, Text, Whole, Word
from referee.web.schemas import Answer, flag, many, number, one, table, tables, text, texts
from referee.web.schemas.matches import Match
from referee.web.schemas.terms import Clock, SeedField, TermsNew

BOT_ID = "^bot_[0-9A-Za-z]{1,64}$"


class TournamentNew(TermsNew):
    """A tournament to be created."""

    name = Text(1, 200, required=True)
    format = Word(("round_robin",), load_default="round_robin")
    cycles = Whole(1, 100, load_default=1, metadata={"description": "how often everybody meets everybody"})
    entrants = ma.fields.List(
        Text(1, 80, pattern=BOT_ID),
        validate=ma.validate.Length(max=1000),
        load_default=list,
        metadata={"description": "ids of the bots entered from the start"},
    )
    open_entry = Flag(load_default=False, metadata={"description": "may bots enter themselves before the start"})
    seed = SeedField(metadata={"description": "secret until the end; drawn by the server if left out"})


class EntryNew(ma.Schema):
    """The bot to enter."""

    bot = Text(1, 80, pattern=BOT_ID, required=True)


class Entrant(Answer):
    """A bot in a tournament."""

    bot = text()
    name = text()
    state = text("entered or withdrawn")


class Entry(Entrant):
    """An entry, with its tournament."""

    tournament = text()
    entered_at = text("RFC 3339, UTC")


class Tournament(Answer):
    """A tournament."""

    id = text(metadata={"example": "trn_01j9"})
    name = text()
    state = text("created, running, paused, finished or cancelled")
    ruleset = text()
    overrides = table()
    ruleset_digest = text("SHA-256 of the rule-set's values")
    differences = tables("the house rules: option, value, what the named rule-set has, meaning")
    options = table("the resolved rule-set, every option with its value; not in lists", required=False)
    format = text()
    cycles = number()
    conduct = text("adjudicate or enforce")
    calls = text("referee or players")
    clock = one(Clock)
    open_entry = flag()
    entrants = many(Entrant)
    played = number("matches that are over")
    live = number("matches being played")
    planned = number("matches that are to be played in all")
    void = number("matches that do not count")
    commitment = text("SHA-256 of the seed")
    seed = text("the seed, once the tournament is over", allow_none=True)
    created_at = text("RFC 3339, UTC")
    started_at = text(allow_none=True)
    ended_at = text(allow_none=True)


class TournamentPage(Answer):
    """A page of tournaments, newest first."""

    tournaments = many(Tournament)
    next = text("cursor of the next page", allow_none=True)


class Standing(Answer):
    """One line of the standings."""

    rank = number("shared where nothing separates two bots")
    bot = text()
    name = text()
    played = number()
    wins = number()
    losses = number()
    game_points_for = number()
    game_points_against = number()
    game_point_difference = number()
    wins_among_level = number("wins in the matches among those with as many wins")
    state = text("entered or withdrawn")
    struck = flag("whether the results of a withdrawn bot are left out")


class Standings(Answer):
    """Standings by match wins, then matches among the tied, game-point difference, game points won."""

    tournament = text()
    state = text()
    standings = many(Standing)


class NamedBot(Answer):
    """A bot and its name."""

    bot = text()
    name = text()


class Cell(Answer):
    """What one bot did against another."""

    wins = number()
    losses = number()
    game_points_for = number()
    game_points_against = number()
    matches = texts("ids of the matches")


class CrosstableRow(Answer):
    """One bot against each other, in the order of `bots`; null against itself."""

    bot = text()
    cells = ma.fields.List(ma.fields.Nested(Cell, allow_none=True), required=True)


class Crosstable(Answer):
    """Everybody against everybody, in the order of the standings."""

    tournament = text()
    bots = many(NamedBot)
    rows = many(CrosstableRow)


class Export(Answer):
    """The whole tournament in one document."""

    tournament = one(Tournament)
    standings = many(Standing)
    matches = many(Match)
