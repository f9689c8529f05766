"""Bots: what can be registered, who may see and change what, tokens, farewell."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from referee.service import Caller, Service, ServiceProblem, bots, matches, tokens, tournaments
from referee.store import bot_rows
from tests.service.playing_along import ORGANISER, matches_of, play_on, register, tournament

ANYONE = Caller()


def problem(call: Any, *args: Any, **kwargs: Any) -> ServiceProblem:
    with pytest.raises(ServiceProblem) as caught:
        call(*args, **kwargs)
    return caught.value


def test_a_bot_is_registered_and_shown_without_its_secrets(service: Service) -> None:
    answer = bots.register(
        service, {"name": " Ada ", "chores": ["cut", "shuffle"], "language": "Ada", "version": "1.0"}, caller=ANYONE
    )
    shown = bots.get_bot(service, answer["bot"]["id"], caller=ANYONE)
    assert shown == {
        "id": answer["bot"]["id"],
        "name": "Ada",
        "transport": "pull",
        "chores": ["shuffle", "cut"],
        "language": "Ada",
        "version": "1.0",
        "concurrency": 1,
        "accepts_friendlies": True,
        "state": "active",
        "created_at": shown["created_at"],
    }
    with service.record.reading() as connection:
        row = bot_rows.by_id(connection, shown["id"])
    assert row is not None
    assert answer["token"] not in str(row)


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({}, "/name"),
        ({"name": "  "}, "/name"),
        ({"name": "x" * 65}, "/name"),
        ({"name": 7}, "/name"),
        ({"name": "a\nb"}, "/name"),
        ({"name": "x", "transport": "pigeon"}, "/transport"),
        ({"name": "x", "transport": "push"}, "/url"),
        ({"name": "x", "url": "https://example.org/"}, "/url"),
        ({"name": "x", "chores": ["cook"]}, "/chores"),
        ({"name": "x", "chores": "cut"}, "/chores"),
        ({"name": "x", "concurrency": 0}, "/concurrency"),
        ({"name": "x", "concurrency": True}, "/concurrency"),
        ({"name": "x", "concurrency": 1.0}, "/concurrency"),
        ({"name": "x", "accepts_friendlies": 1}, "/accepts_friendlies"),
        ({"name": "x", "colour": "red"}, "/colour"),
    ],
)
def test_what_cannot_be_registered_is_told_where_and_why(
    service: Service, fields: dict[str, Any], pointer: str
) -> None:
    found = problem(bots.register, service, fields, caller=ANYONE)
    assert (found.status, found.code) == (422, "bot/unfit")
    assert pointer in [error["pointer"] for error in found.extras["errors"]]


def test_a_name_is_borne_once_among_the_active(service: Service) -> None:
    ada = register(service, "Ada")
    assert problem(register, service, "ADA").code == "bot/name_taken"
    bea = register(service, "Bea")
    assert problem(bots.patch_bot, service, bea.id, caller=bea.caller, changes={"name": "ada"}).code == "bot/name_taken"
    bots.delete_bot(service, ada.id, caller=ada.caller)
    register(service, "Ada")


def test_tokens_say_who_calls(service: Service) -> None:
    ada = register(service, "Ada")
    assert tokens.authenticate(service, None) == ANYONE
    assert tokens.authenticate(service, ada.token) == ada.caller
    assert tokens.authenticate(service, service.settings.organiser_token) == ORGANISER
    assert problem(tokens.authenticate, service, "nobody's").code == "auth/token_unknown"


def test_a_rotated_token_is_dead(service: Service) -> None:
    ada = register(service, "Ada")
    assert tokens.authenticate(service, ada.token) == ada.caller
    fresh = bots.rotate_token(service, ada.id, caller=ada.caller)
    assert problem(tokens.authenticate, service, ada.token).status == 401
    assert tokens.authenticate(service, fresh["token"]) == ada.caller


def test_only_the_bot_and_the_organiser_change_it(service: Service) -> None:
    ada, eve = register(service, "Ada"), register(service, "Eve")
    for call, extra in ((bots.patch_bot, {"changes": {}}), (bots.delete_bot, {}), (bots.rotate_token, {})):
        assert problem(call, service, ada.id, caller=eve.caller, **extra).code == "auth/not_yours"
        assert problem(call, service, ada.id, caller=ANYONE, **extra).code == "auth/token_missing"
    changed = bots.patch_bot(service, ada.id, caller=ORGANISER, changes={"concurrency": 5, "chores": ["draw"]})
    assert (changed["concurrency"], changed["chores"]) == (5, ["draw"])
    assert problem(bots.patch_bot, service, ada.id, caller=ada.caller, changes={"id": "bot_x"}).code == "bot/unfit"
    assert problem(bots.get_bot, service, "bot_none", caller=ANYONE).code == "bot/unknown"


def test_the_address_of_a_push_bot_is_for_itself_and_the_organiser(service: Service) -> None:
    fields = {"name": "P", "transport": "push", "url": "http://127.0.0.1:9/"}
    answer = bots.register(service, fields, caller=ANYONE)
    assert answer["webhook_secret"].startswith("whsec_")
    own = Caller("bot", answer["bot"]["id"])
    assert bots.get_bot(service, own.bot or "", caller=own)["url"] == fields["url"]
    assert bots.get_bot(service, own.bot or "", caller=ORGANISER)["url"] == fields["url"]
    assert "url" not in bots.get_bot(service, own.bot or "", caller=ANYONE)
    assert "webhook_secret" not in bots.get_bot(service, own.bot or "", caller=own)


def test_registration_can_be_the_organisers(service: Service) -> None:
    closed = dataclasses.replace(service, settings=dataclasses.replace(service.settings, registration="token"))
    assert problem(bots.register, closed, {"name": "Ada"}, caller=ANYONE).code == "auth/token_missing"
    assert bots.register(closed, {"name": "Ada"}, caller=ORGANISER)["bot"]["name"] == "Ada"


def test_pages_go_through_all_bots_once(service: Service) -> None:
    made = [register(service, f"bot {n}").id for n in range(7)]
    seen, cursor = [], None
    while True:
        page = bots.list_bots(service, caller=ANYONE, cursor=cursor, limit=3)
        seen += [bot["id"] for bot in page.items]
        cursor = page.next
        if cursor is None:
            break
    assert sorted(seen) == sorted(made)
    assert len(seen) == 7
    assert problem(bots.list_bots, service, caller=ANYONE, cursor="zzz").code == "page/cursor_unknown"


def test_scenario_42_a_deleted_bot_loses_what_is_live_and_is_not_paired_again(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd")]
    cup = tournament(service, seated, cycles=2)
    play_on(service, seated, acts_at_most=60)
    gone = seated[0]
    before = {row["id"]: row["state"] for row in matches_of(service, cup)}
    bots.delete_bot(service, gone.id, caller=gone.caller)
    bots.delete_bot(service, gone.id, caller=ORGANISER)
    assert problem(tokens.authenticate, service, gone.token).status == 401
    for row in matches_of(service, cup):
        if gone.id in row["bots"]:
            expected = {"planned": "void", "live": "done", "done": "done"}[before[row["id"]]]
            assert row["state"] == expected
            if before[row["id"]] == "live":
                assert row["bots"][row["winner"]] != gone.id
    play_on(service, seated[1:])
    shown = tournaments.get_tournament(service, cup)
    assert shown["state"] == "finished"
    assert [e["state"] for e in shown["entrants"]] == ["withdrawn", "entered", "entered"]
    assert tournaments.standings(service, cup)["standings"][-1]["bot"] == gone.id
    assert matches.list_matches(service, bot=gone.id).items


@pytest.mark.parametrize("name", ["\u3164", " ", "perl\u034f", "perl\ufe0f", "\u115fperl", "\u202eperl"])
def test_a_name_of_which_something_cannot_be_seen_is_refused(service: Service, name: str) -> None:
    with pytest.raises(ServiceProblem) as caught:
        bots.register(service, {"name": name, "transport": "pull"}, caller=Caller())
    assert caught.value.code == "bot/unfit"
    assert caught.value.extras["errors"][0]["pointer"] == "/name"


def test_names_that_differ_in_capitals_or_width_are_one_and_long_ones_are_kept(service: Service) -> None:
    bots.register(service, {"name": "perl", "transport": "pull"}, caller=Caller())
    with pytest.raises(ServiceProblem) as caught:
        bots.register(service, {"name": "\uff30ERL", "transport": "pull"}, caller=Caller())
    assert caught.value.code == "bot/name_taken"
    long = "\u00df" * 64  # twice as long without capitals
    assert bots.register(service, {"name": long, "transport": "pull"}, caller=Caller())["bot"]["name"] == long
