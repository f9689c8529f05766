"""Trips to Redis: many commands in one, one caller a connection, made anew after a break, never for ever."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from referee.store import connecting
from referee.store.trips import Trips
from tests.conftest import ValkeyServer


def test_what_is_sent_comes_back(redis_url: str) -> None:
    trips = Trips(connecting.pooled(redis_url))
    assert trips.call("HSET", "m:1", "head", b"\x00\r\n\xff", "none", "", "size", 66, "größe", -1) == 4
    names = ("head", "none", "absent", "size", "größe")
    assert trips.call("HMGET", "m:1", *names) == [b"\x00\r\n\xff", b"", None, b"66", b"-1"]


def test_many_commands_are_answered_in_order_and_one_that_fails_fails_alone(redis_url: str) -> None:
    trips = Trips(connecting.pooled(redis_url))
    said = trips.calls([("SET", "text", "a"), ("INCR", "text"), ("GET", "text"), ("ECHO", "x" * 100_000)])
    assert isinstance(said[1], redis.ResponseError)
    assert (said[2], len(said[3])) == (b"a", 100_000)


def test_an_error_of_the_server_is_raised_and_the_connection_is_used_again(redis_url: str) -> None:
    trips = Trips(connecting.pooled(redis_url))
    trips.call("SET", "text", "a")
    name = trips.call("CLIENT", "ID")
    with pytest.raises(redis.ResponseError, match="not an integer"):
        trips.call("INCR", "text")
    assert trips.call("CLIENT", "ID") == name


def test_callers_at_once_each_get_their_own_answer_over_no_more_connections_than_allowed(redis_url: str) -> None:
    trips = Trips(connecting.pooled(redis_url), most=3)
    start = threading.Barrier(16)

    def ask(number: int) -> bytes:
        if number < 16:
            start.wait()
        trips.call("CLIENT", "SETNAME", "of-the-test")
        return bytes(trips.call("ECHO", number))

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(ask, range(400)))
    assert answers == [str(number).encode() for number in range(400)]
    named = [each for each in trips.client.client_list() if each["name"] == "of-the-test"]
    assert 1 <= len(named) <= 3


def test_after_the_server_was_killed_and_started_again_the_next_command_is_answered(own_valkey: ValkeyServer) -> None:
    trips = Trips(connecting.pooled(own_valkey.url))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: trips.call("PING"), range(40)))
    own_valkey.kill()
    own_valkey.start()
    assert trips.calls([("SET", "kept", "1"), ("GET", "kept")])[1] == b"1"


def test_where_nobody_answers_the_error_says_so_and_nothing_is_left_behind(own_valkey: ValkeyServer) -> None:
    trips = Trips(connecting.pooled(own_valkey.url), most=1)
    trips.call("PING")
    own_valkey.kill()
    for _ in range(3):  # the one connection there may be is given back each time
        with pytest.raises(redis.ConnectionError):
            trips.call("PING")
    own_valkey.start()
    trips.call("PING")


def test_an_answer_that_comes_too_late_is_not_taken_for_that_to_the_next_command(own_valkey: ValkeyServer) -> None:
    trips = Trips(connecting.pooled(own_valkey.url), most=1)
    trips.call("SET", "mine", "1")
    with own_valkey.hung(), pytest.raises(redis.TimeoutError):
        trips.call("GET", "mine")
    assert trips.call("ECHO", "new") == b"new"


def test_a_fork_leaves_its_parents_connections_alone(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    trips = Trips(connecting.pooled(redis_url))
    parents = trips.call("CLIENT", "ID")
    with monkeypatch.context() as forked:
        forked.setattr(os, "getpid", lambda: 1)
        assert trips.call("CLIENT", "ID") != parents
