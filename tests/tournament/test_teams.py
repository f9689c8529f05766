"""Teams of two at four seats: who meets whom, which bot sits where, and bad fields."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament import schedule, teams
from referee.tournament.schedule import Pairing, TournamentError
from referee.tournament.teams import Team

SIZES = range(2, 18)


def field(size: int) -> list[Team]:
    return [Team(f"team_{number}", (f"x_{number}", f"y_{number}")) for number in range(1, size + 1)]


def times_in_seats(pairings: tuple[Pairing, ...]) -> dict[str, list[int]]:
    counts = {bot: [0, 0, 0, 0] for pairing in pairings for bot in pairing.seats}
    for pairing in pairings:
        for seat, bot in enumerate(pairing.seats):
            counts[bot][seat] += 1
    return counts


@pytest.mark.parametrize("size", SIZES)
def test_teams_meet_as_entrants_of_a_round_robin_do_and_sit_opposite(size: int) -> None:
    entered = field(size)
    pairings = teams.teams_round_robin(entered, cycles=3)
    berger = schedule.round_robin([team.entrant for team in entered], cycles=3)
    assert [(p.number, p.cycle, p.round, p.table) for p in pairings] == [
        (p.number, p.cycle, p.round, p.table) for p in berger
    ]
    for pairing, meant in zip(pairings, berger, strict=True):
        first, second = meant.seats
        assert teams.as_entrants(pairing.seats, entered) == (first, second, first, second)
        assert len(set(pairing.seats)) == 4


@pytest.mark.parametrize("size", SIZES)
def test_the_bots_of_a_team_share_its_seats_and_its_lead_and_first_deal(size: int) -> None:
    for cycles in range(1, 6):
        counts = times_in_seats(teams.teams_round_robin(field(size), cycles=cycles))
        for number in range(1, size + 1):
            one, other = counts[f"x_{number}"], counts[f"y_{number}"]
            assert all(abs(mine - theirs) <= 1 for mine, theirs in zip(one, other, strict=True))
            for a, b, c, d in (one, other):
                assert abs(a - c) <= 1 and abs(b - d) <= 1 and abs((a + b) - (c + d)) <= 1, (cycles, number)
                assert abs((a + c) - (b + d)) <= 1


@pytest.mark.parametrize("size", SIZES)
def test_after_four_cycles_every_bot_has_sat_in_every_seat_equally_often(size: int) -> None:
    counts = times_in_seats(teams.teams_round_robin(field(size), cycles=4))
    assert {tuple(each) for each in counts.values()} == {(size - 1,) * 4}


@pytest.mark.parametrize("size", [size for size in SIZES if size % 2])
def test_two_cycles_are_enough_for_an_odd_number_of_teams(size: int) -> None:
    counts = times_in_seats(teams.teams_round_robin(field(size), cycles=2))
    assert {tuple(each) for each in counts.values()} == {((size - 1) // 2,) * 4}


@given(size=st.integers(2, 12), cycles=st.integers(1, 6))
@settings(deadline=None)
def test_a_longer_schedule_begins_with_the_shorter(size: int, cycles: int) -> None:
    longer = teams.teams_round_robin(field(size), cycles=cycles + 1)
    shorter = teams.teams_round_robin(field(size), cycles=cycles)
    assert longer[: len(shorter)] == shorter
    assert len(longer) == len(shorter) // cycles * (cycles + 1)


def test_the_first_named_leads_at_a_and_the_other_team_deals_first_at_d() -> None:
    for pairing in teams.teams_round_robin(field(5), cycles=2):
        assert pairing.first_dealer == 3


def test_eight_bots_in_four_teams_as_printed() -> None:
    entered = [Team("AB", ("A", "B")), Team("CD", ("C", "D")), Team("EF", ("E", "F")), Team("GH", ("G", "H"))]
    pairings = teams.teams_round_robin(entered, cycles=1)
    assert [(pairing.round, "".join(pairing.seats)) for pairing in pairings] == [
        (1, "AHBG"), (1, "CFDE"), (2, "GEHF"), (2, "BDAC"), (3, "DGCH"), (3, "EBFA"),
    ]  # fmt: skip


def test_one_bot_may_play_for_both_seats_of_its_team() -> None:
    pairings = teams.teams_round_robin([Team("A", ("A", "A")), Team("BC", ("B", "C"))], cycles=2)
    assert [pairing.seats for pairing in pairings] == [("A", "C", "A", "B"), ("B", "A", "C", "A")]


def test_a_table_is_not_played_when_one_bot_of_a_team_is_gone() -> None:
    pairings = teams.teams_round_robin(field(4), cycles=1)
    left = schedule.still_to_play(pairings, (), withdrawn={"y_3"})
    assert Counter(bot for pairing in left for bot in pairing.seats) == Counter(
        {f"{letter}_{number}": 2 for letter in "xy" for number in (1, 2, 4)}
    )
    rest = [bot for team in field(4) if team.entrant != "team_3" for bot in team.bots]
    assert {bye.round: bye.entrant[-1] for bye in schedule.byes(left, rest)} == {1: "2", 2: "4", 3: "1"}


@pytest.mark.parametrize(
    ("entered", "cycles", "said"),
    [
        ([], 1, "the field has 0 teams: a tournament needs 2"),
        ([Team("AB", ("A", "B"))], 1, "the field has 1 team: a tournament needs 2"),
        (
            [Team("AB", ("A", "B")), Team("AB", ("C", "D"))],
            1,
            "team 2, 'AB', was entered before: each team enters once",
        ),
        (
            [Team("AB", ("A", "B")), Team("BC", ("B", "C"))],
            1,
            "team 2, 'BC', names 'B', which plays in team 'AB': a bot plays in one team",
        ),
        ([Team("AB", ("A", "B")), Team("CD", ("C", "D"))], 0, "cycles is 0: a round robin has at least 1 cycle"),
    ],
)
def test_a_field_of_teams_that_cannot_be_is_refused(entered: list[Team], cycles: int, said: str) -> None:
    with pytest.raises(TournamentError, match=said):
        teams.teams_round_robin(entered, cycles=cycles)


def test_a_bot_of_no_team_has_no_entrant() -> None:
    entered = [Team("AB", ("A", "B")), Team("CC", ("C", "C"))]
    assert teams.as_entrants("ACBC", entered) == ("AB", "CC", "AB", "CC")
    with pytest.raises(TournamentError, match="'X' is seated and plays in no team"):
        teams.as_entrants("ACXC", entered)
