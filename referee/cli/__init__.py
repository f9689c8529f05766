"""The command `referee`: each verb a few lines over the layers below, printing for people or, with --json, programs.

Exit codes: 0 done; 1 could not be done, or what was checked is not in order; 2 the command line was
wrong; 130 stopped by Ctrl-C, 143 by SIGTERM.
"""

import sys
from collections.abc import Sequence

import click

from referee import __version__
from referee.cli.checking import test, verify
from referee.cli.keeping import backup
from referee.cli.playing import demo, match
from referee.cli.reading import laws, rulesets
from referee.cli.ruling import rule
from referee.cli.serving import serve, work
from referee.cli.stopping import STOPPED_BY_CTRL_C
from referee.launcher.processes import LauncherError
from referee.launcher.wire import RefusedError, UnreachableError
from referee.settings import SettingsError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="referee")
def command() -> None:
    """Play tournaments of Sixty-Six between bots, and rule on what happens at the table."""


for verb in (demo, serve, work, backup, match, verify, rule, rulesets, laws, test):
    command.add_command(verb)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return its exit code; what goes wrong is a sentence, not a trace."""
    try:
        code = command.main(
            list(arguments) if arguments is not None else None, prog_name="referee", standalone_mode=False
        )
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        print("referee: stopped", file=sys.stderr)
        return STOPPED_BY_CTRL_C
    except (LauncherError, RefusedError, UnreachableError, SettingsError) as problem:
        print(f"referee: {problem}", file=sys.stderr)
        return 1
    return code if isinstance(code, int) else 0
