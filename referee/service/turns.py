"""A bot's day: every prompt that waits for it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from referee.service import access, hearing, prompts, table, tokens
from referee.service.base import Caller, Service
from referee.service.wakes import Wake, waiter

LONGEST_WAIT = 30.0
MOST_PROMPTS = 200  # in one reply, those that wait longest: who answers them comes to all others in turn


def get_turns(service: Service, *, caller: Caller, wait: float = 0.0, most: int = MOST_PROMPTS) -> dict[str, Any]:
    """Is `{"prompts": [PROMPT, ...]}` with the prompts that wait for the bot, oldest first, at most `most`; delivers them.

    With `wait` (seconds, cut to 30) holds until there is one; empty when the time is over. Delivered again as
    often as it is asked for, with the clock of the first delivery. 401 `auth/token_missing`, 403 `auth/bot_only`;
    401 `auth/token_unknown` as soon as the token dies while the bot is held.
    """
    bot = access.bot_of(caller)
    if wait <= 0:
        return {"prompts": waiting_for(service, bot, most=most)}
    with waiter(service.wakes, [bot, *tokens.topics(caller)]) as woken:
        return {"prompts": next_prompts(service, caller, woken=woken, wait=wait, most=most)}


def next_prompts(
    service: Service,
    caller: Caller,
    *,
    woken: Callable[[float], Iterable[Wake]],
    wait: float,
    seen: Mapping[str, table.Table] | None = None,
    most: int = MOST_PROMPTS,
) -> list[dict[str, Any]]:
    """Waits up to so many seconds until a prompt waits for the bot, and delivers up to `most`; `seen` as in `waiting_for`.

    `woken` must have been listening to the bot since before `seen` was read, and to the death of its token.
    401 `auth/token_unknown` if that has died meanwhile: nothing is delivered to who comes with it.
    """
    bot = access.bot_of(caller)
    until = time.monotonic() + min(wait, LONGEST_WAIT)
    found = waiting_for(service, bot, seen=seen, most=most)
    while not found and (left := service.wakes.left(until)) > 0:
        wakes = list(woken(left))
        tokens.require_alive(service, caller)
        looked_at = service.live.turns(bot) if is_for_all(wakes) else named(wakes)
        found = prompts_of(service, bot, looked_at, most=most, heard=wakes)
    return found


def waiting_for(
    service: Service, bot: str, *, seen: Mapping[str, table.Table] | None = None, most: int | None = None
) -> list[dict[str, Any]]:
    """Delivers the prompts that wait for a pull bot. `seen` are tables this process has just read: not read again."""
    return prompts_of(service, bot, service.live.turns(bot), seen=seen, most=most)


def prompts_of(
    service: Service,
    bot: str,
    match_ids: Iterable[str],
    *,
    seen: Mapping[str, table.Table] | None = None,
    most: int | None = None,
    heard: Sequence[Wake] = (),
) -> list[dict[str, Any]]:
    """Delivers the prompts that wait for a pull bot in those matches, those that wait longest first and no more than `most`.

    `heard` are wakes that tell of some of them.

    Of more matches than that only those are read whose prompts are delivered: a table costs far more than when it was asked.
    """
    ids = list(match_ids)
    if most is None or len(ids) <= most:
        return _delivered(service, bot, ids, seen=seen or {}, most=most, heard=heard)
    ids = _longest_waiting_first(service, bot, ids)
    found: list[dict[str, Any]] = []
    while ids and len(found) < most:
        lacking = most - len(found)
        found += _delivered(service, bot, ids[:lacking], seen=seen or {}, most=lacking)
        ids = ids[lacking:]
    return found


def _longest_waiting_first(service: Service, bot: str, match_ids: Sequence[str]) -> list[str]:
    """Are the matches by when a seat of the bot was asked there; those where none is come last."""
    each_facts = service.live.some_of_each(match_ids, ("bots", *table.FIELDS["asked"]))
    return [
        match_id for _, match_id in sorted(zip((_asked(facts, bot) for facts in each_facts), match_ids, strict=True))
    ]


def _asked(facts: Mapping[str, bytes], bot: str) -> float:
    bots = facts.get("bots", b"").decode().split(",")
    times = [facts.get(field) for field, seated in zip(table.FIELDS["asked"], bots, strict=False) if seated == bot]
    return min((int(at) for at in times if at), default=math.inf)


def _delivered(
    service: Service,
    bot: str,
    match_ids: Sequence[str],
    *,
    seen: Mapping[str, table.Table],
    most: int | None,
    heard: Sequence[Wake] = (),
) -> list[dict[str, Any]]:
    known: dict[str, table.Table | None] = {each: seen.get(each) for each in match_ids}
    unread = [match_id for match_id, now in known.items() if now is None]
    known |= zip(unread, hearing.as_heard(service, unread, heard), strict=True)
    asked = [(now, seat) for now in known.values() if now is not None for seat in pulled(now, bot)]
    asked.sort(key=lambda each: each[0].number("asked", each[1]) or 0)
    asked = asked[:most]
    return [prompt for prompt in prompts.deliver_all(service, asked) if prompt is not None]


def pulled(now: table.Table, bot: str) -> list[int]:
    """Are the seats of a bot that are asked there and fetch their prompts."""
    return table.pulled(now.standing, bot)


def is_for_all(wakes: Iterable[Wake]) -> bool:
    """Tells whether anything may have happened: everybody was woken."""
    return any(not wake.match for wake in wakes)


def named(wakes: Iterable[Wake]) -> list[str]:
    """Are the matches of wakes, oldest first."""
    return sorted({wake.match for wake in wakes if wake.match})
