"""A worker that slept through its lease comes too late: another has played on, and nothing of it can be overwritten."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest

from referee import match as play
from referee.service import Service, ServiceProblem, acts, advancing, clocks, matches, table
from referee.settings import Settings
from tests.service.playing_along import Bot, matches_of, tournament
from tests.service.push_server import Answer, PushBot, lawful, serving
from tests.service.test_push import registered
from tests.workers.crew import killed, started, until, working
from tests.workers.test_workers import is_finished, results_are_whole


def test_a_worker_that_was_asleep_when_another_took_over_changes_nothing(service: Service, settings: Settings) -> None:
    held, asleep = threading.Event(), threading.Event()

    def held_once(prompt: dict[str, Any]) -> Answer:
        """Lets the tenth call wait until its worker sleeps, so that the answer comes to one that is late."""
        if len(pushed[0].prompts) == 10 and not held.is_set():
            held.set()
            asleep.wait(120)
        return lawful(prompt)

    pushed = [PushBot(held_once), PushBot(lawful)]
    with serving(*pushed):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        cup = tournament(service, seated, overrides={"target": 3})
        late = started(settings)
        try:
            until(held.is_set, "ten calls")
            [row] = matches_of(service, cup)
            lease = int(service.live.some(row["id"], ["lease"])["lease"])
            os.kill(late.pid, signal.SIGSTOP)
            asleep.set()
            with working(settings):  # it waits until the lease has run out
                until(lambda: is_finished(service, cup), "the end by another worker")
                assert service.clock.now_ms() > lease
                log = matches.get_log(service, row["id"])
                os.kill(late.pid, signal.SIGCONT)
                until(lambda: late_has_seen(service, late.pid), "the late worker goes on")
        finally:
            os.kill(late.pid, signal.SIGCONT)
            killed(late)
        assert matches.get_log(service, row["id"]) == log
    results_are_whole(service, cup, 1)
    assert matches_of(service, cup)[0]["cause"] not in ("time", "no_show", "conduct")


def late_has_seen(service: Service, pid: int) -> bool:
    """Whether the worker is at rest again: it has told RQ so since it woke."""
    from rq import Worker
    from rq.serializers import JSONSerializer

    workers = Worker.all(connection=service.live.client, serializer=JSONSerializer)
    return any(worker.pid == pid and worker.get_state() == "idle" for worker in workers)


@pytest.mark.parametrize("how", ["an answer", "a time-out"])
def test_with_the_token_of_a_lease_that_is_another_s_nothing_is_written(service: Service, how: str) -> None:
    pushed = [PushBot(lawful), PushBot(lawful)]
    with serving(*pushed):
        seated = [registered(service, f"push {n}", push) for n, push in enumerate(pushed)]
        tournament(service, seated)
        [match_id] = advancing.advance(service)
        at = service.clock.now_ms()
        old = service.live.lease(match_id, now=at, until=at)
        assert service.live.lease(match_id, now=at, until=at + 60_000) != old
        there = table.load(service, match_id)
        lines, facts = service.live.lines(match_id), service.live.some(match_id, ["version", "head", "token", "lease"])
        {"an answer": answers, "a time-out": times_out}[how](service, there, seated, old)
        service.memory.forget(match_id)
        assert service.live.lines(match_id) == lines
        assert service.live.some(match_id, ["version", "head", "token", "lease"]) == facts


def answers(service: Service, there: table.Table, seated: list[Bot], token: str) -> None:
    """Brings the answer of the bot that is asked as a late worker does."""
    seat = there.match.asked[0]
    body = {"version": there.match.version, **play.prompt(there.match, seat)["lawful"][0]}
    bot = there.standing.bots[seat]
    request = acts.Request(bot, service.clock.now_ms(), body, "digest", None, token=token, elapsed=5)
    with pytest.raises(ServiceProblem) as caught:
        acts.take(service, there.id, request)
    assert caught.value.code == "match/fenced"


def times_out(service: Service, there: table.Table, seated: list[Bot], token: str) -> None:
    """Rules on the silence of the bot that is asked as a late worker would."""
    rule: Callable[..., bool] = clocks.rule_on_silence
    assert not rule(service, there, there.match.asked[0], reached=True, elapsed_ms=99_999, token=token)
