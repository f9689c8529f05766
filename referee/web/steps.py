"""A match laid out for its page: a live one as anybody may see it, a finished one step by step."""

import hashlib
import time
from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Final

import orjson

from referee import match as matches
from referee.rules.cards import SEATS
from referee.service import Caller, Service
from referee.service import matches as use_matches
from referee.service.replays import STRETCH
from referee.web.words import event_words

_LATEST: Final = 40
#: So many deals are named before and after the one that is shown.
_DEALS: Final = 25
_KEPT: Final = 64
_shown: Final[dict[tuple[bytes, int], dict[str, Any]]] = {}


def follow(service: Service, match_id: str, *, caller: Caller) -> dict[str, Any]:
    """Return the spectator's view of a live match and its latest events: `seen`, `events`, `over`."""
    found = use_matches.get_view(service, match_id, caller=caller)
    after = max(0, found["version"] - _LATEST)
    lines, over = use_matches.get_events(service, match_id, after=after)
    return {"seen": found["view"], "events": [orjson.loads(line) for line in lines], "over": over}


def step_through(log: bytes, *, at: int) -> dict[str, Any]:
    """Return step `at` (from 1, cut to what there is) of a sealed log, and the list of steps of its deal.

    `seen` is the spectator's view after the step, `hands` all hands by seat: all is open once the match is over. `deals` names
    the deals about it, the first and the last, and of each the step with its first act: the step that begins a deal is still
    the last of the deal before. A log is gone through once for the steps that were looked at last, and others are answered
    meanwhile.
    """
    key = (hashlib.sha256(log).digest(), max(1, at))
    found = _shown.pop(key, None) or _laid_out(log, max(1, at))
    while len(_shown) >= _KEPT:
        _shown.pop(next(iter(_shown)), None)
    _shown[key] = found  # last in, last out
    return found


def _laid_out(log: bytes, at: int) -> dict[str, Any]:
    told: list[tuple[str, bool, dict[str, Any] | None]] = []
    for number, step in enumerate(matches.replay(log), 1):
        events = [orjson.loads(line) for line in step.lines]
        told.append((_summary(events), _ruled(events), next(iter(reversed(_begun(events))), None)))
        if number <= at:
            here, here_events = step.match, events
        if number % STRETCH == 0:
            time.sleep(0)
    at = min(at, len(told))
    deals = [(_deal_words(begun), min(n + 1, len(told))) for n, (_, _, begun) in enumerate(told, 1) if begun]
    deal, first = max((each for each in deals if each[1] <= at), key=itemgetter(1), default=deals[0])
    last = min((number for _, number in deals if number > first), default=len(told) + 1)
    about = deals.index((deal, first))
    first = 1 if (deal, first) == deals[0] else first
    return {
        "at": at,
        "count": len(told),
        "deals": _near(deals, about),
        "deal": deal,
        "step_events": here_events,
        "seen": matches.view(here, None),
        "hands": {SEATS[seat]: matches.view(here, seat)["hand"] for seat in range(len(here.terms.seats))},
        "steps": [(number, *told[number - 1][:2]) for number in range(first, last)],
    }


def _near(deals: list[tuple[str, int]], about: int) -> list[tuple[str, int]]:
    """Return the deals about one of them, and the first and the last."""
    low, high = max(0, about - _DEALS), about + _DEALS + 1
    return [*deals[: min(1, low)], *deals[low:high], *deals[max(high, len(deals) - 1) :]]


def _begun(events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event for event in events if event["type"] == "deal_begun"]


def _deal_words(begun: dict[str, Any]) -> str:
    name = f"deal {begun['deal']}" if begun["deal"] else "cut for deal"
    return f"{name}, attempt {begun['attempt']}" if begun["attempt"] > 1 else name


def _ruled(events: Sequence[dict[str, Any]]) -> bool:
    return any(event["type"] == "ruled" for event in events)


def _summary(events: Sequence[dict[str, Any]]) -> str:
    return event_words(events[0]) if events else "nothing"
