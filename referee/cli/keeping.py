"""`referee backup`."""

from dataclasses import replace
from pathlib import Path

import click

from referee import settings as environment
from referee.cli.serving import DATA
from referee.launcher import backup as backups


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@DATA
def backup(directory: Path, data: Path | None) -> int:
    """Copy what lies in the data directory into DIRECTORY, while the service runs.

    To restore, start `referee serve --data` on a copy of DIRECTORY. What lies on servers of their own is named.
    """
    chosen = environment.read()
    made = backups.save(replace(chosen, data=data or chosen.data), directory)
    click.echo(f"saved in {made.directory}: {', '.join(made.saved) or 'nothing'}")
    for what in made.elsewhere:
        click.echo(f"not saved: {what}")
    return 0
