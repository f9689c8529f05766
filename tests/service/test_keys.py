"""Idempotency keys of requests that create: once, the same bytes again, nothing to be read from the table."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import select, update

from referee.service import Caller, Reply, Service, ServiceProblem, keys
from referee.store.tables import keys as table

ADA = Caller("bot", "bot_ada")
KEY = "key-of-more-than-sixteen"


class Maker:
    """Something that must be made once."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> Reply:
        self.made += 1
        return Reply(201, b'{"token":"secret-%d"}' % self.made, (("Location", "/v1/bots/1"),))


def test_the_second_request_gets_the_bytes_of_the_first(service: Service) -> None:
    maker = Maker()
    first = keys.once(service, ADA, key=KEY, request=b"POST /v1/bots {}", run=maker)
    again = keys.once(service, ADA, key=KEY, request=b"POST /v1/bots {}", run=maker)
    assert (first, maker.made) == (again, 1)
    assert again.headers == (("Location", "/v1/bots/1"),)


def test_without_a_key_each_request_runs(service: Service) -> None:
    maker = Maker()
    for _ in range(2):
        keys.once(service, ADA, key=None, request=b"x", run=maker)
    assert maker.made == 2


def test_another_request_or_caller(service: Service) -> None:
    maker = Maker()
    keys.once(service, ADA, key=KEY, request=b"one", run=maker)
    with pytest.raises(ServiceProblem) as caught:
        keys.once(service, ADA, key=KEY, request=b"two", run=maker)
    assert (caught.value.status, caught.value.code) == (409, "key/reused")
    keys.once(service, Caller("bot", "bot_bea"), key=KEY, request=b"two", run=maker)
    assert maker.made == 2


def test_what_was_refused_is_refused_again_and_what_failed_is_run_again(service: Service) -> None:
    raised: list[BaseException] = [
        RuntimeError("the database is gone"),
        ServiceProblem(503, "service/store_unreachable", title="t", detail="d"),
        ServiceProblem(409, "bot/name_taken", title="t", detail="d", name="Ada"),
    ]

    def run() -> Reply:
        raise raised.pop(0)

    for expected in (RuntimeError, ServiceProblem, ServiceProblem, ServiceProblem):
        with pytest.raises(expected) as caught:
            keys.once(service, ADA, key=KEY, request=b"x", run=run)
    assert raised == []
    assert isinstance(caught.value, ServiceProblem)
    assert caught.value.body()["name"] == "Ada"


def test_of_two_at_once_one_runs_and_the_other_is_told_to_wait(service: Service) -> None:
    inside, go_on = threading.Event(), threading.Event()

    def run() -> Reply:
        inside.set()
        go_on.wait(30)
        return Reply(201, b"made")

    thread = threading.Thread(target=lambda: keys.once(service, ADA, key=KEY, request=b"x", run=run))
    thread.start()
    assert inside.wait(30)
    with pytest.raises(ServiceProblem) as caught:
        keys.once(service, ADA, key=KEY, request=b"x", run=run)
    assert (caught.value.status, caught.value.code) == (409, "key/in_progress")
    go_on.set()
    thread.join()
    assert keys.once(service, ADA, key=KEY, request=b"x", run=run).body == b"made"


def test_a_request_whose_process_died_can_be_run_again(service: Service) -> None:
    class Killed(BaseException):
        pass

    with service.record.writing() as connection:
        from referee.store import key_rows

        key_rows.begin(connection, "bot_ada", key=KEY, request_hash="h", at="2020-01-01T00:00:00.000Z")
    maker = Maker()
    keys.once(service, ADA, key=KEY, request=b"x", run=maker)
    assert maker.made == 1


@pytest.mark.parametrize("key", ["", "x" * 201, "schlüssel-schlüssel", "a\nb"])
def test_keys_that_are_none(service: Service, key: str) -> None:
    with pytest.raises(ServiceProblem) as caught:
        keys.once(service, ADA, key=key, request=b"x", run=Maker())
    assert (caught.value.status, caught.value.code) == (422, "key/unfit")


def test_keys_of_anyone_must_not_be_guessable(service: Service) -> None:
    with pytest.raises(ServiceProblem) as caught:
        keys.once(service, Caller(), key="1", request=b"x", run=Maker())
    assert caught.value.code == "key/unfit"
    keys.once(service, ADA, key="1", request=b"x", run=Maker())


def test_neither_key_nor_token_can_be_read_from_the_table(service: Service) -> None:
    keys.once(service, ADA, key=KEY, request=b"x", run=Maker())
    with service.record.reading() as connection:
        [row] = connection.execute(select(table)).all()
    assert b"secret" not in bytes(row.sealed)
    assert KEY not in str(row)


def test_replies_are_dropped_after_a_day(service: Service) -> None:
    maker = Maker()
    keys.once(service, ADA, key=KEY, request=b"x", run=maker)
    keys.tidy(service)
    keys.once(service, ADA, key=KEY, request=b"x", run=maker)
    assert maker.made == 1
    with service.record.writing() as connection:
        connection.execute(update(table).values(created_at="2020-01-01T00:00:00.000Z"))
    keys.tidy(service)
    keys.once(service, ADA, key=KEY, request=b"x", run=maker)
    assert maker.made == 2
