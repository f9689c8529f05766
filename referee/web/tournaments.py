"""The resource /v1/tournaments: creation, entries, the states, and what may be read of them."""

from collections.abc import Callable
from typing import Any, Final

from flask import Response

from referee.service import salts as use_salts
from referee.service import tournaments as use_tournaments
from referee.web.access import Access, caller, service
from referee.web.answers import json_response, json_response_of
from referee.web.api import Resource
from referee.web.paging import LINKED, PageQuery, page_response
from referee.web.schemas import matches as match_shapes
from referee.web.schemas import tournaments as shapes

tournaments: Final = Resource("tournaments", "/v1/tournaments", about="Tournaments, their entries and their results.")
ONE: Final = "/<id('trn'):tournament_id>"


@tournaments.on(
    "POST",
    "",
    status=201,
    body=shapes.TournamentNew,
    answer=shapes.Tournament,
    access=Access.ORGANISER,
    once=True,
    refusals=[404],
    example={"name": "Spring cup", "ruleset": "house", "cycles": 2, "entrants": ["bot_01j9", "bot_01ja"]},
)
def create_tournament(body: dict[str, Any]) -> Response:
    """Create a tournament

    It commits to a secret seed and takes entries until it is started.
    """
    made = use_tournaments.create(service(), body, caller=caller())
    return json_response(made, status=201, location=f"/v1/tournaments/{made['id']}")


@tournaments.on("GET", "", query=PageQuery, answer=shapes.TournamentPage, refusals=[400], doc=LINKED)
def list_tournaments(query: dict[str, Any]) -> Response:
    """List tournaments, newest first"""
    return page_response("tournaments", use_tournaments.list_tournaments(service(), **query), query)


@tournaments.on("GET", ONE, answer=shapes.Tournament, refusals=[404])
def get_tournament(tournament_id: str) -> dict[str, Any]:
    """Show one tournament"""
    return use_tournaments.get_tournament(service(), tournament_id)


@tournaments.on(
    "POST",
    f"{ONE}/entries",
    status=201,
    body=shapes.EntryNew,
    answer=shapes.Entry,
    access=Access.TOKEN,
    once=True,
    refusals=[404],
    example={"bot": "bot_01j9"},
)
def enter_bot(body: dict[str, Any], tournament_id: str) -> Response:
    """Enter a bot or a team

    Itself where entry is open, or any bot with the organiser's token; before the start. Where partners play, a bot that
    enters alone sits in both partner seats, and sees both hands. With another's bot for its partner it makes an offer,
    state `offered`, which becomes an entry when that bot enters with this one for its partner; one that nobody takes up
    lapses at the start. The organiser enters both at once.
    """
    entry = use_tournaments.enter(
        service(),
        tournament_id,
        bot_id=body["bot"],
        partner=body.get("partner"),
        name=body.get("name"),
        caller=caller(),
    )
    return json_response(entry, status=201, location=f"/v1/tournaments/{tournament_id}")


@tournaments.on(
    "DELETE",
    f"{ONE}/entries/<id('bot'):bot_id>",
    answer=shapes.Entry,
    access=Access.TOKEN,
    refusals=[404, 409],
)
def withdraw_entry(tournament_id: str, bot_id: str) -> dict[str, Any]:
    """Withdraw a bot and its team

    An offer is withdrawn or declined in the same way. Before the start the entry is gone; later its live matches are
    lost, its planned ones void, finished ones stand.
    """
    return use_tournaments.withdraw_entry(service(), tournament_id, bot_id=bot_id, caller=caller())


@tournaments.on(
    "PUT",
    f"{ONE}/salt",
    body=match_shapes.SaltNew,
    answer=shapes.TournamentSalt,
    access=Access.TOKEN,
    refusals=[404, 409],
    example={"salt": "5a" * 32},
)
def give_tournament_salt(body: dict[str, Any], tournament_id: str) -> dict[str, Any]:
    """Give a salt for a tournament

    With the token of an entered bot, before the start: the commitment to the seed has been published, and the packs of
    the bot's matches come from the seed and the salts, so that nobody alone can have chosen them.
    """
    return use_salts.give_for_tournament(service(), tournament_id, salt=body["salt"], caller=caller())


def _steer(name: str, run: Callable[..., dict[str, Any]], about: str) -> None:
    def steer(tournament_id: str) -> dict[str, Any]:
        return run(service(), tournament_id, caller=caller())

    steer.__name__, steer.__doc__ = f"{name}_tournament", about
    tournaments.on(
        "POST", f"{ONE}/{name}", answer=shapes.Tournament, access=Access.ORGANISER, once=True, refusals=[404, 409]
    )(steer)


_steer(
    "start", use_tournaments.start, "Start a tournament\n\nThe whole schedule is laid down; starting twice is no error."
)
_steer("pause", use_tournaments.pause, "Open no further match\n\nLive matches play on.")
_steer("resume", use_tournaments.resume, "Open matches again")
_steer("cancel", use_tournaments.cancel, "End a tournament for good\n\nUnfinished matches become void, results stay.")


@tournaments.on("GET", f"{ONE}/standings", answer=shapes.Standings, refusals=[404])
def get_standings(tournament_id: str) -> dict[str, Any]:
    """Show the standings"""
    return use_tournaments.standings(service(), tournament_id)


@tournaments.on("GET", f"{ONE}/crosstable", answer=shapes.Crosstable, refusals=[404])
def get_crosstable(tournament_id: str) -> dict[str, Any]:
    """Show everybody against everybody"""
    return use_tournaments.crosstable(service(), tournament_id)


@tournaments.on(
    "GET",
    f"{ONE}/matches",
    query=match_shapes.MatchesQuery,
    answer=match_shapes.MatchPage,
    refusals=[400, 404],
    doc=LINKED,
)
def list_tournament_matches(query: dict[str, Any], tournament_id: str) -> Response:
    """List the matches in schedule order"""
    return page_response("matches", use_tournaments.list_matches(service(), tournament_id, **query), query)


@tournaments.on("GET", f"{ONE}/export", answer=shapes.Export, refusals=[404])
def export_tournament(tournament_id: str) -> Response:
    """Show the whole tournament in one document"""
    return json_response_of(use_tournaments.export(service(), tournament_id))
