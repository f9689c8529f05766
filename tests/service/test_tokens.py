"""Tokens that die: at once, in every process, and whatever is remembered, waits or is held with them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from referee import service as services
from referee.service import (
    Caller,
    Service,
    ServiceProblem,
    advancing,
    batches,
    bots,
    matches,
    streaming,
    table,
    tokens,
    turns,
)
from referee.service.wakes import Wake, Wakes
from referee.settings import Settings
from tests.service.playing_along import ORGANISER, Bot, matches_of, play_on, register, tournament
from tests.service.test_turns import LIMIT, LONG, listening, started, until


@pytest.fixture
def other(settings: Settings) -> Iterator[Service]:
    """The service of another process."""
    opened = services.open(settings, sweep=False)
    yield opened
    services.close(opened)


@pytest.fixture
def match(service: Service, seated: list[Bot]) -> str:
    cup = tournament(service, seated)
    advancing.advance(service)
    return str(matches_of(service, cup)[0]["id"])


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    return [register(service, name) for name in ("Ada", "Bea")]


def problem(call: Callable[..., Any], *args: Any, **kwargs: Any) -> ServiceProblem:
    with pytest.raises(ServiceProblem) as caught:
        call(*args, **kwargs)
    return caught.value


def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has wakes of dead tokens get lost."""
    spread = Wakes._spread
    monkeypatch.setattr(Wakes, "_spread", lambda self, wake: None if "dead" in wake.match else spread(self, wake))


def test_what_another_process_remembers_changes_no_bot(
    service: Service, other: Service, seated: list[Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    deaf(monkeypatch)
    ada, bea = seated
    remembered = [tokens.authenticate(other, bot.token) for bot in seated]
    fresh = bots.rotate_token(service, ada.id, caller=tokens.authenticate(service, ada.token))["token"]
    bots.delete_bot(service, bea.id, caller=tokens.authenticate(service, bea.token))
    for call, extra in ((bots.rotate_token, {}), (bots.patch_bot, {"changes": {}}), (bots.delete_bot, {})):
        assert problem(call, other, ada.id, caller=remembered[0], **extra).code == "auth/token_unknown"
    assert problem(bots.rotate_token, other, bea.id, caller=remembered[1]).code == "bot/deleted"
    assert problem(tokens.authenticate, other, ada.token, afresh=True).code == "auth/token_unknown"
    assert tokens.authenticate(other, fresh, afresh=True) == ada.caller


def test_of_two_who_rotate_with_one_token_one_succeeds(service: Service, seated: list[Bot]) -> None:
    caller = tokens.authenticate(service, seated[0].token)
    answer = bots.rotate_token(service, seated[0].id, caller=caller)
    assert problem(bots.rotate_token, service, seated[0].id, caller=caller).code == "auth/token_unknown"
    assert tokens.authenticate(service, answer["token"]) == seated[0].caller


def test_the_organiser_rotates_without_the_bots_token(service: Service, seated: list[Bot]) -> None:
    caller = tokens.authenticate(service, service.settings.organiser_token)
    answer = bots.rotate_token(service, seated[0].id, caller=caller)
    assert tokens.authenticate(service, answer["token"]) == seated[0].caller
    assert caller == ORGANISER


@pytest.mark.parametrize("kill", [bots.rotate_token, bots.delete_bot])
def test_other_processes_forget_a_dead_token_by_the_wake(
    service: Service, other: Service, seated: list[Bot], kill: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("referee.service.memory.TOKEN_SECONDS", 10 * LIMIT)
    callers = [tokens.authenticate(other, bot.token) for bot in seated]
    assert other.wakes.ready.wait(LIMIT)
    callers = [tokens.authenticate(other, bot.token) for bot in seated]
    kill(service, seated[0].id, caller=ORGANISER)
    until(lambda: other.memory.caller(callers[0].token or "") is None)
    assert problem(tokens.authenticate, other, seated[0].token).status == 401
    assert other.memory.caller(callers[1].token or "") == callers[1]  # another's is remembered still


def test_a_token_that_dies_while_it_is_looked_up_is_not_remembered(service: Service, seated: list[Bot]) -> None:
    caller, since = Caller("bot", seated[0].id, token="hash"), service.memory.deaths
    service.memory.hear_death(Wake(f"dead:{seated[0].id}", bots=("dead",)))
    service.memory.keep_caller("hash", caller, since=since)
    assert service.memory.caller("hash") is None


def test_missed_wakes_may_have_told_of_any_token(service: Service, seated: list[Bot]) -> None:
    service.memory.keep_caller("hash", Caller("bot", seated[0].id, token="hash"), since=service.memory.deaths)
    service.wakes._spread(Wake())
    assert service.memory.caller("hash") is None


def held(service: Service, match: str, caller: Caller) -> dict[str, Callable[[], Any]]:
    def answer(call: Callable[[], Any]) -> Any:
        try:
            return call()
        except ServiceProblem as refused:
            return refused.code

    calls = {
        "turns": lambda: turns.get_turns(service, caller=caller, wait=LONG),
        "view": lambda: matches.get_view(service, match, caller=caller, wait=LONG, after=10**6),
        "events": lambda: matches.get_events(service, match, caller=caller, wait=LONG, after=10**6),
        "batch": lambda: batches.act_all(service, [], caller=caller, wait=LONG).prompts,
        "stream": lambda: list(streaming.open_stream(service, caller=caller, silence=LONG)),
    }
    return {name: started(lambda call=call: answer(call)) for name, call in calls.items()}


def test_what_is_held_for_a_dead_token_ends_at_once_and_delivers_nothing(
    service: Service, other: Service, seated: list[Bot], match: str
) -> None:
    idle = next(bot for bot in seated if not turns.get_turns(service, caller=bot.caller)["prompts"])
    caller = tokens.authenticate(other, idle.token)
    topic = tokens.topics(caller)[0]
    answers = held(other, match, caller)
    until(lambda: len(other.wakes.listeners.get(topic, ())) == len(answers))
    bots.rotate_token(service, idle.id, caller=ORGANISER)
    found = {name: answer() for name, answer in answers.items()}
    assert found == {
        "turns": "auth/token_unknown",
        "view": "auth/token_unknown",
        "events": "auth/token_unknown",
        "batch": (),
        "stream": "auth/token_unknown",
    }
    assert not listening(other, topic)


def test_an_act_that_was_taken_is_answered_though_its_token_dies_while_the_next_prompt_is_awaited(
    service: Service, other: Service, seated: list[Bot], match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    deaf(monkeypatch)
    (bot,) = (bot for bot in seated if turns.get_turns(service, caller=bot.caller)["prompts"])
    (prompt,) = turns.get_turns(service, caller=bot.caller)["prompts"]
    caller = tokens.authenticate(other, bot.token)
    body = {"version": prompt["version"], **prompt["lawful"][0]}
    raw = json.dumps(body).encode()
    answer = started(lambda: batches.act_and_wait(other, match, caller=caller, body=body, raw=raw, wait=LONG))
    until(lambda: table.load(service, match).match.version > prompt["version"])
    bots.rotate_token(service, bot.id, caller=ORGANISER)
    other.memory.forget_callers()
    asked = [bot for bot in seated if turns.get_turns(service, caller=bot.caller)["prompts"]]
    assert asked != [bot], "the other is to act now"
    play_on(service, [each for each in seated if each != bot])
    assert turns.get_turns(service, caller=bot.caller)["prompts"], "it is asked by now"
    assert json.loads(answer().body)["prompt"] is None
