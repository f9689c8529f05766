"""A bot's day: every prompt that waits for it."""

from __future__ import annotations

import time
from typing import Any

from referee.service import access, prompts, table
from referee.service.base import Caller, Service
from referee.service.wakes import waiter

LONGEST_WAIT = 30.0


def get_turns(service: Service, *, caller: Caller, wait: float = 0.0) -> dict[str, Any]:
    """Is `{"prompts": [PROMPT, ...]}` with every prompt that waits for the bot, oldest first; delivers them.

    With `wait` (seconds, cut to 30) holds until there is one; empty when the time is over. Delivered again as
    often as it is asked for, with the clock of the first delivery. 401 `auth/token_missing`, 403 `auth/bot_only`.
    """
    bot = access.bot_of(caller)
    found = waiting_for(service, bot)
    if found or wait <= 0:
        return {"prompts": found}
    until = time.monotonic() + min(wait, LONGEST_WAIT)
    with waiter(service.wakes, [bot]) as woken:
        while True:
            found = waiting_for(service, bot)
            left = service.wakes.left(until)
            if found or left <= 0:
                return {"prompts": found}
            woken(left)


def waiting_for(service: Service, bot: str) -> list[dict[str, Any]]:
    """Delivers every prompt that waits for a pull bot."""
    return [prompt for match_id in service.live.turns(bot) for prompt in _prompts(service, match_id, bot)]


def _prompts(service: Service, match_id: str, bot: str) -> list[dict[str, Any]]:
    try:
        now = table.load(service, match_id)
    except table.NotLive:
        return []
    asked = [seat for seat in now.match.asked if now.standing.bots[seat] == bot]
    delivered = (prompts.deliver(service, now, seat) for seat in asked)
    return [prompt for prompt in delivered if prompt is not None]
