"""Health and readiness, and opening a service that cannot be opened."""

from __future__ import annotations

import stat
import threading
from pathlib import Path

import pytest

from referee import service as services
from referee.service import Service, ServiceProblem, health
from referee.settings import Settings
from tests.conftest import ValkeyServer, settings_for


def test_a_whole_service_is_ready(service: Service) -> None:
    shown = health.ready(service)
    assert shown["status"] == "ready"
    assert {shown["checks"][name] for name in ("redis", "database", "queue")} == {"ok"}
    assert health.health(service)["status"] == "ok"
    assert health.metrics(service)["matches_live"] == 0


def test_without_its_live_store_it_says_so(own_valkey: ValkeyServer, tmp_path: Path) -> None:
    service = services.open(settings_for(own_valkey.url, tmp_path / "data"), sweep=False)
    own_valkey.kill()
    with pytest.raises(ServiceProblem) as caught:
        health.ready(service)
    assert (caught.value.status, caught.value.code) == (503, "service/not_ready")
    assert caught.value.extras["checks"]["database"] == "ok"
    assert caught.value.extras["checks"]["redis"] != "ok"
    services.close(service)


@pytest.mark.parametrize("url", ["", "redis://127.0.0.1:1/0"])
def test_a_service_without_a_store_to_open_says_what_to_do(tmp_path: Path, url: str) -> None:
    with pytest.raises(ServiceProblem) as caught:
        services.open(settings_for(url, tmp_path))
    assert caught.value.code == "service/store_unreachable"
    assert "REFEREE_REDIS_URL" in caught.value.detail


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
