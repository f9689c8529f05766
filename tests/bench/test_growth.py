"""The bench of growth and of memory in small: what it plays adds up and verifies. How long it takes is nobody's matter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import growth, live_memory
from tests.bench.growth import Peak


@pytest.mark.timeout(900)
def test_tournaments_of_instant_bots_are_played_by_workers_and_verify(tmp_path: Path) -> None:
    found = growth.measured(tmp_path, matches=120, bots=4)
    assert found.small_size == 6
    assert found.large.units == found.seconds.units == found.verified == 120
    assert found.small.units == 6 * len(found.ratios)
    assert min(found.large.seconds, found.small.seconds, found.seconds.seconds) > 0
    for peak in (found.large_peak, found.small_peak):
        assert min(peak.worker, peak.web, peak.redis, peak.stored) > 0
    outputs = [path.read_text() for path in tmp_path.glob("*/output/instant.log")]
    assert len(outputs) > 1
    assert not any("Traceback" in output for output in outputs)


def test_the_most_of_several_peaks_is_taken_kind_by_kind() -> None:
    assert growth.most([Peak(1, 20, 3, 40), Peak(10, 2, 30, 4)]) == Peak(10, 20, 30, 40)


@pytest.mark.timeout(900)
def test_matches_are_measured_at_their_end_and_verify(tmp_path: Path) -> None:
    with live_memory.opened(tmp_path) as here:
        sizes = list(live_memory.sizes_at_the_end(here, count=2))
        assert here.live.members("live") == []
    assert len(sizes) == 2
    assert min(sizes) > 1000
