"""Two hosts share one Redis and one PostgreSQL: both serve and work, and when one dies the other goes on.

A host here is a data directory with web processes and workers of its own. Neither has a store in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from referee.launcher.stack import Shape, Stack
from referee.launcher.wire import Wire
from referee.settings import Settings
from tests.conftest import ValkeyServer, settings_for
from tests.faults.players import LINE_UP, Crew, playing
from tests.faults.records import Final, differences, final
from tests.faults.runs import Tournament, database_of, ended, left_alone, started
from tests.launcher.test_counting import figures
from tests.launcher.test_stack import until
from tests.postgresql import PostgresServer

SEED = "two hosts"
WHAT = Tournament(cards=LINE_UP, target=2)
TOKEN = "organiser-of-both-hosts"


@pytest.fixture
def shared(own_valkey: ValkeyServer, postgresql: PostgresServer, tmp_path: Path) -> Iterator[list[Settings]]:
    """Settings of two hosts over one Redis with AOF and one PostgreSQL."""
    with database_of(postgresql) as database:
        yield [
            settings_for(own_valkey.url, tmp_path / name, database_url=database, organiser_token=TOKEN)
            for name in ("north", "south")
        ]


@pytest.mark.timeout(900)
def test_one_tournament_over_two_hosts_of_which_the_busier_dies(shared: list[Settings], tmp_path: Path) -> None:
    alone = left_alone(SEED, WHAT, data=tmp_path / "alone", server=None)
    with ExitStack() as both:
        hosts = [both.enter_context(Stack(settings, Shape(web=1, workers=1))) for settings in shared]
        crew = both.enter_context(
            playing(WHAT.cards, SEED, replace(hosts[0].organiser, token=""), concurrency=WHAT.matches)
        )
        for number, player in enumerate(crew.players):  # half of the bots are served by the other host
            player.url = hosts[number % 2].url
        cup = started(SEED, WHAT, hosts[0], crew)
        until(lambda: crew.acted > alone.acts // 3, "a third of the acts")
        until(lambda: any(map(pushes, hosts)), "a push: bots that fetch may be ahead of those that are called")
        dying = max(hosts, key=pushes)
        left = next(host for host in hosts if host is not dying)
        before = {host.data.name: told(host) for host in hosts}
        dying.kill_worker()
        dying.kill_web()
        dying.stop()
        for player in crew.players:  # as a balancer does
            player.url = left.url
        ended(left, cup, crew, None)
        after = told(left)
        found = read(left, cup, crew)
    print(f"\nbefore {dying.data.name} died: {before}; {left.data.name} at the end: {after}")
    assert found.lost == found.doubled == found.amiss == ()
    assert differences(alone.final, found) == []
    assert len(found.facts) == WHAT.matches
    assert all(host["acts"] > 0 for host in before.values()), before  # both hosts took acts
    assert before[dying.data.name]["pushes"] > 0  # the worker of the one pushed until it died,
    assert after["pushes"] > before[left.data.name]["pushes"]  # and that of the other went on
    assert [name for host in shared for name in ("redis", "record.sqlite") if (host.data / name).exists()] == []


def pushes(host: Stack) -> int:
    """How many calls the workers of a host have made."""
    return int(figures(host).get("referee_push_seconds_count", 0))


def told(host: Stack) -> dict[str, int]:
    """What a host has counted."""
    found = figures(host)
    return {
        "acts": int(found["referee_acts_total"]),
        "pushes": int(found.get("referee_push_seconds_count", 0)),
        "requests": int(found["referee_requests_total"]),
        "workers of both": int(found["referee_workers"]),
    }


def read(host: Stack, cup: str, crew: Crew) -> Final:
    """What the tournament left behind."""
    settings = host.settings
    organiser = Wire(host.url, TOKEN)
    taken = list(crew.taken)
    return final(settings.database, settings.data, organiser, tournament=cup, planned=WHAT.matches, taken=taken)
