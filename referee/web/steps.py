"""A match laid out for its page: a live one as anybody may see it, a finished one step by step."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Final

import orjson

from referee import match as matches
from referee.rules.cards import SEATS
from referee.service import Caller, Service
from referee.service import matches as use_matches
from referee.web.words import event_words

_LATEST: Final = 40


def follow(service: Service, match_id: str, *, caller: Caller) -> dict[str, Any]:
    """Return the spectator's view of a live match and its latest events: `seen`, `events`, `over`."""
    found = use_matches.get_view(service, match_id, caller=caller)
    after = max(0, found["version"] - _LATEST)
    lines, over = use_matches.get_events(service, match_id, after=after)
    return {"seen": found["view"], "events": [orjson.loads(line) for line in lines], "over": over}


def step_through(log: bytes, *, at: int) -> dict[str, Any]:
    """Return step `at` (from 1, cut to what there is) of a sealed log, and the list of steps of its deal.

    `seen` is the spectator's view after the step, `hands` all hands by seat: all is open once the match is over. `deals` names
    each deal and the step with its first act: the step that begins a deal is still the last of the deal before.
    """
    steps = list(matches.replay(log))
    at = min(max(1, at), len(steps))
    told = [[orjson.loads(line) for line in step.lines] for step in steps]
    deals = [
        (_deal_words(begun[-1]), min(n + 1, len(steps))) for n, each in enumerate(told, 1) if (begun := _begun(each))
    ]
    deal, first = max((each for each in deals if each[1] <= at), key=itemgetter(1), default=deals[0])
    last = min((number for _, number in deals if number > first), default=len(steps) + 1)
    first = 1 if (deal, first) == deals[0] else first
    here = steps[at - 1].match
    return {
        "at": at,
        "count": len(steps),
        "deals": deals,
        "deal": deal,
        "step_events": told[at - 1],
        "seen": matches.view(here, None),
        "hands": {SEATS[seat]: matches.view(here, seat)["hand"] for seat in range(len(here.terms.seats))},
        "steps": [(number, _summary(told[number - 1]), _ruled(told[number - 1])) for number in range(first, last)],
    }


def _begun(events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event for event in events if event["type"] == "deal_begun"]


def _deal_words(begun: dict[str, Any]) -> str:
    name = f"deal {begun['deal']}" if begun["deal"] else "cut for deal"
    return f"{name}, attempt {begun['attempt']}" if begun["attempt"] > 1 else name


def _ruled(events: Sequence[dict[str, Any]]) -> bool:
    return any(event["type"] == "ruled" for event in events)


def _summary(events: Sequence[dict[str, Any]]) -> str:
    return event_words(events[0]) if events else "nothing"
