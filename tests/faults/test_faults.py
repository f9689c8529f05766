"""A tournament comes out the same whatever is killed in it; and what would be otherwise is noticed.

`make faults` does the same thirty times over six bots; here are two short runs with stops that are always the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from tests import postgresql
from tests.faults.__main__ import problems, told
from tests.faults.kills import DATABASE, REDIS, WEB, WORKER, plan
from tests.faults.players import LINE_UP, Taken
from tests.faults.records import Final, differences, forgotten, missing, plain
from tests.faults.runs import Tournament, left_alone, with_kills
from tests.postgresql import PostgresServer

SHORT = Tournament(cards=LINE_UP[:4], target=1)


@pytest.fixture
def mortal() -> Iterator[PostgresServer | None]:
    """A PostgreSQL that may be killed; where there can be none, none, which stands for SQLite."""
    if postgresql.lacking() or postgresql.GIVEN:
        yield None
        return
    server = postgresql.new_server(durable=True)
    yield server
    server.stop()


@pytest.mark.timeout(900)
def test_scenario_24_whatever_is_killed_the_record_is_that_of_a_run_left_alone(
    mortal: PostgresServer | None, tmp_path: Path
) -> None:
    alone = left_alone("short", SHORT, data=tmp_path / "alone", server=mortal)
    assert alone.is_right, problems(alone)
    assert alone.final.rulings > 0
    found = with_kills("short", SHORT, alone=alone, data=tmp_path / "killed", server=mortal)
    assert found.is_right, (told(alone, found, 0), *problems(found))
    assert len(found.final.facts) == SHORT.matches
    assert len(found.kills) >= 5


@pytest.mark.timeout(900)
def test_scenario_39_pairs_on_the_same_packs_are_completed_once_whatever_is_killed_between_their_matches(
    tmp_path: Path,
) -> None:
    paired = replace(SHORT, duplicate="paired")
    alone = left_alone("pairs", paired, data=tmp_path / "alone", server=None)
    assert alone.is_right, problems(alone)
    found = with_kills("pairs", paired, alone=alone, data=tmp_path / "killed", server=None)
    assert found.is_right, (told(alone, found, 0), *problems(found))
    packs = [facts["packs"] for facts in found.final.facts.values()]
    assert [packs.count(each) for each in packs] == [2] * paired.matches


@pytest.mark.parametrize("number", range(40))
def test_every_run_kills_each_kind_and_at_least_five(number: int) -> None:
    kills = plan(f"some/{number}", acts=600, database=True)
    assert kills == plan(f"some/{number}", acts=600, database=True)
    assert len(kills) >= 5
    assert {whom for kill in kills for whom in kill.whom} == {WEB, WORKER, REDIS, DATABASE}
    assert [kill.after for kill in kills] == sorted({kill.after for kill in kills})
    assert all(0 < kill.after < 600 for kill in kills)


def record(**others: object) -> Final:
    usual: dict[str, object] = {
        "facts": {1: {"score": [1, 0]}, 2: {"score": [0, 2]}},
        "events": {1: (b"a", b"b"), 2: (b"c",)},
        "tables": b"t",
        "lost": (),
        "doubled": (),
        "amiss": (),
    }
    return Final(**{**usual, **others})  # type: ignore[arg-type]


def test_records_that_are_alike_do_not_differ_and_any_other_byte_does() -> None:
    assert differences(record(), record()) == []
    assert differences(record(), record(tables=b"u")) == ["the tables: t and u"]
    assert differences(record(), record(events={1: (b"a", b"B"), 2: (b"c",)})) == ["match 1: event 2: b and B"]
    assert differences(record(), record(events={1: (b"a", b"b"), 2: (b"c", b"d")})) == ["match 2: their lengths"]
    fewer = replace(record(), facts={1: {"score": [1, 0]}})
    assert differences(record(), fewer) == ["match 2: {'score': [0, 2]} and None"]
    assert differences(record(), record(facts={1: {"score": [1, 0]}, 2: {"score": [2, 0]}}))[0].startswith("match 2")


def test_an_act_that_was_acknowledged_and_is_not_in_the_log_is_lost() -> None:
    log = b"\n".join(orjson.dumps({"n": n, "type": "acted", "act": {"act": "play", "card": "AS"}}) for n in (1, 2))
    told = [Taken("mat_1", n, {"act": "play", "card": "AS"}) for n in (1, 2, 3)]
    assert forgotten(told[:2], {"mat_1": log}) == []
    assert len(forgotten(told, {"mat_1": log})) == 1
    assert len(forgotten([Taken("mat_1", 1, {"act": "close"})], {"mat_1": log})) == 1
    assert len(forgotten([Taken("mat_1", 1, {"act": "play", "card": "KS"})], {"mat_1": log})) == 1
    assert len(forgotten([Taken("mat_2", 1, {"act": "close"})], {"mat_1": log})) == 1


def test_a_planned_match_without_a_result_is_lost() -> None:
    from collections import Counter

    assert missing(Counter([1, 2, 3]), 3) == []
    assert missing(Counter([1, 3]), 3) == ["match 2 has no result"]


def test_only_what_no_two_runs_share_is_left_out_of_an_event() -> None:
    line = b'{"act":{"act":"play","card":"AS"},"ms":7,"n":3,"prev":"00","seat":"a","to":"bot_1","type":"acted"}'
    assert (
        plain(line, {"bot_1": "Ada"})
        == b'{"act":{"act":"play","card":"AS"},"n":3,"seat":"a","to":"Ada","type":"acted"}'
    )
