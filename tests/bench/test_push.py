"""The push part of the bench in small: it measures both sides, and what was played verifies."""

from __future__ import annotations

import pytest

from tests.bench import push


@pytest.mark.timeout(600)
def test_a_job_and_a_bare_client_are_measured_in_turn_and_the_matches_verify() -> None:
    [figure] = push.figures(requests=40, rounds=2, size=push.Size(bots=4, concurrency=2, cycles=2))
    assert (figure.key, figure.aim, figure.bound) == ("push", "at least", 0.5)
    assert figure.ours > 0
    assert figure.theirs > 0
    assert "4 matches" in figure.what


def test_a_log_that_does_not_verify_is_not_passed_over() -> None:
    with pytest.raises(ValueError, match="does not verify"):
        push.verified(iter([b'{"n":1}\n']))
