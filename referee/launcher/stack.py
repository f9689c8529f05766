"""A whole referee on this machine: Valkey, web processes and workers, as one object to start and stop."""

import contextlib
import errno
import fcntl
import os
import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from referee.launcher import valkey
from referee.launcher.processes import Child, LauncherError, Program, allow_files, kill, start, stop, tail
from referee.launcher.supervisor import Supervisor
from referee.launcher.wire import RefusedError, UnreachableError, Wire
from referee.settings import Settings

READY_WITHIN = 60.0
PORT_FREE_WITHIN = 5.0
WEB_COMMAND = (
    *(sys.executable, "-m", "gunicorn", "referee.web.app:create_app()"),
    *("--worker-class", "referee.web.receiving.Worker"),
    *("--workers", "1", "--worker-connections", "10000", "--reuse-port"),
    *("--graceful-timeout", "2", "--config", "python:referee.web.serving", "--no-control-socket"),
)
COUNTS = "metrics"  # the directory in which all processes on a data directory count together
WORKER_COMMAND = (sys.executable, "-m", "workers")


@dataclass(frozen=True, slots=True)
class Shape:
    """How many processes, and where they listen. Port 0 takes a free one."""

    host: str = valkey.LOOPBACK
    port: int = 0
    web: int = 2
    workers: int = 2
    surroundings: Mapping[str, str] = field(default_factory=dict)


class Stack:
    """Starts a referee, keeps it alive and stops it: `with Stack(settings) as stack: ...`.

    Inside the block `url` answers and `organiser_token` is good. Children that die are started again.
    Everything durable lies in `settings.data`, so a stack started there later goes on where this one
    ended, however it ended. One stack at a time may use a data directory. `note` is told of restarts.
    """

    def __init__(
        self, settings: Settings, shape: Shape | None = None, *, note: Callable[[str], None] = lambda _: None
    ) -> None:
        self.settings = replace(settings, data=settings.data.resolve())
        self.shape = shape or Shape()
        self.organiser_token = ""
        self.is_first_start = False
        self.port = 0
        self._supervisor = Supervisor(note)
        self._lock: TextIO | None = None
        self._held: socket.socket | None = None

    @property
    def url(self) -> str:
        """The address of the service, without a slash at its end."""
        host = valkey.LOOPBACK if self.shape.host in ("0.0.0.0", "::", "") else self.shape.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def data(self) -> Path:
        """The data directory."""
        return self.settings.data

    @property
    def organiser(self) -> Wire:
        """A way to call the service as its organiser."""
        return Wire(self.url, self.organiser_token)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start everything and return when the service is ready.

        Raises `LauncherError` where something cannot start; nothing is left running then.
        """
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop everything: web and workers first, Valkey last. May be called twice."""
        children = self._supervisor.release()
        stop([child for child in children if child.program.name != "valkey"], patience=5.0)
        stop([child for child in children if child.program.name == "valkey"])
        if self._held is not None:
            self._held.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def wait_ready(self, limit: float = READY_WITHIN) -> None:
        """Wait until the service says it is ready; raises `LauncherError` with what it printed if it does not."""
        end = time.monotonic() + limit
        answer = "no answer"
        while time.monotonic() < end:
            try:
                Wire(self.url).get("/v1/ready")
            except (UnreachableError, RefusedError) as problem:
                answer = str(problem)
            else:
                return
            if any(self._supervisor.refills(name) > 2 for name in self._posts("web")):
                break
            time.sleep(0.05)
        outputs = "\n".join(tail(self._output(name)) for name in self._posts("web"))
        raise LauncherError(f"the service did not become ready: {answer}\n{outputs}")

    def kill_web(self, number: int | None = None) -> None:
        """Kill (as -9) one web process with all it started, or all of them; they are started again."""
        self._kill(self._chosen("web", number))

    def kill_worker(self, number: int | None = None) -> None:
        """Kill (as -9) one worker with its running job, or all of them; they are started again."""
        self._kill(self._chosen("worker", number))

    def kill_redis(self) -> None:
        """Kill (as -9) the embedded Valkey; it is started again on the same port with the same data."""
        if "valkey" not in self._supervisor.names():
            raise LauncherError("this stack has no embedded Valkey to kill: it uses the one REFEREE_REDIS_URL names")
        self._kill(["valkey"])

    def pids(self) -> dict[str, int]:
        """Tell the process id at each post: `valkey`, `web-0`, `worker-0`, ..."""
        return {name: self._supervisor.child(name).process.pid for name in self._supervisor.names()}

    def child(self, name: str) -> Child:
        """Return the process at a post; it may just have died."""
        return self._supervisor.child(name)

    def refills(self, name: str) -> int:
        """Tell how often the child at a post was started again."""
        return self._supervisor.refills(name)

    def _start(self) -> None:
        allow_files()
        self.data.mkdir(parents=True, exist_ok=True, mode=0o700)  # seeds of live matches lie in it
        self._lock = locked(self.data)
        shutil.rmtree(self.data / COUNTS, ignore_errors=True)  # of processes that are gone, which would count for ever
        (self.data / COUNTS).mkdir()
        self._held = held_port(self.shape.host, self.shape.port or self._free_port())
        self.port = int(self._held.getsockname()[1])
        self._start_redis()
        self._supervisor.begin()
        try_stores(self.settings)
        self.organiser_token, self.is_first_start = organiser_token(self.settings)
        for name in [f"web-{n}" for n in range(self.shape.web)]:
            bind = f"[{self.shape.host}]" if ":" in self.shape.host else self.shape.host
            self._post(name, (*WEB_COMMAND, "--bind", f"{bind}:{self.port}"))
        for name in [f"worker-{n}" for n in range(self.shape.workers)]:
            self._post(name, WORKER_COMMAND)
        if self.shape.web:
            self.wait_ready()

    def _free_port(self) -> int:
        return valkey.free_port(self.shape.host)

    def _start_redis(self) -> None:
        if self.settings.redis_url:
            return
        directory, fsync = self.data / "redis", self.settings.fsync
        child, url = valkey.launch(directory, fsync=fsync)
        self._supervisor.fill("valkey", child, partial(valkey.relaunch, directory, fsync=fsync))
        self.settings = replace(self.settings, redis_url=url)

    def _post(self, name: str, command: Iterable[str]) -> None:
        program = Program(name, tuple(command), self._surroundings(), self._output(name))
        self._supervisor.fill(name, start(program), partial(start, program))

    def _surroundings(self) -> dict[str, str]:
        return {**variables(self.settings), "REFEREE_PORT": str(self.port), **self.shape.surroundings}

    def _output(self, name: str) -> Path:
        return self.data / "output" / f"{name}.log"

    def _posts(self, kind: str) -> list[str]:
        return [name for name in self._supervisor.names() if name.startswith(f"{kind}-")]

    def _chosen(self, kind: str, number: int | None) -> list[str]:
        return self._posts(kind) if number is None else [f"{kind}-{number}"]

    def _kill(self, names: Iterable[str]) -> None:
        for name in names:
            kill(self._supervisor.child(name))


def variables(settings: Settings) -> dict[str, str]:
    """Write settings as the environment variables they are read from."""
    return {
        "REFEREE_DATA": str(settings.data),
        "REFEREE_PORT": str(settings.port),
        "REFEREE_REDIS_URL": settings.redis_url,
        "REFEREE_DATABASE_URL": settings.database_url,
        "REFEREE_ALLOW_PRIVATE_PUSH": str(settings.allow_private_push).lower(),
        "REFEREE_REGISTRATION": settings.registration,
        "REFEREE_ORGANISER_TOKEN": settings.organiser_token,
        "REFEREE_FSYNC": settings.fsync,
        "REFEREE_LOG_LEVEL": settings.log_level,
        "REFEREE_REGISTRATIONS": str(settings.registrations),
        "REFEREE_REGISTRATIONS_A_DAY": str(settings.registrations_a_day),
        "REFEREE_HELD": str(settings.held),
        "REFEREE_WATCHERS": str(settings.watchers),
        "REFEREE_PROXIES": str(settings.proxies),
        "REFEREE_HEAD_SECONDS": str(settings.head_seconds),
        "REFEREE_BODY_SECONDS": str(settings.body_seconds),
        "REFEREE_SEND_SECONDS": str(settings.send_seconds),
        "PROMETHEUS_MULTIPROC_DIR": str(settings.data / COUNTS),
    }


def try_stores(settings: Settings) -> None:
    """Open both stores once, which brings the record to the newest edition, before processes do that all want them.

    Raises `LauncherError` that says which cannot be opened and what to do.
    """
    from referee import service

    try:
        service.close(service.open(settings, sweep=False))
    except service.ServiceProblem as problem:
        raise LauncherError(problem.detail) from problem


def organiser_token(settings: Settings) -> tuple[str, bool]:
    """Return the organiser's token and whether it was made just now."""
    from referee.service import opening  # here, for it brings the database and Redis clients with it

    return opening.organiser_token(settings)


def locked(data: Path) -> TextIO:
    """Take the data directory for this process; raises `LauncherError` naming the process that has it."""
    file = (data / "launcher.lock").open("a+", encoding="ascii")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        holder = file.read().strip() or "unknown"
        file.close()
        raise LauncherError(
            f"the data directory {data} is in use by process {holder}; stop that one, or set REFEREE_DATA to another"
        ) from None
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file


def held_port(host: str, port: int) -> socket.socket:
    """Bind the port without listening, so that nobody else takes it while web processes come and go.

    Waits a little for one that is just being given up. Raises `LauncherError` where somebody listens there.
    """
    limit = time.monotonic() + PORT_FREE_WITHIN
    while True:
        try:
            return bound(host, port)
        except OSError as problem:
            if problem.errno != errno.EADDRINUSE or time.monotonic() > limit:
                raise LauncherError(
                    f"cannot listen on {host} port {port}: {problem.strerror};"
                    " choose another with --port or REFEREE_PORT"
                ) from problem
        time.sleep(0.1)


def bound(host: str, port: int) -> socket.socket:
    """Bind the port for sharing, once it is sure that nobody has it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with contextlib.closing(socket.socket(family)) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))
    held = socket.socket(family)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    held.bind((host, port))
    return held
