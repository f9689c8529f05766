"""Health and readiness, and opening a service that cannot be opened."""

from __future__ import annotations

import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from rq.utils import utcformat
from sqlalchemy import text

from referee import service as services
from referee.service import Service, ServiceProblem, health, matches
from referee.settings import Settings
from referee.store.away import AWAY
from tests.conftest import ValkeyServer, settings_for
from tests.postgresql import PostgresServer
from tests.service.playing_along import matches_of, play_on, register, tournament
from tests.workers.crew import until


def test_a_whole_service_is_ready(service: Service) -> None:
    shown = health.ready(service)
    assert shown["status"] == "ready"
    assert {shown["checks"][name] for name in ("redis", "database", "queue")} == {"ok"}
    assert health.health(service)["status"] == "ok"


def test_without_its_live_store_it_says_so(own_valkey: ValkeyServer, tmp_path: Path) -> None:
    service = services.open(settings_for(own_valkey.url, tmp_path / "data"), sweep=False)
    own_valkey.kill()
    with pytest.raises(ServiceProblem) as caught:
        health.ready(service)
    assert (caught.value.status, caught.value.code) == (503, "service/not_ready")
    assert caught.value.extras["checks"]["database"] == "ok"
    assert caught.value.extras["checks"]["redis"] != "ok"
    services.close(service)


def checks_of(service: Service) -> dict[str, Any]:
    """What readiness finds wrong."""
    with pytest.raises(ServiceProblem) as caught:
        health.ready(service)
    assert (caught.value.status, caught.value.code) == (503, "service/not_ready")
    return dict(caught.value.extras["checks"])


def test_without_its_record_it_says_so_and_with_it_again_it_is_ready(
    redis_url: str, own_postgresql: PostgresServer, tmp_path: Path
) -> None:
    settings = settings_for(redis_url, tmp_path / "data", database_url=own_postgresql.fresh())
    service = services.open(settings, sweep=False)
    assert health.ready(service)["status"] == "ready"
    own_postgresql.kill()
    found = checks_of(service)
    assert found["redis"] == found["queue"] == "ok"
    assert found["database"].startswith("does not answer")
    assert own_postgresql.password not in str(found)
    own_postgresql.start()
    assert health.ready(service)["status"] == "ready"
    services.close(service)


def test_a_record_that_hangs_is_told_and_asked_once(
    redis_url: str, own_postgresql: PostgresServer, tmp_path: Path
) -> None:
    settings = settings_for(redis_url, tmp_path / "data", database_url=own_postgresql.fresh())
    service = services.open(settings, sweep=False)
    with own_postgresql.hung():
        for _ in range(3):
            assert checks_of(service)["database"] == "does not answer: it is silent"
        assert sum(thread.name == "asking the record" for thread in threading.enumerate()) == 1
    until(lambda: _is_ready(service), "ready again")
    services.close(service)


def _is_ready(service: Service) -> bool:
    try:
        return bool(health.ready(service)["status"] == "ready")
    except ServiceProblem:
        return False


def test_a_live_store_that_is_full_is_told_and_takes_acts_again_when_it_has_room(
    own_valkey: ValkeyServer, tmp_path: Path
) -> None:
    service = services.open(settings_for(own_valkey.url, tmp_path / "data"), sweep=False)
    seated = [register(service, name) for name in ("Ada", "Bea")]
    cup = tournament(service, seated)
    play_on(service, seated, acts_at_most=5)
    [row] = matches_of(service, cup)
    before = matches.get_events(service, row["id"])[0]
    service.live.client.config_set("maxmemory", "1")
    assert "OutOfMemory" in checks_of(service)["redis"]
    with pytest.raises(AWAY):
        play_on(service, seated)
    service.live.client.config_set("maxmemory", "0")
    assert matches.get_events(service, row["id"])[0] == before
    assert health.ready(service)["status"] == "ready"
    play_on(service, seated)
    assert matches_of(service, cup)[0]["state"] == "done"
    services.close(service)


def test_a_record_whose_file_is_gone_or_of_another_edition_is_told(own_valkey: ValkeyServer, tmp_path: Path) -> None:
    service = services.open(settings_for(own_valkey.url, tmp_path / "data"), sweep=False)
    file = tmp_path / "data" / "record.sqlite"
    file.rename(tmp_path / "elsewhere")
    assert checks_of(service)["database"] == "its file is gone"
    (tmp_path / "elsewhere").rename(file)
    assert health.ready(service)["status"] == "ready"
    with service.record.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert "edition 9999" in checks_of(service)["database"]
    services.close(service)


@pytest.mark.parametrize("url", ["", "redis://127.0.0.1:1/0"])
def test_a_service_without_a_store_to_open_says_what_to_do(tmp_path: Path, url: str) -> None:
    with pytest.raises(ServiceProblem) as caught:
        services.open(settings_for(url, tmp_path))
    assert caught.value.code == "service/store_unreachable"
    assert "REFEREE_REDIS_URL" in caught.value.detail


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("postgresql://somebody:secret-word@127.0.0.1:1/none", "is it running"),
        ("postgresql+nodriver://somebody:secret-word@127.0.0.1/none", "psycopg"),
        ("nosuchdatabase://somebody:secret-word@127.0.0.1/none", "postgresql://USER"),
        ("not an address", "postgresql://USER"),
        ("sqlite:////proc/none/record.sqlite", "may this user write"),
    ],
)
def test_a_record_that_cannot_be_opened_says_what_to_do_and_no_password(
    redis_url: str, tmp_path: Path, url: str, says: str
) -> None:
    with pytest.raises(ServiceProblem) as caught:
        services.open(settings_for(redis_url, tmp_path, database_url=url), sweep=False)
    assert caught.value.code == "service/store_unreachable"
    assert says in caught.value.detail
    assert "secret-word" not in caught.value.detail


def test_the_password_of_a_live_store_is_not_told(tmp_path: Path) -> None:
    with pytest.raises(ServiceProblem) as caught:
        services.open(settings_for("redis://:secret-word@127.0.0.1:1/0", tmp_path))
    assert "127.0.0.1:1" in caught.value.detail
    assert "secret-word" not in caught.value.detail


def test_the_organisers_token_is_made_once_and_kept_private(settings: Settings, tmp_path: Path) -> None:
    import dataclasses

    bare = dataclasses.replace(settings, organiser_token="", data=tmp_path / "bare")
    found: list[tuple[str, bool]] = []
    threads = [threading.Thread(target=lambda: found.append(services.organiser_token(bare))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({token for token, _ in found}) == 1
    assert services.organiser_token(bare) == (found[0][0], False)
    assert stat.S_IMODE((tmp_path / "bare" / "organiser-token").stat().st_mode) == 0o600
    assert services.organiser_token(settings) == ("organiser-for-tests", False)


@pytest.mark.parametrize(
    ("state", "silent", "counted"),
    [(b"idle", 0, 1), (b"idle", 15, 1), (b"idle", 60, 0), (b"busy", 60, 1), (b"idle", None, 0)],
)
def test_a_worker_that_is_not_heard_of_any_more_is_not_counted(
    service: Service, state: bytes, silent: int | None, counted: int
) -> None:
    """RQ keeps the key of a dead worker for more than a minute."""
    client = service.jobs.client
    client.sadd("rq:workers:referee", "rq:worker:one")
    client.hset("rq:worker:one", "state", state)
    if silent is not None:
        beat = datetime.now(UTC) - timedelta(seconds=silent)
        client.hset("rq:worker:one", "last_heartbeat", utcformat(beat))
    assert health.ready(service)["checks"]["workers"] == counted
