"""Standings: each line of the written rule (T1 to T11) with an example, and every permutation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, permutations
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.tournament import schedule, standings
from referee.tournament.schedule import TournamentError
from referee.tournament.standings import Cell, Played, Row


def matches(text: str, *, cause: str = "played") -> list[Played]:
    """Results from lines such as `A-B 7:3`; the greater number wins, `A-B 4:4 !A` names who."""
    return list(_read(text, cause))


def _read(text: str, cause: str) -> Iterator[Played]:
    numbers = count(1)
    for line in text.replace(",", "\n").split("\n"):
        if not line.strip():
            continue
        pair, score, *named = line.split()
        first, second = pair.split("-")
        left, right = (int(points) for points in score.split(":"))
        winner: int | None = int(right > left)
        if named:
            winner = None if named[0] == "void" else (first, second).index(named[0].lstrip("!"))
        yield Played(next(numbers), (first, second), winner, (left, right), cause)


def ranks(rows: Sequence[Row]) -> str:
    """The table in short: `1A 2B 2C 4D`."""
    return " ".join(f"{row.rank}{row.bot}" for row in rows)


# T1, T2: what counts


def test_t1_a_void_match_counts_nowhere() -> None:
    void = matches("A-B 6:0 void")
    assert standings.table(void, "AB") == standings.table([], "AB")
    assert standings.table(void, "AB")[0] == Row(1, "A", 0, 0, 0, 0, 0, 0, struck=False)
    assert standings.crosstable(void, "AB")[0][1] == Cell(0, 0, 0, 0)


def test_t1_a_void_match_may_be_played_again_under_its_number() -> None:
    again = [*matches("A-B 6:0 void"), *matches("A-B 2:7")]
    assert ranks(standings.table(again, "AB")) == "1B 2A"
    assert standings.table(again[::-1], "AB") == standings.table(again, "AB")


@pytest.mark.parametrize("cause", ["time", "conduct", "no_show", "resigned", "withdrawn"])
def test_t2_scenario_46_a_forfeit_counts_among_the_tied_like_any_win(cause: str) -> None:
    """A and B have two wins each and B far the better difference; A's over B is a forfeit at 0:6."""
    others = matches("A-C 7:6, B-C 7:0, B-D 7:0")
    forfeit = Played(9, ("A", "B"), 0, (0, 6), cause)
    rows = standings.table([*others, forfeit], "BACD")
    assert rows[0] == Row(1, "A", 2, 2, 0, 1, 7, 12, struck=False)
    assert rows[1] == Row(2, "B", 3, 2, 1, 0, 20, 0, struck=False)


def test_t2_the_same_match_declared_void_leaves_the_difference_to_decide() -> None:
    others = matches("A-C 7:6, A-D 7:6, B-C 7:0, B-D 7:0")
    assert ranks(standings.table([*others, Played(9, ("A", "B"), None, (0, 6), "void")], "ABCD")) == "1B 2A 3C 3D"


# T3, T4: withdrawals


FIELD = "ABCDE"
PLAN = schedule.round_robin(FIELD, cycles=1)


def played_by(bot: str, numbers: int) -> list[Played]:
    """The first so many matches of `bot` in the plan, each won 7:0 by it."""
    own = [pairing for pairing in PLAN if bot in pairing.seats][:numbers]
    return [
        Played(p.number, p.seats, p.seats.index(bot), (7, 0) if p.seats[0] == bot else (0, 7), "played") for p in own
    ]


def test_t3_scenario_42_who_withdraws_before_half_is_struck_and_counts_for_nobody() -> None:
    results = played_by("E", 1)
    loser = next(bot for bot in results[0].seats if bot != "E")
    before = standings.table(results, FIELD)
    assert (before[0].bot, before[0].wins) == ("E", 1)
    rows = standings.table(results, FIELD, planned=PLAN, withdrawn={"E"})
    assert rows[-1] == Row(5, "E", 0, 0, 0, 0, 0, 0, struck=True)
    assert all((row.rank, row.wins, row.losses) == (1, 0, 0) for row in rows[:-1])
    cells = standings.crosstable(results, FIELD, planned=PLAN, withdrawn={"E"})
    assert cells[4][FIELD.index(loser)] == Cell(1, 0, 7, 0)
    assert standings.walkovers(results, PLAN, {"E"}) == ()


def test_t3_a_void_match_is_no_finished_match_of_who_withdraws() -> None:
    one, two = played_by("E", 2)
    void = Played(two.number, two.seats, None, two.game_points, "void")
    assert standings.struck([one, two], PLAN, {"E"}) == frozenset()
    assert standings.struck([one, void], PLAN, {"E"}) == {"E"}


def test_t4_scenario_42_who_withdraws_at_half_keeps_results_and_loses_the_rest_by_walkover() -> None:
    results = played_by("E", 2)
    beaten = {bot for match in results for bot in match.seats} - {"E"}
    spared = set(FIELD) - {"E"} - beaten
    rows = standings.table(results, FIELD, planned=PLAN, withdrawn=["E"])
    by_bot = {row.bot: row for row in rows}
    assert by_bot["E"] == Row(1, "E", 4, 2, 2, 2 - 2, 14, 0, struck=False)
    assert all((by_bot[bot].wins, by_bot[bot].game_points_for) == (1, 0) for bot in spared)
    assert all((by_bot[bot].wins, by_bot[bot].losses) == (0, 1) for bot in beaten)
    given = standings.walkovers(results, PLAN, {"E"})
    assert {match.cause for match in given} == {standings.WALKOVER}
    assert {match.seats[match.winner or 0] for match in given} == spared


def test_t4_a_pairing_of_two_withdrawn_bots_is_void() -> None:
    plan = schedule.round_robin("ABC", cycles=2)
    results = [Played(p.number, p.seats, p.seats.index("C"), (0, 0), "time") for p in plan if "C" in p.seats]
    given = standings.walkovers(results, plan, {"A", "B"})
    assert [(match.seats, match.winner, match.cause) for match in given] == [
        (("A", "B"), None, standings.VOID),
        (("B", "A"), None, standings.VOID),
    ]
    assert ranks(standings.table(results, "ABC", planned=plan, withdrawn={"A", "B"})) == "1C 2A 2B"


def test_t4_a_void_match_with_a_withdrawn_bot_becomes_a_walkover() -> None:
    results = played_by("E", 4)
    last = results.pop()
    other = next(bot for bot in last.seats if bot != "E")
    void = Played(last.number, last.seats, None, (3, 3), "void")
    rows = standings.table([*results, void], FIELD, planned=PLAN, withdrawn={"E"})
    assert {row.bot: row.wins for row in rows}[other] == 1


def test_a_withdrawal_without_the_schedule_is_refused() -> None:
    with pytest.raises(TournamentError, match="`planned` must be the whole schedule"):
        standings.table([], FIELD, withdrawn={"E"})


# T5 to T11: the order


def test_t5_more_match_wins_stand_higher_whatever_else() -> None:
    results = matches("A-B 7:6, A-C 7:6, A-D 7:6, B-A 7:0, B-D 7:0, C-D 7:0")
    assert ranks(standings.table(results, "DCBA")) == "1A 2B 3C 4D"


def test_t6_wins_among_the_level_come_before_the_difference() -> None:
    """A, B and C have two wins; A beat both others and has the worst difference of the three."""
    results = matches("A-B 7:6, A-C 7:6, A-D 0:7, B-C 7:0, B-D 7:0, C-D 7:0, C-E 7:0")
    rows = standings.table(results, "EDCBA")
    assert ranks(rows) == "1A 2B 3C 4D 5E"
    assert [row.wins_among_level for row in rows[:3]] == [2, 1, 0]
    assert [row.game_point_difference for row in rows[:3]] == [-5, 13, 6]


def test_t6_is_applied_again_to_those_it_leaves_level() -> None:
    """Two wins each; among the four A and B have two, C and D one. A beat B, D beat C, by the least."""
    results = matches("A-B 7:6, A-D 7:6, C-A 7:0, B-C 7:0, B-D 7:0, D-C 7:6, C-E 7:0, D-E 7:0")
    rows = standings.table(results, "ECBDA")
    assert ranks(rows) == "1A 2B 3D 4C 5E"
    assert [row.wins for row in rows[:4]] == [2, 2, 2, 2]
    assert [row.wins_among_level for row in rows[:4]] == [2, 2, 1, 1]
    assert [row.game_point_difference for row in rows[:4]] == [-5, 13, 0, 6]


def test_t7_the_greater_difference_decides_a_ring() -> None:
    results = matches("A-B 7:0, B-C 7:3, C-A 7:5")
    rows = standings.table(results, "BCA")
    assert ranks(rows) == "1A 2C 3B"
    assert [row.game_point_difference for row in rows] == [5, -2, -3]


def test_t8_more_points_won_decide_between_equal_differences() -> None:
    assert ranks(standings.table(matches("A-C 7:5, B-C 9:7"), "ABC")) == "1B 2A 3C"


def test_t9_those_the_difference_leaves_level_begin_again_with_their_own_match() -> None:
    """A ring in which A has +6, B and C -3; C won more points than B, but B beat C."""
    rows = standings.table(matches("A-B 7:0, B-C 7:3, C-A 7:6"), "CBA")
    assert [(row.bot, row.rank, row.game_point_difference, row.game_points_for) for row in rows] == [
        ("A", 1, 6, 13),
        ("B", 2, -3, 7),
        ("C", 3, -3, 10),
    ]


def test_t10_those_nothing_parts_share_a_rank_in_order_of_entry_and_the_next_rank_counts_them() -> None:
    results = matches("A-B 7:5, B-C 7:5, C-A 7:5")
    assert ranks(standings.table(results, "CDBA")) == "1C 1B 1A 4D"
    assert ranks(standings.table([], "CDBA")) == "1C 1D 1B 1A"


def test_t11_struck_bots_share_the_rank_below_all_others() -> None:
    results = [Played(p.number, p.seats, 0, (7, 0), "played") for p in PLAN if "B" in p.seats and p.round < 3]
    rows = standings.table(results, "ABCDE", planned=PLAN, withdrawn={"A", "C"})
    assert [row.struck for row in rows] == [False, False, False, True, True]
    assert ranks(rows[-2:]) == "4A 4C"


def expected_order(results: Sequence[Played], entrants: str) -> str:
    """Another way to say T5 to T10: sort by comparing, one level group at a time, by recursion."""

    def wins(bot: str, against: str) -> int:
        return sum(
            m.winner is not None and m.seats[m.winner] == bot and m.seats[1 - m.winner] in against for m in results
        )

    def points(bot: str, *, lost: bool) -> int:
        return sum(m.game_points[m.seats.index(bot) ^ lost] for m in results if bot in m.seats and m.winner is not None)

    def settle(level: str) -> list[str]:
        keys = {
            "among": {bot: wins(bot, level) for bot in level},
            "difference": {bot: points(bot, lost=False) - points(bot, lost=True) for bot in level},
            "won": {bot: points(bot, lost=False) for bot in level},
        }
        for figure in keys.values():
            if len(set(figure.values())) > 1:
                best = max(figure.values())
                top = "".join(bot for bot in level if figure[bot] == best)
                return settle(top) + parts(level, figure, best)
        return [level]

    def parts(level: str, figure: dict[str, int], best: int) -> list[str]:
        return [
            group
            for value in sorted(set(figure.values()) - {best}, reverse=True)
            for group in settle("".join(bot for bot in level if figure[bot] == value))
        ]

    overall = {bot: wins(bot, entrants) for bot in entrants}
    groups = [
        group
        for value in sorted(set(overall.values()), reverse=True)
        for group in settle("".join(bot for bot in entrants if overall[bot] == value))
    ]
    lines, above = [], 0
    for group in groups:
        lines += [f"{above + 1}{bot}" for bot in group]
        above += len(group)
    return " ".join(lines)


ENTRANTS = "ABCDEF"


#: No example is judged by the time it takes.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def some_results(draw: st.DrawFn) -> list[Played]:
    """Up to thirty results of six bots, close to each other, so that ties are common."""
    seats = st.sampled_from(list(permutations(ENTRANTS, 2)))
    winner = st.sampled_from([0, 1, 0, 1, None])
    points = st.tuples(st.integers(0, 2), st.integers(0, 2))
    drawn = draw(st.lists(st.tuples(seats, winner, points), max_size=30))
    return [Played(number, *each, "played") for number, each in enumerate(drawn, start=1)]


@unhurried
@given(results=some_results(), order=st.randoms(use_true_random=False))
def test_scenario_36_any_order_of_the_results_gives_the_same_table(results: list[Played], order: Random) -> None:
    table = standings.table(results, ENTRANTS)
    crosstable = standings.crosstable(results, ENTRANTS)
    order.shuffle(results)
    assert standings.table(results, ENTRANTS) == table
    assert standings.crosstable(results, ENTRANTS) == crosstable
    assert all(type(figure) is int for row in table for figure in (row.rank, row.wins, row.game_point_difference))


def test_scenario_36_all_120_orders_of_five_results_give_one_table() -> None:
    results = matches("A-B 7:0, B-C 7:3, C-A 7:6, A-D 3:7, D-B 6:7")
    tables = {standings.table(order, "ABCD") for order in permutations(results)}
    assert len(tables) == 1


@unhurried
@given(results=some_results())
def test_the_order_is_what_the_written_rule_says_read_a_second_time(results: list[Played]) -> None:
    assert ranks(standings.table(results, ENTRANTS)) == expected_order(results, ENTRANTS)


@unhurried
@given(results=some_results())
def test_what_one_wins_another_loses(results: list[Played]) -> None:
    rows = standings.table(results, ENTRANTS)
    counting = [match for match in results if match.winner is not None]
    assert sum(row.wins for row in rows) == sum(row.losses for row in rows) == len(counting)
    assert sum(row.game_points_for for row in rows) == sum(sum(match.game_points) for match in counting)
    assert sum(row.game_point_difference for row in rows) == 0
    assert sorted(row.bot for row in rows) == sorted(ENTRANTS)


@unhurried
@given(results=some_results())
def test_a_row_of_the_table_is_the_sum_of_its_row_in_the_crosstable(results: list[Played]) -> None:
    rows = {row.bot: row for row in standings.table(results, ENTRANTS)}
    for bot, cells in zip(ENTRANTS, standings.crosstable(results, ENTRANTS), strict=True):
        assert cells[ENTRANTS.index(bot)] is None
        filled = [cell for cell in cells if cell is not None]
        assert sum(cell.wins for cell in filled) == rows[bot].wins
        assert sum(cell.losses for cell in filled) == rows[bot].losses
        assert sum(cell.game_points_for for cell in filled) == rows[bot].game_points_for
        assert sum(cell.game_points_against for cell in filled) == rows[bot].game_points_against


def test_the_crosstable_is_read_from_both_sides() -> None:
    cells = standings.crosstable(matches("A-B 7:3, B-A 7:4, A-B 7:5, B-C 0:7"), "ABC")
    assert cells[0] == (None, Cell(2, 1, 18, 15), Cell(0, 0, 0, 0))
    assert cells[1] == (Cell(1, 2, 15, 18), None, Cell(0, 1, 0, 7))


# bad results


@pytest.mark.parametrize(
    ("result", "complaint"),
    [
        (Played(4, ("A", "X"), 0, (7, 0), "played"), "pairing 4 seats 'X', which is no entrant"),
        (Played(4, ("A", "A"), 0, (7, 0), "played"), "pairing 4 seats 'A' twice: a match has two bots"),
        (Played(4, ("A", "B"), 2, (7, 0), "played"), "pairing 4 has winner 2: it is seat 0, seat 1 or None"),
        (Played(4, ("A", "B"), 0, (7, -1), "played"), r"pairing 4 has game points \(7, -1\): none is below 0"),
        (Played(1, ("B", "C"), 0, (7, 0), "played"), "pairing 1 has two results that count: one of them must be void"),
    ],
)
def test_a_result_that_cannot_be_is_refused_and_named(result: Played, complaint: str) -> None:
    good = matches("A-B 7:0")
    assert len(standings.table(good, "ABC")) == 3
    with pytest.raises(TournamentError, match=complaint):
        standings.table([*good, result], "ABC")


def test_a_withdrawal_of_no_entrant_is_refused() -> None:
    with pytest.raises(TournamentError, match="'X' has withdrawn and is no entrant"):
        standings.table([], FIELD, planned=PLAN, withdrawn={"X"})
