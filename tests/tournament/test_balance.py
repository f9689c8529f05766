"""The balance of a schedule: the counts, the verdict, the words that are printed, and what it will not judge."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.tournament import schedule, teams
from referee.tournament.balance import Balance, Spread, balance
from referee.tournament.schedule import Pairing, TournamentError
from referee.tournament.teams import Team

#: No example is judged by the time it takes.
unhurried = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])


def field(size: int) -> list[str]:
    return [f"bot_{number}" for number in range(1, size + 1)]


def pairs(size: int) -> list[Team]:
    return [Team(f"team_{number}", (f"x_{number}", f"y_{number}")) for number in range(1, size + 1)]


def of(size: int, *, seats: int, cycles: int = 1) -> Balance:
    return balance(schedule.tables(field(size), seats=seats, cycles=cycles), field(size))


def of_teams(size: int, *, cycles: int = 1) -> Balance:
    return balance(teams.teams_round_robin(pairs(size), cycles=cycles), pairs(size))


# what is printed


PRINTED = {
    "7 bots three-handed": (
        of(7, seats=3),
        """
        7 bots at tables of 3: 7 matches in 7 rounds, 3 for each.
        Any two meet exactly once.
        Each sits exactly once in every seat and deals first exactly once; each has 4 byes.
        All of this is the same for all.
        """,
    ),
    "8 bots three-handed": (
        of(8, seats=3),
        """
        8 bots at tables of 3: 56 matches in 28 rounds, 21 for each.
        Any two meet exactly 6 times.
        Each sits exactly 7 times in every seat and deals first exactly 7 times; each has 7 byes.
        All of this is the same for all.
        """,
    ),
    "9 bots three-handed": (
        of(9, seats=3),
        """
        9 bots at tables of 3: 12 matches in 4 rounds, 4 for each.
        Any two meet exactly once.
        Each sits once or twice in every seat and deals first once or twice; nobody has a bye.
        Not the same for all: seats, first deals. 4 matches cannot be shared evenly among 3 seats, 3 times as many can.
        """,
    ),
    "3 bots three-handed": (
        of(3, seats=3),
        """
        3 bots at tables of 3: 1 match in 1 round, 1 for each.
        Any two meet exactly once.
        Each sits at most once in every seat and deals first at most once; nobody has a bye.
        Not the same for all: seats, first deals. 1 match cannot be shared evenly among 3 seats, 3 times as many can.
        """,
    ),
    "8 bots in 4 teams": (
        of_teams(4),
        """
        4 teams at tables of 4: 6 matches in 3 rounds, 3 for each.
        Any two teams meet exactly once.
        Each bot sits at most once in every seat, and each team deals first once or twice; nobody has a bye.
        Not the same for all: seats, first deals. 3 matches cannot be shared evenly among 4 seats, 4 times as many can.
        """,
    ),
    "8 bots in 4 teams, four cycles": (
        of_teams(4, cycles=4),
        """
        4 teams at tables of 4: 24 matches in 12 rounds, 12 for each.
        Any two teams meet exactly 4 times.
        Each bot sits exactly 3 times in every seat, and each team deals first exactly 6 times; nobody has a bye.
        All of this is the same for all.
        """,
    ),
    "8 bots, partners changing": (
        of(8, seats=4),
        """
        8 bots at tables of 4: 14 matches in 7 rounds, 7 for each.
        Any two are partners exactly once and adversaries exactly twice.
        Each sits once or twice in every seat and deals first once or twice; nobody has a bye.
        Not the same for all: seats, first deals. 7 matches cannot be shared evenly among 4 seats, 4 times as many can.
        """,
    ),
    "9 bots, partners changing": (
        of(9, seats=4),
        """
        9 bots at tables of 4: 18 matches in 9 rounds, 8 for each.
        Any two are partners exactly once and adversaries exactly twice.
        Each sits exactly twice in every seat and deals first exactly twice; each has 1 bye.
        All of this is the same for all.
        """,
    ),
    "34 bots, partners changing": (
        of(34, seats=4),
        """
        34 bots at tables of 4: 264 matches in 33 rounds, 31 to 33 for each.
        Any two are partners at most once and adversaries 0 to 4 times.
        Each sits 7 to 9 times in every seat and deals first 7 or 8 times; each has 0 to 2 byes.
        Not the same for all: meetings, partners, seats, first deals.
        """,
    ),
    "6 bots two-handed": (
        of(6, seats=2),
        """
        6 bots at tables of 2: 15 matches in 5 rounds, 5 for each.
        Any two meet exactly once.
        Each sits 2 or 3 times in every seat and deals first 2 or 3 times; nobody has a bye.
        Not the same for all: seats, first deals. 5 matches cannot be shared evenly among 2 seats, twice as many can.
        """,
    ),
}


@pytest.mark.parametrize(("found", "text"), PRINTED.values(), ids=PRINTED)
def test_the_balance_is_said_in_words(found: Balance, text: str) -> None:
    assert list(found.words()) == [line.strip() for line in text.strip().splitlines()]


def test_a_bot_that_plays_both_seats_of_a_team_sits_oftener_and_as_evenly() -> None:
    entered = [*pairs(3), Team("alone", ("z", "z"))]
    found = balance(teams.teams_round_robin(entered, cycles=4), entered)
    assert (found.in_seat, found.seat_gap, found.is_exact) == (Spread(3, 6), 0, True)
    assert "Each bot sits equally often in every seat" in found.words()[2]


@pytest.mark.parametrize(("seats", "size"), [(2, 6), (3, 6), (3, 9), (4, 8), (4, 10), (4, 12)])
def test_as_many_times_the_matches_as_the_words_say_come_out_even(seats: int, size: int) -> None:
    said = of(size, seats=seats).words()[-1]
    oftener = next(
        count for count, words in {2: "twice", 3: "3 times", 4: "4 times"}.items() if f", {words} as" in said
    )
    assert next(cycles for cycles in range(1, 5) if of(size, seats=seats, cycles=cycles).is_exact) == oftener


# the verdict


@pytest.mark.parametrize("size", range(3, 34))
def test_at_three_seats_a_schedule_is_exact_wherever_the_matches_of_one_divide_by_three(size: int) -> None:
    one = of(size, seats=3)
    assert one.meetings.is_even and one.played.is_even and one.byes.is_even
    assert one.is_exact == (one.played.least % 3 == 0) == (size % 3 != 0)
    assert of(size, seats=3, cycles=3).is_exact


@pytest.mark.parametrize("size", [7, 13, 19, 25, 31])
def test_exact_with_one_meeting_each_where_the_field_is_one_above_a_multiple_of_six(size: int) -> None:
    found = of(size, seats=3)
    assert (found.is_exact, found.meetings, found.in_seat) == (True, Spread(1, 1), Spread(size // 6, size // 6))


@pytest.mark.parametrize("size", range(4, 34))
def test_at_four_seats_a_schedule_is_exact_in_one_cycle_two_or_four(size: int) -> None:
    one = of(size, seats=4)
    assert one.partners is not None and one.partners.is_even and one.meetings.is_even
    assert one.is_exact == (size % 2 == 1)
    assert of(size, seats=4, cycles=2).is_exact == (size % 4 != 0)
    assert of(size, seats=4, cycles=4).is_exact


@pytest.mark.parametrize("size", range(2, 17))
def test_with_teams_a_schedule_is_exact_in_four_cycles_and_in_two_if_their_number_is_odd(size: int) -> None:
    assert of_teams(size, cycles=4).is_exact
    assert of_teams(size, cycles=2).is_exact == (size % 2 == 1)
    assert of_teams(size).meetings == Spread(1, 1)


@unhurried
@given(data=st.data(), size=st.sampled_from([7, 13, 19]))
def test_whatever_is_spoiled_in_an_exact_schedule_is_named(data: st.DataObject, size: int) -> None:
    pairings = list(schedule.tables(field(size), seats=3, cycles=1))
    number = data.draw(st.integers(0, len(pairings) - 1))
    spoiled = pairings[number]
    a, b, c = spoiled.seats

    def found(anew: list[Pairing]) -> tuple[str, ...]:
        return balance(anew, field(size)).uneven

    assert found(pairings) == ()
    assert found(pairings[:number] + pairings[number + 1 :]) == ("meetings", "seats", "first deals")
    turned = replace(spoiled, seats=(b, a, c))
    assert found([*pairings[:number], turned, *pairings[number + 1 :]]) == ("seats",)
    dealt = replace(spoiled, first_dealer=0)
    assert found([*pairings[:number], dealt, *pairings[number + 1 :]]) == ("first deals",)
    stranger = next(bot for bot in field(size) if bot not in spoiled.seats)
    changed = replace(spoiled, seats=(stranger, b, c))
    assert "meetings" in found([*pairings[:number], changed, *pairings[number + 1 :]])


def test_partners_exchanged_at_one_table_are_named() -> None:
    first, *rest = schedule.tables(field(9), seats=4, cycles=1)
    a, b, c, d = first.seats
    assert balance([first, *rest], field(9)).is_exact
    found = balance([replace(first, seats=(a, c, b, d)), *rest], field(9))
    assert found.uneven == ("meetings", "partners", "seats")
    assert (found.partners, found.meetings) == (Spread(0, 2), Spread(1, 3))


# the counts


@unhurried
@given(size=st.integers(4, 24), seats=st.sampled_from([2, 3, 4]), cycles=st.integers(1, 4))
def test_the_counts_are_those_of_a_second_count(size: int, seats: int, cycles: int) -> None:
    pairings = schedule.tables(field(size), seats=seats, cycles=cycles)
    found = balance(pairings, field(size))
    played = [sum(bot in p.seats for p in pairings) for bot in field(size)]
    assert found.played == Spread(min(played), max(played))
    first = [sum(p.seats[p.first_dealer] == bot for p in pairings) for bot in field(size)]
    assert found.first_deals == Spread(min(first), max(first))
    in_seat = [sum(p.seats[seat] == bot for p in pairings) for bot in field(size) for seat in range(seats)]
    assert found.in_seat == Spread(min(in_seat), max(in_seat))
    together = [
        sum(
            x in p.seats and y in p.seats and (seats < 4 or (p.seats.index(x) - p.seats.index(y)) % 2) for p in pairings
        )
        for x, y in combinations(field(size), 2)
    ]
    assert found.meetings == Spread(min(together), max(together))
    byes = [bye.entrant for bye in schedule.byes(pairings, field(size))]
    assert found.byes == Spread(min(map(byes.count, field(size))), max(map(byes.count, field(size))))
    assert (found.matches, found.rounds) == (len(pairings), len({(p.cycle, p.round) for p in pairings}))


def test_the_facts_are_plain_data() -> None:
    facts = of(9, seats=3).facts()
    assert json.loads(json.dumps(facts)) == facts == {
        "entrants": 9, "seats": 3, "matches": 12, "rounds": 4,
        "played": {"least": 4, "most": 4}, "meetings": {"least": 1, "most": 1}, "partners": None,
        "in_seat": {"least": 1, "most": 2}, "first_deals": {"least": 1, "most": 2}, "byes": {"least": 0, "most": 0},
        "seat_gap": 1, "uneven": ["seats", "first deals"], "exact": False,
    }  # fmt: skip
    assert of(8, seats=4).facts()["partners"] == {"least": 1, "most": 1}
    assert of_teams(4, cycles=4).facts()["exact"] is True


# what has no balance


def test_a_schedule_without_a_match_has_no_balance() -> None:
    with pytest.raises(TournamentError, match="the schedule has no match"):
        balance([], field(3))


def test_tables_of_different_sizes_have_no_balance() -> None:
    mixed = [schedule.tables(field(4), seats=seats, cycles=1)[0] for seats in (3, 4)]
    with pytest.raises(
        TournamentError, match="the schedule has tables of 3 and 4: its balance is that of tables of one size"
    ):
        balance(mixed, field(4))


def test_a_bot_that_is_no_entrant_is_named() -> None:
    pairings = schedule.tables(field(4), seats=3, cycles=1)
    assert balance(pairings, field(4)).is_exact
    with pytest.raises(TournamentError, match="seats 'bot_4', which is no entrant"):
        balance(pairings, field(3))
