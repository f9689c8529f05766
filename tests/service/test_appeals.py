"""Appeals derive a ruling again; an organiser overrules by a new event, and results and standings follow."""

from __future__ import annotations

from typing import Any

import pytest

from referee import match as play
from referee.service import Caller, Service, ServiceProblem, appeals, matches, tournaments
from tests.service.playing_along import ORGANISER, Bot, act, matches_of, play_on, register, tournament
from tests.service.test_acts import asked


def rash(prompt: dict[str, Any]) -> dict[str, Any]:
    """Declares as soon as it may, whatever it has."""
    return dict((prompt["own_risk"] or prompt["lawful"])[0])


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    return [register(service, name) for name in ("Ada", "Bea", "Cleo")]


@pytest.fixture
def cup(service: Service, seated: list[Bot]) -> str:
    """A tournament of three in which every match has ended by a false declaration."""
    made = tournament(service, seated)
    play_on(service, seated, rash)
    return made


def decided(
    service: Service, match_id: str, *, case: int = 1, caller: Caller = ORGANISER, **fields: Any
) -> dict[str, Any]:
    whole = {"winner": "a", "score": {"a": 3, "b": 0}, "reason": "A fault of ours.", **fields}
    return appeals.overrule(service, match_id, case=case, fields=whole, caller=caller)


def refused(status: int, code: str, run: Any, *args: Any, **fields: Any) -> None:
    with pytest.raises(ServiceProblem) as caught:
        run(*args, **fields)
    assert (caught.value.status, caught.value.code) == (status, code)


def test_a_seated_bot_has_a_ruling_derived_again(service: Service, seated: list[Bot], cup: str) -> None:
    row = matches_of(service, cup)[0]
    ours = next(bot for bot in seated if bot.id in row["bots"])
    theirs = next(bot for bot in seated if bot.id not in row["bots"])
    answer = appeals.appeal(service, row["id"], case=1, caller=ours.caller)
    assert (answer["agree"], answer["log_holds"], answer["problem"]) == (True, True, None)
    assert answer["recorded"] == answer["derived"]
    assert answer["recorded"]["laws"] == ["IR-61"]
    assert answer["laws"][0]["citations"]
    assert appeals.appeal(service, row["id"], case=1, caller=ORGANISER) == answer
    refused(403, "match/not_seated", appeals.appeal, service, row["id"], case=1, caller=theirs.caller)
    refused(401, "auth/token_missing", appeals.appeal, service, row["id"], case=1, caller=Caller())
    refused(404, "ruling/unknown", appeals.appeal, service, row["id"], case=2, caller=ours.caller)
    refused(404, "match/unknown", appeals.appeal, service, "mat_none", case=1, caller=ours.caller)


def test_a_ruling_of_a_live_match_is_derived_again_too(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated[:2], overrides={"target": 9})
    play_on(service, seated, acts_at_most=1)
    bot, prompt = asked(service, seated)
    while not prompt["own_risk"]:
        act(service, bot, prompt, prompt["lawful"][0])
        bot, prompt = asked(service, seated)
    act(service, bot, prompt, {"act": "declare"})
    [row] = matches_of(service, cup)
    assert row["state"] == "live"
    assert appeals.appeal(service, row["id"], case=1, caller=bot.caller)["agree"]
    refused(409, "match/not_over", decided, service, row["id"])


def test_an_overruled_match_keeps_its_log_and_standings_follow(service: Service, seated: list[Bot], cup: str) -> None:
    row = matches_of(service, cup)[0]
    before = matches.get_log(service, row["id"])
    first = {line["bot"]: line for line in tournaments.standings(service, cup)["standings"]}
    loser = "ab"[1 - row["winner"]]
    answer = decided(service, row["id"], winner=loser, score={loser: 3, "ab"[row["winner"]]: 0})
    log = matches.get_log(service, row["id"])
    assert log.splitlines()[: row["events"]] == before.splitlines()[:-1]
    assert play.verify(log) == play.Verdict(True, row["events"] + 1)
    shown = matches.get_match(service, row["id"])
    assert (shown["winner"], shown["cause"], shown["reason"]) == (loser, "overruled", "A fault of ours.")
    assert (shown["version"], shown["log_sha256"]) == (row["events"] + 1, answer["log_sha256"])
    after = {line["bot"]: line for line in tournaments.standings(service, cup)["standings"]}
    winner_now = row["bots"]["ab".index(loser)]
    assert after[winner_now]["wins"] == first[winner_now]["wins"] + 1
    events, over = matches.get_events(service, row["id"], after=row["events"])
    assert (len(events), over) == (1, True)
    assert b"A fault of ours." in events[0]
    assert "Overruled by the organiser on case 1" in matches.get_transcript(service, row["id"])
    assert len(matches.get_rulings(service, row["id"])["rulings"]) == 1


def test_a_match_may_count_for_nobody_and_be_decided_once_more(service: Service, cup: str) -> None:
    row = matches_of(service, cup)[0]
    assert decided(service, row["id"], winner=None)["winner"] is None
    played = [line["played"] for line in tournaments.standings(service, cup)["standings"]]
    assert sum(played) == 2 * 2  # of three matches one counts nowhere
    assert decided(service, row["id"], winner="b", score={})["score"] == {"a": 3, "b": 0}
    assert play.verify(matches.get_log(service, row["id"])) == play.Verdict(True, row["events"] + 2)
    assert appeals.appeal(service, row["id"], case=1, caller=ORGANISER)["agree"]


def test_only_the_organiser_overrules_and_only_what_counts(service: Service, seated: list[Bot], cup: str) -> None:
    row = matches_of(service, cup)[0]
    refused(403, "auth/organiser_only", decided, service, row["id"], caller=seated[0].caller)
    refused(401, "auth/token_missing", decided, service, row["id"], caller=Caller())
    refused(404, "ruling/unknown", decided, service, row["id"], case=9)
    refused(422, "match/unfit", decided, service, row["id"], winner="c")
    refused(422, "match/unfit", decided, service, row["id"], score={"a": -1})
    refused(422, "match/unfit", decided, service, row["id"], reason="")
    refused(422, "match/unfit", decided, service, row["id"], reason="ours \u202eyours")
    refused(422, "match/unfit", decided, service, row["id"], reason="\u200b")
    cancelled = tournament(service, seated[:2], cycles=20)
    while not any(each["state"] == "done" for each in matches_of(service, cancelled)):
        play_on(service, seated[:2], rash, acts_at_most=1)
    tournaments.cancel(service, cancelled, caller=ORGANISER)
    [done, *_] = [each for each in matches_of(service, cancelled) if each["state"] == "done"]
    refused(409, "tournament/over", decided, service, done["id"])
