"""What somebody cannot see changes nothing of what they are told: two worlds that differ in two such cards are alike to
the byte, on every route, page, stream, refusal, line of the journal and figure, at every moment, for everybody.

SCENARIOS 48 to 50; the terminal summary tells how many requests were compared.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest

from referee.rules.positions import DEALING
from referee.service import Service
from tests.conftest import COMPARED
from tests.web.worlds import (
    SEATS,
    SPECTATOR,
    STRANGER,
    THE_ORGANISER,
    Phase,
    Told,
    World,
    Worlds,
    exchanges,
    played,
    replayed,
    told,
)

BY_HAND = ("shuffle", "cut", "deal")
LEAST = 500
TRIALS = 12

FIRST_LEAD = Phase("before the first lead", "lead")
FIRST_TRICK = Phase("in the first trick", "follow")
CLOSED = Phase("after a close", "follow", first=("close",))
IN_THE_DEAL = Phase("in the deal", "deal", chores=BY_HAND, acts=4)
LATER = Phase("in a later trick", "follow", acts=5)
GAMES = {
    "house": (
        Phase("before the cut", "cut", chores=BY_HAND),
        IN_THE_DEAL,
        FIRST_LEAD,
        FIRST_TRICK,
        Phase("at the stock", "draw", chores=("draw",), acts=2),
        CLOSED,
        Phase("after a marriage", "follow", first=("marry",)),
        Phase("in the second deal", "follow", deal=2),
        Phase("where players call", "follow", more={"calls": "players"}, acts=3),
    ),
    "schnapsen": (FIRST_LEAD, CLOSED),
    "three_handed": (FIRST_LEAD, LATER),
    "four_handed": (IN_THE_DEAL, LATER),
    "cruce": (Phase("while they bid", "bid"), Phase("in a later trick", "follow", first=("bid",), acts=10)),
}


def twin(
    worlds: Worlds, game: str, phase: Phase, seat: int | None, acts: list[tuple[str, dict[str, Any]]], first: Any
) -> World | None:
    """Make a world that is another only in what the seat (None: nobody seated) cannot see; nothing where there is none."""
    for exchanged in exchanges(first.position, seat, random.Random(phase.name))[:TRIALS]:
        world = worlds.made(phase, game, exchanged, first.deal)
        if replayed(world, acts) and _is_twin(world.live, first, seat):
            return world
    return None


def _is_twin(now: Any, first: Any, seat: int | None) -> bool:
    """Whether nothing was ruled or scored otherwise, which legally hangs on a card nobody has seen, and a card has moved."""
    one, other = now.position, first.position
    assert (one.hands, one.stock) != (other.hands, other.stock), "nothing was exchanged"
    assert seat is None or one.phase in DEALING or one.hands[seat] == other.hands[seat]
    return (now.version, one.phase, one.turn, one.tricks) == (first.version, other.phase, other.turn, other.tricks)


def assert_alike(before: Told, after: Told, where: str) -> None:
    """Every answer of the two worlds is the same."""
    assert after.keys() == before.keys(), where
    differ = [name for name, answer in before.items() if after[name] != answer]
    shown = "\n".join(f"{name}\n{before[name]}\n--- and ---\n{after[name]}" for name in differ[:2])
    assert not differ, f"{where}: {len(differ)} of {len(before)} tell of a card unseen: {differ}\n{shown}"


@pytest.mark.parametrize("game", GAMES)
def test_acceptance_4_what_somebody_cannot_see_changes_nothing_they_are_told(
    game: str, service: Service, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> None:
    worlds = Worlds(service, monkeypatch)
    compared, alone = 0, []
    for number, phase in enumerate(GAMES[game]):
        world = worlds.made(phase, game, {}, 0)
        acts = played(world, phase)
        first, seats = world.live, SEATS[: len(world.bots)]
        viewers = (*seats, SPECTATOR, STRANGER, THE_ORGANISER)
        before = {viewer: told(worlds, world, viewer, still=number == 0) for viewer in viewers}
        for looking in (*((seat,) for seat in seats), (SPECTATOR, STRANGER, THE_ORGANISER)):
            seat = SEATS.index(looking[0]) if looking[0] in seats else None
            other = twin(worlds, game, phase, seat, acts, first)
            if other is None:
                alone.append(f"{phase.name}, {looking[0]}")
                continue
            for viewer in looking:
                after = told(worlds, other, viewer, still=number == 0)
                assert_alike(before[viewer], after, f"{game}, {phase.name}, {viewer}")
                compared += len(after)
    record_property(COMPARED, compared)
    assert compared >= LEAST, f"{compared} requests were compared, at least {LEAST} are to be"
    assert alone == [], "nothing could be exchanged there"


def test_a_leak_would_be_seen(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one seat is told differs in the worlds that are alike for the other: its own hand is another one."""
    worlds, phase = Worlds(service, monkeypatch), FIRST_TRICK
    world = worlds.made(phase, "house", {}, 0)
    acts, first = played(world, phase), world.live
    before = told(worlds, world, "b", still=False)
    other = twin(worlds, "house", phase, 0, acts, first)
    assert other is not None
    after = told(worlds, other, "b", still=False)
    differ = {name for name in before if before[name] != after[name]}
    assert "GET /v1/matches/<match_id>/view" in differ
    assert "view of seat b" in differ
    with pytest.raises(AssertionError, match="tell of a card unseen"):
        assert_alike(before, after, "b")
