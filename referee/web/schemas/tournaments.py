"""Tournaments, entries, standings and the crosstable on the wire."""

import marshmallow as ma

from referee.service.entries import MOST
from referee.web.fields import Flag, Listed, Text, Whole, Word
from referee.web.schemas import Answer, flag, many, number, one, table, tables, text, texts
from referee.web.schemas.matches import GivenSalt, Match
from referee.web.schemas.terms import Clock, SeedField, TermsNew

BOT_ID = "^bot_[0-9A-Za-z]{1,64}$"


TEAM_NAME = "its own; that of its bots if left out"
ORDERS = ("wins", "game_points")
DUPLICATE = ("none", "paired", "field")


class TeamNew(ma.Schema):
    """A team to be entered from the start."""

    name = Text(1, 64, metadata={"description": TEAM_NAME})
    bots = Listed(
        Text(1, 80, pattern=BOT_ID),
        least=1,
        most=2,
        required=True,
        metadata={"description": "two bots, the captain first, or one for both partner seats"},
    )


class TournamentNew(TermsNew):
    """A tournament to be created. Its rule-set says how many sit at a table; where partners play, teams enter."""

    name = Text(1, 200, required=True)
    format = Word(("round_robin",), load_default="round_robin")
    cycles = Whole(1, 100, load_default=1, metadata={"description": "how often everybody meets everybody"})
    entrants = Listed(
        Text(1, 80, pattern=BOT_ID),
        most=MOST,
        load_default=list,
        metadata={
            "description": "ids of the bots entered from the start; where partners play each is a team by itself"
        },
    )
    teams = Listed(
        ma.fields.Nested(TeamNew),
        most=MOST,
        load_default=list,
        metadata={"description": "where partners play: the teams entered from the start, after the entrants"},
    )
    standings = Word(
        ORDERS,
        load_default=ORDERS[0],
        metadata={"description": "what comes first in the table: match wins, or game points"},
    )
    duplicate = Word(
        DUPLICATE,
        load_default=DUPLICATE[0],
        metadata={
            "description": "whether packs are played more than once, for comparison: paired, every match twice with the "
            "seats exchanged (each cycle is then played twice); field, all tables of a round on the same packs"
        },
    )
    relabel = Flag(
        load_default=True,
        metadata={"description": "of a duplicate: whether the suits go by other names in each match on the same packs"},
    )
    withdraw_after = Whole(
        0,
        100,
        load_default=0,
        metadata={
            "description": "an entrant that loses so many matches in a row by no-show or time is withdrawn; 0: never"
        },
    )
    open_entry = Flag(load_default=False, metadata={"description": "may bots enter themselves before the start"})
    seed = SeedField(metadata={"description": "secret until the end; drawn by the server if left out"})


class EntryNew(ma.Schema):
    """The bot to enter, and where partners play with whom."""

    bot = Text(1, 80, pattern=BOT_ID, required=True)
    partner = Text(
        1,
        80,
        pattern=BOT_ID,
        metadata={"description": "where partners play: who sits opposite; the bot itself if left out"},
    )
    name = Text(1, 64, metadata={"description": f"of a team: {TEAM_NAME}"})


class NamedBot(Answer):
    """A bot and its name."""

    bot = text()
    name = text()


class Entrant(Answer):
    """A bot in a tournament, or a team, which is known by its captain."""

    bot = text("id; of a team its captain's, which its results go by")
    name = text("of a team its own, or its bots': Ada & Bea")
    members = many(NamedBot, "the bot; of a team the captain and the partner, one twice where it sits in both seats")
    state = text("entered, withdrawn, or offered: the partner has not entered with this bot yet")


class Entry(Entrant):
    """An entry, with its tournament."""

    tournament = text()
    entered_at = text("RFC 3339, UTC")


class Spread(Answer):
    """The least and the most of a count."""

    least = number()
    most = number()


class Balance(Answer):
    """How even a schedule is, counted over the whole of it."""

    entrants = number("bots, or teams")
    seats = number("at a table")
    matches = number()
    rounds = number()
    played = one(Spread, "matches of an entrant")
    meetings = one(Spread, "of two entrants as adversaries")
    partners = one(
        Spread, "of two entrants as partners, where partners change; null where they do not", allow_none=True
    )
    in_seat = one(Spread, "times of a bot in a seat")
    first_deals = one(Spread, "of an entrant")
    byes = one(Spread, "rounds in which an entrant does not play")
    seat_gap = number("the most by which the seats of one bot differ")
    uneven = texts("what is not the same for all: meetings, partners, seats, first deals")
    exact = flag("whether everything is the same for all")
    words = texts("the same in sentences")


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
    balance = one(
        Balance,
        "how even the schedule is, before the start of the entrants there are; null where they are too few, or so many that"
        " it is told at the start; not in lists",
        required=False,
        allow_none=True,
    )
    format = text()
    cycles = number()
    conduct = text("adjudicate or enforce")
    calls = text("referee or players")
    clock = one(Clock)
    standings = text("what comes first in the table: wins or game_points")
    duplicate = text("none, paired or field: whether packs are played more than once, for comparison")
    relabel = flag("of a duplicate: whether the suits go by other names in each match on the same packs")
    withdraw_after = number("an entrant that loses so many matches in a row by no-show or time is withdrawn; 0: never")
    salts = table("by bot: what was given toward the packs; not in lists", required=False)
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


class TournamentSalt(GivenSalt):
    """A salt for all of a bot's matches in a tournament."""

    tournament = text()


class Standing(Answer):
    """One line of the standings."""

    rank = number("shared where nothing separates two bots")
    bot = text("id; of a team its captain's")
    name = text("of the bot or the team")
    played = number()
    wins = number()
    losses = number()
    game_points_for = number()
    game_points_against = number()
    game_point_difference = number()
    wins_among_level = number("wins in the matches among those with as many wins")
    net = number("of a duplicate: what its deals are worth by comparison, which comes before all else", allow_none=True)
    deals_compared = number("of a duplicate: how many comparisons that is the sum of", allow_none=True)
    state = text("entered or withdrawn")
    struck = flag("whether the results of a withdrawn bot are left out")


class Standings(Answer):
    """Standings by match wins, then matches among the tied, game-point difference, game points won."""

    tournament = text()
    state = text()
    standings = many(Standing)


class Cell(Answer):
    """What one bot did against another."""

    wins = number()
    losses = number()
    neither = number("matches of both that a third won")
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
