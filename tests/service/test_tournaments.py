"""Tournaments: what can be created, entries, the states, cancellation, who may do it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.service import Caller, Service, ServiceProblem, advancing, matches, tournaments
from tests.service.playing_along import ORGANISER, Bot, matches_of, play_on, register, tournament


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    return [register(service, name) for name in ("Ada", "Bea", "Cyd")]


def problem(call: Any, *args: Any, **kwargs: Any) -> ServiceProblem:
    with pytest.raises(ServiceProblem) as caught:
        call(*args, **kwargs)
    return caught.value


def create(service: Service, **fields: Any) -> dict[str, Any]:
    return tournaments.create(service, {"name": "cup", **fields}, caller=ORGANISER)


CONTRARY = {"points_plain": 3, "points_schneider": 2}


@pytest.mark.parametrize(
    ("fields", "code", "pointer"),
    [
        ({"name": ""}, "tournament/unfit", "/name"),
        ({"format": "swiss"}, "tournament/unfit", "/format"),
        ({"cycles": 0}, "tournament/unfit", "/cycles"),
        ({"cycles": True}, "tournament/unfit", "/cycles"),
        ({"entrants": "bot"}, "tournament/unfit", "/entrants"),
        ({"open_entry": 1}, "tournament/unfit", "/open_entry"),
        ({"seed": "12"}, "tournament/unfit", "/seed"),
        ({"calls": "nobody"}, "tournament/unfit", "/calls"),
        ({"conduct": "lax"}, "tournament/unfit", "/conduct"),
        ({"clock": {"act_ms": 0}}, "tournament/unfit", "/clock/act_ms"),
        ({"clock": {"speed": 1}}, "tournament/unfit", "/clock/speed"),
        ({"clock": {"bank_ms": 1.5}}, "tournament/unfit", "/clock/bank_ms"),
        ({"colour": 1}, "tournament/unfit", "/colour"),
        ({"overrides": {"target": 0}}, "ruleset/out_of_range", "/overrides/target"),
        ({"overrides": {"no_such_option": 1}}, "ruleset/unknown_option", "/overrides/no_such_option"),
        ({"overrides": CONTRARY}, "ruleset/contradiction", "/overrides/points_plain"),
        ({"overrides": CONTRARY}, "ruleset/contradiction", "/overrides/points_schneider"),
    ],
)
def test_what_cannot_be_created_is_told_where_and_why(
    service: Service, fields: dict[str, Any], code: str, pointer: str
) -> None:
    found = problem(create, service, **fields)
    assert (found.status, found.code) == (422, code)
    assert pointer in [error["pointer"] for error in found.extras["errors"]]
    assert tournaments.list_tournaments(service).items == ()


def test_unknown_rule_sets_and_bots_are_404(service: Service, seated: list[Bot]) -> None:
    assert problem(create, service, ruleset="bridge").code == "ruleset/unknown"
    assert problem(create, service, entrants=["bot_none"]).code == "bot/unknown"
    assert problem(tournaments.get_tournament, service, "trn_none").code == "tournament/unknown"
    assert tournaments.list_tournaments(service).items == ()


def test_scenario_43_a_bot_enters_once(service: Service, seated: list[Bot]) -> None:
    assert problem(create, service, entrants=[seated[0].id] * 2).code == "tournament/entered_twice"
    cup = create(service, entrants=[seated[0].id])["id"]
    assert (
        problem(tournaments.enter, service, cup, bot_id=seated[0].id, caller=ORGANISER).code
        == "tournament/entered_twice"
    )
    entry = tournaments.enter(service, cup, bot_id=seated[1].id, caller=ORGANISER)
    assert (entry["bot"], entry["name"], entry["state"]) == (seated[1].id, "Bea", "entered")
    assert tournaments.start(service, cup, caller=ORGANISER)["planned"] == 1


def test_bots_enter_themselves_only_where_entry_is_open(service: Service, seated: list[Bot]) -> None:
    ada = seated[0]
    shut, wide = create(service)["id"], create(service, open_entry=True)["id"]
    assert problem(tournaments.enter, service, shut, bot_id=ada.id, caller=ada.caller).code == "tournament/entry_closed"
    assert tournaments.enter(service, wide, bot_id=ada.id, caller=ada.caller)["state"] == "entered"
    assert problem(tournaments.enter, service, wide, bot_id=seated[1].id, caller=ada.caller).code == "auth/not_yours"
    assert tournaments.withdraw_entry(service, wide, bot_id=ada.id, caller=ada.caller)["state"] == "withdrawn"
    assert tournaments.get_tournament(service, wide)["entrants"] == []
    assert problem(tournaments.withdraw_entry, service, wide, bot_id=ada.id, caller=ada.caller).code == "entry/unknown"


def test_only_the_organiser_runs_tournaments(service: Service, seated: list[Bot]) -> None:
    cup = create(service, entrants=[bot.id for bot in seated])["id"]
    for call in (tournaments.start, tournaments.pause, tournaments.resume, tournaments.cancel):
        assert problem(call, service, cup, caller=seated[0].caller).code == "auth/organiser_only"
        assert problem(call, service, cup, caller=Caller()).code == "auth/token_missing"
    assert problem(tournaments.create, service, {"name": "x"}, caller=seated[0].caller).code == "auth/organiser_only"


def test_a_start_needs_two_and_can_be_repeated(service: Service, seated: list[Bot]) -> None:
    lonely = create(service, entrants=[seated[0].id])["id"]
    assert problem(tournaments.start, service, lonely, caller=ORGANISER).code == "tournament/too_few"
    cup = create(service, entrants=[bot.id for bot in seated], cycles=2)["id"]
    assert tournaments.get_tournament(service, cup)["planned"] == 6
    for _ in range(2):
        shown = tournaments.start(service, cup, caller=ORGANISER)
        assert (shown["state"], shown["planned"]) == ("running", 6)
    assert problem(tournaments.enter, service, cup, bot_id=seated[0].id, caller=ORGANISER).code == "tournament/not_open"


def test_who_leads_first_is_balanced_within_one(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated, cycles=3)
    dealt = [row["bots"][row["first_dealer"]] for row in matches_of(service, cup)]
    counts = [dealt.count(bot.id) for bot in seated]
    assert max(counts) - min(counts) <= 1


def test_a_paused_tournament_opens_no_match_and_plays_the_live_ones_on(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated, cycles=2)
    play_on(service, seated, acts_at_most=4)
    assert problem(tournaments.resume, service, cup, caller=ORGANISER).code == "tournament/not_paused"
    assert tournaments.pause(service, cup, caller=ORGANISER)["state"] == "paused"
    assert problem(tournaments.pause, service, cup, caller=ORGANISER).code == "tournament/not_running"
    play_on(service, seated)
    shown = tournaments.get_tournament(service, cup)
    assert (shown["state"], shown["live"], shown["played"]) == ("paused", 0, 1)
    tournaments.resume(service, cup, caller=ORGANISER)
    play_on(service, seated)
    assert tournaments.get_tournament(service, cup)["state"] == "finished"


def test_a_cancelled_tournament_is_over_and_its_seed_is_open(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated, cycles=2)
    play_on(service, seated, acts_at_most=4)
    assert tournaments.get_tournament(service, cup)["seed"] is None
    shown = tournaments.cancel(service, cup, caller=ORGANISER)
    assert (shown["state"], shown["seed"], shown["void"]) == ("cancelled", "5" * 64, 6)
    assert service.live.members("live") == []
    for call in (tournaments.cancel, tournaments.start):
        assert problem(call, service, cup, caller=ORGANISER).code == "tournament/over"
    assert play_on(service, seated) == 0
    [row, *_] = matches_of(service, cup)
    assert matches.get_match(service, row["id"])["reason"] == "the tournament was cancelled"
    assert problem(matches.get_view, service, row["id"], caller=seated[0].caller).code == "match/void"
    refused = problem(matches.get_log, service, row["id"])
    assert refused.code == "match/void"
    assert "the tournament was cancelled" in refused.detail


def test_what_was_played_of_a_cancelled_match_stays_readable(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated)
    play_on(service, seated, acts_at_most=4)
    played = {row["id"]: matches.get_events(service, row["id"])[0] for row in matches_of(service, cup)}
    assert any(played.values())
    tournaments.cancel(service, cup, caller=ORGANISER)
    for match_id, lines in played.items():
        assert matches.get_events(service, match_id) == (lines, True)
        assert matches.get_events(service, match_id, after=2) == (lines[2:], True)
        assert (matches.get_match(service, match_id)["version"] or 0) == len(lines)
        assert matches.get_rulings(service, match_id)["rulings"] == []
        assert len(matches.get_transcript(service, match_id).splitlines()) >= len(lines)
    assert f"/v1/matches/{match_id}/events" in problem(matches.get_log, service, match_id).detail or not lines


def test_pages_go_through_all_matches_in_schedule_order(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated, cycles=3)
    seen, cursor = [], None
    while True:
        page = tournaments.list_matches(service, cup, cursor=cursor, limit=4)
        seen += [match["number"] for match in page.items]
        cursor = page.next
        if cursor is None:
            break
    assert seen == list(range(1, 10))
    assert tournaments.list_matches(service, cup, state="done").items == ()
    export = json.loads(b"".join(tournaments.export(service, cup)))
    assert [match["number"] for match in export["matches"]] == seen


def test_scenario_50_no_seed_is_shown_before_the_end(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated[:2])
    advancing.advance(service)
    [row] = matches_of(service, cup)
    seeds = (row["seed"], "5" * 64)
    shown = [
        str(b"".join(tournaments.export(service, cup))),
        str(matches.get_match(service, row["id"])),
        str(matches.get_events(service, row["id"])),
        str(matches.get_view(service, row["id"], caller=Caller())),
        str(matches.get_view(service, row["id"], caller=seated[0].caller)),
        matches.get_transcript(service, row["id"]),
    ]
    assert not [text for text in shown for seed in seeds if seed in text]
    play_on(service, seated)
    assert tournaments.get_tournament(service, cup)["seed"] == "5" * 64
    assert matches.get_match(service, row["id"])["seed"] == row["seed"]


def test_a_field_of_none_or_one_has_a_table_all_the_same(service: Service, seated: list[Bot]) -> None:
    for field in ([], [seated[0].id]):
        cup = create(service, entrants=field)["id"]
        assert [line["bot"] for line in tournaments.standings(service, cup)["standings"]] == field
        assert [row["cells"] for row in tournaments.crosstable(service, cup)["rows"]] == [[None]] * len(field)
