"""Events by poll and by stream are the same events, and both are resumed where they were."""

from collections.abc import Sequence
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.service import matches as use_matches
from referee.web import streams
from tests.web.asking import check

LINES = tuple(b'{"n":%d,"prev":"","type":"acted"}' % n for n in range(1, 6))
EVENTS = "/v1/matches/mat_1/events"
STREAM = {"Accept": "text/event-stream"}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match of five events of which the first three are there at once and the rest only after a silent wait."""
    silences = iter((True, False))

    def get_events(
        _service: Any, _match: str, *, after: int = 0, wait: float = 0.0, limit: int = 1000, caller: Any = None
    ) -> tuple[Sequence[bytes], bool]:
        there = LINES[:3] if not wait and after < 3 else LINES
        if wait and next(silences, False):
            return (), False
        return there[after : after + limit], len(there) == len(LINES) and after + limit >= len(LINES)

    monkeypatch.setattr(use_matches, "get_events", get_events)


@pytest.mark.usefixtures("told")
def test_the_poll_answers_what_is_above_after(hollow: FlaskClient) -> None:
    body = hollow.get(f"{EVENTS}?after=1").get_json()
    assert [event["n"] for event in body["events"]] == [2, 3]
    assert (body["match"], body["version"], body["over"]) == ("mat_1", 3, False)
    body = hollow.get(f"{EVENTS}?after=4").get_json()
    assert ([event["n"] for event in body["events"]], body["version"], body["over"]) == ([5], 5, True)


@pytest.mark.usefixtures("told")
def test_the_stream_tells_every_event_once_with_its_number_and_then_the_end(hollow: FlaskClient) -> None:
    answer = hollow.get(EVENTS, headers=STREAM)
    assert answer.mimetype == "text/event-stream"
    frames = answer.get_data().split(b"\n\n")
    assert [frame.split(b"\n")[0] for frame in frames if frame.startswith(b"id:")] == [
        b"id: %d" % n for n in range(1, 6)
    ]
    assert [frame.split(b"data: ")[1] for frame in frames if frame.startswith(b"id:")] == list(LINES)
    assert b": alive" in frames
    assert frames[-2].startswith(b"event: end")


@pytest.mark.usefixtures("told")
def test_a_stream_is_resumed_by_the_last_event_id(hollow: FlaskClient) -> None:
    frames = hollow.get(EVENTS, headers={**STREAM, "Last-Event-ID": "4"}).get_data()
    assert b"id: 5\n" in frames
    assert b"id: 4\n" not in frames


@pytest.mark.usefixtures("told")
def test_a_stream_resumed_after_the_end_is_204_so_that_the_browser_stops(hollow: FlaskClient) -> None:
    assert hollow.get(EVENTS, headers={**STREAM, "Last-Event-ID": "5"}).status_code == 204


@pytest.mark.usefixtures("told")
def test_a_last_event_id_that_is_none_is_refused(hollow: FlaskClient) -> None:
    check(hollow.get(EVENTS, headers={**STREAM, "Last-Event-ID": "x"}), 422, "request/invalid")


@pytest.mark.usefixtures("told")
def test_whoever_names_no_stream_gets_json(hollow: FlaskClient) -> None:
    for accept in ("*/*", "application/json", "application/json, text/event-stream;q=0.5"):
        assert hollow.get(EVENTS, headers={"Accept": accept}).mimetype == "application/json"


def test_a_stream_that_has_lasted_long_ends_without_an_end_and_is_resumed(
    hollow: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is gone without a word holds nothing for ever."""
    monkeypatch.setattr(use_matches, "get_events", lambda *_, after, **__: (LINES[after:3], False))
    monkeypatch.setattr(streams, "LONGEST_S", 0.0)
    first = hollow.get(EVENTS, headers=STREAM).get_data()
    assert first.count(b"id: ") == 3
    assert b"event: end" not in first
    resumed = hollow.get(EVENTS, headers={**STREAM, "Last-Event-ID": "3"})
    assert (resumed.status_code, resumed.get_data()) == (200, b"retry: 2000\n\n")
