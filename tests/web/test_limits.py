"""What one client may take of the service is bounded, and a 429 names the bound and the seconds to wait."""

import threading
import time
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.service import Service, advancing, rates
from referee.service.clock import HostClock
from referee.web.app import create_app
from tests.web.asking import bearer, check
from tests.web.test_journey import register, seated
from tests.workers.crew import until

ORGANISER = bearer("organiser-for-tests")
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}
FOREVER = 10**9


def few(monkeypatch: pytest.MonkeyPatch, **quotas: int) -> None:
    """Let so few registrations be taken of one address: in a minute that never ends here, and in a day."""
    bounds = (
        rates.Policy("registrations", quotas.get("minute", 1000), FOREVER),
        rates.Policy("registrations-a-day", quotas.get("day", 1000), FOREVER),
    )
    monkeypatch.setattr(rates, "registrations", lambda _settings: bounds)


def new(client: FlaskClient, name: str, **more: Any) -> Any:
    return client.post("/v1/bots", json={"name": name}, **more)


def told(answer: Any, key: str, longest: int) -> dict[str, Any]:
    """Hold the answer to a 429 of that bound and return its body."""
    body = check(answer, 429, "request/too_many")
    assert body["key"] == key
    assert 1 <= body["seconds"] <= longest
    assert answer.headers["Retry-After"] == str(body["seconds"])
    return body


def test_scenario_13_so_many_registrations_of_one_address_and_then_429_with_key_and_seconds(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    few(monkeypatch, minute=2)
    for left, name in ((1, "one"), (0, "two")):
        answer = new(client, name)
        assert answer.status_code == 201
        assert f'"registrations";r={left};t=' in answer.headers["RateLimit"]
        assert (
            answer.headers["RateLimit-Policy"]
            == f'"registrations";q=2;w={FOREVER}, "registrations-a-day";q=1000;w={FOREVER}'
        )
    refused = told(new(client, "three"), "registrations", FOREVER)
    assert "2 registrations from one address" in refused["detail"]
    assert new(client, "three", environ_base=ELSEWHERE).status_code == 201
    assert new(client, "four", headers=ORGANISER).status_code == 201, "the organiser is not counted"
    assert [bot["name"] for bot in client.get("/v1/bots").get_json()["bots"]] == ["one", "two", "three", "four"]


def test_scenario_13_a_poll_that_is_refused_starts_no_clock_and_an_act_is_never_refused_so(
    service: Service,
) -> None:
    """A prompt that was not delivered has cost nothing; an act is taken however many requests came before it."""
    now = [0]
    timed = replace(service, clock=HostClock(10**12, lambda: now[0]))
    object.__setattr__(service.settings, "held", 0)  # every poll that would wait is refused
    with create_app(timed).test_client() as client:
        table = seated(client, timed, target=1)
        seat, prompt = table.asked()
        for _ in range(3):
            act = {"version": prompt["version"], **prompt["lawful"][0]}
            assert table.act(seat, act).status_code == 200
            prompts = []
            for other, token in table.tokens.items():
                told(client.get("/v1/turns?wait=9", headers=bearer(token)), "held", 60)
                now[0] += 3_000_000_000  # three seconds, in which a delivered prompt would have cost time
                prompts += [(other, found) for found in table.prompts(other)]
            [(seat, prompt)] = prompts
            clock = prompt["clock"]
            assert clock["left_ms"] == clock["act_ms"] + clock["bank_ms"], "time ran before anything was delivered"


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"name":"x","chores":[1]}'])
def test_what_is_refused_for_its_body_counts_like_what_is_taken(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    few(monkeypatch, minute=1)
    monkeypatch.setattr(rates, "DESK", rates.Policy("desk", 1, FOREVER))
    sent: dict[str, Any] = {"data": body, "headers": {"Content-Type": "application/json"}}
    for path, key in (("/v1/bots", "registrations"), ("/v1/adjudications", "desk")):
        assert client.post(path, **sent).status_code in (400, 422)
        told(client.post(path, **sent), key, FOREVER)


def test_so_many_registrations_a_day_of_one_address_and_one_ipv6_network_is_one_address(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    few(monkeypatch, day=1)
    assert new(client, "one", environ_base={"REMOTE_ADDR": "2001:db8:0:1::1"}).status_code == 201
    told(new(client, "two", environ_base={"REMOTE_ADDR": "2001:db8:0:1:ffff::9"}), "registrations-a-day", FOREVER)
    assert new(client, "two", environ_base={"REMOTE_ADDR": "2001:db8:0:2::1"}).status_code == 201


def test_a_course_of_sixty_bots_from_one_address_is_registered_as_settings_come(client: FlaskClient) -> None:
    assert [new(client, f"bot {number}").status_code for number in range(60)] == [201] * 60


def test_a_registration_refused_for_its_number_can_be_repeated_under_its_key(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    few(monkeypatch, minute=0)
    key = {"Idempotency-Key": "a-key-nobody-guesses"}
    told(new(client, "one", headers=key), "registrations", FOREVER)
    few(monkeypatch, minute=1)
    monkeypatch.setattr(rates, "registrations", lambda _settings: (rates.Policy("afresh", 2, FOREVER),))
    first, again = (new(client, "one", headers=key) for _ in range(2))
    assert (first.status_code, first.data) == (201, again.data)


@pytest.mark.parametrize(
    ("policy", "key"), [("KEYED", "keys"), ("FRIENDLIES", "friendlies"), ("CHECKS", "checks"), ("APPEALS", "appeals")]
)
def test_what_a_bot_may_do_again_and_again_is_bounded(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, policy: str, key: str
) -> None:
    monkeypatch.setattr(rates, policy, rates.Policy(key, 1, FOREVER))
    (bot, token), (other, others) = (register(client, name) for name in ("north", "south"))

    def ask(number: int, headers: dict[str, str], own: str) -> Any:
        if policy == "KEYED":
            return client.post(
                "/v1/matches", json={"bots": [own, own]}, headers={**headers, "Idempotency-Key": f"k{number}"}
            )
        if policy == "FRIENDLIES":
            return client.post("/v1/matches", json={"bots": [own, own]}, headers=headers)
        if policy == "CHECKS":
            return client.post(f"/v1/bots/{own}/checks", json={}, headers=headers)
        return client.post("/v1/matches/mat_1/rulings/1/appeal", headers=headers)

    first = ask(1, bearer(token), bot)
    assert first.status_code != 429, first.text
    told(ask(2, bearer(token), bot), key, FOREVER)
    assert ask(3, bearer(others), other).status_code == first.status_code, "another bot is counted apart"
    assert 429 not in [ask(number, ORGANISER, other).status_code for number in (4, 5)]


def test_so_many_polls_of_one_bot_are_held_and_one_more_is_told_to_wait(
    redis_url: str, service: Service, tmp_path: Any
) -> None:
    """The place is free again as soon as a poll is over, however it ended."""
    app = create_app(service)
    with app.test_client() as client:
        (bot, token), (_, others) = (register(client, name, concurrency=1) for name in ("north", "south"))
        object.__setattr__(service.settings, "held", 1)
        object.__setattr__(service.settings, "watchers", 1)
        made = client.post("/v1/matches", json={"bots": [bot, bot], "overrides": {"target": 1}}, headers=bearer(token))
        match = made.get_json()["id"]
        waiting = threading.Thread(target=_poll, args=(app, token))
        waiting.start()
        try:
            held = "/v1/turns?wait=1"
            until(lambda: client.get(held, headers=bearer(token)).status_code == 429, "the place is taken")
            told(client.get(held, headers=bearer(token)), "held", 60)
            assert client.get("/v1/turns", headers=bearer(token)).status_code == 200, "what does not wait is not held"
            assert client.get("/v1/turns?wait=1", headers=bearer(others)).status_code == 200
            advancing.advance(service)
        finally:
            waiting.join(60)
        assert not waiting.is_alive()
        assert client.get("/v1/turns?wait=1", headers=bearer(token)).status_code == 200
        for _ in range(3):
            check(client.get("/v1/matches/mat_none/view?wait=1"), 404, "match/unknown")
            check(
                client.get("/v1/matches/mat_none/events", headers={"Accept": "text/event-stream"}), 404, "match/unknown"
            )
        with client.get(
            f"/v1/matches/{match}/events", headers={"Accept": "text/event-stream"}, buffered=False
        ) as stream:
            assert stream.status_code == 200
            told(client.get(f"/v1/matches/{match}/events?wait=1"), "held", 60)
            assert client.get(f"/v1/matches/{match}/events?wait=1", environ_base=ELSEWHERE).status_code == 200
        assert client.get(f"/v1/matches/{match}/events?wait=1").status_code == 200
        assert not app.extensions["referee.held"].of


def test_of_watchers_without_a_token_fewer_are_held_than_of_a_bot(service: Service) -> None:
    object.__setattr__(service.settings, "watchers", 1)
    with create_app(service).test_client() as client:
        table = seated(client, service, target=1)
        events = f"/v1/matches/{table.match}/events"
        with client.get(events, headers={"Accept": "text/event-stream"}, buffered=False) as stream:
            assert stream.status_code == 200
            told(client.get(f"{events}?wait=1&after=99999"), "held", 60)
            for token in table.tokens.values():
                assert client.get(f"{events}?wait=1&after=99999", headers=bearer(token)).status_code == 200


def _poll(app: Any, token: str) -> None:
    with app.test_client() as client:
        while client.get("/v1/turns?wait=30", headers=bearer(token)).status_code == 429:
            time.sleep(0.01)  # whoever asks whether the place is taken has it


@pytest.mark.parametrize(("proxies", "counted"), [(0, 429), (1, 201)])
def test_an_address_is_the_client_s_only_where_a_proxy_is_known_to_say_it(
    service: Service, monkeypatch: pytest.MonkeyPatch, proxies: int, counted: int
) -> None:
    few(monkeypatch, minute=1)
    object.__setattr__(service.settings, "proxies", proxies)
    with create_app(service).test_client() as client:
        assert new(client, "one", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 201
        assert new(client, "two", headers={"X-Forwarded-For": "192.0.2.2"}).status_code == counted
        told(new(client, "three", headers={"X-Forwarded-For": "192.0.2.9, 192.0.2.1"}), "registrations", FOREVER)
