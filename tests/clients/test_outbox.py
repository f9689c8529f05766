"""What the Python SDK does with many matches at once: a slow decision holds up nobody, and nothing decided is lost."""

import http.client
import threading
import time
from contextlib import contextmanager

import pytest
import sixtysix
from sixtysix import outbox, running
from sixtysix.connection import Connection
from sixtysix.pacing import Pace
from sixtysix.session import Decision, Session
from sixtysix.stopping import Stopped

from tests.clients.fake_referee import FakeReferee, steps

LIMIT_S = 120
TOLD = {"type": "/problems/x", "title": "No", "detail": "because"}


def prompt(number, *, version=7):
    shown = steps("two_matches")[0]["reply"]["prompts"][0]
    return {**shown, "match": f"mat_{number}", "version": version}


def turns(*prompts):
    return {"method": "GET", "path": "/v1/turns", "reply": {"prompts": list(prompts)}}


def taken(number, version=9):
    body = {"match": f"mat_{number}", "taken": version - 1, "version": version, "over": False, "rulings": []}
    return {"match": f"mat_{number}", "status": 200, "body": body}


def refused(number, status, code):
    return {"match": f"mat_{number}", "status": status, "body": {**TOLD, "status": status, "code": code}}


def posted(*verdicts, prompts=(), **more):
    return {"method": "POST", "path": "/v1/acts", "reply": {"verdicts": verdicts, "prompts": list(prompts)}, **more}


def first(prompt):
    return prompt["lawful"][0]


def until(holds, fake):
    end = time.monotonic() + LIMIT_S
    while not holds():
        assert time.monotonic() < end, f"not in {LIMIT_S} s; asked so far: {fake.asked}; {fake.faults}"
        time.sleep(0.005)


@contextmanager
def playing(conversation, choose=first, after=None):
    """A bot in a thread of its own against a conversation; ends it, and raises what it raised."""
    fake, raised = FakeReferee(conversation), []
    connection = Connection(fake.url, "secret-token")

    def play():
        try:
            running.play(choose, Session(connection), after=after)
        except Stopped:
            pass
        except Exception as failure:
            raised.append(failure)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        yield fake, connection.stop, raised
    finally:
        connection.stop.asked = True
        fake.close()
        thread.join(LIMIT_S)
        assert not thread.is_alive()
        connection.close()
    assert fake.faults == []


def acts(asked):
    return [(act["match"], act["version"]) for act in asked["body"]["acts"]]


def test_a_decision_that_takes_long_holds_up_no_other_match():
    reached = []

    def choose(asked):
        if asked["match"] == "mat_3":  # thinks until the referee has the acts of the others
            until(lambda: sum(len(each["body"]["acts"]) for each in fake.asked[1:]) == 2, fake)
            reached.append([acts(each) for each in fake.asked[1:]])
        return first(asked)

    # The first two may go together or, on a slow machine, one by one.
    together = [turns(prompt(1), prompt(2), prompt(3)), posted(taken(1), taken(2)), posted(taken(3))]
    with patient_courier(), playing(together, choose) as (fake, _, raised):
        assert fake.over.wait(LIMIT_S), (fake.asked, fake.faults, raised)
    assert reached == [[[("mat_1", 7), ("mat_2", 7)]]]
    asked = [each["body"] for each in fake.asked[1:]]
    assert (
        "wait" not in asked[0]
    )  # whoever still thinks about another match wants no more prompts, whose clocks would run
    assert asked[1]["wait"] == outbox.WAIT_WITH_ACTS_S


@contextmanager
def patient_courier():
    """The courier waits for two decisions, so that a conversation is always the same."""
    usual = outbox.Outbox._lie_too_long

    def two(box):
        due = usual(box)
        while due and len(box._unsent) < 2 and not box._ended:
            time.sleep(0.001)
        return due

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outbox.Outbox, "_lie_too_long", two)
        yield


def test_each_verdict_is_for_its_act_alone():
    seen = []
    mixed = [
        taken(1),
        refused(2, 409, "act/stale_version"),
        refused(3, 409, "act/irregular"),
        refused(4, 404, "match/unknown"),
    ]
    conversation = [turns(*map(prompt, (1, 2, 3, 4))), posted(*mixed, prompts=[prompt(3)]), posted(taken(3))]
    with (
        together(),
        playing(conversation, after=lambda _session, asked, _act, came: seen.append((asked, came))) as (
            fake,
            _,
            raised,
        ),
    ):
        assert fake.over.wait(LIMIT_S), (fake.asked, fake.faults, raised)
    assert raised == []
    assert [(asked["match"], getattr(came, "code", None)) for asked, came in seen] == [
        ("mat_1", None),
        ("mat_3", "act/irregular"),
        ("mat_3", None),
    ]
    keys = [[act["key"] for act in each["body"]["acts"]] for each in fake.asked[1:]]
    assert len({*keys[0], *keys[1]}) == 5  # chosen anew, so under another key


@contextmanager
def together():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outbox, "HOLD_S", LIMIT_S)
        yield


def test_a_bot_that_is_not_seated_ends():
    with playing([turns(prompt(1)), posted(refused(1, 403, "match/not_seated"))]) as (fake, _, raised):
        until(lambda: raised, fake)
    assert isinstance(raised[0], sixtysix.NotAuthorised)


def test_who_is_stopped_while_acts_are_on_their_way_gets_their_verdicts():
    verdicts = []

    def stopped(connection, _usual=Connection.send):
        def send(self, request):
            if b'"wait"' in (request.body or b""):
                connection.stop.asked = True
                raise Stopped
            return _usual(self, request)

        return send

    fake = FakeReferee([turns(prompt(1)), posted(taken(1))])
    connection = Connection(fake.url, "secret-token")
    box_settled = outbox.Outbox.empty

    def empty(box):
        try:
            box_settled(box)
        finally:
            verdicts.extend(box.settled())

    try:
        with pytest.MonkeyPatch.context() as patch, pytest.raises(Stopped):  # noqa: PT012
            patch.setattr(Connection, "send", stopped(connection))
            patch.setattr(outbox.Outbox, "empty", empty)
            running.play(first, Session(connection))
    finally:
        connection.close()
        fake.close()
    [(decision, verdict)] = verdicts
    assert verdict["status"] == 200
    assert fake.asked[1]["body"]["acts"][0]["key"] == decision.key
    assert fake.faults == []


def test_an_interrupted_reply_is_not_taken_for_the_next_one(monkeypatch):
    fake = FakeReferee([turns(prompt(1)), turns(prompt(2))])
    connection = Connection(fake.url, "secret-token")
    try:
        with monkeypatch.context() as patch, pytest.raises(Stopped):  # noqa: PT012
            patch.setattr(http.client.HTTPConnection, "getresponse", interrupted)
            Session(connection).turns()
        until(lambda: fake.asked, fake)  # else the second request might be answered first
        assert [asked["match"] for asked in Session(connection).turns()] == ["mat_2"]
    finally:
        connection.close()
        fake.close()


def interrupted(_connection):
    raise Stopped


def test_verdicts_that_are_not_as_many_as_acts_are_not_understood():
    fake = FakeReferee([posted(taken(1), taken(2))])
    try:
        with Connection(fake.url) as connection, pytest.raises(sixtysix.NotUnderstood, match="2 verdicts on 1 acts"):
            Session(connection).acts([Decision(prompt(1), first(prompt(1)))])
    finally:
        fake.close()


def test_no_more_prompts_are_fetched_than_can_be_answered_in_time():
    pace = Pace()
    assert pace.most == 1  # until it is known how long a decision takes
    pace.fetched([{**prompt(1), "clock": {"act_ms": 100}}, prompt(2)])
    pace.took(0.01)
    assert pace.most == 2
    for _ in range(100):
        pace.took(0.000001)
    assert pace.most == 200
    for _ in range(100):
        pace.took(3)
    assert pace.most == 1
    pace.fetched([])
    assert pace.allowed == 0.1


def test_tables_that_were_left_are_forgotten_in_time(monkeypatch):
    monkeypatch.setattr(running, "MOST_REMEMBERED", 3)
    play = running._Play(outbox.Outbox(Session(Connection("http://localhost"))), first, None)
    for number in (1, 2, 3, 1, 4):
        running._decided(play, prompt(number, version=number + len(play.last)))
    assert [match for match, _ in play.last] == ["mat_3", "mat_1", "mat_4"]
