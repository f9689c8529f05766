"""A bot stores a rule-set, a tournament is played by it, and its logs verify where nobody knows that rule-set."""

import time
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from referee import settings as environment
from referee.launcher import bots, demo
from referee.launcher.stack import Shape, Stack
from referee.launcher.wire import Wire
from referee.match import transcript
from referee.rules import rulesets

LIMIT = 240.0
pytestmark = pytest.mark.timeout(LIMIT + 60)
LINE_UP = (bots.SAMPLES["greedy"], bots.SAMPLES["random"])
CHANGES = {"target": 2, "strict_play": "follow_head_trump", "points_schwarz": 4}


def test_a_tournament_by_a_stored_rule_set_leaves_logs_that_verify_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REFEREE_REDIS_URL", raising=False)
    monkeypatch.delenv("REFEREE_DATABASE_URL", raising=False)
    settings = replace(environment.read(), data=tmp_path / "data")
    with Stack(settings, Shape(web=1, workers=1)) as stack, demo.seated(LINE_UP, stack) as players:
        body = {"name": "club-night", "base": "house", "title": "Club night", "options": CHANGES}
        stored = Wire(stack.url, players[0].token).post("/v1/rulesets", body)
        assert stored["stored_by"] == players[0].id
        assert stack.organiser.post("/v1/rulesets", body) == stored
        fields = {"name": "cup", "ruleset": "club-night", "overrides": {"patience": 9}, "cycles": 2}
        made = stack.organiser.post("/v1/tournaments", {**fields, "entrants": [bot.id for bot in players]})
        stack.organiser.post(f"/v1/tournaments/{made['id']}/start")
        await_end(stack.organiser, made["id"])
        played = demo.gather(stack.organiser, made["id"], tmp_path / "logs")

    assert len(played.logs) == 2
    assert [verdict["problem"] for verdict in demo.verified(tmp_path / "logs")] == ["", ""]
    resolved = rulesets.named("house").override({**CHANGES, "patience": 9})
    for path in played.logs:
        lines = path.read_bytes().splitlines()
        assert orjson.loads(lines[0])["ruleset"] == {
            "name": "club-night",
            "base": "house",
            "title": "Club night",
            "digest": played.tournament["ruleset_digest"],
            "options": dict(resolved.options),
        }
        assert "rule-set club-night (after house)" in transcript(lines)
        ended = orjson.loads(lines[-2])
        assert max(ended["score"].values()) >= CHANGES["target"]

    changed = tmp_path / "changed.ndjson"
    log = played.logs[0].read_bytes()
    changed.write_bytes(log.replace(b'"points_schwarz":4', b'"points_schwarz":5', 1))
    [verdict] = demo.verified(changed)
    assert (verdict["ok"], "event 1" in verdict["problem"]) == (False, True)


def await_end(organiser: Wire, tournament: str) -> None:
    """Poll until the tournament is finished."""
    end = time.monotonic() + LIMIT
    while (seen := organiser.get(f"/v1/tournaments/{tournament}"))["state"] != "finished":
        assert time.monotonic() < end, f"not finished within {LIMIT:.0f} s: {seen}"
        time.sleep(0.1)
