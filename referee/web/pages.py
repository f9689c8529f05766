"""Plain HTML pages: tournaments, matches to follow or step through, the law book, rule-sets and problems.

They show what anybody may see and nothing more; every name out of a request is escaped by Jinja.
"""

import re
from collections.abc import Callable
from typing import Any, Final

import orjson
from flask import Blueprint, Response, current_app, render_template, request

from referee.laws import book as law_book
from referee.laws import reading
from referee.service import Caller, Service
from referee.service import matches as use_matches
from referee.service import rulesets as use_rulesets
from referee.service import tournaments as use_tournaments
from referee.web.access import service
from referee.web.api import document
from referee.web.book import require_law
from referee.web.codes import CODES
from referee.web.problems import Problem
from referee.web.rulings import ruling_words
from referee.web.steps import follow, step_through
from referee.web.words import (
    card_sign,
    card_words,
    event_words,
    plain,
    score_words,
    side_of,
    side_words,
    suit_words,
)
from referee.web.yaml import write_yaml

LOG_FORMS: Final[dict[str, tuple[str, Callable[[Service, str], bytes | str]]]] = {
    "json": ("application/json", use_matches.get_log_json),
    "ndjson": ("application/x-ndjson", use_matches.get_log),
    "txt": ("text/plain", use_matches.get_transcript),
}

#: So many rulings stand on one page of a match; it leads to the others.
MOST_RULINGS: Final = 50

pages: Final = Blueprint("pages", __name__)
_SAID: Final = (card_sign, card_words, event_words, plain, score_words, side_of, side_words, suit_words)
_WORDS: Final = {each.__name__: each for each in _SAID}
pages.app_context_processor(lambda: _WORDS)


def _cursor() -> str | None:
    return request.args.get("cursor") or None


@pages.get("/")
def home() -> str:
    """Show the latest tournaments and matches."""
    return render_template(
        "home.html",
        tournaments=use_tournaments.list_tournaments(service(), limit=10).items,
        matches=use_matches.list_matches(service(), limit=10).items,
    )


@pages.get("/tournaments")
def tournaments() -> str:
    """Show a page of tournaments."""
    page = use_tournaments.list_tournaments(service(), cursor=_cursor())
    return render_template("tournaments.html", tournaments=page.items, next=page.next)


@pages.get("/tournaments/<id('trn'):tournament_id>")
def tournament(tournament_id: str) -> str:
    """Show a tournament: standings, crosstable, and a page of its matches."""
    page = use_tournaments.list_matches(service(), tournament_id, cursor=_cursor())
    found = use_tournaments.get_tournament(service(), tournament_id)
    return render_template(
        "tournament.html",
        tournament=found,
        teams=_teams(found),
        standings=use_tournaments.standings(service(), tournament_id)["standings"],
        crosstable=use_tournaments.crosstable(service(), tournament_id, matches=False),
        matches=page.items,
        next=page.next,
        kept={"tournament_id": tournament_id},
    )


def _teams(tournament: dict[str, Any]) -> dict[str, str]:
    """Return what the team of each bot is called, by the bot's id; nothing where each plays for itself."""
    entered = [entry for entry in tournament["entrants"] if len(entry["members"]) > 1 and entry["state"] != "offered"]
    return {member["bot"]: entry["name"] for entry in entered for member in entry["members"]}


@pages.get("/matches")
def matches() -> str:
    """Show a page of matches, newest first."""
    page = use_matches.list_matches(service(), cursor=_cursor())
    return render_template("matches.html", matches=page.items, next=page.next)


@pages.get("/matches/<id('mat'):match_id>")
def match(match_id: str) -> str:
    """Show a match: live as it goes, finished step by step (`?at=`), and its rulings."""
    found = use_matches.get_match(service(), match_id)
    names = {seat: who["name"] for seat, who in found["seats"].items()}
    shown: dict[str, Any] = {}
    if found["withheld"]:
        return render_template("match.html", match=found, names=names, rulings=[])
    if found["state"] == "live":
        shown = follow(service(), match_id, caller=Caller())
    elif found["state"] == "done":
        at = request.args.get("at", 1, type=int)
        log = use_matches.get_log(service(), match_id)
        shown = service().readings.shared(("steps", match_id, at), lambda: step_through(log, at=at))
    elif found["state"] == "void":
        lines, _ = use_matches.get_events(service(), match_id)
        shown = {"past": [orjson.loads(line) for line in lines]}
    rulings = [] if found["state"] == "planned" else use_matches.get_rulings(service(), match_id)["rulings"]
    first = min(max(0, request.args.get("ruling", 1, type=int) - 1), max(0, len(rulings) - 1))
    told = [ruling_words(ruling, names) for ruling in rulings[first : first + MOST_RULINGS]]
    more = {"before": max(1, first + 1 - MOST_RULINGS) if first else None}
    more["after"] = first + 1 + MOST_RULINGS if first + MOST_RULINGS < len(rulings) else None
    return render_template("match.html", match=found, names=names, rulings=told, more=more, **shown)


@pages.get("/matches/<id('mat'):match_id>/log.<any(json, ndjson, txt):form>")
def log(match_id: str, form: str) -> Response:
    """Return the log of a match to be saved as a file; the API gives the same by Accept header."""
    mimetype, read = LOG_FORMS[form]
    headers = {"Content-Disposition": f'attachment; filename="{match_id}.{form}"'}
    return Response(read(service(), match_id), mimetype=mimetype, headers=headers)


@pages.get("/matches/<id('mat'):match_id>/table")
def table(match_id: str) -> dict[str, Any]:
    """Return the table of a live match as HTML, and its latest events in words, for the page's script."""
    found = use_matches.get_match(service(), match_id)
    shown = follow(service(), match_id, caller=Caller())
    names = {seat: who["name"] for seat, who in found["seats"].items()}
    return {
        "table": render_template("table.html", seen=shown["seen"], names=names, sides=found["sides"]),
        "events": [{"n": event["n"], "words": event_words(event)} for event in shown["events"]],
        "over": shown["over"],
    }


@pages.get("/laws")
def laws() -> str:
    """Show the law book: its parts, every law in a few lines, and what carries each sentence of the texts."""
    parts = [
        (letter, title, [law for law in law_book.laws() if law_book.part_of(law.id) == letter])
        for letter, (title, _) in law_book.PARTS.items()
    ]
    return render_template("laws.html", book=law_book, parts=parts, reading=reading)


@pages.get("/laws/<name:law_id>")
def law(law_id: str) -> str:
    """Show one law: text, window, remedies, by which acts it comes about, and its worked cases drawn."""
    require_law(law_id)
    return render_template("law.html", book=law_book, law=law_book.find(law_id), reading=reading)


@pages.get("/rulesets")
def rulesets() -> str:
    """Show a page of the rule-sets."""
    page = use_rulesets.list_rulesets(service(), cursor=_cursor())
    return render_template("rulesets.html", rulesets=page.items, next=page.next)


@pages.get("/rulesets/<name:name>")
def ruleset(name: str) -> str:
    """Show one rule-set: what differs from the house rules, and every option."""
    shown = use_rulesets.get_ruleset(service(), name)
    cited = " ".join(option["source"] for option in shown["options"])
    legend = {short: source for short, source in law_book.sources().items() if _cites(cited, short)}
    return render_template("ruleset.html", ruleset=shown, legend=legend)


def _cites(text: str, short: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(short)}(?![\w-])", text) is not None


@pages.get("/problems")
def problems() -> str:
    """Show all problem codes."""
    return render_template("problems.html", codes=CODES.values())


@pages.get("/problems/<path:code>")
def problem(code: str) -> str:
    """Show one problem code: what a problem's `type` points at."""
    known = CODES.get(code)
    if known is None:
        raise Problem("request/not_found", detail="There is no such problem code; /problems lists them all.")
    return render_template(
        "problem.html", title=known.title, code=known.code, status=known.status, detail="", remedy=known.remedy
    )


@pages.get("/openapi.yaml")
def openapi() -> Response:
    """Return the description of the API."""
    return Response(write_yaml(document(current_app)), mimetype="application/yaml")
