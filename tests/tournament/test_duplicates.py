"""What is compared of deals that several tables play with the same packs."""

from __future__ import annotations

import random

import pytest

from referee.tournament import standings
from referee.tournament.duplicates import Compared, Deal, Playing, compare
from referee.tournament.standings import Played


def deal(number: int, points: tuple[int, ...], *, attempt: int = 1, dealer: int = 1) -> Deal:
    return Deal(number, attempt, dealer, points)


def test_a_pair_is_the_sum_of_what_each_has_of_both_deals() -> None:
    one = Playing("p", ("x", "y"), (deal(1, (3, 0)), deal(2, (0, 1))))
    two = Playing("p", ("y", "x"), (deal(1, (1, 0)), deal(2, (0, 2))))
    found = compare([one, two], kind="paired")
    assert found == Compared({"x": 3 - 1 - 1 + 2, "y": -3}, {"x": 4, "y": 4})


def test_what_is_dealt_afresh_in_one_leg_only_is_left_out_and_what_is_in_both_is_not() -> None:
    one = Playing("p", ("x", "y"), (deal(1, (3, 0), attempt=2), deal(2, (0, 1), attempt=2)))
    two = Playing("p", ("y", "x"), (deal(1, (1, 0)), deal(2, (0, 2), attempt=2)))
    assert compare([one, two], kind="paired") == Compared({"x": 1, "y": -1}, {"x": 2, "y": 2})


@pytest.mark.parametrize("other", [deal(2, (0, 1)), deal(1, (0, 1), dealer=0)], ids=["another deal", "another dealer"])
def test_deals_that_only_one_table_played_so_are_left_out(other: Deal) -> None:
    one, two = Playing("p", ("x", "y"), (deal(1, (3, 0)),)), Playing("p", ("y", "x"), (other,))
    assert compare([one, two], kind="paired").deals == {"x": 0, "y": 0}


def test_other_packs_and_a_leg_without_its_other_compare_with_nothing() -> None:
    one, two = Playing("p", ("x", "y"), (deal(1, (3, 0)),)), Playing("q", ("y", "x"), (deal(1, (3, 0)),))
    assert set(compare([one, two], kind="paired").net.values()) == {0}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_legs_that_went_alike_come_to_nothing(seats: int) -> None:
    dice = random.Random(seats)
    for number in range(200):
        won = dice.randrange(seats)
        points = tuple(
            dice.randint(1, 3) if (seat % 2 == won % 2 and seats != 3) or seat == won else 0 for seat in range(seats)
        )
        points = points if seats != 4 else (points[0], points[1], points[0], points[1])
        entrants = ("x", "y", "x", "y")[:seats] if seats != 3 else ("x", "y", "z")
        turned = entrants[1:] + entrants[:1]
        legs = [Playing("p", who, (deal(number, points),)) for who in (entrants, turned)]
        kind = "paired" if seats != 3 else "field"
        assert set(compare(legs, kind=kind).net.values()) == {0}


def test_the_field_is_every_other_table_and_a_seat_is_compared_with_the_same_seat() -> None:
    tables = [
        Playing("p", ("u", "v"), (deal(1, (3, 0)),)),
        Playing("p", ("w", "x"), (deal(1, (1, 0)),)),
        Playing("p", ("y", "z"), (deal(1, (0, 2)),)),
    ]
    found = compare(tables, kind="field")
    assert found.net == {"u": 2 + 5, "v": -7, "w": -2 + 3, "x": -1, "y": -5 - 3, "z": 8}
    assert set(found.deals.values()) == {2}
    assert sum(found.net.values()) == 0


def test_tables_of_a_struck_entrant_are_not_compared() -> None:
    tables = [Playing("p", who, (deal(1, (2, 0)),)) for who in (("u", "v"), ("w", "x"), ("y", "z"))]
    assert compare(tables, kind="field", struck=["z"]).deals == {"u": 1, "v": 1, "w": 1, "x": 1}


def test_what_is_compared_comes_first_in_the_table_and_match_wins_part_those_level() -> None:
    results = [Played(1, ("x", "y"), 0, (7, 0), "declared"), Played(2, ("z", "x"), 1, (3, 7), "declared")]
    ranked = standings.table(
        results, ["x", "y", "z"], compared=Compared({"x": 0, "y": 4, "z": 0}, {"x": 2, "y": 2, "z": 2})
    )
    assert [(row.rank, row.bot, row.net, row.deals_compared) for row in ranked] == [
        (1, "y", 4, 2), (2, "x", 0, 2), (3, "z", 0, 2),
    ]  # fmt: skip
    assert [row.bot for row in standings.table(results, ["x", "y", "z"])] == ["x", "z", "y"]
