"""While a store is away the service says so, with a 503 that may be asked again, and is well once it is back."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee import service as services
from referee.web.app import create_app
from tests.conftest import ValkeyServer, settings_for
from tests.postgresql import PostgresServer
from tests.web.asking import bearer, check
from tests.web.test_journey import register
from tests.workers.crew import until


@pytest.fixture
def shaky(own_valkey: ValkeyServer, tmp_path: Path) -> Iterator[FlaskClient]:
    """A client of an application whose Valkey may be killed."""
    opened = services.open(settings_for(own_valkey.url, tmp_path / "data"))
    with create_app(opened).test_client() as client:
        yield client
    services.close(opened)


def test_a_dead_valkey_is_503_and_a_living_one_is_well_again(shaky: FlaskClient, own_valkey: ValkeyServer) -> None:
    token = register(shaky, "north")[1]
    assert shaky.get("/v1/turns", headers=bearer(token)).status_code == 200
    own_valkey.kill()
    answer = shaky.get("/v1/turns", headers=bearer(token))
    check(answer, 503, "service/store_unreachable")
    assert int(answer.headers["Retry-After"]) > 0
    assert shaky.get("/v1/health").status_code == 200
    check(shaky.get("/v1/ready"), 503, "service/not_ready")
    own_valkey.start()
    assert shaky.get("/v1/turns", headers=bearer(token)).status_code == 200
    assert shaky.get("/v1/ready").status_code == 200


def test_a_dead_record_is_503_and_a_living_one_is_well_again(
    redis_url: str, own_postgresql: PostgresServer, tmp_path: Path
) -> None:
    settings = settings_for(redis_url, tmp_path / "data", database_url=own_postgresql.fresh())
    opened = services.open(settings)
    with create_app(opened).test_client() as client:
        token = register(client, "north")[1]
        own_postgresql.kill()
        for path in ("/v1/bots", "/v1/tournaments", "/v1/matches/mat_1", "/"):
            answer = client.get(path, headers=bearer(token))
            assert answer.status_code == 503, (path, answer.data)
            assert int(answer.headers["Retry-After"]) > 0
            assert own_postgresql.password.encode() not in answer.data
        answer = client.post("/v1/bots", json={"name": "south", "transport": "pull"})
        check(answer, 503, "service/store_unreachable")
        assert client.get("/v1/health").status_code == 200
        check(client.get("/v1/ready"), 503, "service/not_ready")
        own_postgresql.start()
        assert client.get("/v1/ready").status_code == 200
        assert [bot["name"] for bot in client.get("/v1/bots").get_json()["bots"]] == ["north"]
        register(client, "south")
    services.close(opened)


def test_a_hung_valkey_is_503_before_anybody_loses_patience_and_play_goes_on_when_it_wakes(
    shaky: FlaskClient, own_valkey: ValkeyServer
) -> None:
    match, found, token = asked_in_a_match(shaky)
    act = {"version": found["version"], **found["lawful"][0]}
    said: list[tuple[str, float]] = []

    def timed(what: str, ask: Callable[[], Any], code: str) -> None:
        began = time.monotonic()
        check(ask(), 503, code)
        said.append((what, time.monotonic() - began))

    with own_valkey.hung():
        timed("ready", lambda: shaky.get("/v1/ready"), "service/not_ready")
        post = f"/v1/matches/{match}/acts"
        timed("act", lambda: shaky.post(post, json=act, headers=bearer(token)), "service/store_unreachable")
        timed("turns", lambda: shaky.get("/v1/turns?wait=1", headers=bearer(token)), "service/store_unreachable")
        assert shaky.get("/v1/health").status_code == 200
    # A hung server answered only after the five trials of ten seconds each; a slow machine has half of one.
    assert max(seconds for _, seconds in said) < 25, said
    until(lambda: shaky.get("/v1/ready").status_code == 200, "ready again")
    until(lambda: taken(shaky, match, act, token), "the act is taken")


def asked_in_a_match(client: FlaskClient) -> tuple[str, dict[str, Any], str]:
    """Opens a match of two new bots; answers it, its first prompt, and the token of the bot that is asked."""
    bots = [register(client, name) for name in ("north", "south")]
    body = {"bots": [bot for bot, _ in bots], "overrides": {"target": 1}}
    match = client.post("/v1/matches", json=body, headers=bearer(bots[0][1])).get_json()["id"]
    return (match, *prompted(client, match, [token for _, token in bots]))


def prompted(client: FlaskClient, match: str, tokens: list[str]) -> tuple[dict[str, Any], str]:
    """Waits for the first prompt of the match, and answers it with the token of the bot that is asked."""
    found: list[tuple[dict[str, Any], str]] = []

    def asked() -> bool:
        for token in tokens:
            prompts = client.get("/v1/turns", headers=bearer(token)).get_json()["prompts"]
            found.extend((prompt, token) for prompt in prompts if prompt["match"] == match)
        return bool(found)

    until(asked, "a bot is asked")
    return found[0]


def taken(client: FlaskClient, match: str, act: dict[str, Any], token: str) -> bool:
    """Sends the act, and tells whether it is taken; it may have been before, when the server woke."""
    answer = client.post(f"/v1/matches/{match}/acts", json=act, headers=bearer(token))
    return answer.status_code == 200 or answer.get_json()["code"] == "act/stale_version"


def test_a_batch_in_an_outage_is_503_and_sent_again_afterwards_it_counts_once(
    shaky: FlaskClient, own_valkey: ValkeyServer
) -> None:
    match, found, token = asked_in_a_match(shaky)
    acts = [{"match": match, "version": found["version"], "key": "k-1", **found["lawful"][0]}]
    own_valkey.kill()
    check(
        shaky.post("/v1/acts", json={"acts": acts, "wait": 1}, headers=bearer(token)), 503, "service/store_unreachable"
    )
    check(shaky.get("/v1/stream?seconds=0", headers=bearer(token)), 503, "service/store_unreachable")
    own_valkey.start()
    first, second = (shaky.post("/v1/acts", json={"acts": acts, "wait": 0}, headers=bearer(token)) for _ in range(2))
    assert first.get_json()["verdicts"][0]["status"] == 200, first.text
    assert first.get_json()["verdicts"] == second.get_json()["verdicts"]
