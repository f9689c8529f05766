"""Every law that can come about comes about over HTTP, by the acts the law book names, and is ruled on as it says.

One referee with all its processes serves the module; two scripted bots play each row of
`referee/laws/acts.toml`, once for each way of calling.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import orjson
import pytest

from referee import match
from referee import settings as environment
from referee.launcher.stack import Shape, Stack
from referee.laws import book
from referee.service.plays import CALLS
from tests.end_to_end import acted

pytestmark = pytest.mark.timeout(300)
PLAYED = [(row, calls) for law in book.laws() for row in book.ways(law.id) for calls in CALLS]


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[acted.Bots]:
    """A whole referee for the module, and whoever is registered with it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("REFEREE_REDIS_URL", raising=False)
        patch.delenv("REFEREE_DATABASE_URL", raising=False)
        settings = replace(environment.read(), data=tmp_path_factory.mktemp("referee") / "data")
        with Stack(settings, Shape(web=1, workers=1)) as stack:
            yield acted.Bots(stack)


@pytest.mark.parametrize(("row", "calls"), PLAYED, ids=[f"{row['law']}-{calls}" for row, calls in PLAYED])
def test_the_law_comes_about_by_these_acts(bots: acted.Bots, row: dict[str, Any], calls: str) -> None:
    script = acted.begin(bots, row, calls)
    claimed = False
    for move in acted.moves(row, calls):
        if acted.is_claim(move) and not claimed:
            claimed = True
            assert script.rulings() == script.told == [], "until it is claimed, an irregularity bears no mark"
        script.move(move)
    expected = expected_of(row, calls)
    assert only_ruling(script.rulings(), expected) == expected
    if expected and not asked_by_the_referee(row):
        assert only_ruling(script.told, expected) == expected
    assert script.refused == refusals_of(row, calls)
    assert_written(script.sealed(), expected, elector_of(row, calls))


def assert_written(log: bytes, expected: dict[str, Any], elector: str | None) -> None:
    """The log verifies, and holds the ruling and, where there was a choice, whose it was."""
    verdict = match.verify(log)
    assert verdict.ok, verdict.problem
    events = [orjson.loads(line) for line in log.splitlines()]
    assert only_ruling([event for event in events if event["type"] == "ruled"], expected) == expected
    opened = [event for event in events if event["type"] == "case_opened" and event["laws"] == expected.get("laws")]
    assert {event["elector"] for event in opened} == ({elector} if elector else set())


def ruling_of(row: dict[str, Any], calls: str) -> dict[str, Any]:
    """What the row foretells for a way of calling: nothing for one that does not know the law."""
    if row.get("only", calls) != calls:
        return {}
    return dict(row["claimed"] if calls == "players" and "claimed" in row else row["ruling"])


def elector_of(row: dict[str, Any], calls: str) -> str | None:
    """Whose choice it is to be."""
    return ruling_of(row, calls).get("elector")


def expected_of(row: dict[str, Any], calls: str) -> dict[str, Any]:
    """The members of the ruling that are foretold."""
    ruling = {key: value for key, value in ruling_of(row, calls).items() if key != "elector"}
    return {"award": None, **ruling} if ruling else {}


def asked_by_the_referee(row: dict[str, Any]) -> bool:
    """Whether the ruling follows on no act: on the clock, or on a request that was refused."""
    return row["acts"][-1].endswith((" time-out", " impossible"))


def only_ruling(rulings: list[dict[str, Any]], expected: dict[str, Any]) -> dict[str, Any]:
    """The one ruling under those laws, as far as it was foretold; every ruling where none was."""
    found = [each for each in rulings if each["laws"] == expected.get("laws", each["laws"])]
    if not found:
        return {}
    assert len(found) == 1, found
    return {key: found[0][key] for key in expected} if expected else found[0]


def refusals_of(row: dict[str, Any], calls: str) -> list[str]:
    """What is refused on the way: requests that cannot be, and claims where the referee calls."""
    script = list(acted.moves(row, calls))
    codes = ["act/impossible" for move in script if move.endswith(" impossible")]
    return codes + ["claim/referee_calls" for move in script if calls == "referee" and acted.is_claim(move)]
