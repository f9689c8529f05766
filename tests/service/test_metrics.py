"""What is counted, by which labels, and what is told when a store is away."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from referee import service as services
from referee.service import Service, ServiceProblem, advancing, metrics, turns
from tests.conftest import ValkeyServer, settings_for
from tests.service.playing_along import CLOCK, act, matches_of, play_on, register, tournament
from tests.service.push_server import PushBot, lawful, serving
from tests.service.test_push import play_out, registered
from tests.workers.crew import until

LABELS = {"outcome", "law", "kind", "cause", "method", "route", "status", "state", "store", "le"}


def samples(service: Service) -> Iterator[tuple[str, dict[str, str], float]]:
    """Every figure there is, read as Prometheus reads them."""
    for family in text_string_to_metric_families(metrics.exposition(service).decode()):
        for sample in family.samples:
            yield sample.name, dict(sample.labels), sample.value


def figure(service: Service, name: str, **labels: str) -> float:
    """One figure; 0 where there is none yet."""
    return sum(value for found, its, value in samples(service) if found == name and labels.items() <= its.items())


def test_what_a_tournament_comes_to_is_counted(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea")]
    counted = ["referee_acts_total", "referee_deals_total", "referee_matches_ended_total", "referee_rulings_total"]
    before = {name: figure(service, name) for name in counted}
    cup = tournament(service, seated)
    assert figure(service, "referee_matches", state="planned") == 1
    assert figure(service, "referee_tournaments", state="running") == 1
    acts = play_on(service, seated, acts_at_most=3)
    assert figure(service, "referee_matches", state="live") == figure(service, "referee_table_live") == 1
    [(bot, prompt)] = [(bot, p) for bot in seated for p in turns.get_turns(service, caller=bot.caller)["prompts"]]
    refused = figure(service, "referee_acts_total", outcome="act/unreadable")
    with pytest.raises(ServiceProblem):
        act(service, bot, prompt, {"act": "dance"})
    assert figure(service, "referee_acts_total", outcome="act/unreadable") == refused + 1
    acts += play_on(service, seated)
    assert figure(service, "referee_acts_total") == before["referee_acts_total"] + acts + 1
    assert figure(service, "referee_deals_total") > before["referee_deals_total"]
    assert figure(service, "referee_matches_ended_total") == before["referee_matches_ended_total"] + 1
    assert figure(service, "referee_matches", state="done") == 1
    assert figure(service, "referee_tournaments", state="finished") == 1
    assert figure(service, "referee_bots") == 2
    assert matches_of(service, cup)[0]["state"] == "done"


def test_rulings_are_counted_by_law_and_time_outs_by_kind(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea")]
    before = figure(service, "referee_rulings_total", law="IR-61")
    tournament(service, seated)
    advancing.advance(service)
    [(bot, prompt)] = [(bot, p) for bot in seated for p in turns.get_turns(service, caller=bot.caller)["prompts"]]
    act(service, bot, prompt, {"act": "declare"})  # with no trick: the count is short
    assert figure(service, "referee_rulings_total", law="IR-61") == before + 1

    shown, late = (figure(service, "referee_time_outs_total", kind=kind) for kind in ("no_show", "timed_out"))
    asleep = [PushBot(lawful), PushBot(lawful)]
    short = {**CLOCK, "act_ms": 300, "bank_ms": 0, "grace_ms": 50, "absence_ms": 600}
    with serving(*asleep):
        pushed = [registered(service, f"push {n}", bot) for n, bot in enumerate(asleep)]
        cup = tournament(service, pushed, clock=short)
    play_out(service, cup)  # their server is gone
    assert figure(service, "referee_time_outs_total", kind="no_show") == shown + 1
    assert figure(service, "referee_time_outs_total", kind="timed_out") == late
    assert figure(service, "referee_push_seconds_count", outcome="unanswered") > 0


def test_who_is_held_is_counted_while_it_is(service: Service) -> None:
    bot = register(service, "Ada")
    waits, held = figure(service, "referee_wait_seconds_count"), figure(service, "referee_waits")
    waiting = threading.Thread(target=turns.get_turns, args=(service,), kwargs={"caller": bot.caller, "wait": 25.0})
    waiting.start()
    until(lambda: figure(service, "referee_waits") == held + 1, "somebody is held")
    service.wakes.release()
    waiting.join()
    assert figure(service, "referee_waits") == held
    assert figure(service, "referee_wait_seconds_count") == waits + 1


def test_no_label_names_a_bot_a_match_or_a_token(service: Service) -> None:
    seated = [register(service, f"somebody {n}") for n in range(2)]
    cup = tournament(service, seated)
    play_on(service, seated)
    text = metrics.exposition(service).decode()
    ids = [row["id"] for row in matches_of(service, cup)] + [bot.id for bot in seated] + [cup]
    for secret in (*ids, *(bot.token for bot in seated), "somebody", "5" * 64, matches_of(service, cup)[0]["seed"]):
        assert secret not in text
    assert {label for _, labels, _ in samples(service) for label in labels} <= LABELS
    assert all(name.startswith("referee_") for name, _, _ in samples(service))


def test_without_a_store_its_figures_are_absent_and_the_rest_is_told(own_valkey: ValkeyServer, tmp_path: Path) -> None:
    service = services.open(settings_for(own_valkey.url, tmp_path / "data"), sweep=False)
    seated = [register(service, name) for name in ("Ada", "Bea")]
    tournament(service, seated)
    play_on(service, seated)
    acts = figure(service, "referee_acts_total", outcome="taken")
    assert (
        figure(service, "referee_store_up", store="redis") == figure(service, "referee_store_up", store="database") == 1
    )
    own_valkey.kill()
    names = {name for name, _, _ in samples(service)}
    assert figure(service, "referee_store_up", store="redis") == 0
    assert figure(service, "referee_store_up", store="database") == 1
    assert not names & {"referee_waiting_jobs", "referee_table_live"}
    assert figure(service, "referee_matches", state="done") == 1
    assert figure(service, "referee_acts_total", outcome="taken") == acts
    services.close(service)
