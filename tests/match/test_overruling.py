"""Appeals derive a ruling again; overruling adds an event that the seal covers, and edits nothing."""

import orjson
import pytest

from referee import match
from tests.match.playing import ALL_CHORES, play

DECIDED = "2026-12-01T10:00:00.000Z"


@pytest.fixture(scope="module")
def played():
    return play(11, irregular=0.3, chores=(ALL_CHORES, ALL_CHORES), overrides={"target": 3})


def rulings(played):
    return [event for event in map(orjson.loads, played.lines) if event["type"] == "ruled"]


def overruled(played, *, score=(2, 7), **more):
    return match.overrule(played.match, case=1, winner=1, score=score, reason="Bias.", decided_at=DECIDED, **more)


def test_an_overruled_match_keeps_every_line_and_verifies(played):
    step = overruled(played)
    log = match.finished_log(step.match, [*played.lines, *step.lines], played.seed)
    assert log.split(b"\n")[: len(played.lines)] == played.lines
    assert match.verify(log) == match.Verdict(True, played.match.version + 1)
    *_, last = match.replay(log)
    assert last.match.outcome == match.Outcome(1, "overruled", (2, 7))
    event = orjson.loads(step.lines[0])
    assert (event["winner"], event["score"], event["reason"], event["case"]) == ("b", {"a": 2, "b": 7}, "Bias.", 1)
    assert "Overruled by the organiser on case 1: b wins 2:7. Bias." in match.transcript(log.splitlines())


def test_it_may_be_overruled_again_and_the_last_word_holds(played):
    first = overruled(played)
    again = match.overrule(first.match, case=1, winner=None, score=(0, 0), reason="Both.", decided_at=DECIDED)
    log = match.finished_log(again.match, [*played.lines, *first.lines, *again.lines], played.seed)
    assert match.verify(log).ok
    assert again.match.outcome == match.Outcome(None, "overruled", (0, 0))


def test_a_changed_decision_is_found(played):
    step = overruled(played)
    log = match.finished_log(step.match, [*played.lines, *step.lines], played.seed)
    for old, new in ((b'"winner":"b","', b'"winner":"a","'), (b"Bias.", b"Bribe"), (b'"b":7', b'"b":8')):
        head, _, tail = log.rpartition(old)
        assert not match.verify(head + new + tail).ok
    bare = match.finished_log(step.match, [*played.lines[:-1], *step.lines], played.seed)
    assert not match.verify(bare).ok


@pytest.mark.parametrize(
    "wrong",
    [
        {"winner": 2},
        {"score": (1,)},
        {"score": (1, -1)},
        {"score": (1, True)},
        {"reason": ""},
        {"case": 0},
        {"case": 10**6},
    ],
)
def test_what_cannot_be_is_refused(played, wrong):
    right = {"case": 1, "winner": 0, "score": (1, 0), "reason": "x", "decided_at": DECIDED}
    with pytest.raises(ValueError, match=r"\w"):
        match.overrule(played.match, **{**right, **wrong})
    begun = match.open_match(played.terms, played.seed).match
    with pytest.raises(ValueError, match="not over"):
        match.overrule(begun, **right)


def test_every_ruling_is_derived_again_the_same(played):
    found = rulings(played)
    assert found
    for event in found:
        appealed = match.appeal(played.lines, played.seed, case=event["case"])
        assert appealed.derived == appealed.recorded == {name: value for name, value in event.items() if name != "prev"}
        assert appealed.problem == ""
    assert match.appeal(played.lines, played.seed, case=10**6).recorded is None


def test_a_ruling_that_was_tampered_with_comes_out_otherwise(played):
    [event, *_] = rulings(played)
    lines = [line.replace(b'"kind":"', b'"kind":"X') if b'"type":"ruled"' in line else line for line in played.lines]
    appealed = match.appeal(lines, played.seed, case=event["case"])
    assert appealed.recorded["kind"] == "X" + appealed.derived["kind"]
    assert appealed.problem.startswith(f"event {event['n']}: does not follow")
