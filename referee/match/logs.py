"""Logs: folding events back into a match, sealing, verifying without a server, reading as text.

A finished log is one line an event, each line the canonical JSON of the event with the SHA-256
of the line before as `prev`, and a last line that seals it with the head hash and the seed.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from posixpath import commonprefix
from typing import Any, Final

import orjson

from referee.match import deciding
from referee.match.overruling import OVERRULED, overrule
from referee.match.seeds import commitment
from referee.match.state import Match, Tally, tally_from
from referee.match.steps import Refusal, Step
from referee.match.table import begin_cut_for_deal, begin_deal
from referee.match.terms import Terms, terms_from
from referee.match.transcripts import transcript
from referee.rules.cards import SEATS, pack_cards
from referee.rules.positions import begin, frame_for

__all__ = ["LogError", "Verdict", "catch_up", "finished_log", "replay", "resume", "seal", "transcript", "verify"]

#: Events that come from outside; every other line follows from these and the seed.
INPUTS: Final = ("timed_out", "no_show", "conduct_reached", "withdrawn", OVERRULED)


#: How much of a line is shown before and after the place where it goes wrong, in bytes.
BEFORE: Final = 40
AFTER: Final = 60


class LogError(ValueError):
    """Says which event of a log does not follow from those before it."""

    def __init__(self, event: int, problem: str) -> None:
        super().__init__(f"event {event}: {problem}")
        self.event = event
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a log holds: how many events it has, and what is wrong with which one if not."""

    ok: bool
    events: int
    problem: str = ""


def resume(terms: Terms, seed: bytes, header: Mapping[str, Any], lines: Sequence[bytes]) -> Match:
    """Return the match that a running deal's lines lead to, from the tally it began with.

    Raises `LogError` where a line does not follow from those before it.
    """
    start = tally_from(header)
    m = _blank(terms, seed, start)
    if start.deal:
        begin_deal(m, deal=start.deal, attempt=start.attempt)
    else:
        begin_cut_for_deal(m, attempt=start.attempt)
    m.firm = m.version
    begun = Step(m, m.lines, m.boundary, 0)
    *_, last = _fold(begun, lines, first=start.version + 1)
    return last.match


def _blank(terms: Terms, seed: bytes, start: Tally) -> Match:
    frame = frame_for(terms.ruleset, dealer=start.dealer)
    m = Match(terms, seed, begin(frame, pack_cards(frame.options.pack)), start)
    m.version, m.head, m.dealer = start.version, start.head, start.dealer
    # A further attempt keeps its deal number, so that begin_deal leaves the slips as they are.
    m.deal = start.deal
    m.score, m.carry, m.bank, m.slips = start.score, start.carry, start.bank, start.slips
    m.conduct, m.overruns, m.cases = start.conduct, start.overruns, start.cases
    return m


def catch_up(m: Match, lines: Sequence[bytes]) -> Match:
    """Return the match that further lines of the same running deal lead to.

    Raises `LogError` where a line does not follow from those before it.
    """
    for step in _follow(m, lines, 0, m.version + 1):
        m = step.match
    return m


def _fold(step: Step, lines: Sequence[bytes], *, first: int) -> Iterator[Step]:
    """Yield the steps that the lines record, comparing every line that follows from others."""
    at = _compare(step.lines, lines, 0, first)
    yield step
    yield from _follow(step.match, lines, at, first)


def _follow(m: Match, lines: Sequence[bytes], at: int, first: int) -> Iterator[Step]:
    """Yield the steps that the lines from the place `at` on record; the line at place 0 has the number `first`."""
    while at < len(lines):
        step = _input(m, lines[at], first + at)
        at = _compare(step.lines, lines, at, first)
        m = step.match
        yield step


def _compare(made: Sequence[bytes], lines: Sequence[bytes], at: int, first: int) -> int:
    for line in made:
        if at >= len(lines):
            raise LogError(first + at, "is missing: the log ends too early")
        if lines[at] != line:
            raise LogError(first + at, f"does not follow: {_parting(lines[at], line)}")
        at += 1
    return at


def _parting(found: bytes, right: bytes) -> str:
    """Show where a line and the one that is right first differ, with a little of both around it.

    >>> _parting(b'{"n":7,"seat":"a"}', b'{"n":7,"seat":"b"}')
    'at byte 16 it has {"n":7,"seat":"a"} and should have {"n":7,"seat":"b"}'
    """
    at = len(commonprefix([found, right]))
    return f"at byte {at + 1} it has {_around(found, at)} and should have {_around(right, at)}"


def _around(line: bytes, at: int) -> str:
    start, end = max(0, at - BEFORE), at + AFTER
    text = line[start:end].decode(errors="replace")
    return f"{'...' if start else ''}{text}{'...' if end < len(line) else ''}"


def _input(m: Match, line: bytes, number: int) -> Step:
    try:
        event = orjson.loads(line)
        if event["type"] == OVERRULED:
            return _overruled(m, event)
        kind, seat = event["type"], SEATS.index(event["seat"])
        if kind == "acted" and "ms" in event:
            done = deciding.act(m, seat, event["act"], ms=event["ms"])
        elif kind == "timed_out":
            done = deciding.time_out(m, seat, elapsed_ms=event["elapsed_ms"])
        elif kind == "no_show":
            done = deciding.no_show(m, seat, waited_ms=event["waited_ms"])
        elif kind == "conduct_reached":
            done = deciding.conduct_reached(m, seat, refused=event["refused"])
        elif kind == "withdrawn":
            done = deciding.withdraw(m, seat)
        else:
            raise LogError(number, f"{kind!r} does not follow from the events before it")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, LogError):
            raise
        raise LogError(number, f"is no event ({error})") from None
    if isinstance(done, Refusal):
        raise LogError(number, f"the act is refused: {done.detail}")
    return done


def _overruled(m: Match, event: Mapping[str, Any]) -> Step:
    winner = None if event["winner"] is None else SEATS.index(event["winner"])
    if not (isinstance(event["reason"], str) and isinstance(event["decided_at"], str)):
        raise ValueError("reason and decided_at are texts")
    return overrule(
        m,
        case=event["case"],
        winner=winner,
        score=tuple(event["score"].values()),
        reason=event["reason"],
        decided_at=event["decided_at"],
    )


@dataclass(frozen=True, slots=True)
class Appealed:
    """A ruling as the log has it and as it is derived now (without `prev`), and what else does not follow."""

    recorded: dict[str, Any] | None
    derived: dict[str, Any] | None
    problem: str


def appeal(lines: Sequence[bytes], seed: bytes, *, case: int) -> Appealed:
    """Judge again: follow the inputs of a match's first lines alone, and compare the ruling on a case with the log.

    What the log says follows is not looked at, so a ruling that comes out otherwise today is seen as such.
    """
    derived: dict[str, Any] | None = None
    problem = ""
    try:
        step = _opened(lines, seed)
        at = 0
        while True:
            derived = derived or _ruling_on(step.lines, case)
            try:
                at = _compare(step.lines, lines, at, 1)
            except LogError as error:
                problem = problem or str(error)
                at += len(step.lines)
            if at >= len(lines):
                break
            step = _input(step.match, lines[at], at + 1)
    except LogError as error:
        problem = problem or str(error)
    return Appealed(_ruling_on(lines, case), derived, problem)


def _ruling_on(lines: Sequence[bytes], case: int) -> dict[str, Any] | None:
    """Return the ruling on a case among lines, without the hash of the line before."""
    for line in lines:
        if b'"type":"ruled"' in line:
            event: dict[str, Any] = orjson.loads(line)
            if event.get("case") == case and event.get("type") == "ruled":
                del event["prev"]
                return event
    return None


def seal(m: Match, seed: bytes) -> bytes:
    """Return the last line of a finished log: head hash, number of events and the seed."""
    body = {"events": m.version, "head": m.head, "seed": seed.hex(), "type": "sealed"}
    return orjson.dumps(body, option=orjson.OPT_SORT_KEYS)


def finished_log(m: Match, lines: Sequence[bytes], seed: bytes) -> bytes:
    """Return a finished match's log: its lines and the seal, each ended by a line feed."""
    return b"".join(line + b"\n" for line in (*lines, seal(m, seed)))


def replay(log: bytes) -> Iterator[Step]:
    """Yield the steps of a finished, sealed log, deriving every ruling again from the seed.

    Raises `LogError` at the first event that does not follow.
    """
    lines = log.split(b"\n")
    if len(lines) < 3 or lines[-1] != b"":
        raise LogError(
            len(lines),
            "the log does not end with a sealed line and a line feed; fetch it with Accept: application/x-ndjson",
        )
    *events, sealed, _ = lines
    seed = _seed_of(sealed, len(events) + 1)
    last = _opened(events, seed)
    try:
        for step in _fold(last, events, first=1):
            last = step
            yield step
    except LogError as error:
        raise _blamed(error, [*events, sealed]) from None
    if not last.match.is_over:
        raise LogError(len(events), "the match is not over")
    if seal(last.match, seed) != sealed:
        raise LogError(len(events) + 1, f"the seal is wrong: {_parting(sealed, seal(last.match, seed))}")


def _opened(events: Sequence[bytes], seed: bytes) -> Step:
    """Return the first step of the match whose lines these are; raises `LogError` if the seed is another's."""
    opening = _opening(events[0])
    if commitment(seed) != opening.get("commitment"):
        raise LogError(len(events) + 1, "the seed is not the one that was committed to")
    try:
        return deciding.open_match(terms_from(opening), seed)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise LogError(1, f"states no terms of a match ({error})") from None


def stand_at(lines: Sequence[bytes], *, seed: bytes = b"", until: int = 0) -> Match:
    """Return the match as it stood after event `until` (0: the last), from the first lines of its log.

    The seed is taken from the seal, if that is among the lines.  Raises `LogError` at the first event
    that does not follow.
    """
    events = list(lines)
    if events and b'"sealed"' in events[-1] and b'"prev"' not in events[-1]:
        seed = _seed_of(events.pop(), len(events) + 1)
    if not events:
        raise LogError(1, "is missing: a log begins with `match_opened`")
    if not seed:
        raise LogError(
            len(events) + 1, "is no seal, so it is not known where the cards lay: add it, or give the `seed`"
        )
    if until > len(events):
        raise LogError(until, f"is not there: the log has {len(events)} events")
    for step in _fold(_opened(events, seed), events, first=1):
        if until and step.match.version >= until:
            break
    return step.match


def _blamed(error: LogError, lines: Sequence[bytes]) -> LogError:
    """Lay the blame where the bytes were changed.

    A changed input (a card, a time) still derives its own line; it shows in the next one, which
    no longer holds the hash of the line before it.  If that next line is itself intact, so
    that the one after it holds its hash, the change lies before it.
    """
    at = error.event - 1
    if not 0 < at < len(lines):
        return error
    broken_before = not _holds(lines[at], lines[at - 1])
    intact = at + 1 < len(lines) and _holds(lines[at + 1], lines[at])
    if broken_before and intact:
        return LogError(error.event - 1, "was changed: the next event holds another hash of it")
    return error


def _holds(line: bytes, before: bytes) -> bool:
    """Tell whether a line names the hash of the line before it."""
    return hashlib.sha256(before).hexdigest().encode() in line


def _seed_of(sealed: bytes, number: int) -> bytes:
    try:
        return bytes.fromhex(orjson.loads(sealed)["seed"])
    except (KeyError, TypeError, ValueError) as error:
        raise LogError(number, f"the last line is no seal ({error})") from None


def _opening(line: bytes) -> dict[str, Any]:
    try:
        opening = orjson.loads(line)
    except ValueError as error:
        raise LogError(1, f"is no event ({error})") from None
    if not isinstance(opening, dict):
        raise LogError(1, "is no event")
    return opening


def verify(log: bytes) -> Verdict:
    """Tell whether a finished log holds: every line, ruling, score and the seed.

    Needs no server; the cost is that of playing the match again in process.
    """
    events = log.count(b"\n") - 1
    try:
        for _ in replay(log):
            pass
    except LogError as error:
        return Verdict(False, events, str(error))
    return Verdict(True, events)
