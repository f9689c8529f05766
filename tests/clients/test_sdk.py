"""The Python SDK's own promises: stopping, giving up, tokens kept on request only, errors that say enough."""

import os
import signal
import stat

import pytest
import sixtysix
from sixtysix.connection import Connection, Request
from sixtysix.running import enter
from sixtysix.stopping import Stop, Stopped

from tests.clients.fake_referee import FakeReferee

REGISTERED = {"bot": {"id": "bot_1", "name": "x"}, "token": "secret-token"}


@pytest.fixture
def referee(request):
    fake = FakeReferee(request.param)
    yield fake
    fake.close()


def ask(status, document, **more):
    return {"method": "GET", "path": "/v1/turns", "status": status, "reply": document, **more}


def test_a_first_signal_waits_for_an_act_on_its_way():
    stop, reached = Stop(), []
    with stop.on_signals(), pytest.raises(Stopped):  # noqa: PT012
        with stop.shielded():
            os.kill(os.getpid(), signal.SIGTERM)
            reached.append("the reply")
        reached.append("more")
    assert reached == ["the reply"]


def test_a_second_signal_does_not_wait():
    stop, reached = Stop(), []
    with stop.on_signals(), pytest.raises(Stopped), stop.shielded():  # noqa: PT012
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGTERM)
        reached.append("the reply")
    assert reached == []


def test_signals_are_given_back_after_a_run():
    before = signal.getsignal(signal.SIGTERM)
    with Stop().on_signals():
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_referee_that_never_answers_is_unreachable_and_named():
    fake = FakeReferee([])
    fake.close()
    connection = Connection(fake.url, patience_s=0.2)
    with pytest.raises(sixtysix.Unreachable, match=str(fake.port)):
        connection.send(Request("GET", "/v1/health"))


@pytest.mark.parametrize("url", ["localhost:8066", "ftp://localhost", "http://"])
def test_an_address_that_is_none_is_refused_and_shown(url):
    with pytest.raises(sixtysix.NotUnderstood, match="right would be"):
        Connection(url).send(Request("GET", "/v1/health"))


@pytest.mark.parametrize("referee", [[ask(200, {}, raw="<html>")]], indirect=True)
def test_a_reply_that_is_not_json_is_not_understood(referee):
    with Connection(referee.url) as connection, pytest.raises(sixtysix.NotUnderstood, match="not JSON"):
        sixtysix.Session(connection).turns()


@pytest.mark.parametrize(
    ("referee", "kind"),
    [
        ([ask(401, {"code": "auth/token_unknown", "title": "No", "detail": "rotated"})], sixtysix.NotAuthorised),
        ([ask(404, {"code": "request/not_found", "title": "No", "detail": "rotated"})], sixtysix.Refused),
    ],
    indirect=["referee"],
)
def test_a_problem_becomes_an_error_with_its_code_and_detail(referee, kind):
    with Connection(referee.url, token="t") as connection, pytest.raises(kind, match="rotated") as caught:
        sixtysix.Session(connection).turns()
    assert caught.value.code in str(caught.value)


@pytest.mark.parametrize(
    "code", ["act/stale_version", "act/too_late", "act/match_over", "act/election_pending", "match/planned"]
)
def test_a_table_that_has_moved_on_makes_an_act_stale(code):
    step = {"method": "POST", "path": "/v1/matches/mat_1/acts", "status": 409, "reply": {"code": code}}
    fake = FakeReferee([step])
    try:
        with Connection(fake.url) as connection, pytest.raises(sixtysix.Stale):
            sixtysix.Session(connection).act("mat_1", {"act": "draw"}, version=3)
    finally:
        fake.close()


@pytest.mark.parametrize(
    "referee", [[{"method": "POST", "path": "/v1/bots", "status": 201, "reply": REGISTERED}]], indirect=True
)
def test_a_token_is_kept_on_request_only_and_for_its_owner_alone(referee, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("REFEREE_TOKEN", raising=False)
    kept = tmp_path / "token"
    with Connection(referee.url) as connection:
        enter(sixtysix.Session(connection), {"name": "x"}, token=None, token_file=kept)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert capsys.readouterr().out == "bot_1 x\n"
    again = sixtysix.Session(Connection(referee.url))
    enter(again, {"name": "x"}, token=None, token_file=kept)
    assert again.connection.token == "secret-token"
    assert len(referee.asked) == 1


def test_an_answer_that_is_no_act_names_what_would_be_right():
    prompt = {"match": "mat_1", "version": 7, "seat": "a", "lawful": [{"act": "draw"}], "own_risk": [], "view": {}}
    fake = FakeReferee([ask(200, {"prompts": [prompt]})])
    try:
        with pytest.raises(sixtysix.SixtySixError, match="draw"):
            sixtysix.run(lambda prompt: "draw", name="x", url=fake.url, token="t")
    finally:
        fake.close()
