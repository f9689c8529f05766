"""A match laid out for its page: a live one as anybody may see it, a finished one step by step."""

from collections.abc import Sequence
from typing import Any, Final

import orjson

from referee import match as matches
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

    `seen` is the spectator's view after the step, `hands` both hands: all is open once the match is over.
    """
    steps = list(matches.replay(log))
    at = min(max(1, at), len(steps))
    told = [[orjson.loads(line) for line in step.lines] for step in steps]
    begins = [number for number, events in enumerate(told, 1) if _begun(events)]
    first = max((number for number in begins if number <= at), default=1)
    last = min((number for number in begins if number > at), default=len(steps) + 1)
    here = steps[at - 1].match
    return {
        "at": at,
        "count": len(steps),
        "deals": list(enumerate(begins, 1)),
        "step_events": told[at - 1],
        "seen": matches.view(here, None),
        "hands": {"ab"[seat]: matches.view(here, seat)["hand"] for seat in (0, 1)},
        "steps": [(number, _summary(told[number - 1]), _ruled(told[number - 1])) for number in range(first, last)],
    }


def _begun(events: Sequence[dict[str, Any]]) -> bool:
    return any(event["type"] == "deal_begun" for event in events)


def _ruled(events: Sequence[dict[str, Any]]) -> bool:
    return any(event["type"] == "ruled" for event in events)


def _summary(events: Sequence[dict[str, Any]]) -> str:
    return event_words(events[0]) if events else "nothing"
