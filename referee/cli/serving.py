"""`referee serve` and `referee work`."""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from referee import settings as environment
from referee.cli import stopping
from referee.launcher.processes import LauncherError, Program, start, stop
from referee.launcher.stack import COUNTS, WORKER_COMMAND, Shape, Stack, variables
from referee.launcher.supervisor import Supervisor
from referee.launcher.valkey import LOOPBACK, Place

DATA = click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Data directory [REFEREE_DATA].")


@click.command()
@DATA
@click.option("--host", default=LOOPBACK, show_default=True, help="Address to listen on; 0.0.0.0 is every one.")
@click.option("--port", type=click.IntRange(0, 65535), help="Port; 0 takes a free one [REFEREE_PORT, else 8066].")
@click.option("--web", type=click.IntRange(1), default=2, show_default=True, help="Web processes.")
@click.option("--workers", type=click.IntRange(0), default=2, show_default=True, help="Workers.")
def serve(data: Path | None, host: str, port: int | None, web: int, workers: int) -> int:
    """Run the service until Ctrl-C: embedded Valkey, web processes and workers.

    What dies is started again. At the first start the organiser's token is printed; it lies in the data
    directory from then on.
    """
    chosen = environment.read()
    chosen = replace(chosen, data=data or chosen.data)
    shape = Shape(host=host, port=chosen.port if port is None else port, web=web, workers=workers)
    with stopping.orderly(), Stack(chosen, shape, note=warn) as stack:
        told = stopping.listen()  # before anybody hears that there is something to stop
        click.echo(f"the referee answers at {stack.url}; data in {stack.data}; Ctrl-C ends it")
        if stack.is_first_start:
            click.echo(f"organiser token (kept in the data directory): {stack.organiser_token}")
        sys.stdout.flush()
        code = stopping.wait(told)
        click.echo("stopping")
    return code


@click.command()
@DATA
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Workers.")
def work(data: Path | None, workers: int) -> int:
    """Run further workers for a service that runs already, until Ctrl-C.

    They find it by REFEREE_REDIS_URL and REFEREE_DATABASE_URL; without these, by the data directory of a
    `referee serve` on this machine.
    """
    chosen = environment.read()
    chosen = replace(chosen, data=(data or chosen.data).resolve())
    if not chosen.redis_url:
        chosen = replace(chosen, redis_url=embedded_url(chosen.data))
    (chosen.data / COUNTS).mkdir(parents=True, exist_ok=True)
    supervisor = Supervisor(warn)
    with stopping.orderly():
        try:
            for number in range(workers):
                output = chosen.data / "output" / f"extra-worker-{number}.log"
                program = Program(f"worker-{number}", WORKER_COMMAND, variables(chosen), output)
                supervisor.fill(program.name, start(program), partial(start, program))
            supervisor.begin()
            told = stopping.listen()
            click.echo(f"{workers} at work; their output is in {chosen.data / 'output'}; Ctrl-C ends them")
            sys.stdout.flush()
            return stopping.wait(told)
        finally:
            stop(supervisor.release())


def embedded_url(data: Path) -> str:
    """Read where the embedded Valkey of a running service answers."""
    place = Place(data / "redis")
    if not place.pid.exists() or not place.url.exists():
        raise LauncherError(
            f"no service runs on {data}: start `referee serve` there first, or set REFEREE_REDIS_URL (and"
            " REFEREE_DATABASE_URL) to those of the service to work for"
        )
    return place.url.read_text("utf-8")


def warn(text: str) -> None:
    """Tell what happened to a child, on standard error."""
    click.echo(f"referee: {text}", err=True)
