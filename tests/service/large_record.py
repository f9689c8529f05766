"""Records of tournaments as they would be after many matches, put there row by row: playing them would take too long."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from referee.service import Service, ids, scheduling, showing
from referee.service.entries import entered
from referee.store import match_rows, tournament_rows

AT = "2026-01-01T00:00:00.000Z"
OPEN_STATES = ("planned", "live")
CAUSES = ("declared", "played_out", "time", "overruled")


def filled(service: Service, tournament_id: str, *, dice: random.Random, done: float = 1.0, void: float = 0.0) -> None:
    """Lays down the schedule of a tournament that is not begun, and gives that share of its matches a result.

    Of the rest that share is void; each of those is played again under its number, and again, until it is not.
    """
    with service.record.writing() as connection:
        row = showing.tournament_row(connection, tournament_id)
        planned, balance = scheduling.laid_down(row, entered(connection, tournament_id))
        tournament_rows.move(
            connection, tournament_id, origin=("created",), to="running", balance=balance, started_at=AT
        )
        match_rows.add(connection, (each for match in planned for each in _playings(match, dice, done=done, void=void)))


def _playings(match: dict[str, Any], dice: random.Random, *, done: float, void: float) -> Iterator[dict[str, Any]]:
    replay = 0
    while True:
        again = {**match, "replay": replay, "id": ids.new_id("mat") if replay else match["id"]}
        if dice.random() < void:
            yield {**again, **_RESULT, "state": "void", "cause": "void", "reason": "our fault", "ended_at": AT}
            replay += 1
            continue
        if dice.random() < done:
            yield {**again, **_RESULT, "state": "done", "ended_at": AT, **result(len(match["bots"]), dice)}
        else:
            yield {**again, **_RESULT, "state": dice.choice(OPEN_STATES)}
        return


_RESULT: dict[str, Any] = dict.fromkeys(
    ("winner", "lost_by", "cause", "score", "deals", "events", "reason", "ended_at")
)


def result(seats: int, dice: random.Random) -> dict[str, Any]:
    """A result such as matches of so many seats have, with some that nobody has won."""
    cause, points = dice.choice(CAUSES), [dice.randrange(8) for _ in range(seats)]
    winner: int | None = dice.randrange(seats)
    lost_by = None
    if seats == 4:
        points[2:] = points[:2]
    if seats == 3 and dice.random() < 0.2:
        winner, lost_by = None, dice.randrange(3)
    elif dice.random() < 0.1:
        winner = None
    return {
        "winner": winner,
        "lost_by": lost_by,
        "cause": cause,
        "score": points,
        "deals": deals(seats, dice),
        "events": dice.randrange(20, 400),
    }


def deals(seats: int, dice: random.Random) -> list[list[Any]]:
    """Deals as a record keeps them for comparing, of few kinds, so that many are comparable."""
    found = []
    for number in range(1, dice.randrange(2, 5)):
        points = [0] * seats
        side = range(0, seats, 2) if seats == 4 else [dice.randrange(seats)]
        for seat in side:
            points[seat] = dice.randrange(1, 4)
        found.append([number, 1 + (dice.random() < 0.1), number % seats, points])
    return found
