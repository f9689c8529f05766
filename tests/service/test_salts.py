"""Salts: what bots give toward their packs once the commitment is out, so that the server alone has not chosen them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from referee import match as play
from referee.service import Caller, Service, ServiceProblem, advancing, matches, salts, tournaments
from tests.service.playing_along import CLOCK, ORGANISER, Bot, drawn, matches_of, play_on, register

SALT, OTHER, THIRD = "5a" * 32, "01" * 32, "77" * 32


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    return [register(service, name) for name in ("Ada", "Bea", "Cyd")]


def problem(call: Callable[..., Any], *args: Any, **kwargs: Any) -> ServiceProblem:
    with pytest.raises(ServiceProblem) as caught:
        call(*args, **kwargs)
    return caught.value


def friendly(service: Service, seated: list[Bot], **fields: Any) -> dict[str, Any]:
    body = {"bots": [bot.id for bot in seated], "overrides": {"target": 1}, "clock": CLOCK, **fields}
    return matches.create_friendly(service, body, caller=seated[0].caller)


def opening(service: Service, match_id: str) -> dict[str, Any]:
    return dict(json.loads(matches.get_log(service, match_id).splitlines()[0]))


def test_a_friendly_waits_for_the_salts_of_both_and_is_played_on_packs_made_of_them(
    service: Service, seated: list[Bot]
) -> None:
    ada, bea, _ = seated
    made = friendly(service, seated[:2], wait_for_salts_ms=60_000)
    assert advancing.advance(service) == []
    assert "salts" in matches.get_match(service, made["id"])["reason"]
    given = salts.give_for_match(service, made["id"], salt=SALT, caller=ada.caller)
    assert given == {"match": made["id"], "bot": ada.id, "salt": SALT, "commitment": made["commitment"]}
    assert salts.give_for_match(service, made["id"], salt=SALT, caller=ada.caller) == given
    assert advancing.advance(service) == []
    salts.give_for_match(service, made["id"], salt=OTHER, caller=bea.caller)
    assert advancing.advance(service) == [made["id"]]
    play_on(service, seated[:2], drawn(1))

    first = opening(service, made["id"])
    expected = [salt for _, salt in sorted([(ada.id, SALT), (bea.id, OTHER)])]
    assert (first["salts"], first["commitment"]) == (expected, made["commitment"])
    log = matches.get_log(service, made["id"])
    assert play.verify(log).ok
    assert not play.verify(log.replace(SALT.encode(), THIRD.encode())).ok
    seed = bytes.fromhex(matches.get_match(service, made["id"])["seed"])
    assert play.pack_for(seed, 1, 1, 24, salts=expected) != play.pack_for(seed, 1, 1, 24)


def test_a_friendly_does_not_wait_for_ever_and_one_salt_is_enough(service: Service, seated: list[Bot]) -> None:
    made = friendly(service, seated[:2], wait_for_salts_ms=1)
    salts.give_for_match(service, made["id"], salt=SALT, caller=seated[1].caller)
    for _ in range(2000):
        if advancing.advance(service):
            break
    play_on(service, seated[:2], drawn(1))
    assert opening(service, made["id"])["salts"] == [SALT]


def test_without_salts_nothing_is_said_of_them(service: Service, seated: list[Bot]) -> None:
    made = friendly(service, seated[:2])
    assert advancing.advance(service) == [made["id"]]
    play_on(service, seated[:2], drawn(1))
    assert "salts" not in opening(service, made["id"])
    assert (
        problem(salts.give_for_match, service, made["id"], salt=SALT, caller=seated[0].caller).code == "salt/too_late"
    )


def test_who_may_give_what_when(service: Service, seated: list[Bot]) -> None:
    ada, _, cyd = seated
    made = friendly(service, seated[:2], wait_for_salts_ms=60_000)

    def give(salt: object, caller: Caller, match_id: str = made["id"]) -> str:
        return problem(salts.give_for_match, service, match_id, salt=salt, caller=caller).code

    assert [give(salt, ada.caller) for salt in ("5a", SALT.upper(), 5, "")] == ["salt/unfit"] * 4
    assert give(SALT, cyd.caller) == "match/not_seated"
    assert give(SALT, Caller()) == "auth/token_missing"
    assert give(SALT, ada.caller, "mat_none") == "match/unknown"
    salts.give_for_match(service, made["id"], salt=SALT, caller=ada.caller)
    assert give(OTHER, ada.caller) == "salt/given"


def cup_of(service: Service, seated: list[Bot], **fields: Any) -> str:
    usual = {"name": "cup", "overrides": {"target": 1}, "clock": CLOCK, "entrants": [bot.id for bot in seated]}
    return str(tournaments.create(service, {**usual, **fields}, caller=ORGANISER)["id"])


@pytest.mark.parametrize("duplicate", ["none", "paired"])
def test_a_salt_for_a_tournament_goes_into_all_matches_of_its_bot(
    service: Service, seated: list[Bot], duplicate: str
) -> None:
    ada, bea, cyd = seated
    cup = cup_of(service, seated, duplicate=duplicate)
    committed = tournaments.get_tournament(service, cup)["commitment"]
    assert salts.give_for_tournament(service, cup, salt=SALT, caller=ada.caller)["commitment"] == committed
    salts.give_for_tournament(service, cup, salt=OTHER, caller=bea.caller)
    given = {ada.id: SALT, bea.id: OTHER}
    assert tournaments.get_tournament(service, cup)["salts"] == given
    tournaments.start(service, cup, caller=ORGANISER)
    assert problem(salts.give_for_tournament, service, cup, salt=THIRD, caller=cyd.caller).code == "salt/too_late"
    play_on(service, seated, drawn(1))

    for row in matches_of(service, cup):
        expected = [given[bot] for bot in sorted(row["bots"]) if bot in given]
        assert opening(service, row["id"])["salts"] == expected
        assert play.verify(matches.get_log(service, row["id"])).ok


def test_where_a_round_shares_its_packs_every_salt_goes_into_all_of_them(service: Service, seated: list[Bot]) -> None:
    cup = cup_of(service, seated, duplicate="field")
    for bot, salt in zip(seated, (SALT, OTHER, THIRD), strict=True):
        salts.give_for_tournament(service, cup, salt=salt, caller=bot.caller)
    tournaments.start(service, cup, caller=ORGANISER)
    play_on(service, seated, drawn(1))

    given = tournaments.get_tournament(service, cup)["salts"]
    together = hashlib.sha256(b"".join(bytes.fromhex(given[bot]) for bot in sorted(given))).hexdigest()
    assert {tuple(opening(service, row["id"])["salts"]) for row in matches_of(service, cup)} == {(together,)}


def test_only_those_who_are_entered_give_a_salt(service: Service, seated: list[Bot]) -> None:
    cup = cup_of(service, seated[:2])
    assert problem(salts.give_for_tournament, service, cup, salt=SALT, caller=seated[2].caller).code == "entry/unknown"
    tournaments.start(service, cup, caller=ORGANISER)
    advancing.advance(service)
    row = matches_of(service, cup)[0]
    found = problem(salts.give_for_match, service, row["id"], salt=SALT, caller=seated[0].caller)
    assert found.code == "salt/of_tournament"
