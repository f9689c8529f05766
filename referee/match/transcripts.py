"""Transcripts: a match's log in readable text, a line for each thing that happened."""

from collections.abc import Callable, Iterable
from typing import Any, Final

import orjson

from referee.laws.words import gain_words
from referee.rules.acts import read_act
from referee.rules.cards import SEATS
from referee.rules.moves import write_move

Event = dict[str, Any]


def transcript(lines: Iterable[bytes]) -> str:
    """Return the readable text of a log's lines, the seal included if it is among them."""
    rows = []
    for line in lines:
        event = orjson.loads(line)
        words = _WORDS.get(event["type"])
        if words is not None:
            number = f"{event['n']:>5}  " if "n" in event else "       "
            rows += [f"{number}{row}" for row in words(event).splitlines()]
    return "\n".join(rows) + "\n"


def _opened(event: Event) -> str:
    seats = " against ".join(f"{each['name']} ({each['seat']})" for each in event["seats"])
    rules = event["ruleset"]
    derived = f" (after {rules['base']})" if "base" in rules else ""
    return f"Match {event['match']}: {seats}, rule-set {rules['name']}{derived}, law book {event['law_book']}"


def _deal(event: Event) -> str:
    score = ":".join(str(value) for value in event["score"].values())
    attempt = f", attempt {event['attempt']}" if event["attempt"] > 1 else ""
    if not event["deal"]:
        return f"Cutting for deal{attempt}"
    return f"Deal {event['deal']}{attempt}: dealer {event['dealer']}, score {score}, carry {event['carry']}"


def _acted(event: Event) -> str:
    move = write_move(SEATS.index(event["seat"]), read_act(event["act"]))
    return f"  {move}{' (attendant)' if 'by' in event else ''}"


def _case(event: Event) -> str:
    options = ", ".join(each["option"] for each in event["options"])
    laws = ", ".join(event["laws"])
    if not laws:
        return f"  ! case {event['case']}: {event['elector']} has cut the highest card and chooses among {options}"
    return (
        f"  ! case {event['case']} on act {event['number']}: {laws} by {event['offender']}; "
        f"{event['elector']} chooses among {options}"
    )


def _ruled(event: Event) -> str:
    award = event["award"]
    paid = f"; {gain_words(award['seat'], award['game_points'], award.get('scores'))}" if award else ""
    facts = ", ".join(f"{name} {value}" for name, value in event["facts"].items())
    if not event["laws"]:
        return f"  ! {event['option'].removeprefix('deal:')} deals first, chosen by {event['chosen_by']}"
    return (
        f"  ! ruling on act {event['number']}: {', '.join(event['laws'])} by {event['offender']} "
        f"({facts}): {event['option']}, chosen by {event['chosen_by']}{paid}"
    )


def _scored(event: Event) -> str:
    counts = ":".join(str(value) for value in event["counts"].values())
    score = ":".join(str(value) for value in event["score"].values())
    carried = f" and {event['carried']} carried" if event["carried"] else ""
    scored = gain_words(event["winner"], event["game_points"], event.get("scores"))
    who = f"{scored}{carried}" if event["winner"] else "drawn" if scored == "nobody" else f"drawn, {scored}"
    return f"  = {event['cause']}: {who}, card points {counts}; score {score}"


def _seat_event(words: str) -> Callable[[Event], str]:
    return lambda event: f"  * seat {event['seat']} {words}"


def _ended(event: Event) -> str:
    score = ":".join(str(value) for value in event["score"].values())
    if event["winner"] is None and "lost_by" in event:
        return f"Match ended: {event['lost_by']} has lost, the others are level {score} ({event['cause']})"
    return f"Match ended: {event['winner'] or 'nobody'} wins {score} ({event['cause']})"


def _overruled(event: Event) -> str:
    score = ":".join(str(value) for value in event["score"].values())
    result = f"{event['winner']} wins {score}" if event["winner"] else f"nobody wins ({score})"
    return f"Overruled by the organiser on case {event['case']}: {result}. {event['reason']}"


def _sealed(event: Event) -> str:
    return f"Sealed: {event['events']} events, head {event['head']}, seed {event['seed']}"


_WORDS: Final[dict[str, Callable[[Event], str]]] = {
    "match_opened": _opened,
    "deal_begun": _deal,
    "acted": _acted,
    "case_opened": _case,
    "ruled": _ruled,
    "scored": _scored,
    "timed_out": _seat_event("ran out of time"),
    "no_show": _seat_event("never appeared"),
    "conduct_reached": _seat_event("reached the conduct limit"),
    "withdrawn": _seat_event("was withdrawn"),
    "match_ended": _ended,
    "overruled": _overruled,
    "sealed": _sealed,
}
