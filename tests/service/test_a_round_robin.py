"""A whole round robin of pull bots, played through the service alone."""

from __future__ import annotations

import hashlib
import json

from referee import match
from referee.service import Service, matches, tournaments
from tests.service.playing_along import drawn, matches_of, play_on, register, tournament


def test_three_bots_play_a_double_round_robin_to_the_end(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd")]
    cup = tournament(service, seated, cycles=2, overrides={"target": 2})

    play_on(service, seated, drawn(1))

    shown = tournaments.get_tournament(service, cup)
    assert (shown["state"], shown["played"], shown["live"], shown["planned"]) == ("finished", 6, 0, 6)
    assert match.commitment(bytes.fromhex(shown["seed"])) == shown["commitment"]
    rows = matches_of(service, cup)
    assert [row["state"] for row in rows] == ["done"] * 6
    for row in rows:
        log = matches.get_log(service, row["id"])
        assert match.verify(log).ok, match.verify(log).problem
        assert hashlib.sha256(log).hexdigest() == row["log_sha256"]
        assert json.loads(log.splitlines()[-1])["seed"] == row["seed"]
        assert row["seed"] == match.match_seed(bytes.fromhex(shown["seed"]), row["number"]).hex()


def test_standings_and_crosstable_agree_with_the_matches(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd")]
    cup = tournament(service, seated, cycles=2)
    play_on(service, seated, drawn(2))

    lines = tournaments.standings(service, cup)["standings"]
    rows = matches_of(service, cup)
    for line in lines:
        won = sum(row["winner"] is not None and row["bots"][row["winner"]] == line["bot"] for row in rows)
        assert (line["wins"], line["played"]) == (won, 4)
    table = tournaments.crosstable(service, cup)
    assert [each["bot"] for each in table["bots"]] == [line["bot"] for line in lines]
    assert sum(cell["wins"] for row in table["rows"] for cell in row["cells"] if cell) == 6
    assert {len(cell["matches"]) for row in table["rows"] for cell in row["cells"] if cell} == {2}


def test_nothing_is_left_on_the_live_store_but_replies_to_repeat(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea")]
    tournament(service, seated)
    play_on(service, seated)

    assert service.live.members("live") == []
    assert not service.live.client.exists("archive")
    assert service.live.client.zcard("due") == 0
    kept = [key for key in service.live.client.keys("*") if key.startswith((b"m:", b"e:", b"z:", b"t:"))]
    assert len(kept) == 1
    assert 0 < service.live.client.ttl(kept[0]) <= 600


def test_live_events_are_the_lines_of_the_log(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea")]
    cup = tournament(service, seated, overrides={"target": 7})
    play_on(service, seated, drawn(3), acts_at_most=50)
    [row] = matches_of(service, cup)
    lines, over = matches.get_events(service, row["id"])
    assert not over
    assert sum(b'"type":"deal_begun"' in line for line in lines) > 1  # some of it is packed already
    assert [json.loads(line)["n"] for line in lines] == list(range(1, len(lines) + 1))
    later, _ = matches.get_events(service, row["id"], after=10)
    assert later == lines[10:]

    play_on(service, seated, drawn(3))
    log = matches.get_log(service, row["id"])
    assert tuple(log.splitlines()[: len(lines)]) == lines
    assert matches.get_events(service, row["id"]) == (tuple(log.splitlines()[:-1]), True)
