"""Standings where three play each for itself, and where two sides of two play: teams, or partners that change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, pairwise, permutations
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.tournament import schedule, standings, teams
from referee.tournament.schedule import TournamentError
from referee.tournament.standings import Cell, Order, Played, Row
from referee.tournament.teams import Team

ENTRANTS = "ABCDEF"

#: No example is judged by the time it takes.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def matches(text: str) -> list[Played]:
    """Results such as `ABC 7:4:2`; the greatest number wins, `ABC 3:3:2 void` nobody, `ABC 7:7:4 AB` who is named."""
    return list(_read(text))


def _read(text: str) -> Iterator[Played]:
    numbers = count(1)
    for line in text.split(", "):
        seats, score, *named = line.split()
        points = tuple(int(figure) for figure in score.split(":"))
        winner: int | tuple[int, ...] | None = points.index(max(points))
        if named:
            winner = None if named[0] == "void" else tuple(seats.index(bot) for bot in named[0])
        yield Played(next(numbers), tuple(seats), winner, points, "played")


def ranks(rows: Sequence[Row]) -> str:
    return " ".join(f"{row.rank}{row.bot}" for row in rows)


# three seats


def test_of_three_one_wins_and_two_lose() -> None:
    a, b, c = standings.table(matches("ABC 7:4:2"), "ABC")
    assert a == Row(1, "A", 1, 1, 0, 0, 7, 6, struck=False, adversaries=2)
    assert b == Row(2, "B", 1, 0, 1, 0, 4, 9, struck=False, adversaries=2)
    assert c == Row(3, "C", 1, 0, 1, 0, 2, 11, struck=False, adversaries=2)


def test_t7_the_difference_of_three_is_taken_to_each_adversary_in_turn() -> None:
    rows = standings.table(matches("ABC 7:4:2"), "ABC")
    assert [row.game_point_difference for row in rows] == [3 + 5, 2 - 3, -2 - 5]


def test_t7_who_is_nearer_to_each_adversary_stands_higher_though_farther_from_both_together() -> None:
    """A has 6 against 7 and 2, which is 2 * 6 - 9; B has 4 against 6 and 0, which is 2 * 4 - 6."""
    rows = standings.table(matches("ACD 6:7:2, BEF 4:6:0"), "FEDCBA")
    assert [(row.bot, row.game_point_difference) for row in rows[2:4]] == [("A", 3), ("B", 2)]


def test_where_the_others_play_on_two_may_win_and_one_lose() -> None:
    rows = standings.table(matches("ABC 7:7:4 AB"), "CBA")
    assert [(row.rank, row.bot, row.wins, row.losses) for row in rows] == [
        (1, "B", 1, 0),
        (1, "A", 1, 0),
        (3, "C", 0, 1),
    ]


def test_a_cell_counts_wins_over_the_other_and_every_meeting() -> None:
    cells = standings.crosstable(matches("ABC 7:4:2, BCA 3:7:5, CAD 0:7:1, ABD 7:0:0 void"), "ABCD")
    assert cells[0] == (None, Cell(1, 0, 12, 7, 1), Cell(2, 1, 19, 9, 0), Cell(1, 0, 7, 1, 0))
    assert cells[1] == (Cell(0, 1, 7, 12, 1), None, Cell(0, 1, 7, 9, 1), Cell(0, 0, 0, 0, 0))
    assert [[cell.met if cell else None for cell in line] for line in cells] == [
        [None, 2, 3, 1],
        [2, None, 2, 0],
        [3, 2, None, 1],
        [1, 0, 1, None],
    ]


def test_t6_a_win_counts_for_each_of_the_level_ones_it_is_won_over() -> None:
    """A, B and C have a win each. A won over both others, B and C over nobody of them: A stands first at the worst score."""
    results = matches("ABC 1:0:0, BDE 7:0:0, CDE 7:0:0, DEF 7:0:0, EFD 7:0:0")
    rows = standings.table(results, "FEDCBA")
    assert (rows[0].bot, rows[0].wins_among_level) == ("A", 2)
    assert rows[0].game_point_difference < rows[1].game_point_difference


# two sides of two


def test_a_team_is_one_entrant_and_its_match_counts_once() -> None:
    result = Played(1, tuple("XYXY"), 0, (7, 3, 7, 3), "played")
    assert standings.table([result], "XY") == (
        Row(1, "X", 1, 1, 0, 0, 7, 3, struck=False),
        Row(2, "Y", 1, 0, 1, 0, 3, 7, struck=False),
    )
    assert standings.crosstable([result], "XY")[0][1] == Cell(1, 0, 7, 3)


@pytest.mark.parametrize("seat", range(4))
def test_a_winning_seat_wins_for_its_partner_too(seat: int) -> None:
    rows = standings.table([Played(1, tuple("ABCD"), seat, (5, 5, 5, 5), "played")], "ABCD")
    won = "AC" if seat in (0, 2) else "BD"
    assert {row.bot for row in rows if row.wins} == set(won)
    assert {row.bot for row in rows if row.losses} == set("ABCD") - set(won)


def test_partners_that_change_are_ranked_each_for_itself_and_are_no_adversaries() -> None:
    results = matches("ABCD 7:3:7:3, ACBD 4:7:4:7")
    rows = standings.table(results, "ABCD")
    assert [(row.bot, row.wins, row.losses, row.game_points_for, row.game_points_against) for row in rows] == [
        ("C", 2, 0, 14, 7),
        ("A", 1, 1, 11, 10),
        ("D", 1, 1, 10, 11),
        ("B", 0, 2, 7, 14),
    ]
    cells = standings.crosstable(results, "ABCD")
    assert cells[0] == (None, Cell(1, 0, 7, 3), Cell(0, 1, 4, 7), Cell(1, 1, 11, 10))
    assert cells[2] == (Cell(1, 0, 7, 4), Cell(2, 0, 14, 7), None, Cell(1, 0, 7, 3))


def test_t6_teams_level_on_wins_are_parted_by_their_own_match() -> None:
    """X, Y and Z have a win each; V beat nobody. X beat Y, Y beat Z, Z beat V: X stands before Y by T6 at a worse score."""
    results = [
        Played(1, tuple("XYXY"), 0, (7, 6, 7, 6), "played"),
        Played(2, tuple("ZVZV"), 0, (7, 6, 7, 6), "played"),
        Played(3, tuple("YVYV"), 0, (7, 0, 7, 0), "played"),
    ]
    rows = standings.table(results, "VZYX")
    assert ranks(rows) == "1X 2Y 3Z 4V"
    assert [row.wins_among_level for row in rows] == [1, 0, 0, 0]


def test_points_may_fall_below_zero_at_four_seats_where_bids_are_lost() -> None:
    rows = standings.table([Played(1, tuple("XYXY"), 1, (-3, 15, -3, 15), "played")], "XY")
    assert [(row.bot, row.game_points_for, row.game_point_difference) for row in rows] == [
        ("Y", 15, 18),
        ("X", -3, -18),
    ]


# by wins or by game points


def test_t5_by_game_points_more_points_stand_higher_whatever_else() -> None:
    results = matches("ABC 7:6:0, ABD 7:6:0, BCD 6:7:0")
    assert ranks(standings.table(results, "ABCD")) == "1A 2C 3B 4D"
    assert ranks(standings.table(results, "ABCD", order="game_points")) == "1B 2A 3C 4D"


def test_t5_by_game_points_match_wins_part_those_level_before_their_own_matches() -> None:
    """A and B have 14 points; A won twice, B once, though B won the one match between them."""
    results = matches("BAC 7:0:6, ACD 7:0:0, ADE 7:0:0, BDE 5:7:0, BCE 2:7:0")
    rows = standings.table(results, "BACDE", order="game_points")
    assert [(row.bot, row.game_points_for, row.wins) for row in rows[:2]] == [("A", 14, 2), ("B", 14, 1)]
    assert rows[0].rank == 1 and rows[1].rank == 2


@pytest.mark.parametrize("order", ["wins", "game_points"])
def test_t10_those_nothing_parts_share_a_rank_whatever_comes_first(order: Order) -> None:
    results = matches("ABC 7:5:5, BCA 7:5:5, CAB 7:5:5")
    assert ranks(standings.table(results, "CBAD", order=order)) == "1C 1B 1A 4D"


def test_an_order_that_is_none_is_refused() -> None:
    with pytest.raises(TournamentError, match="the standings go by 'points': they go by wins or game_points"):
        standings.table([], "AB", order="points")  # type: ignore[arg-type]


# withdrawals


PLAN = schedule.tables("ABCDEFG", seats=3, cycles=1)
"""Seven bots, each in three matches: ABD, BCE, CDF, DEG, EFA, FGB, GAC."""


def won_by(bot: str, numbers: Sequence[int]) -> list[Played]:
    return [
        Played(p.number, p.seats, p.seats.index(bot), tuple(7 * (each == bot) for each in p.seats), "played")
        for p in PLAN
        if p.number in numbers
    ]


def test_t3_the_whole_match_of_a_struck_bot_counts_for_nobody() -> None:
    results = won_by("A", [1])
    rows = standings.table(results, "ABCDEFG", planned=PLAN, withdrawn={"D"})
    assert ranks(rows) == "1A 1B 1C 1E 1F 1G 7D"
    assert all((row.played, row.game_points_for) == (0, 0) for row in rows)
    assert standings.crosstable(results, "ABCDEFG", planned=PLAN, withdrawn={"D"})[0][1] == Cell(1, 0, 7, 0)
    assert standings.walkovers(results, PLAN, {"D"}) == ()


def test_t4_a_table_that_is_not_played_is_won_by_all_who_are_still_there() -> None:
    """G has played two of its three matches; the third, with A and C, is theirs."""
    results = [*won_by("G", [4]), *won_by("B", [6])]
    (given,) = standings.walkovers(results, PLAN, {"G"})
    assert given == Played(7, ("G", "A", "C"), (1, 2), (0, 0, 0), standings.WALKOVER)
    rows = {row.bot: row for row in standings.table(results, "ABCDEFG", planned=PLAN, withdrawn={"G"})}
    assert (rows["A"].wins, rows["C"].wins, rows["A"].game_points_for) == (1, 1, 0)
    assert (rows["G"].wins, rows["G"].losses, rows["G"].struck) == (1, 2, False)
    line = standings.crosstable(results, "ABCDEFG", planned=PLAN, withdrawn={"G"})[0]
    assert (line[6], line[2]) == (Cell(1, 0, 0, 0), Cell(0, 0, 0, 0, neither=1))


def test_t4_of_two_who_are_gone_the_third_wins_and_of_three_nobody() -> None:
    plan = schedule.tables("ABCD", seats=3, cycles=2)
    results = [Played(p.number, p.seats, 0, (7, 0, 0), "played") for p in plan if p.cycle == 1]
    gone_two = standings.walkovers(results, plan, {"A", "B"})
    assert all(("C" in match.winners or "D" in match.winners) and not match.winners & {"A", "B"} for match in gone_two)
    gone_all = standings.walkovers(results, plan, set("ABC"))
    assert [(set(m.seats), m.winner, m.cause) for m in gone_all if m.winner is None] == [
        (set("ABC"), None, standings.VOID)
    ]


def test_t4_the_partner_of_who_is_gone_does_not_lose_with_it() -> None:
    plan = schedule.tables("ABCDE", seats=4, cycles=1)
    results = [Played(p.number, p.seats, 0, (7, 0, 7, 0), "played") for p in plan if "A" in p.seats][:2]
    given = standings.walkovers(results, plan, {"A"})
    assert len(given) == 2
    for match in given:
        assert match.winners == set(match.seats) - {"A"}


def test_t4_a_team_is_gone_when_one_of_its_bots_is_and_the_other_team_wins() -> None:
    entered = [Team("X", ("A", "B")), Team("Y", ("C", "D")), Team("Z", ("E", "F"))]
    plan = [
        schedule.Pairing(p.number, p.cycle, p.round, p.table, teams.as_entrants(p.seats, entered), p.first_dealer)
        for p in teams.teams_round_robin(entered, cycles=1)
    ]
    results = [Played(p.number, p.seats, 0, (7, 0, 7, 0), "played") for p in plan if set(p.seats) == {"X", "Y"}]
    (given,) = standings.walkovers(results, plan, {"X"})
    assert (given.winners, given.cause) == ({"Z"}, standings.WALKOVER)
    assert standings.struck([], plan, {"X"}) == {"X"} and standings.struck(results, plan, {"X"}) == frozenset()


def test_t3_a_team_that_finished_one_of_three_matches_is_struck_and_one_that_finished_two_is_not() -> None:
    plan = [
        schedule.Pairing(p.number, p.cycle, p.round, p.table, p.seats * 2, p.first_dealer)
        for p in schedule.round_robin("WXYZ", cycles=1)
    ]
    results = [Played(p.number, p.seats, 0, (7, 0, 7, 0), "played") for p in plan if "X" in p.seats]
    assert standings.struck(results[:1], plan, {"X"}) == {"X"}
    assert standings.struck(results[:2], plan, {"X"}) == frozenset()


# properties


@st.composite
def some_results(draw: st.DrawFn) -> list[Played]:
    """Up to twenty-five close results of six entrants, all at three seats, all of changing partners, or all of teams."""
    kind = draw(st.sampled_from(["three", "partners", "teams"]))
    seats = st.sampled_from(list(permutations(ENTRANTS, {"three": 3, "partners": 4, "teams": 2}[kind])))
    points = st.tuples(*[st.integers(0, 2)] * (3 if kind == "three" else 2))
    drawn = draw(st.lists(st.tuples(seats, points, st.sampled_from([0, 1, 2, None])), max_size=25))
    results = []
    for number, (chosen, score, winner) in enumerate(drawn, start=1):
        seated = chosen * 2 if kind == "teams" else chosen
        results.append(Played(number, seated, winner, score if kind == "three" else score * 2, "played"))
    return results


orders = st.sampled_from(["wins", "game_points"])


@unhurried
@given(results=some_results(), order=orders, dice=st.randoms(use_true_random=False))
def test_scenario_36_any_order_of_the_results_gives_the_same_table(
    results: list[Played], order: Order, dice: Random
) -> None:
    table = standings.table(results, ENTRANTS, order=order)
    crosstable = standings.crosstable(results, ENTRANTS)
    dice.shuffle(results)
    assert standings.table(results, ENTRANTS, order=order) == table
    assert standings.crosstable(results, ENTRANTS) == crosstable


@unhurried
@given(results=some_results())
def test_differences_cancel_out_and_every_seat_has_won_or_lost(results: list[Played]) -> None:
    rows = standings.table(results, ENTRANTS)
    counting = [match for match in results if match.winner is not None]
    assert sum(row.game_point_difference for row in rows) == 0
    assert sum(row.played for row in rows) == sum(len(set(match.seats)) for match in counting)
    assert sum(row.wins for row in rows) == sum(len(match.winners) for match in counting)


@unhurried
@given(results=some_results())
def test_the_crosstable_is_read_from_both_sides_and_its_rows_make_the_differences(results: list[Played]) -> None:
    cells = standings.crosstable(results, ENTRANTS)
    partners_change = bool(results) and len(set(results[0].seats)) == 4
    rows = {row.bot: row for row in standings.table(results, ENTRANTS)}
    for one, line in enumerate(cells):
        assert line[one] is None
        for other, cell in enumerate(line):
            back = cells[other][one]
            if cell is None or back is None:
                continue
            assert (cell.wins, cell.losses, cell.neither) == (back.losses, back.wins, back.neither)
            assert (cell.game_points_for, cell.game_points_against) == (back.game_points_against, back.game_points_for)
        difference = sum(cell.game_points_for - cell.game_points_against for cell in line if cell is not None)
        times = 2 if partners_change else 1  # there each side has two adversaries
        assert difference == times * rows[ENTRANTS[one]].game_point_difference


@unhurried
@given(results=some_results(), order=orders)
def test_nobody_stands_below_one_whom_the_first_figures_put_lower(results: list[Played], order: Order) -> None:
    rows = standings.table(results, ENTRANTS, order=order)
    figures = [(row.wins,) if order == "wins" else (row.game_points_for, row.wins) for row in rows]
    assert figures == sorted(figures, reverse=True)
    assert sorted(row.bot for row in rows) == sorted(ENTRANTS)
    for above, below in pairwise(rows):
        assert below.rank == above.rank or below.rank == rows.index(below) + 1
        if below.rank == above.rank:
            assert (above.wins, above.game_points_for) == (below.wins, below.game_points_for)
            assert above.game_point_difference == below.game_point_difference


# bad results


@pytest.mark.parametrize(
    ("result", "complaint"),
    [
        (Played(4, tuple("ABX"), 0, (7, 0, 0), "played"), "pairing 4 seats 'X', which is no entrant"),
        (Played(4, tuple("ABA"), 0, (7, 0, 0), "played"), "pairing 4 seats 'A' twice: a match has three bots"),
        (Played(4, tuple("AABC"), 0, (7, 0, 7, 0), "played"), "pairing 4 seats 'A' twice: a match has two sides"),
        (Played(4, tuple("A"), 0, (7,), "played"), "pairing 4 has 1 seats: a match has 2, 3 or 4"),
        (Played(4, tuple("ABC"), 3, (7, 0, 0), "played"), "winner 3: it is a seat, the seats that won, or None"),
        (Played(4, tuple("ABC"), (), (7, 0, 0), "played"), r"winner \(\): it is a seat, the seats that won, or None"),
        (Played(4, tuple("ABC"), (0, 1, 2), (7, 0, 0), "played"), r"winner \(0, 1, 2\): it is a seat"),
        (Played(4, tuple("ABC"), 0, (7, 0), "played"), r"game points \(7, 0\): 3 seats have one figure each"),
        (Played(4, tuple("ABC"), 0, (7, 0, -1), "played"), r"game points \(7, 0, -1\): none is below 0"),
        (Played(4, tuple("ABCD"), 0, (7, 0, 6, 0), "played"), r"game points \(7, 0, 6, 0\): partners score together"),
        (Played(1, tuple("ABC"), 0, (7, 0, 0), "played"), "pairing 1 has two results that count"),
        (Played(4, tuple("AB"), 0, (7, 0), "played"), "there are matches of 2 and of 3 seats: one table is of one"),
    ],
)
def test_a_result_that_cannot_be_is_refused_and_named(result: Played, complaint: str) -> None:
    good = matches("ABC 7:0:0")
    assert len(standings.table(good, "ABCD")) == 4
    with pytest.raises(TournamentError, match=complaint):
        standings.table([*good, result], "ABCD")
