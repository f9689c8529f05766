"""What a check of a bot finds: notes taken while it plays, and the report made of them at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import orjson
from sqlalchemy import Connection

from referee.rules.cards import SEATS
from referee.service import table
from referee.service.base import Service
from referee.service.clock import wall_time
from referee.service.problems import ServiceProblem
from referee.store import check_rows

EMPTY: dict[str, Any] = {
    "prompts": 0, "acts": 0, "refused": [], "late": [], "unread": 0, "unanswered": [], "irregular": [], "advice": [],
}  # fmt: skip
BAD_CAUSES = ("time", "conduct", "no_show", "no-show", "withdrawn")
MOST_NOTES = 200
MOST_REASONS = 5


def is_watched(now: table.Table) -> bool:
    """Tells whether a match is the check of a bot: the house sits there."""
    return table.HOUSE in now.standing.transports


def note_refused(
    service: Service, now: table.Table, seat: int, *, body: Mapping[str, Any], problem: ServiceProblem
) -> None:
    """Notes a refused act of a bot under check."""
    if is_watched(now):
        seen = {"seat": SEATS[seat], "body": dict(body), "problem": problem.body()}
        service.live.note(now.id, orjson.dumps({"refused": seen}, default=str), most=MOST_NOTES)


def note_silence(service: Service, now: table.Table, seat: int, *, fetched: bool, elapsed_ms: int) -> None:
    """Notes that the time of a bot under check was over: it answered too late, or never fetched its prompt."""
    if is_watched(now):
        seen = {"version": now.match.version, "elapsed_ms": elapsed_ms, "fetched": fetched}
        service.live.note(now.id, orjson.dumps({"silence": seen}), most=MOST_NOTES)


def note_pushed(service: Service, now: table.Table) -> None:
    """Notes that the prompt of this version has got through to the server of a push bot under check."""
    if is_watched(now):
        service.live.note(now.id, orjson.dumps({"pushed": now.match.version}), most=MOST_NOTES)


def note_unanswered(service: Service, now: table.Table, *, reason: str) -> None:
    """Notes why a post to a push bot under check got no answer."""
    if is_watched(now):
        service.live.note(now.id, orjson.dumps({"unanswered": reason}), most=MOST_NOTES)


def final(service: Service, now: table.Table, lines: tuple[bytes, ...]) -> dict[str, Any]:
    """Is the report of a check whose match has ended."""
    seat = next(each for each, transport in enumerate(now.standing.transports) if transport != table.HOUSE)
    report = so_far(service, now.id, seat=seat, lines=lines)
    outcome = now.match.outcome
    cause = outcome.cause if outcome is not None else None
    is_pushed = now.standing.transports[seat] == table.PUSH
    faults = [*report["refused"], *report["late"], *report["irregular"]]
    passed = not faults and not report["unread"] and cause not in BAD_CAUSES
    return {**report, "cause": cause, "passed": passed, "advice": _advice(report, cause, is_pushed=is_pushed)}


def so_far(service: Service, match_id: str, *, seat: int, lines: tuple[bytes, ...]) -> dict[str, Any]:
    """Is what the notes and the log say of a bot under check until now."""
    notes = [orjson.loads(note) for note in service.live.notes(match_id)]
    events = [orjson.loads(line) for line in lines]
    letter = SEATS[seat]
    silences = [note["silence"] for note in notes if "silence" in note]
    prompts = service.live.some(match_id, [f"prompts:{letter}"]).get(f"prompts:{letter}", b"0")
    own = [e for e in events if e["type"] == "acted" and e["seat"] == letter and e.get("by") != "attendant"]
    return {
        "prompts": int(prompts) + len({note["pushed"] for note in notes if "pushed" in note}),
        "acts": len(own),
        "refused": [note["refused"] for note in notes if "refused" in note],
        "late": [{"version": s["version"], "elapsed_ms": s["elapsed_ms"]} for s in silences if s["fetched"]],
        "unanswered": list(dict.fromkeys(note["unanswered"] for note in notes if "unanswered" in note)),
        "unread": sum(not silence["fetched"] for silence in silences),
        "irregular": [e for e in events if e["type"] == "ruled" and e.get("offender") == letter],
        "advice": [],
    }


def close(connection: Connection, match_id: str, *, report: Mapping[str, Any]) -> None:
    """Puts the report of a check on record, once."""
    check = check_rows.by_match(connection, match_id)
    if check is not None:
        ours = {"number": check["number"], "origin": ("queued",), "to": "done"}
        check_rows.move(connection, check["bot"], **ours, report=dict(report), ended_at=wall_time())


def _advice(report: Mapping[str, Any], cause: str | None, *, is_pushed: bool) -> list[str]:
    codes = Counter(note["problem"]["code"] for note in report["refused"])
    advice = [
        f"{count} {'act was' if count == 1 else 'acts were'} refused with {code}; "
        f"{'answer 200 with' if is_pushed else 'post'} an element of the prompt's `lawful`, unchanged but for `version`."
        for code, count in sorted(codes.items())
    ]
    if report["late"]:
        were = _prompts_were(len(report["late"]))
        advice.append(f"{were} answered too late or never; `clock.left_ms` says how long there is.")
    if report["unread"] and is_pushed:
        were = _prompts_were(report["unread"])
        advice.append(f"{were} never got through to the bot's `url`; PATCH /v1/bots/ID changes it.")
    elif report["unread"]:
        advice.append(
            f"{_prompts_were(report['unread'])} never fetched; keep one request to /v1/turns?wait=25 waiting."
        )
    advice += [f"A post of a prompt got no answer: {reason}." for reason in report["unanswered"][:MOST_REASONS]]
    laws = sorted({law for ruling in report["irregular"] for law in ruling.get("laws", [])})
    if laws:
        advice.append(f"The referee ruled on the bot's play under {', '.join(laws)}; /v1/laws/ID has the text.")
    if not advice:
        advice.append(f"Nothing to mend: the match ended by {cause}.")
    return advice


def _prompts_were(count: int) -> str:
    return "1 prompt was" if count == 1 else f"{count} prompts were"
