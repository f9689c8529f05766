"""A whole referee starts, comes back from kills, keeps others off its data, and leaves no process behind."""

import contextlib
import http.client
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from referee import settings as environment
from referee.launcher import processes, stack, valkey
from referee.launcher.processes import LauncherError
from referee.launcher.stack import Shape, Stack
from referee.launcher.wire import RefusedError, UnreachableError, Wire
from referee.settings import Settings

LIMIT = 60.0


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Give settings for a referee of its own, whatever the environment of this test run says."""
    for name in list(os.environ):
        if name.startswith("REFEREE_"):
            monkeypatch.delenv(name)
    return replace(environment.read(), data=tmp_path / "data")


def until(holds: Callable[[], object], what: str) -> None:
    """Poll until something holds; fail saying what did not come about."""
    end = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < end, f"not within {LIMIT:.0f} s: {what}"
        time.sleep(0.05)


def test_it_starts_serves_and_leaves_nothing_running(settings: Settings) -> None:
    with Stack(settings, Shape(web=2, workers=2)) as running:
        assert set(running.pids()) == {"valkey", "web-0", "web-1", "worker-0", "worker-1"}
        assert Wire(running.url).get("/v1/health")
        assert running.organiser.get("/v1/tournaments")["tournaments"] == []
        pids = running.pids()
    assert [name for name, pid in pids.items() if processes.members(pid)] == []
    with pytest.raises(UnreachableError):
        Wire(running.url).get("/v1/health")


@pytest.mark.parametrize(("blanks", "status"), [(100, 201), (70_000, 413)])
def test_a_body_in_chunks_is_never_cut_off(settings: Settings, blanks: int, status: int) -> None:
    """What stands behind the limit is no less part of the body for having come without a length."""
    with Stack(settings, Shape(web=1, workers=0)) as running:
        assert (settings.data.stat().st_mode & 0o777) == 0o700, "others may look into the data"
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=LIMIT)
        body = iter([b'{"name":"chunky","transport":"pull"}', b" " * blanks, b" " if status == 201 else b"garbage"])
        headers = {"Content-Type": "application/json", "Transfer-Encoding": "chunked"}
        connection.request("POST", "/v1/bots", body, headers, encode_chunked=True)
        answer = connection.getresponse()
        assert answer.status == status, answer.read()
        connection.close()


def test_a_second_start_has_the_same_organiser_and_the_same_record(settings: Settings) -> None:
    with Stack(settings, Shape(web=1, workers=0)) as first:
        assert first.is_first_start
        bot = Wire(first.url).post("/v1/bots", {"name": "kept", "transport": "pull"})["bot"]["id"]
    with Stack(settings, Shape(web=1, workers=0)) as second:
        assert not second.is_first_start
        assert second.organiser_token == first.organiser_token
        assert Wire(second.url).get(f"/v1/bots/{bot}")["name"] == "kept"


def test_it_comes_back_from_every_kill(settings: Settings) -> None:
    notes: list[str] = []
    with Stack(settings, Shape(web=1, workers=1), note=notes.append) as running:
        before = running.pids()
        running.kill_redis()
        running.kill_web()
        running.kill_worker(0)
        until(lambda: all(running.refills(name) for name in before), f"all are started again; notes: {notes}")
        running.wait_ready()
        after = running.pids()
        assert set(after) == set(before)
        assert not set(after.values()) & set(before.values())
        assert running.organiser.get("/v1/tournaments")["tournaments"] == []
    assert len(notes) >= 3


def test_one_stack_at_a_time_has_a_data_directory(settings: Settings) -> None:
    with (
        Stack(settings, Shape(web=0, workers=0)),
        pytest.raises(LauncherError, match=f"in use by process {os.getpid()}"),
        Stack(settings, Shape(web=0, workers=0)),
    ):
        pass
    with Stack(settings, Shape(web=0, workers=0)):
        pass


def test_a_port_somebody_listens_on_is_refused_with_a_way_out(settings: Settings) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with (
            pytest.raises(LauncherError, match=rf"cannot listen on 127\.0\.0\.1 port {port}.*--port"),
            Stack(settings, Shape(port=port)),
        ):
            pass


def test_a_redis_that_is_named_is_used_and_none_is_started(settings: Settings, tmp_path: Path) -> None:
    child, url = valkey.launch(tmp_path / "elsewhere", fsync="everysec")
    try:
        with Stack(replace(settings, redis_url=url), Shape(web=1, workers=0)) as running:
            assert set(running.pids()) == {"web-0"}
            with pytest.raises(LauncherError, match="REFEREE_REDIS_URL"):
                running.kill_redis()
        assert child.is_alive
    finally:
        processes.kill(child)


def test_a_service_that_cannot_start_is_an_error_with_its_output_and_nothing_is_left(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stack, "WEB_COMMAND", (sys.executable, "-c", "raise SystemExit('no service today')"))
    broken = Stack(settings, Shape(web=1, workers=0))
    with pytest.raises(LauncherError, match="no service today"):
        broken.start()
    assert processes.members(broken.pids()["valkey"]) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ties a child to its parent")
def test_no_child_outlives_a_launcher_that_is_killed_and_its_successor_takes_over(settings: Settings) -> None:
    command = [sys.executable, "-m", "referee", "serve", "--port", "0", "--data", str(settings.data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=processes.environment({}), text=True) as launcher:
        assert launcher.stdout is not None
        answer = re.search(r"answers at http://127\.0\.0\.1:(\d+);", launcher.stdout.readline())
        assert answer
        children = sessions_below(launcher.pid)
        assert len(children) == 5
        launcher.kill()
    with Stack(settings, Shape(port=int(answer[1]), web=1, workers=0)) as successor:
        assert not successor.is_first_start
    until(lambda: not any(processes.members(pid) for pid in children), "every child is gone")


def sessions_below(parent: int) -> list[int]:
    """List the direct children of a process."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(status.read_text().rpartition(")")[2].split()[1]) == parent:
                found.append(int(status.parent.name))
    return found


def test_wire_tells_a_refusal_from_silence(settings: Settings) -> None:
    with Stack(settings, Shape(web=1, workers=0)) as running:
        with pytest.raises(RefusedError) as refused:
            Wire(running.url, "wrong-token").post("/v1/tournaments", {"name": "x"})
        assert refused.value.status == 401
        assert refused.value.problem["code"]
    with pytest.raises(UnreachableError, match="does not answer"):
        Wire(running.url).get("/v1/health")
