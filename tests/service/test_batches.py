"""Batches: acts on many matches in one request, each with a verdict of its own, none twice, and the next prompts with them."""

from __future__ import annotations

import dataclasses
import json
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from referee import match as play
from referee.service import Caller, Service, ServiceProblem, acts, advancing, batches, keys, matches, taking, turns
from referee.service.clock import HostClock
from tests.service.playing_along import Bot, a_card, act, first, matches_of, play_on, register, tournament
from tests.service.test_turns import LONG, listening, started, until

OTHERS = 5
CLOSE = {"act": "close"}


@pytest.fixture
def wide(service: Service) -> Bot:
    """A bot in five matches, asked in each; the others are asked nothing."""
    bot = register(service, "Wide", concurrency=20)
    others = [register(service, f"other {n}") for n in range(OTHERS)]
    for number, other in enumerate(others):
        tournament(service, [bot, other], seed=f"{number:064x}")
    advancing.advance(service)
    play_on(service, others)
    return bot


def prompts_for(service: Service, bot: Bot) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = turns.get_turns(service, caller=bot.caller)["prompts"]
    return found


def posted(prompt: dict[str, Any], body: dict[str, Any] | None = None, **others: Any) -> dict[str, Any]:
    return {"match": prompt["match"], "version": prompt["version"], **(body or first(prompt)), **others}


def sent(service: Service, bot: Bot, listed: list[Any], **others: Any) -> batches.Batch:
    return batches.act_all(service, listed, caller=bot.caller, **others)


def said(batch: batches.Batch) -> list[tuple[int, str]]:
    """The verdicts as status and code, "" for an act that was taken."""
    answers = [taken.answer for _, taken in batch.taken]
    return [(each.status, each.code if isinstance(each, ServiceProblem) else "") for each in answers]  # type: ignore[union-attr]


def bytes_of(batch: batches.Batch) -> list[bytes]:
    answers = [taken.answer for _, taken in batch.taken]
    return [
        json.dumps(each.body()).encode() if isinstance(each, ServiceProblem) else each.body  # type: ignore[union-attr]
        for each in answers
    ]


def events(service: Service, match_id: str) -> tuple[bytes, ...]:
    return matches.get_events(service, match_id)[0]


def test_a_batch_acts_in_every_match_it_names_and_answers_in_order(service: Service, wide: Bot) -> None:
    prompts = prompts_for(service, wide)
    assert len(prompts) == OTHERS
    batch = sent(service, wide, [posted(prompt) for prompt in reversed(prompts)])
    assert [match_id for match_id, _ in batch.taken] == [prompt["match"] for prompt in reversed(prompts)]
    for prompt, (match_id, taken) in zip(reversed(prompts), batch.taken, strict=True):
        reply = json.loads(acts.replied(taken).body)
        assert (reply["match"], reply["taken"]) == (match_id, prompt["version"] + 1)
        assert json.loads(events(service, match_id)[prompt["version"]])["act"] == first(prompt)
    assert batch.prompts is None


def test_matches_played_in_batches_verify(service: Service) -> None:
    left, right = (register(service, name, concurrency=20) for name in ("Left", "Right"))
    cups = [tournament(service, [left, right], seed=f"{number:064x}") for number in range(4)]
    asked: dict[str, list[dict[str, Any]]] = {left.id: [], right.id: []}
    while advancing.advance(service) or any(asked.values()) or any(prompts_for(service, bot) for bot in (left, right)):
        for bot in (left, right):
            batch = sent(service, bot, [posted(prompt) for prompt in asked[bot.id]], wait=0)
            assert {status for status, _ in said(batch)} <= {200}
            asked[bot.id] = list(batch.prompts or ())
    rows = [row for cup in cups for row in matches_of(service, cup)]
    assert [row["state"] for row in rows] == ["done"] * 4
    assert all(play.verify(matches.get_log(service, row["id"])).ok for row in rows)


def test_what_is_wrong_with_one_act_is_its_verdict_and_no_others(service: Service, wide: Bot) -> None:
    prompts = prompts_for(service, wide)
    cup = tournament(service, [register(service, name) for name in ("Eve", "Mal")])
    advancing.advance(service)
    foreign = matches_of(service, cup)[0]["id"]
    absent = next(card for card in ("AS", "AH", "AD", "AC", "TS", "TH", "TD") if card not in prompts[1]["view"]["hand"])
    listed = [
        posted(prompts[0]),
        posted(prompts[1], {"act": "play", "card": absent}),
        {"match": "mat_none", "version": 1, "act": "close"},
        {**posted(prompts[2]), "version": 1},
        {"match": foreign, "version": 1, "act": "close"},
        posted(prompts[2], {"act": "dance"}),
        posted(prompts[3]),
        "play",
        {"version": 1, "act": "close"},
        {**posted(prompts[4]), "match": ["mat_1"]},
        posted(prompts[4], None, key=7),
        posted(prompts[4]),
    ]
    assert said(sent(service, wide, listed)) == [
        (200, ""),
        (409, "act/impossible"),
        (404, "match/unknown"),
        (409, "act/stale_version"),
        (403, "match/not_seated"),
        (422, "act/unreadable"),
        (200, ""),
        (422, "act/unreadable"),
        (422, "act/unreadable"),
        (422, "act/unreadable"),
        (422, "key/unfit"),
        (200, ""),
    ]
    still = {prompt["match"]: prompt["version"] for prompt in prompts_for(service, wide)}
    assert still[prompts[1]["match"]] == prompts[1]["version"]
    assert still[prompts[2]["match"]] == prompts[2]["version"]


def test_a_refusal_says_what_a_request_of_its_own_would_have_been_told(service: Service, wide: Bot) -> None:
    prompt = prompts_for(service, wide)[0]
    batch = sent(service, wide, [posted(prompt, {"act": "dance"}), posted(prompt, {"act": "dance"})])
    with pytest.raises(ServiceProblem) as alone:
        act(service, wide, prompt, {"act": "dance"})
    told = [taken.answer.body() for _, taken in batch.taken]  # type: ignore[union-attr]
    assert [each["conduct_count"] for each in [*told, alone.value.body()]] == [1, 2, 3]
    for each in told:
        assert {**each, "conduct_count": 3, "clock": alone.value.extras["clock"]} == alone.value.body()


@pytest.mark.parametrize("whole", [True, False])
def test_scenario_27_a_batch_sent_again_is_answered_again_and_counts_once(
    service: Service, wide: Bot, whole: bool
) -> None:
    prompts = prompts_for(service, wide)
    listed = [posted(prompt, {"act": "dance"} if n == 1 else None) for n, prompt in enumerate(prompts)]
    if not whole:
        listed = [{**each, "key": f"own-{n}"} for n, each in enumerate(listed)]
    key = "batch-1" if whole else None
    batch = sent(service, wide, listed, key=key)
    lines = [events(service, prompt["match"]) for prompt in prompts]
    again = sent(service, wide, listed, key=key, wait=0)
    assert said(batch) == said(again) == [(200, ""), (422, "act/unreadable"), *[(200, "")] * 3]
    assert bytes_of(batch) == bytes_of(again)
    assert [events(service, prompt["match"]) for prompt in prompts] == lines
    assert prompts[1]["match"] in [prompt["match"] for prompt in again.prompts or ()]


def test_an_act_sent_alone_and_in_a_batch_under_one_key_is_one_act(service: Service, wide: Bot) -> None:
    prompt = prompts_for(service, wide)[0]
    body = {"version": prompt["version"], **first(prompt)}
    raw = json.dumps(body, separators=(",", ":")).encode()
    reply = acts.act(service, prompt["match"], caller=wide.caller, body=body, raw=raw, key="k-1")
    assert bytes_of(sent(service, wide, [posted(prompt, key="k-1")])) == [reply.body]


def test_a_key_with_another_act_is_refused_and_the_rest_is_taken(service: Service, wide: Bot) -> None:
    one, two = prompts_for(service, wide)[:2]
    sent(service, wide, [posted(one, key="k-1")])
    batch = sent(service, wide, [posted(one, {"act": "resign"}, key="k-1"), posted(two, key="k-2")])
    assert said(batch) == [(409, "key/reused"), (200, "")]


def test_acts_on_one_match_are_taken_in_order_and_all_their_verdicts_come_again(service: Service, wide: Bot) -> None:
    prompts = prompts_for(service, wide)
    prompt = next(each for each in prompts if CLOSE in each["lawful"])
    other = next(each for each in prompts if each != prompt)
    closing, led = posted(prompt, CLOSE, key="k-1"), posted(prompt, a_card(prompt), key="k-3")
    listed = [closing, posted(other, key="k-2"), {**led, "version": led["version"] + 1}, posted(prompt, key="k-4")]
    half = sent(service, wide, listed[:1])  # as if the rest had been lost with the process
    batch = sent(service, wide, listed)
    assert said(batch) == [(200, ""), (200, ""), (200, ""), (409, "act/stale_version")]
    assert bytes_of(half) == bytes_of(batch)[:1]
    lines = events(service, prompt["match"])
    for _ in range(2):
        assert bytes_of(sent(service, wide, listed)) == bytes_of(batch)
    assert events(service, prompt["match"]) == lines
    acted = [json.loads(line)["act"]["act"] for line in lines[prompt["version"] :] if b'"acted"' in line]
    assert acted[:2] == ["close", "play"]


def test_a_key_of_the_batch_may_be_as_long_as_any(service: Service, wide: Bot) -> None:
    listed = [posted(prompt) for prompt in prompts_for(service, wide)]
    batch = sent(service, wide, listed, key="k" * keys.LONGEST)
    assert said(batch) == [(200, "")] * OTHERS
    assert bytes_of(sent(service, wide, listed, key="k" * keys.LONGEST)) == bytes_of(batch)


def test_of_one_match_a_batch_has_so_many_acts_and_the_rest_is_refused_uncounted(service: Service, wide: Bot) -> None:
    one, other = prompts_for(service, wide)[:2]
    stale = {**posted(one), "version": 1}
    batch = sent(service, wide, [*[stale] * batches.MOST_ON_ONE, posted(one), posted(other)], key="k")
    *most, beyond, elsewhere = said(batch)
    assert set(most) == {(409, "act/stale_version")}
    assert beyond == (422, "act/unreadable")
    assert elsewhere == (200, "")
    assert said(sent(service, wide, [posted(one)])) == [(200, "")]


def test_a_bot_with_both_seats_acts_for_each_in_one_batch(service: Service) -> None:
    bot = register(service, "Both", concurrency=2)
    friendly = matches.create_friendly(service, {"bots": [bot.id, bot.id]}, caller=bot.caller)
    advancing.advance(service)
    (prompt,) = prompts_for(service, bot)
    listed: list[dict[str, Any]] = []
    seats = set()
    for _ in range(3):  # a trick and the next lead, the answers to which are known only after each
        listed.append(posted(prompt, a_card(prompt), key=f"k-{len(listed)}"))
        batch = sent(service, bot, listed, wait=0)
        assert said(batch) == [(200, "")] * len(listed)
        seats.add(prompt["seat"])
        (prompt,) = batch.prompts or ()
        assert prompt["match"] == friendly["id"]
    assert seats == {"a", "b"}


def test_a_reply_has_so_many_prompts_and_those_that_wait_longest(service: Service, wide: Bot) -> None:
    hands = [time.monotonic_ns()]
    timed = dataclasses.replace(service, clock=HostClock(service.clock.anchor, lambda: hands[0]))
    found, given, closed = turns.get_turns(timed, caller=wide.caller, most=2)["prompts"], [], 0
    while len(given) < OTHERS:
        assert 1 <= len(found) <= 2
        given.append(found[0]["match"])
        hands[0] += 10_000_000
        body = CLOSE if CLOSE in found[0]["lawful"] else None  # after which the bot is asked again
        closed += body is CLOSE
        found = list(sent(timed, wide, [posted(found[0], body)], wait=0, most=2).prompts or ())
    assert len(set(given)) == OTHERS
    assert closed


def test_two_connections_with_the_same_acts_take_each_once(service: Service, wide: Bot) -> None:
    prompts = prompts_for(service, wide)
    start, came = threading.Barrier(2), []

    def run(named: str) -> Callable[[], None]:
        def go() -> None:
            start.wait()
            came.append(sent(service, wide, [posted(prompt, key=f"{named}-{prompt['match']}") for prompt in prompts]))

        return go

    threads = [threading.Thread(target=run(name)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    verdicts = list(zip(*map(said, came), strict=True))
    assert [sorted(pair) for pair in verdicts] == [[(200, ""), (409, "act/stale_version")]] * OTHERS
    for prompt in prompts:
        acted = [json.loads(line) for line in events(service, prompt["match"])[prompt["version"] :]]
        assert sum(event["type"] == "acted" and "ms" in event for event in acted) == 1


def test_a_batch_sent_on_two_connections_at_once_is_answered_alike(service: Service, wide: Bot) -> None:
    listed = [posted(prompt) for prompt in prompts_for(service, wide)]
    start, came = threading.Barrier(2), []

    def go() -> None:
        start.wait()
        came.append(bytes_of(sent(service, wide, listed, key="one-and-the-same")))

    threads = [threading.Thread(target=go) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert came[0] == came[1]
    assert all(b'"taken"' in body for body in came[0])


def test_a_match_that_fails_takes_no_other_with_it(
    service: Service, wide: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts = prompts_for(service, wide)
    plan = taking.plan

    def failing(service: Service, now: Any, request: Any) -> Any:
        if now.id == prompts[1]["match"]:
            raise RuntimeError("a fault of the test")
        return plan(service, now, request)

    monkeypatch.setattr(taking, "plan", failing)
    batch = sent(service, wide, [posted(prompt) for prompt in prompts])
    answers = [taken.answer for _, taken in batch.taken]
    assert [type(each).__name__ for each in answers] == ["Reply", "RuntimeError", *["Reply"] * 3]


@pytest.fixture
def pair(service: Service) -> list[Bot]:
    """Two bots in one match, the first of them asked."""
    bots = [register(service, name) for name in ("Ada", "Bea")]
    tournament(service, bots)
    advancing.advance(service)
    return sorted(bots, key=lambda bot: not prompts_for(service, bot))


def while_the_other_plays(service: Service, other: Bot, call: Callable[[], Any]) -> Any:
    """Runs a call in a thread and lets the other bot answer its prompts until the call is done; what the call gave."""
    done = threading.Event()

    def run() -> Any:
        try:
            return call()
        finally:
            done.set()

    answer = started(run)
    until(lambda: (play_on(service, [other]), done.is_set())[1])
    return answer()


def test_a_batch_that_waits_comes_with_the_next_prompt_as_soon_as_there_is_one(
    service: Service, pair: list[Bot]
) -> None:
    bot, other = pair
    (prompt,) = prompts_for(service, bot)
    seen = [prompt["version"]]
    for _ in range(6):  # long enough for the other to have a turn in between
        batch = while_the_other_plays(
            service, other, lambda at=prompt: sent(service, bot, [posted(at, a_card(at))], wait=LONG)
        )
        (prompt,) = batch.prompts
        seen.append(prompt["version"])
        assert prompt["clock"]["left_ms"] > 0
    assert seen == sorted(set(seen))
    assert max(after - before for before, after in pairwise(seen)) > 1


def test_an_act_that_waits_comes_with_the_next_prompt_in_its_match_to_the_end(
    service: Service, pair: list[Bot]
) -> None:
    bot, other = pair
    (prompt,) = prompts_for(service, bot)
    match_id = prompt["match"]

    def answered(at: dict[str, Any], key: str | None = None) -> dict[str, Any]:
        body = {"version": at["version"], **first(at)}
        asked: dict[str, Any] = {"caller": bot.caller, "body": body, "raw": json.dumps(body).encode(), "key": key}
        return dict(json.loads(batches.act_and_wait(service, match_id, **asked, wait=LONG).body))

    while True:
        reply = while_the_other_plays(service, other, lambda at=prompt: answered(at, key=f"k-{at['version']}"))
        if reply["prompt"] is None:
            break
        assert reply["prompt"]["version"] >= reply["version"]
        assert reply["prompt"]["seat"] == prompt["seat"]
        last, prompt = prompt, reply["prompt"]
        again = answered(last, key=f"k-{last['version']}")
        assert again["taken"] == reply["taken"]
        assert again["prompt"]["version"] == prompt["version"]
    assert matches.get_match(service, match_id)["state"] == "done"


def test_waiting_for_the_next_prompt_ends_when_the_time_is_over(service: Service, pair: list[Bot]) -> None:
    bot, other = pair
    prompts = prompts_for(service, bot)
    while prompts:
        batch = sent(service, bot, [posted(prompt, a_card(prompt)) for prompt in prompts], wait=0)
        prompts = list(batch.prompts or ())
    assert prompts_for(service, other)
    body = {"version": 1, "act": "close"}
    asked: dict[str, Any] = {"caller": bot.caller, "body": body, "raw": b"{}", "wait": 0.05}
    with pytest.raises(ServiceProblem):  # who is refused is told so at once
        batches.act_and_wait(service, prompts_for(service, other)[0]["match"], **asked)
    assert sent(service, bot, [], wait=0.05).prompts == ()
    assert not listening(service, bot.id)


def test_only_bots_send_batches(service: Service) -> None:
    for caller, status in ((Caller(), 401), (Caller("organiser"), 403)):
        with pytest.raises(ServiceProblem) as caught:
            batches.act_all(service, [], caller=caller)
        assert caught.value.status == status
