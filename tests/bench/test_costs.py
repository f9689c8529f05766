"""What things cost, and two hosts, in small: figures come, are those that the page on capacity reads, and the matches verify."""

from __future__ import annotations

import pytest

from tests.bench import capacity, costs, push, two_hosts
from tests.bench.report import Figure, Measure


@pytest.mark.timeout(600)
def test_costs_are_told_for_everything_the_page_on_capacity_needs() -> None:
    if not costs.STAT.exists():
        pytest.skip("no /proc here")
    size = push.Size(bots=4, concurrency=2, cycles=1)
    found = list(costs.figures(acts=20, requests=20, matches=4, size=size))
    assert {each.key for each in found} >= capacity.NEEDED
    assert all(each.bound is None and each.value >= 0 for each in found)


@pytest.mark.timeout(600)
def test_acts_go_through_two_hosts_and_the_matches_verify() -> None:
    ratio, one, two = two_hosts.figures(acts=20, rounds=1, matches=4)
    assert isinstance(ratio, Figure)
    assert ratio.key == "two_hosts"
    assert isinstance(one, Measure)
    assert isinstance(two, Measure)
    assert ratio.ours == pytest.approx(1e6 / two.value)
