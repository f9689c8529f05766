"""One match between bots, with no tournament, against a referee that lives as long as the match."""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.launcher import bots
from referee.launcher.demo import STUCK_AFTER, Reporter, write_log
from referee.launcher.processes import LauncherError, tail
from referee.launcher.stack import Shape, Stack
from referee.launcher.wire import Wire
from referee.settings import Settings


def play(
    settings: Settings,
    names: Sequence[str],
    terms: Mapping[str, Any],
    report: Reporter,
    *,
    pause: Callable[[str, str], None],
) -> tuple[dict[str, Any], Path]:
    """Play the match and return it as the service tells it, with the file its log was written to.

    A name is that of a sample, the path of a program or the URL of a push bot; `pause` is called with
    name and secret of each of the latter before play begins. All processes have ended when this returns
    or raises.
    """
    for name in names:
        if not is_url(name) and (trouble := bots.lacking(bots.sample(name))):
            raise LauncherError(f"the {name} bot cannot run here: {trouble}")
    with Stack(replace(settings, allow_private_push=True), Shape(web=1, workers=1), note=report.note) as stack:
        with seated(names, stack) as players:
            for player in players:
                if player.child is None:
                    pause(player.name, player.secret)
            match = stack.organiser.post("/v1/matches", {"bots": [bot.id for bot in players], **terms})
            report.note(f"at the table, by seats: {', '.join(player.name for player in players)}")
            done = await_end(stack.organiser, match["id"], players)
        return done, write_log(stack.organiser, done, settings.data / "logs")


@contextlib.contextmanager
def seated(names: Sequence[str], stack: Stack) -> Iterator[list[bots.Seated]]:
    """Register the bots and start those that are samples; end them on leaving."""
    players: list[bots.Seated] = []
    try:
        for number, name in enumerate(names, 1):
            if is_url(name):
                players.append(bots.seat_remote(name, Wire(stack.url), f"remote-{number}"))
                continue
            bot = bots.sample(name)
            called = f"{bot.name}-{number}" if names.count(name) > 1 else bot.name
            players.append(bots.seat(bot, Wire(stack.url), stack.data / "output", name=called))
        yield players
    finally:
        bots.dismiss(players)


def await_end(organiser: Wire, match: str, players: Sequence[bots.Seated]) -> dict[str, Any]:
    """Watch until the match is over; raises `LauncherError` when it is void, a bot dies or nothing moves on."""
    seen, since = None, time.monotonic()
    while True:
        state: dict[str, Any] = organiser.get(f"/v1/matches/{match}")
        if state["state"] == "done":
            return state
        if state["state"] == "void":
            raise LauncherError(f"the match is void: {state.get('reason')}")
        for bot in players:
            if bot.child is not None and not bot.child.is_alive:
                raise LauncherError(f"the bot {bot.name} ended; it said\n{tail(bot.child.program.output)}")
        if state["version"] != seen:
            seen, since = state["version"], time.monotonic()
        if time.monotonic() - since > STUCK_AFTER:
            raise LauncherError(f"nothing happened in the match for {STUCK_AFTER:.0f} s")
        time.sleep(0.1)


def is_url(name: str) -> bool:
    """Tell whether a bot is named by its URL."""
    return name.startswith(("http://", "https://"))
