"""The causes: why a deal or a match ended, one out of a closed list (DESIGN section 6), and what each rests on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

#: What the referee, and not a seat, is to blame for: played again, and counted for nobody.
VOID: Final = "void"


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause: whether a deal or a match can end by it, and in words."""

    deal: bool
    match: bool
    meaning: str


CAUSES: Final = {
    "declared": Cause(True, True, "66 was announced, and was there"),
    "false_declaration": Cause(True, True, "66 was announced, and was not there or was out of time"),
    "played_out": Cause(True, True, "all cards were played, and card points or the last trick decided"),
    "closer_failed": Cause(True, True, "who closed the stock did not reach 66"),
    "set": Cause(True, True, "the bidders did not take what they bid"),
    "passed_out": Cause(True, True, "nobody bid"),
    "ten_of_trumps": Cause(True, True, "the ten of trumps was taken by a side that needed one game point"),
    "remedy": Cause(True, True, "a law ended the deal: `law` of the event `scored` says which"),
    "conceded": Cause(True, True, "the deal was given up; of a match, also that it was, or that a bot was withdrawn"),
    "time": Cause(True, True, "a clock ran out: the first time it costs the deal, the second time the match (IR-92)"),
    "conduct": Cause(False, True, "too many refused acts and offences against conduct (IR-85)"),
    "no_show": Cause(False, True, "a bot never fetched its first prompt within the absence limit"),
    "deal_limit": Cause(False, True, "nobody had won after the most deals the rule-set allows"),
    "overruled": Cause(False, True, "the organiser decided otherwise after the end, with a reason in the log"),
    VOID: Cause(False, True, "our fault: no result, never rated, and played again where the tournament goes on"),
}

#: What an event that came from outside says of itself, as far as it is evidence.
_SAID: Final = ("elapsed_ms", "left_ms", "waited_ms", "refused", "reason", "decided_at", "case", "act")
_FROM_OUTSIDE: Final = ("timed_out", "no_show", "conduct_reached", "withdrawn", "overruled")


def evidence(lines: Sequence[bytes]) -> dict[str, Any]:
    """Return what the end of a match rests on, from its lines: the last that came from outside, and what followed.

    `event` is the number of that event, `type` and `seat` its own, with what it says of times and counts; `laws` those
    of the rulings on it, `deal` and `attempt` where the match stood, `attempts` how many packs were dealt in all.
    """
    events = [orjson.loads(line) for line in lines]
    inputs = [
        event for event in events if event["type"] in _FROM_OUTSIDE or (event["type"] == "acted" and "ms" in event)
    ]
    begun = [event for event in events if event["type"] == "deal_begun"]
    if not inputs:
        return {}
    last = inputs[-1]
    rulings = [event for event in events if event["type"] == "ruled" and event["n"] > last["n"]]
    return {
        "event": last["n"],
        "type": last["type"],
        "seat": last.get("seat"),
        **{name: last[name] for name in _SAID if name in last},
        "laws": sorted({law for ruling in rulings for law in ruling["laws"]}),
        "deal": begun[-1]["deal"],
        "attempt": begun[-1]["attempt"],
        "attempts": len(begun),
    }
