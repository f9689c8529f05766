"""The arithmetic of the bench: pairs, ratios, percentiles, what a row says. Nothing is timed here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench import engine, report
from tests.bench.pairs import Pairs, Sample, Spread, paired, percentile, spread
from tests.bench.report import Figure, NotRun
from tests.bench.wire import UnexpectedAnswer, length, request


def test_a_ratio_is_taken_pair_by_pair_and_not_of_the_medians() -> None:
    pairs = Pairs(ours=(1.0, 10.0, 2.0), theirs=(4.0, 20.0, 10.0))
    assert pairs.times_as_fast == Spread(4.0, 2.0, 5.0)
    assert pairs.times_the_cost == Spread(0.25, 0.2, 0.5)


def test_both_sides_run_every_number_once_after_a_warm_up_and_take_turns_at_going_first() -> None:
    order: list[str] = []

    def ours(number: int) -> Sample:
        order.append(f"a{number}")
        return Sample(2, 0.000_004)

    def theirs(number: int) -> Sample:
        order.append(f"b{number}")
        return Sample(1, 0.000_008)

    pairs = paired(ours, theirs, rounds=3)
    assert order == ["a0", "b0", "a1", "b1", "b2", "a2", "a3", "b3"]
    assert pairs.ours == pytest.approx((2.0, 2.0, 2.0))
    assert pairs.theirs == pytest.approx((8.0, 8.0, 8.0))


def test_a_deal_of_the_bench_is_24_cards_12_draws_and_at_most_an_exchange_a_trick() -> None:
    first, again = engine.lawful_deals(1, deals=5), engine.lawful_deals(1, deals=5)
    assert 5 * 36 <= first.units <= 5 * 48
    assert first.units == again.units


def test_percentiles_lie_within_the_figures() -> None:
    figures = [float(number) for number in range(101)]
    assert (percentile(figures, 50), percentile(figures, 99)) == (50.0, 99.0)
    assert spread(figures) == Spread(50.0, 0.0, 100.0)


@pytest.mark.parametrize(
    ("aim", "bound", "met"),
    [("at least", 4, True), ("at least", 5, False), ("at most", 5, True), ("at most", 4, False)],
)
def test_a_row_says_whether_the_median_reaches_the_aim(aim: str, bound: float, met: bool) -> None:
    row = Figure("engine", "an act", 2.0, 9.0, Spread(4.5, 4.0, 5.0), aim, bound)  # type: ignore[arg-type]
    assert row.is_met is met
    assert report.line(row).endswith(f"{aim} {bound}: {'met' if met else 'NOT MET'}")
    assert "4.50" in report.line(row)


def test_what_is_written_can_be_read_back(tmp_path: Path) -> None:
    rows = [Figure("engine", "an act", 2.0, 9.0, Spread(4.5, 4.0, 5.0), "at least", 4), NotRun("http", "no server")]
    path = tmp_path / "bench" / "latest.json"
    report.write(path, {"cores": 2}, report.now(), rows)
    document = json.loads(path.read_text("utf-8"))
    assert document["machine"] == {"cores": 2}
    assert [(row["key"], row.get("met"), row.get("why")) for row in document["figures"]] == [
        ("engine", True, None),
        ("http", None, "no server"),
    ]


def test_a_request_is_whole_and_an_answer_without_length_is_refused() -> None:
    sent = request("POST", "/v1/bots", {"name": "left"}, headers={"Authorization": "Bearer T"})
    head, _, content = sent.partition(b"\r\n\r\n")
    assert json.loads(content) == {"name": "left"}
    assert length(head) == len(content)
    with pytest.raises(UnexpectedAnswer, match="without Content-Length"):
        length(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked")
