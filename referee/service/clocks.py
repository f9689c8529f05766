"""Time run out, prompts never fetched, too many refused acts: what the referee rules of itself.

Each reads the match anew before it rules, and rules by compare-and-set, so that an act that
came in time is never overruled and two sweepers are as good as one.
"""

from __future__ import annotations

import logging

from referee import match as matches
from referee.rules import acts
from referee.rules.cards import SEATS
from referee.service import aftermath, house, reporting, table
from referee.service.base import Service

ATTEMPTS = 30

_log = logging.getLogger(__name__)


def elapsed(now: table.Table, seat: int, *, at: int) -> int:
    """Is how long a seat has had its prompt, in ms; since it was asked if it never fetched it; 0 if it is not asked."""
    since = now.number("delivered", seat)
    since = now.number("asked", seat) if since is None else since
    return 0 if since is None else max(0, at - since)


def charged(now: table.Table, elapsed_ms: int) -> int:
    """Is what an act is charged of the time it took: the network's grace is free."""
    return max(0, elapsed_ms - now.match.terms.clock.grace_ms)


def cost(now: table.Table, seat: int, kind: object, *, ms: int) -> str:
    """Is what an act that was charged `ms` costs the bank, and why, as it is kept: milliseconds, a blank, a word.

    `in_time`: the allowance was enough; `bank`: what was over came from the bank; `free`: by-play and elections cost
    no bank, however long they took.
    """
    over = max(0, ms - now.match.terms.clock.act_ms)
    if not over:
        return "0 in_time"
    if now.match.electing or kind in acts.BY_PLAY:
        return "0 free"
    return f"{min(over, now.match.clock_left(seat))} bank"


def is_late(now: table.Table, seat: int, *, at: int) -> bool:
    """Tells whether an act of a seat that is asked comes after its time."""
    deadline = _deadline(now, seat, acting=True)
    return deadline is not None and at > deadline


def _deadline(now: table.Table, seat: int, *, acting: bool) -> int | None:
    """Is when a seat's time is over. Whoever acts has known of the prompt: fetched or not, the time ran since it was asked."""
    deadline, asked = now.deadline(seat), now.number("asked", seat)
    if not acting or deadline is None or asked is None or now.standing.transports[seat] != table.PULL:
        return deadline
    if now.number("delivered", seat) is not None:
        return deadline
    return min(deadline, asked + table.allowance(now.match, seat) + now.match.terms.clock.grace_ms)


def enforce(service: Service, match_id: str, *, seat: int, at: int, acting: bool = False) -> bool:
    """Rules on a seat that has overrun its time by `at`; tells whether this call did. Puts a wrong deadline right.

    `acting`: an act of the seat arrived at that time.
    """
    letter = SEATS[seat]
    try:
        now = table.load(service, match_id)
    except table.NotLive:
        service.live.set_due(match_id, seat=letter, at=None)
        return False
    deadline = None if now.match.is_over else _deadline(now, seat, acting=acting)
    if deadline is None or deadline >= at:
        service.live.set_due(match_id, seat=letter, at=deadline)
        aftermath.follow(service, match_id, seen=now)
        return False
    if now.standing.transports[seat] == table.HOUSE:
        house.play(service, now)
        aftermath.follow(service, match_id)
        return False
    reached = acting or now.has("seen", seat)
    return rule_on_silence(service, now, seat, reached=reached, elapsed_ms=elapsed(now, seat, at=at))


def rule_on_silence(
    service: Service,
    now: table.Table,
    seat: int,
    *,
    reached: bool,
    elapsed_ms: int,
    token: str = "",
    fetched: bool | None = None,
) -> bool:
    """Rules that a seat's time is over: no show if it was never `reached` in the match, else time; False if it moved on.

    `fetched`: whether this very prompt came to the bot; left out, whether it fetched it.
    """
    if reached:
        step = matches.time_out(now.match, seat, elapsed_ms=elapsed_ms)
    else:
        step = matches.no_show(now.match, seat, waited_ms=elapsed_ms)
    letter = SEATS[seat]
    kept: dict[str, str | bytes | int] = {f"charged:{letter}": elapsed_ms, f"trip:{letter}": elapsed_ms}
    lost = 0 if now.match.electing else now.match.clock_left(seat)
    kept[f"bank:{letter}"] = f"{lost} time_out"
    outcome, after = table.write(service, now, step, token=token, kept=kept)
    if outcome != "taken":
        return False
    told = {"match": now.id, "bot": now.standing.bots[seat], "seat": letter, "ms": elapsed_ms}
    _log.info("a seat's time is over", extra={**told, "kind": "time" if reached else "no_show"})
    fetched = now.number("delivered", seat) is not None if fetched is None else fetched
    reporting.note_silence(service, now, seat, fetched=fetched, elapsed_ms=elapsed_ms)
    aftermath.follow(service, now.id, seen=after)
    return True


def conduct_count(now: table.Table, seat: int, *, refused: int) -> tuple[int, int]:
    """Is what counts against a seat under IR-85, refused acts and conduct points together, and the rule-set's limit."""
    limit = now.match.terms.ruleset.options["conduct_limit"]
    assert isinstance(limit, int)
    return now.match.conduct[seat] + refused, limit


def conduct_is_reached(now: table.Table, seat: int, *, refused: int) -> bool:
    """Tells whether refused acts and conduct points of a seat together reach the limit of the rule-set (IR-85)."""
    count, limit = conduct_count(now, seat, refused=refused)
    return count >= limit


def lose_by_conduct(service: Service, match_id: str, *, seat: int) -> None:
    """Ends a match by conduct, once the seat's refused acts have reached the limit."""
    for _ in range(ATTEMPTS):
        try:
            now = table.load(service, match_id)
        except table.NotLive:
            return
        refused = now.number("refused", seat) or 0
        if now.match.is_over or not conduct_is_reached(now, seat, refused=refused):
            return
        outcome, after = table.write(service, now, matches.conduct_reached(now.match, seat, refused=refused))
        if outcome == "taken":
            aftermath.follow(service, match_id, seen=after)
            return
