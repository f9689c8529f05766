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
    for move in acted.moves(row, calls):
        script.move(move)
    expected = expected_of(row, calls)
    assert only_ruling(script.rulings(), expected) == expected
    assert script.refused == refusals_of(row, calls)
    log = script.sealed()
    assert match.verify(log).ok, match.verify(log).problem
    written = [event for line in log.splitlines() if (event := orjson.loads(line))["type"] == "ruled"]
    assert only_ruling(written, expected) == expected


def expected_of(row: dict[str, Any], calls: str) -> dict[str, Any]:
    """What is to be ruled: nothing under a way of calling that does not know the law."""
    if row.get("only", calls) != calls:
        return {}
    ruling = row["claimed"] if calls == "players" and "claimed" in row else row["ruling"]
    return {"award": None, **{key: value for key, value in ruling.items() if key != "elector"}}


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
    return codes + ["claim/referee_calls" for move in script if calls == "referee" and " claim " in move]
