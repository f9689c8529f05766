"""Round robins: the printed Berger tables, who meets whom, who leads first, byes, bad fields."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, groupby

import pytest

from referee.tournament import schedule
from referee.tournament.schedule import TournamentError

PRINTED = {
    4: """
        1-4 2-3
        4-3 1-2
        2-4 3-1
    """,
    6: """
        1-6 2-5 3-4
        6-4 5-3 1-2
        2-6 3-1 4-5
        6-5 1-4 2-3
        3-6 4-2 5-1
    """,
    8: """
        1-8 2-7 3-6 4-5
        8-5 6-4 7-3 1-2
        2-8 3-1 4-7 5-6
        8-6 7-5 1-4 2-3
        3-8 4-2 5-1 6-7
        8-7 1-6 2-5 3-4
        4-8 5-3 6-2 7-1
    """,
}
"""FIDE Handbook C.05 Annex 1: a line a round, white-black."""

SIZES = range(2, 21)


def field(size: int) -> list[str]:
    return [f"bot_{number}" for number in range(1, size + 1)]


def rounds(size: int, cycles: int = 1) -> list[list[tuple[str, str]]]:
    pairings = schedule.round_robin(field(size), cycles=cycles)
    return [[pairing.seats for pairing in group] for _, group in groupby(pairings, key=lambda p: (p.cycle, p.round))]


def printed(size: int) -> list[list[tuple[str, str]]]:
    """The printed table of `size`; an odd field uses the next one without its highest number."""
    table = PRINTED[size + size % 2]
    pairs = [[tuple(pair.split("-")) for pair in line.split()] for line in table.split("\n") if line.strip()]
    return [[(f"bot_{a}", f"bot_{b}") for a, b in line if max(int(a), int(b)) <= size] for line in pairs]


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7, 8])
def test_a_cycle_is_the_printed_berger_table(size: int) -> None:
    assert rounds(size) == printed(size)


@pytest.mark.parametrize("size", SIZES)
def test_every_pair_meets_once_a_cycle(size: int) -> None:
    pairings = schedule.round_robin(field(size), cycles=3)
    met = Counter((pairing.cycle, frozenset(pairing.seats)) for pairing in pairings)
    expected = {(cycle, frozenset(pair)) for cycle in (1, 2, 3) for pair in combinations(field(size), 2)}
    assert met == Counter(expected)


@pytest.mark.parametrize("size", SIZES)
def test_nobody_sits_at_two_tables_of_a_round(size: int) -> None:
    for playing in rounds(size, cycles=2):
        seated = [bot for pair in playing for bot in pair]
        assert len(seated) == len(set(seated)) == size - size % 2


@pytest.mark.parametrize("size", SIZES)
def test_numbers_cycles_rounds_and_tables_run_from_one_without_gaps(size: int) -> None:
    pairings = schedule.round_robin(field(size), cycles=3)
    assert [pairing.number for pairing in pairings] == list(range(1, len(pairings) + 1))
    places = [(pairing.cycle, pairing.round, pairing.table) for pairing in pairings]
    turns, tables = size - 1 + size % 2, size // 2
    assert places == [
        (cycle, turn, table) for cycle in range(1, 4) for turn in range(1, turns + 1) for table in range(1, tables + 1)
    ]


def first_leads(pairings: tuple[schedule.Pairing, ...]) -> dict[str, int]:
    """How often each bot leads first, less how often its opponent does: read off the first dealer."""
    balance: Counter[str] = Counter()
    for pairing in pairings:
        balance[pairing.seats[1 - pairing.first_dealer]] += 1
        balance[pairing.seats[pairing.first_dealer]] -= 1
    return dict(balance)


@pytest.mark.parametrize("cycles", [1, 2, 3, 4])
@pytest.mark.parametrize("size", SIZES)
def test_every_bot_leads_first_as_often_as_not(size: int, cycles: int) -> None:
    pairings = schedule.round_robin(field(size), cycles=cycles)
    for cycle in range(1, cycles + 1):
        within = first_leads(tuple(pairing for pairing in pairings if pairing.cycle == cycle))
        allowed = {-1, 1} if size % 2 == 0 else {0}
        assert set(within.values()) <= allowed, f"cycle {cycle}: {within}"
    overall = first_leads(pairings)
    allowed = {0} if cycles % 2 == 0 or size % 2 else {-1, 1}
    assert set(overall.values()) <= allowed


@pytest.mark.parametrize("size", SIZES)
def test_the_next_cycle_exchanges_the_seats(size: int) -> None:
    one, two, three, four = (
        [pairing.seats for pairing in schedule.round_robin(field(size), cycles=4) if pairing.cycle == cycle]
        for cycle in (1, 2, 3, 4)
    )
    assert two == [(second, first) for first, second in one]
    assert (three, four) == (one, two)


def test_the_first_named_leads_first_because_the_other_deals() -> None:
    for pairing in schedule.round_robin(field(5), cycles=2):
        assert pairing.first_dealer == schedule.DEALS_FIRST == 1 - schedule.LEADS_FIRST


@pytest.mark.parametrize("cycles", [1, 2, 3])
@pytest.mark.parametrize("size", SIZES)
def test_scenario_41_an_odd_field_has_one_bye_a_round_and_each_bot_one_a_cycle(size: int, cycles: int) -> None:
    pairings = schedule.round_robin(field(size), cycles=cycles)
    byes = schedule.byes(pairings, field(size))
    if size % 2 == 0:
        assert byes == ()
        return
    assert [(bye.cycle, bye.round) for bye in byes] == sorted({(p.cycle, p.round) for p in pairings})
    assert Counter((bye.cycle, bye.entrant) for bye in byes) == Counter(
        {(cycle, bot): 1 for cycle in range(1, cycles + 1) for bot in field(size)}
    )


def test_scenario_42_a_withdrawn_bot_is_not_paired_again_and_its_opponents_have_byes() -> None:
    bots = field(6)
    pairings = schedule.round_robin(bots, cycles=1)
    after_two_rounds = {pairing.number for pairing in pairings if pairing.round <= 2}
    left = schedule.still_to_play(pairings, after_two_rounds, withdrawn={"bot_3"})
    assert {pairing.round for pairing in left} == {3, 4, 5}
    assert all("bot_3" not in pairing.seats for pairing in left)
    unmet = {frozenset(p.seats) for p in pairings if p.round > 2 and "bot_3" not in p.seats}
    assert {frozenset(pairing.seats) for pairing in left} == unmet
    byes = schedule.byes(left, [bot for bot in bots if bot != "bot_3"])
    assert [(bye.round, bye.entrant) for bye in byes] == [(3, "bot_1"), (4, "bot_2"), (5, "bot_6")]


def test_the_rest_of_a_schedule_is_what_is_not_finished() -> None:
    pairings = schedule.round_robin(field(4), cycles=1)
    assert schedule.still_to_play(pairings, {1, 2, 5}) == (pairings[2], pairings[3], pairings[5])
    assert schedule.still_to_play(pairings, range(1, 7)) == ()


def test_scenario_43_a_bot_entered_twice_is_refused_and_the_error_names_the_entry() -> None:
    with pytest.raises(TournamentError, match=r"entrant 3, 'bot_1', was entered before: each bot enters once"):
        schedule.round_robin(["bot_1", "bot_2", "bot_1"], cycles=1)
    assert len(schedule.round_robin(["bot_1", "bot_2", "bot_3"], cycles=1)) == 3


@pytest.mark.parametrize(("entrants", "said"), [([], "0 entrants"), (["bot_1"], "1 entrant")])
def test_a_field_of_fewer_than_two_is_refused(entrants: list[str], said: str) -> None:
    with pytest.raises(TournamentError, match=f"has {said}: a tournament needs 2"):
        schedule.round_robin(entrants, cycles=1)


@pytest.mark.parametrize("cycles", [0, -1])
def test_a_tournament_without_a_cycle_is_refused(cycles: int) -> None:
    with pytest.raises(TournamentError, match=f"cycles is {cycles}: a round robin has at least 1"):
        schedule.round_robin(field(4), cycles=cycles)


@pytest.mark.parametrize("size", SIZES)
def test_scenario_47_after_every_round_matches_played_differ_by_at_most_one(size: int) -> None:
    played = Counter(dict.fromkeys(field(size), 0))
    for playing in rounds(size, cycles=3):
        played.update(bot for pair in playing for bot in pair)
        assert max(played.values()) - min(played.values()) <= 1
    assert len(set(played.values())) == 1
