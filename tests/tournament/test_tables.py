"""Tables of three, and of four with changing partners: who meets whom, in which seats and rounds, for all fields."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.tournament import designs, schedule
from referee.tournament.schedule import Pairing, TournamentError

ROOT = Path(__file__).resolve().parent.parent.parent

THREES = range(3, 38)
FOURS = range(4, 34)
NEAR = range(34, 49)

MEETINGS = {0: 2, 1: 1, 2: 6, 3: 1, 4: 2, 5: 3}
"""How often two meet in a cycle at three seats, by what the field leaves when divided by 6."""

WITHOUT_BYES = {size: (size - 1) // 2 for size in (3, 9, 15, 21, 27, 33)} | {n: n - 1 for n in (12, 18, 24, 30)}
"""The rounds of the fields at three seats in which everybody plays in every round."""

#: No example is judged by the time it takes.
unhurried = settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])


@cache
def field(size: int) -> tuple[str, ...]:
    return tuple(f"bot_{number}" for number in range(1, size + 1))


@cache
def laid(size: int, seats: int, cycles: int = 1) -> tuple[Pairing, ...]:
    return schedule.tables(field(size), seats=seats, cycles=cycles)


def met(pairings: Iterable[Pairing]) -> Counter[frozenset[str]]:
    """How often each two sat at one table."""
    return Counter(frozenset(pair) for pairing in pairings for pair in combinations(pairing.seats, 2))


def partnered(pairings: Iterable[Pairing]) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for p in pairings for pair in (p.seats[::2], p.seats[1::2]))


def opposed(pairings: Iterable[Pairing]) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for p in pairings for pair in product(p.seats[::2], p.seats[1::2]))


def everybody(size: int, times: int) -> Counter[frozenset[str]]:
    return Counter(dict.fromkeys((frozenset(pair) for pair in combinations(field(size), 2)), times))


def times_in_seats(pairings: Iterable[Pairing]) -> dict[str, list[int]]:
    """How often each bot sat in each seat."""
    listed = list(pairings)
    counts = {bot: [0] * len(listed[0].seats) for pairing in listed for bot in pairing.seats}
    for pairing in listed:
        for seat, bot in enumerate(pairing.seats):
            counts[bot][seat] += 1
    return counts


def gaps(pairings: Iterable[Pairing]) -> dict[str, int]:
    """By bot, the most by which two of its seats differ."""
    return {bot: max(counts) - min(counts) for bot, counts in times_in_seats(pairings).items()}


def rounds(pairings: Iterable[Pairing]) -> list[list[Pairing]]:
    found: dict[tuple[int, int], list[Pairing]] = {}
    for pairing in pairings:
        found.setdefault((pairing.cycle, pairing.round), []).append(pairing)
    return list(found.values())


# three seats


@pytest.mark.parametrize("size", THREES)
def test_at_three_seats_any_two_meet_equally_often_and_as_seldom_as_can_be(size: int) -> None:
    times = MEETINGS[size % 6]
    assert met(laid(size, 3)) == everybody(size, times)
    for fewer in range(1, times):
        played = (size - 1) * fewer  # of one bot, two meetings a match; and of all, three a match
        assert played % 2 or size * played % 6, f"{fewer} meetings would do for {size}"


@pytest.mark.parametrize("size", [7, 9, 13, 15, 19, 21, 25, 27, 31, 33, 37])
def test_where_there_is_a_steiner_triple_system_any_two_meet_exactly_once(size: int) -> None:
    assert len(laid(size, 3)) == size * (size - 1) // 6
    assert set(met(laid(size, 3)).values()) == {1}


def test_seven_bots_play_the_seven_lines_of_the_fano_plane_once_in_each_seat() -> None:
    assert [pairing.seats for pairing in schedule.tables("ABCDEFG", seats=3, cycles=1)] == [
        tuple("ABD"), tuple("BCE"), tuple("CDF"), tuple("DEG"), tuple("EFA"), tuple("FGB"), tuple("GAC"),
    ]  # fmt: skip
    assert set(map(tuple, times_in_seats(laid(7, 3)).values())) == {(1, 1, 1)}


@pytest.mark.parametrize("size", THREES)
def test_at_three_seats_everybody_sits_in_each_equally_often_give_or_take_one(size: int) -> None:
    played = len(laid(size, 3)) * 3 // size
    assert set(gaps(laid(size, 3)).values()) == {1 if played % 3 else 0}


@pytest.mark.parametrize("size", THREES)
def test_after_three_cycles_everybody_has_sat_in_each_of_three_seats_equally_often(size: int) -> None:
    assert set(gaps(laid(size, 3, 3)).values()) == {0}
    assert max(gaps(laid(size, 3, 2)).values()) <= 1
    assert met(laid(size, 3, 3)) == everybody(size, 3 * MEETINGS[size % 6])


@pytest.mark.parametrize(("size", "count"), WITHOUT_BYES.items())
def test_fields_of_whole_tables_play_in_every_round(size: int, count: int) -> None:
    assert len(rounds(laid(size, 3))) == count
    assert schedule.byes(laid(size, 3), field(size)) == ()


@pytest.mark.parametrize("size", [4, 10, 16, 22, 28])
def test_fields_one_above_whole_tables_have_one_bye_a_round_and_one_for_each(size: int) -> None:
    byes = schedule.byes(laid(size, 3), field(size))
    assert [bye.round for bye in byes] == list(range(1, size + 1))
    assert sorted(bye.entrant for bye in byes) == sorted(field(size))


@pytest.mark.parametrize("size", THREES)
def test_everybody_has_as_many_byes_as_everybody_else(size: int) -> None:
    byes = Counter(bye.entrant for bye in schedule.byes(laid(size, 3), field(size)))
    assert len({byes[bot] for bot in field(size)}) == 1


@pytest.mark.parametrize("size", range(3, 37))
def test_the_rounds_at_three_seats_are_few(size: int) -> None:
    """Any two lines of the Fano plane cross, so nobody can do better with 7; likewise with 6. 13 has no seven rounds."""
    fewest = -(-len(laid(size, 3)) // (size // 3))
    known = {6: 10, 7: 7, 13: 8}
    assert len(rounds(laid(size, 3))) <= known.get(size, fewest * 115 // 100)


# four seats, changing partners


@pytest.mark.parametrize("size", FOURS)
def test_at_four_seats_any_two_are_partners_equally_often_and_adversaries_twice_as_often(size: int) -> None:
    times = 1 if size % 4 < 2 else 2
    assert partnered(laid(size, 4)) == everybody(size, times)
    assert opposed(laid(size, 4)) == everybody(size, 2 * times)
    assert times == 1 or size * (size - 1) % 4, f"whole tables would come out with {size} partnered once"


@pytest.mark.parametrize("size", [size for size in FOURS if size % 4 < 2])
def test_a_whist_tournament_has_whole_rounds(size: int) -> None:
    assert len(rounds(laid(size, 4))) == size - 1 + size % 2
    byes = Counter(bye.entrant for bye in schedule.byes(laid(size, 4), field(size)))
    assert byes == Counter(dict.fromkeys(field(size), size % 2))


@pytest.mark.parametrize("size", FOURS)
def test_the_rounds_at_four_seats_are_few(size: int) -> None:
    fewest = -(-len(laid(size, 4)) // (size // 4))
    assert len(rounds(laid(size, 4))) <= fewest * 120 // 100


@pytest.mark.parametrize("size", [size for size in FOURS if size > 4])
def test_at_four_seats_everybody_sits_in_each_equally_often_give_or_take_one(size: int) -> None:
    played = len(laid(size, 4)) * 4 // size
    assert set(gaps(laid(size, 4)).values()) == {1 if played % 4 else 0}


def test_of_four_players_one_sits_in_a_seat_twice_and_no_order_of_the_seats_would_spare_it() -> None:
    assert sorted(gaps(laid(4, 4)).values()) == [1, 1, 1, 2]
    orders = [
        (0, 1, 2, 3),
        (1, 2, 3, 0),
        (2, 3, 0, 1),
        (3, 0, 1, 2),
        (0, 3, 2, 1),
        (3, 2, 1, 0),
        (2, 1, 0, 3),
        (1, 0, 3, 2),
    ]
    best = 4
    for chosen in product(orders, repeat=3):
        seated = [
            tuple(pairing.seats[seat] for seat in order) for pairing, order in zip(laid(4, 4), chosen, strict=True)
        ]
        best = min(best, sum(len({seats.index(bot) for seats in seated}) < 3 for bot in field(4)))
    assert best == 1


@pytest.mark.parametrize("size", [*FOURS, *NEAR])
def test_after_four_cycles_those_who_play_equally_often_have_sat_in_each_of_four_seats_equally_often(size: int) -> None:
    assert set(gaps(laid(size, 4, 4)).values()) == {0}


@pytest.mark.parametrize("size", [size for size in FOURS if size % 4 == 2])
def test_two_cycles_at_four_seats_are_even_where_one_leaves_two_matches_over(size: int) -> None:
    assert set(gaps(laid(size, 4, 2)).values()) == {0}


@pytest.mark.parametrize("size", NEAR)
def test_larger_fields_come_near_a_whist_tournament(size: int) -> None:
    """A cycle of single partnerships: nobody is partnered twice, adversaries are mostly met twice and at most six times."""
    partners, adversaries = partnered(laid(size, 4)), opposed(laid(size, 4))
    assert set(partners.values()) == {1}
    if size % 4 < 2:
        assert partners == everybody(size, 1)
    assert max(adversaries.values()) <= 6
    assert sum(count == 2 for count in adversaries.values()) > size * (size - 1) // 4
    assert set(times_in_seats(laid(size, 4))) == set(field(size))


# any number of seats


@pytest.mark.parametrize(("seats", "size"), [(3, n) for n in THREES] + [(4, n) for n in (*FOURS, *NEAR)])
def test_nobody_plays_twice_in_a_round_and_numbers_run_without_gaps(seats: int, size: int) -> None:
    pairings = laid(size, seats, 2)
    assert [pairing.number for pairing in pairings] == list(range(1, len(pairings) + 1))
    places = [(pairing.cycle, pairing.round, pairing.table) for pairing in pairings]
    assert places == sorted(set(places))
    for playing in rounds(pairings):
        assert [pairing.table for pairing in playing] == list(range(1, len(playing) + 1))
        seated = [bot for pairing in playing for bot in pairing.seats]
        assert len(seated) == len(set(seated)) == seats * len(playing)


@pytest.mark.parametrize(("seats", "size"), [(2, 5), (3, 8), (4, 9)])
def test_the_last_seat_deals_first_and_a_longer_schedule_begins_with_the_shorter(seats: int, size: int) -> None:
    assert {pairing.first_dealer for pairing in laid(size, seats, 5)} == {seats - 1}
    assert laid(size, seats, 5)[: len(laid(size, seats, 4))] == laid(size, seats, 4)


def test_at_two_seats_the_tables_are_those_of_the_round_robin() -> None:
    assert schedule.tables("ABCDE", seats=2, cycles=2) == schedule.round_robin("ABCDE", cycles=2)


@unhurried
@given(size=st.integers(3, 60), cycles=st.integers(1, 7))
def test_whatever_the_field_and_the_cycles_three_meet_evenly_and_no_seat_is_two_ahead(size: int, cycles: int) -> None:
    pairings = laid(size, 3, cycles)
    assert met(pairings) == everybody(size, cycles * MEETINGS[size % 6])
    assert max(gaps(pairings).values()) <= 1


@unhurried
@given(size=st.integers(5, 60), cycles=st.integers(1, 7))
def test_whatever_the_field_and_the_cycles_no_seat_of_four_is_two_ahead(size: int, cycles: int) -> None:
    pairings = laid(size, 4, cycles)
    assert max(partnered(pairings).values()) <= 2 * cycles
    assert max(gaps(pairings).values()) <= 1


def test_the_same_field_has_the_same_schedule_in_every_process() -> None:
    program = (
        "import hashlib; from referee.tournament import designs;"
        "text = repr([designs.threes(n) for n in range(3, 27)] + [designs.fours(n) for n in (*range(4, 20), 34)]);"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT, env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1


def test_every_design_on_file_is_for_a_field_and_turns_in_circles() -> None:
    """What is on file is what the tests above have looked at: no field is there that they leave out."""
    assert {int(size) for size in designs._on_file()["three"]} <= set(THREES)
    assert {int(size) for size in designs._on_file()["four"]} == set(FOURS)


def test_scenario_42_a_table_with_a_withdrawn_bot_is_not_played_and_the_others_have_byes() -> None:
    pairings = schedule.tables(field(9), seats=3, cycles=1)
    left = schedule.still_to_play(pairings, {1, 2, 3}, withdrawn={"bot_9"})
    assert len(left) == 9 - 3 and all("bot_9" not in pairing.seats for pairing in left)
    byes = schedule.byes(left, field(8))
    assert Counter(bye.round for bye in byes) == {2: 2, 3: 2, 4: 2}


@pytest.mark.parametrize("seats", [3, 4])
def test_too_small_a_field_is_refused(seats: int) -> None:
    assert len(schedule.tables(field(seats), seats=seats, cycles=1)) > 0
    with pytest.raises(TournamentError, match=f"has {seats - 1} entrants: a tournament at {seats} seats needs {seats}"):
        schedule.tables(field(seats - 1), seats=seats, cycles=1)


@pytest.mark.parametrize(
    ("bots", "seats", "cycles", "said"),
    [
        ("ABCA", 3, 1, "entrant 4, 'A', was entered before"),
        ("ABCD", 4, 0, "cycles is 0: a round robin has at least 1 cycle"),
        ("ABCDE", 5, 1, "seats is 5: a table has 2, 3 or 4"),
        ("ABCDE", 1, 1, "seats is 1: a table has 2, 3 or 4"),
    ],
)
def test_a_schedule_that_cannot_be_is_refused(bots: str, seats: int, cycles: int, said: str) -> None:
    with pytest.raises(TournamentError, match=said):
        schedule.tables(bots, seats=seats, cycles=cycles)
