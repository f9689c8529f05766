"""Clocks: from delivery to arrival, absence, elections aside; what the sweeper rules and what it must not."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from referee import match as play
from referee.service import Service, ServiceProblem, acts, batches, clocks, matches, prompts, sweeping, table, turns
from referee.service.base import Reply
from referee.service.clock import HostClock
from referee.store.record import Record
from tests.service.playing_along import Bot, act, play_on, register, tournament

CLOCK = {"act_ms": 1000, "bank_ms": 500, "grace_ms": 100, "absence_ms": 2000}


@dataclass
class Hands:
    """The hands of a clock, moved by the test."""

    ms: int = 0

    def read(self) -> int:
        return self.ms * 1_000_000


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def timed(service: Service, hands: Hands) -> Iterator[Service]:
    yield dataclasses.replace(service, clock=HostClock(anchor=1_000_000, monotonic=hands.read))


@pytest.fixture
def seated(timed: Service) -> list[Bot]:
    return [register(timed, name) for name in ("Ada", "Bea")]


def begun(
    service: Service, seated: list[Bot], *, acts: int = 0, clock: dict[str, int] | None = None, **fields: Any
) -> str:
    """Opens a match and plays so many acts; nobody has fetched a prompt since."""
    cup = tournament(service, seated, clock=clock or CLOCK, overrides={"target": 7}, **fields)
    play_on(service, seated, acts_at_most=1)
    [match] = [m["id"] for m in matches.list_matches(service).items if m["tournament"] == cup]
    if acts > 1:
        play_on(service, seated, acts_at_most=acts - 1)
    return match


def fetched(service: Service, seated: list[Bot]) -> tuple[Bot, dict[str, Any]]:
    [(bot, prompt)] = [(bot, p) for bot in seated for p in turns.get_turns(service, caller=bot.caller)["prompts"]]
    return bot, prompt


def events(service: Service, match_id: str, kind: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in matches.get_events(service, match_id)[0]]
    return [event for event in found if event["type"] == kind]


def swept(service: Service, hands: Hands, ms: int) -> int:
    """Lets so many ms pass with the sweeper at work, and answers how often it ruled."""
    ruled = 0
    for _ in range(ms // 100):
        hands.ms += 100
        ruled += sweeping.deadlines(service)
    return ruled


def test_scenario_14_no_time_runs_before_the_prompt_is_delivered(
    timed: Service, seated: list[Bot], hands: Hands
) -> None:
    match = begun(timed, seated, acts=3)
    assert swept(timed, hands, 1900) == 0
    bot, prompt = fetched(timed, seated)
    assert prompt["clock"]["left_ms"] == 1500
    assert swept(timed, hands, 1600) == 0
    reply = act(timed, bot, prompt, prompt["lawful"][0])
    assert reply["rulings"] == []
    assert not events(timed, match, "timed_out")


def test_running_over_is_ruled_on_with_the_real_time(timed: Service, seated: list[Bot], hands: Hands) -> None:
    match = begun(timed, seated, acts=3)
    _, prompt = fetched(timed, seated)
    assert swept(timed, hands, 1600) == 0
    assert swept(timed, hands, 100) == 1
    [event] = events(timed, match, "timed_out")
    assert (event["seat"], event["elapsed_ms"]) == (prompt["seat"], 1700)
    assert any("IR-92" in ruling["laws"] for ruling in events(timed, match, "ruled"))
    assert matches.get_match(timed, match)["state"] == "live"


@pytest.mark.parametrize(("absence_ms", "noted"), [(500, "stays"), (10_000, "moves")])
def test_a_deadline_that_moves_back_as_the_prompt_is_fetched_is_noted_by_the_sweeper(
    timed: Service, seated: list[Bot], hands: Hands, absence_ms: int, noted: str
) -> None:
    match = begun(timed, seated, acts=3, clock={**CLOCK, "absence_ms": absence_ms})
    swept(timed, hands, 200)
    before = timed.live.client.zrange("due", 0, -1, withscores=True)
    fetched(timed, seated)
    after = timed.live.client.zrange("due", 0, -1, withscores=True)
    assert (after == before) == (noted == "stays")
    assert swept(timed, hands, 1600) == 0
    assert swept(timed, hands, 300) == 1
    assert [event["elapsed_ms"] for event in events(timed, match, "timed_out")] == [1700]


def test_the_second_time_out_loses_the_match(timed: Service, seated: list[Bot], hands: Hands) -> None:
    match = begun(timed, seated, acts=3)
    ruled = 0
    while matches.get_match(timed, match)["state"] == "live":
        found = [(bot, p) for bot in seated for p in turns.get_turns(timed, caller=bot.caller)["prompts"]]
        for bot, prompt in found:
            if prompt["seat"] == "a":
                act(timed, bot, prompt, prompt["lawful"][0])
            else:
                ruled += swept(timed, hands, 1700)
    shown = matches.get_match(timed, match)
    assert (ruled, shown["cause"], shown["winner"]) == (2, "time", "a")


def test_the_prompt_says_what_the_last_act_was_charged(timed: Service, seated: list[Bot], hands: Hands) -> None:
    match = begun(timed, seated, acts=3)
    bot, prompt = fetched(timed, seated)
    hands.ms += 1300
    act(timed, bot, prompt, prompt["lawful"][0])
    again = next(p for p in told_until(timed, seated, bot))
    assert again["clock"] == {
        "act_ms": 1000,
        "bank_ms": 300,
        "increment_ms": 0,
        "left_ms": 1300,
        "charged_ms": 1200,
        "round_trip_ms": 1300,
        "from_bank_ms": 200,
        "why": "bank",
    }
    acted = [event for event in events(timed, match, "acted") if event.get("ms") == 1200]
    assert len(acted) == 1


def told_until(service: Service, seated: list[Bot], bot: Bot) -> Iterator[dict[str, Any]]:
    """Plays the others until `bot` is asked, and yields its prompt."""
    while True:
        asked, prompt = fetched(service, seated)
        if asked == bot:
            yield prompt
            return
        act(service, asked, prompt, prompt["lawful"][0])


def test_a_prompt_fetched_again_keeps_the_clock_of_its_first_delivery(
    timed: Service, seated: list[Bot], hands: Hands
) -> None:
    begun(timed, seated, acts=3)
    fetched(timed, seated)
    hands.ms += 700
    _, prompt = fetched(timed, seated)
    assert prompt["clock"]["left_ms"] == 800


def test_scenario_33_a_first_prompt_never_fetched_is_a_no_show(timed: Service, seated: list[Bot], hands: Hands) -> None:
    cup = tournament(timed, seated, clock=CLOCK)
    play_on(timed, [], acts_at_most=0)
    sweeping.recover(timed)
    [match] = [m["id"] for m in matches.list_matches(timed).items if m["tournament"] == cup]
    seat = "ab"[table.load(timed, match).match.asked[0]]
    assert swept(timed, hands, 2000) == 0
    assert swept(timed, hands, 100) == 1
    shown = matches.get_match(timed, match)
    assert (shown["state"], shown["cause"], shown["winner"]) == ("done", "no_show", "ba"["ab".index(seat)])


def test_a_later_prompt_never_fetched_is_a_time_out_not_a_no_show(
    timed: Service, seated: list[Bot], hands: Hands
) -> None:
    match = begun(timed, seated, acts=5)
    assert swept(timed, hands, 2100) == 1
    assert [event["elapsed_ms"] for event in events(timed, match, "timed_out")] == [2100]
    assert not events(timed, match, "no_show")


def test_scenario_15_a_hiccup_inside_the_grace_costs_nothing(timed: Service, seated: list[Bot], hands: Hands) -> None:
    match = begun(timed, seated, acts=3)
    bot, prompt = fetched(timed, seated)
    hands.ms += CLOCK["act_ms"] + CLOCK["bank_ms"] + 20  # 20 ms over everything, and within the grace
    act(timed, bot, prompt, prompt["lawful"][0])
    taken = [event for event in events(timed, match, "acted") if "ms" in event][-1]
    assert taken["ms"] == CLOCK["act_ms"] + CLOCK["bank_ms"] + 20 - CLOCK["grace_ms"]
    assert not events(timed, match, "timed_out")
    bot, prompt = fetched(timed, seated)
    hands.ms += 20
    act(timed, bot, prompt, prompt["lawful"][0])
    assert [event["ms"] for event in events(timed, match, "acted") if "ms" in event][-1] == 0


def test_an_act_that_arrives_too_late_is_not_taken_even_before_the_sweeper_comes(
    timed: Service, seated: list[Bot], hands: Hands
) -> None:
    match = begun(timed, seated, acts=3)
    bot, prompt = fetched(timed, seated)
    hands.ms += 1601
    with pytest.raises(ServiceProblem) as caught:
        act(timed, bot, prompt, prompt["lawful"][0])
    assert (caught.value.status, caught.value.code) == (409, "act/too_late")
    assert [event["elapsed_ms"] for event in events(timed, match, "timed_out")] == [1601]


@pytest.mark.parametrize(("ms", "is_taken"), [(1600, True), (1601, False)])
def test_who_acts_on_a_prompt_it_never_fetched_has_no_more_time_than_one_who_fetched_it(
    timed: Service, seated: list[Bot], hands: Hands, ms: int, is_taken: bool
) -> None:
    match = begun(timed, seated, acts=3)
    now = table.load(timed, match).match
    [seat] = now.asked
    bot = next(each for each in seated if each.id == now.terms.seats[seat].bot)
    prompt = {"match": match, **play.prompt(now, seat)}
    hands.ms += ms
    if is_taken:
        assert act(timed, bot, prompt, prompt["lawful"][0])["taken"] > prompt["version"]
        return
    with pytest.raises(ServiceProblem) as caught:
        act(timed, bot, prompt, prompt["lawful"][0])
    assert caught.value.code == "act/too_late"
    assert [event["elapsed_ms"] for event in events(timed, match, "timed_out")] == [ms]


def test_a_sweeper_that_comes_after_the_act_rules_nothing(timed: Service, seated: list[Bot], hands: Hands) -> None:
    match = begun(timed, seated, acts=3)
    bot, prompt = fetched(timed, seated)
    due = timed.live.overdue(10**15)
    act(timed, bot, prompt, prompt["lawful"][0])
    hands.ms += 1500
    for match_id, letter in due:
        assert not clocks.enforce(timed, match_id, seat="ab".index(letter), at=timed.clock.now_ms())
    assert not events(timed, match, "timed_out")


def test_scenario_7_an_outage_of_ours_is_charged_to_nobody(timed: Service, seated: list[Bot], hands: Hands) -> None:
    match = begun(timed, seated, acts=3)
    swept(timed, hands, 300)
    bot, prompt = fetched(timed, seated)
    hands.ms += 60_000  # nobody sweeps
    assert sweeping.deadlines(timed) == 0
    _, again = fetched(timed, seated)
    assert again["clock"]["left_ms"] == prompt["clock"]["left_ms"]
    act(timed, bot, prompt, prompt["lawful"][0])
    assert not events(timed, match, "timed_out")


def test_scenario_7_while_no_web_process_takes_acts_no_clock_runs_though_workers_sweep(
    timed: Service, seated: list[Bot], hands: Hands
) -> None:
    match = begun(timed, seated, acts=3)
    timed.live.serve(timed.clock.now_ms())
    swept(timed, hands, 300)
    bot, prompt = fetched(timed, seated)
    for _ in range(60):
        assert swept(timed, hands, 1000) == 0  # a worker does
    back = dataclasses.replace(timed, serves=True)
    sweeping.sweep(back, at_once=True)
    _, again = fetched(timed, seated)
    unnoticed = sweeping.SERVING_MS  # so long nobody knows that it is gone
    assert prompt["clock"]["left_ms"] - unnoticed <= again["clock"]["left_ms"] <= prompt["clock"]["left_ms"]
    act(timed, bot, prompt, prompt["lawful"][0])
    assert not events(timed, match, "timed_out")


def test_scenario_7_while_the_record_is_away_no_clock_runs(
    timed: Service, seated: list[Bot], hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begun(timed, seated, acts=3)
    swept(timed, hands, 300)
    bot, prompt = fetched(timed, seated)

    def away(_record: object) -> None:
        raise OperationalError("SELECT 1", {}, Exception("nobody is there"))

    with monkeypatch.context() as outage:
        outage.setattr(Record, "touch", away)
        for _ in range(60):
            with pytest.raises(OperationalError):
                swept(timed, hands, 1000)
    assert sweeping.deadlines(timed) == 0
    _, again = fetched(timed, seated)
    assert again["clock"]["left_ms"] == prompt["clock"]["left_ms"]
    act(timed, bot, prompt, prompt["lawful"][0])
    assert not events(timed, match, "timed_out")


def test_a_step_of_the_wall_clock_moves_no_time(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.service import clock

    before = service.clock.now_ms()
    monkeypatch.setattr(clock.time, "time", lambda: 4_000_000_000.0)
    other = clock.anchored(service.live.client)
    assert other.anchor == service.clock.anchor
    assert 0 <= other.now_ms() - before < 60_000


def test_scenario_16_an_act_that_lay_in_our_queue_is_judged_by_when_it_arrived(
    timed: Service, seated: list[Bot], hands: Hands
) -> None:
    match = begun(timed, seated, acts=3)
    bot, prompt = fetched(timed, seated)
    hands.ms += 2_000  # allowance and grace end after 1600
    body = {"version": prompt["version"], **prompt["lawful"][0]}
    batch = batches.act_all(timed, [{"match": match, **body}], caller=bot.caller, lay=700)
    [(_, taken)] = batch.taken
    assert isinstance(taken.answer, Reply)
    [acted] = [each for each in events(timed, match, "acted") if each["n"] == json.loads(taken.answer.body)["taken"]]
    assert acted["ms"] == 1_200  # what it took till it arrived, less the grace
    assert not events(timed, match, "timed_out")


def test_scenario_16_one_that_arrived_too_late_is_late_however_short_it_lay_there(
    timed: Service, seated: list[Bot], hands: Hands
) -> None:
    match = begun(timed, seated, acts=3)
    bot, prompt = fetched(timed, seated)
    hands.ms += 2_000
    body = {"version": prompt["version"], **prompt["lawful"][0]}
    with pytest.raises(ServiceProblem) as caught:
        acts.act(timed, match, caller=bot.caller, body=body, raw=b"", lay=300)
    assert caught.value.code == "act/too_late"
    [event] = events(timed, match, "timed_out")
    assert event["elapsed_ms"] == 1_700


def test_scenario_16_the_sweeper_leaves_time_for_acts_that_lie_in_a_queue(
    timed: Service, seated: list[Bot], hands: Hands
) -> None:
    match = begun(timed, seated, acts=3)
    fetched(timed, seated)
    for _ in range(15 + sweeping.LEEWAY_MS // 100):
        hands.ms += 100
        sweeping.sweep(timed, at_once=True)
        assert not events(timed, match, "timed_out")
    hands.ms += 100
    sweeping.sweep(timed, at_once=True)
    assert [event["elapsed_ms"] for event in events(timed, match, "timed_out")] == [1_600 + sweeping.LEEWAY_MS]


def test_scenario_16_the_clock_runs_from_when_the_prompt_went_out(
    timed: Service, seated: list[Bot], hands: Hands
) -> None:
    match = begun(timed, seated, acts=3)
    with prompts.noting() as delivered:
        bot, prompt = fetched(timed, seated)
    assert [(now.id, at) for now, _, at in delivered] == [(match, timed.clock.now_ms())]
    hands.ms += 400  # in a busy process, until the reply is ready
    prompts.handed_over(timed, delivered, at=timed.clock.now_ms())
    with prompts.noting() as again:
        assert fetched(timed, seated)[1]["clock"]["left_ms"] == prompt["clock"]["left_ms"] == 1500
    assert again == []  # it runs already
    assert swept(timed, hands, 1600) == 0
    reply = act(timed, bot, prompt, prompt["lawful"][0])
    assert reply["rulings"] == []
    assert not events(timed, match, "timed_out")


def test_scenario_16_a_prompt_that_went_out_is_not_given_time_once_it_is_answered(
    timed: Service, seated: list[Bot], hands: Hands
) -> None:
    match = begun(timed, seated, acts=3)
    with prompts.noting() as delivered:
        bot, prompt = fetched(timed, seated)
    at = timed.clock.now_ms()
    prompts.handed_over(timed, delivered, at=at + prompts.HANDED_LATE_MS - 1)  # not worth a trip
    assert table.load(timed, match).number("delivered", "ab".index(prompt["seat"])) == at
    act(timed, bot, prompt, prompt["lawful"][0])
    before = table.load(timed, match).facts
    prompts.handed_over(timed, delivered, at=at + 400)
    assert table.load(timed, match).facts == before
