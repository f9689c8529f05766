"""The command line every sample bot shares, and the way it is started.

Puts the SDK's directory on the path, so that a clone runs with nothing installed.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import sixtysix as sixtysix

if TYPE_CHECKING:
    from sixtysix import After, Choose, Chore


def arguments(style: str) -> argparse.Namespace:
    """Reads the command line of the bot that plays in `style`."""
    parser = argparse.ArgumentParser(
        description=f"The {style} bot of the Sixty-Six referee.",
        epilog="REFEREE_URL, REFEREE_TOKEN and REFEREE_WEBHOOK_SECRET are read, too.",
    )
    parser.add_argument("--name", default=style, help="name to register under")
    parser.add_argument("--url", help="address of the referee")
    parser.add_argument("--seed", type=int, help="makes the bot's choices repeatable")
    parser.add_argument("--token-file", type=Path, help="keep the token here, read it next time")
    parser.add_argument("--push", type=int, metavar="PORT", help="be pushed to on this port")
    parser.add_argument("--public-url", help="the address to register when pushed to")
    parser.add_argument("--verbose", action="store_true", help="say what goes on")
    return parser.parse_args()


def play(
    choose: Choose,
    given: argparse.Namespace,
    *,
    chores: Sequence[Chore] = (),
    after: After | None = None,
) -> None:
    """Runs the bot as the command line says; ends with a message, not a trace, when refused."""
    level = logging.INFO if given.verbose else logging.WARNING
    logging.basicConfig(level=level, format=f"{given.name}: %(message)s")
    if given.push is not None and after is not None:
        raise SystemExit(f"{given.name}: this bot looks at the table when it is not asked; run it without --push")
    try:
        if given.push is not None:
            sixtysix.serve(
                choose,
                name=given.name,
                port=given.push,
                chores=chores,
                public_url=given.public_url,
                url=given.url,
            )
        else:
            sixtysix.run(
                choose,
                name=given.name,
                chores=chores,
                url=given.url,
                token_file=given.token_file,
                after=after,
            )
    except sixtysix.SixtySixError as error:
        print(f"{given.name}: {error}", file=sys.stderr)
        raise SystemExit(os.EX_SOFTWARE) from None
