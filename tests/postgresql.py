"""A real PostgreSQL for the tests: the one REFEREE_TEST_DATABASE_URL names, or one made here of the machine's binaries.

Debian keeps the binaries out of PATH, in /usr/lib/postgresql/VERSION/bin; they are found there too. The server
refuses to be root, so where the tests are, it runs as `postgres` or `nobody` in a directory of its own.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from referee.launcher.valkey import free_port

GIVEN = os.environ.get("REFEREE_TEST_DATABASE_URL", "")
INSTALLED = Path("/usr/lib/postgresql")
PATIENCE = 120.0
USER = "referee"
#: Names sort as people sort them, which is not how SQLite does: what rests on the order of bytes shows itself.
LOCALE = ("--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US")


def lacking() -> str:
    """Why no PostgreSQL can be had here; empty where one can."""
    if find_spec("psycopg") is None:
        return "no PostgreSQL: the package psycopg is not installed"
    if GIVEN or program("postgres"):
        return ""
    return (
        f"no PostgreSQL: neither REFEREE_TEST_DATABASE_URL nor a server on PATH or in {INSTALLED}"
        " (Debian: apt-get install postgresql)"
    )


def program(name: str) -> str:
    """The path of one of PostgreSQL's programs, the newest there is; empty where there is none."""
    kept = sorted(INSTALLED.glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]), reverse=True)
    return shutil.which(name) or next(map(str, kept), "")


@dataclass
class PostgresServer:
    """A PostgreSQL of the tests, which can be killed and started again on the same data; a given one cannot.

    With `durable` every commit is forced to disk. Without, only a host that dies would lose any: a process does not.
    """

    folder: Path
    port: int = 0
    password: str = ""
    durable: bool = False
    process: subprocess.Popen[bytes] | None = None

    @property
    def is_ours(self) -> bool:
        return not GIVEN

    def url(self, database: str = "postgres") -> str:
        """The address of one of its databases, as SQLAlchemy takes it."""
        if GIVEN:
            return f"{GIVEN.rpartition('/')[0]}/{database}"
        return f"postgresql://{USER}:{self.password}@127.0.0.1:{self.port}/{database}"

    def make(self) -> None:
        """Makes an empty cluster in `folder`."""
        self.password, self.port = secrets.token_hex(12), free_port()
        own(self.folder)
        secret = self.folder / "password"
        secret.write_text(self.password)
        own(secret)
        words = [program("initdb"), "-D", str(self.folder / "data"), "-U", USER, "-A", "scram-sha-256", "-E", "UTF8"]
        words += [f"--pwfile={secret}", "--no-sync", "--no-instructions"]
        done = subprocess.run([*words, *LOCALE], capture_output=True, text=True, cwd="/", **as_nobody())
        if done.returncode:  # one built without ICU
            shutil.rmtree(self.folder / "data", ignore_errors=True)
            done = subprocess.run([*words, "--locale=C"], capture_output=True, text=True, cwd="/", **as_nobody())
        assert done.returncode == 0, f"initdb failed: {done.stderr}"

    def start(self) -> None:
        """Starts the server, over whatever a killed one left, and returns when it answers."""
        until = time.monotonic() + PATIENCE
        while True:  # the children of a killed one may still hold its memory
            self.process = self.launched()
            while self.process.poll() is None:
                if self.answers():
                    return
                assert time.monotonic() < until, f"PostgreSQL does not answer: {self.said()}"
                time.sleep(0.02)
            assert time.monotonic() < until, f"PostgreSQL does not start: {self.said()}"
            time.sleep(0.1)

    def launched(self) -> subprocess.Popen[bytes]:
        """The process of the server, just started."""
        settings = {"listen_addresses": "127.0.0.1", "port": self.port, "unix_socket_directories": ""}
        settings |= {"max_connections": 400, "shared_buffers": "32MB"}
        settings |= {} if self.durable else {"fsync": "off", "full_page_writes": "off"}
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "output").open("ab") as output:
            return subprocess.Popen(
                [*tied(signal.SIGQUIT), program("postgres"), "-D", str(self.folder / "data"), *words],
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd="/",
                start_new_session=True,
                **as_nobody(),
            )

    def answers(self) -> bool:
        """Whether it takes a connection."""
        import psycopg

        try:
            with psycopg.connect(self.url(), connect_timeout=5):
                return True
        except psycopg.OperationalError:
            return False

    def said(self) -> str:
        """The end of what it printed."""
        return (self.folder / "output").read_text(errors="replace")[-2000:]

    def fresh(self, template: str = "template0") -> str:
        """Makes a database, empty or a copy, and answers its address."""
        name = f"referee_test_{secrets.token_hex(6)}"
        self.tell(f'CREATE DATABASE {name} TEMPLATE "{template}"')
        return self.url(name)

    def drop(self, url: str) -> None:
        """Drops a database with whoever still looks into it."""
        with contextlib.suppress(Exception):
            self.tell(f"DROP DATABASE IF EXISTS {url.rpartition('/')[2]} WITH (FORCE)")

    def tell(self, statement: str) -> None:
        """Executes one statement outside of transactions."""
        import psycopg

        with psycopg.connect(self.url(), autocommit=True, connect_timeout=30) as connection:
            connection.execute(statement)  # type: ignore[arg-type]

    def family(self) -> list[int]:
        """The server's process and its children."""
        assert self.process is not None
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        with contextlib.suppress(OSError):
            return [self.process.pid, *map(int, children.read_text().split())]
        return [self.process.pid]

    @contextlib.contextmanager
    def hung(self) -> Iterator[None]:
        """Stops all its processes, so that connections stand and nothing is answered, until the block ends."""
        stopped = self.family()
        send(stopped, signal.SIGSTOP)
        try:
            yield
        finally:
            send(stopped, signal.SIGCONT)

    def kill(self, *, whole: bool = True) -> None:
        """Kills it (as -9) with its children, or the first process alone, on which the others end by themselves."""
        assert self.process is not None
        send(self.family() if whole else [self.process.pid], signal.SIGKILL)
        self.process.wait()
        self.process = None

    def stop(self) -> None:
        """Ends it in order and removes what it kept."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)  # at once: nobody needs its data any more
            self.process.wait(PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)


def new_server(*, durable: bool = False) -> PostgresServer:
    """A server that answers; where one is given, that one."""
    if GIVEN:
        return PostgresServer(Path())
    # Not below pytest's own directory, which only who runs the tests may enter.
    server = PostgresServer(Path(tempfile.mkdtemp(prefix="referee-postgresql-")), durable=durable)
    try:
        server.make()
        server.start()
    except BaseException:
        server.stop()
        raise
    return server


def tied(number: int) -> list[str]:
    """The words before a command that let it get a signal when who started it dies; none where there is no such tool.

    Who started it is a thread: one that ends before its process does must not tie what it starts to itself.
    """
    tool = shutil.which("setpriv")
    if not tool or threading.current_thread() is not threading.main_thread():
        return []
    return [tool, f"--pdeathsig={signal.Signals(number).name.removeprefix('SIG')}"]


def servant() -> pwd.struct_passwd | None:
    """Who the server runs as where root runs the tests; None elsewhere."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise AssertionError("PostgreSQL refuses to be root, and there is no user postgres or nobody")


def as_nobody() -> dict[str, Any]:
    """What subprocess needs to start somebody as the servant."""
    who = servant()
    return {} if who is None else {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}


def own(path: Path) -> None:
    """Hands a file to the servant."""
    who = servant()
    if who is not None:
        os.chown(path, who.pw_uid, who.pw_gid)


def send(processes: list[int], number: int) -> None:
    """Sends a signal to each that is still there."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)
