"""All processes of a host count together, whichever is asked, and those that died have counted too."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from referee.launcher.processes import send
from referee.launcher.stack import Shape, Stack
from referee.launcher.wire import Wire
from tests.conftest import settings_for
from tests.faults.players import LINE_UP
from tests.faults.runs import Tournament, bots, ended, is_journal, started
from tests.launcher.test_stack import until

SHORT = Tournament(cards=LINE_UP[:3], target=1)  # one of them is pushed to, by a worker


def figures(stack: Stack) -> dict[str, float]:
    """What one scrape finds, whichever process it meets, summed up by name."""
    found: dict[str, float] = {}
    text = Wire(stack.url).fetch("/v1/metrics", accept="text/plain").decode()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, 0) + sample.value
    return found


@pytest.mark.timeout(400)
def test_one_scrape_tells_of_every_process_the_dead_among_them(tmp_path: Path) -> None:
    settings = settings_for("", tmp_path / "data", organiser_token="")
    with Stack(settings, Shape(web=2, workers=1)) as stack:
        with bots("counting", SHORT, stack) as crew:
            cup = started("counting", SHORT, stack, crew)
            ended(stack, cup, crew, None)
            taken = sum(len(player.acts) for player in crew.players)
        first = figures(stack)
        assert first["referee_acts_total"] > taken  # those of the bot that is pushed to, and the refused
        assert first["referee_push_seconds_count"] > 0  # counted in the worker
        assert first["referee_matches_ended_total"] == SHORT.matches
        assert first["referee_workers"] == 1
        for _ in range(8):  # connections are spread over the processes
            assert figures(stack)["referee_acts_total"] == first["referee_acts_total"]
        stack.kill_web()
        stack.kill_worker()
        until(lambda: all(stack.refills(name) for name in ("web-0", "web-1", "worker-0")), "all are started again")
        stack.wait_ready()
        again = figures(stack)
        for name in ("referee_acts_total", "referee_push_seconds_count", "referee_matches_ended_total"):
            assert again[name] == first[name], name
        assert again["referee_waits"] == 0
        lines = [
            line for file in (tmp_path / "data" / "output").glob("*-?.log") for line in file.read_text().splitlines()
        ]
        assert any('"a match is over"' in line for line in lines)
        assert [line for line in lines if not is_journal(line)] == []


@pytest.mark.timeout(400)
def test_a_web_process_told_to_end_answers_whom_it_holds(tmp_path: Path) -> None:
    import threading

    settings = settings_for("", tmp_path / "data", organiser_token="")
    with Stack(settings, Shape(web=1, workers=0)) as stack:
        made = Wire(stack.url).post("/v1/bots", {"name": "patient", "transport": "pull"})
        bot, found = Wire(stack.url, made["token"]), []
        waiting = threading.Thread(target=lambda: found.append(bot.get("/v1/turns?wait=25")))
        waiting.start()
        until(lambda: figures(stack)["referee_waits"] == 1, "the bot is held")
        send(stack.child("web-0"), signal.SIGTERM)
        waiting.join()
        assert found == [{"prompts": []}]
        until(lambda: stack.refills("web-0") == 1, "it is started again")
        assert stack.child("web-0").is_alive
