"""Duplicate tournaments through the service: the same packs, seats exchanged, nothing told before its time."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest

from referee import match as play
from referee.rules.cards import CARD_NAMES
from referee.service import Caller, Service, ServiceProblem, appeals, matches, showing, tournaments
from referee.tournament import duplicates
from tests.service.playing_along import (
    ORGANISER,
    Bot,
    drawn,
    first,
    matches_of,
    play_on,
    register,
    tournament,
)


def packs_of(service: Service, row: dict[str, Any]) -> dict[tuple[int, int], tuple[int, ...]]:
    """The packs a finished match was played with, by deal and attempt."""
    events = [json.loads(line) for line in matches.get_log(service, row["id"]).splitlines()]
    seed, salts = bytes.fromhex(events[-1]["seed"]), events[0].get("salts", [])
    size = events[0]["ruleset"]["options"]["pack"]
    begun = [(event["deal"], event["attempt"]) for event in events if event["type"] == "deal_begun"]
    return {each: play.pack_for(seed, *each, size, salts=salts) for each in begun}


def shape(pack: tuple[int, ...]) -> tuple[tuple[int, str], ...]:
    """A pack but for what its suits are called: each card as the place where its suit came first, and its rank."""
    seen: dict[str, int] = {}
    return tuple((seen.setdefault(name[1], len(seen)), name[0]) for name in (CARD_NAMES[card] for card in pack))


def legs(service: Service, cup: str) -> list[list[dict[str, Any]]]:
    by_packs: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in matches_of(service, cup):
        by_packs[row["packs"]].append(row)
    return list(by_packs.values())


def problem(call: Callable[..., Any], *args: Any, **kwargs: Any) -> ServiceProblem:
    with pytest.raises(ServiceProblem) as caught:
        call(*args, **kwargs)
    return caught.value


@pytest.mark.parametrize("relabel", [True, False])
def test_a_pair_is_the_same_packs_with_seats_exchanged(service: Service, relabel: bool) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd")]
    cup = tournament(service, seated, cycles=2, duplicate="paired", relabel=relabel, overrides={"target": 2})
    assert tournaments.get_tournament(service, cup)["planned"] == 12
    play_on(service, seated, drawn(1))

    assert tournaments.get_tournament(service, cup)["state"] == "finished"
    pairs = legs(service, cup)
    assert [len(pair) for pair in pairs] == [2] * 6
    for one, other in pairs:
        assert one["bots"] == other["bots"][::-1]
        assert one["first_dealer"] == other["first_dealer"]
        for row in (one, other):
            log = matches.get_log(service, row["id"])
            assert play.verify(log).ok, play.verify(log).problem
        left, right = packs_of(service, one), packs_of(service, other)
        shared = left.keys() & right.keys()
        assert (1, 1) in shared
        assert all(shape(left[each]) == shape(right[each]) for each in shared)
        assert (one["commitment"] == other["commitment"]) is not relabel
        assert all(left[each] == right[each] for each in shared) or relabel
    assert any(packs_of(service, one)[1, 1] != packs_of(service, other)[1, 1] for one, other in pairs) is relabel
    assert len({shape(packs_of(service, one)[1, 1]) for one, _ in pairs}) == 6


@pytest.mark.parametrize("ruleset", ["house", "schnapsen", "cruce"])
def test_scenario_53_a_deterministic_program_against_itself_has_nothing_over_every_pair(
    service: Service, ruleset: str
) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd")]
    overrides = {"target": 3} if ruleset != "cruce" else {}
    cup = tournament(service, seated, ruleset=ruleset, duplicate="paired", relabel=False, overrides=overrides)
    play_on(service, seated, _first_or_pass)

    assert tournaments.get_tournament(service, cup)["state"] == "finished"
    lines = tournaments.standings(service, cup)["standings"]
    assert [line["net"] for line in lines] == [0, 0, 0]
    assert all(line["deals_compared"] >= 4 for line in lines)
    for one, other in legs(service, cup):
        assert (one["deals"], one["score"]) == (other["deals"], other["score"])


def _first_or_pass(prompt: dict[str, Any]) -> dict[str, Any]:
    return next((act for act in prompt["lawful"] if act == {"act": "bid", "ticks": 1}), first(prompt))


def test_nobody_plays_the_same_packs_at_two_tables_at_once(service: Service) -> None:
    """One hand would tell the other: with room for many, the second leg still waits for the first."""
    seated = [register(service, name, concurrency=20) for name in ("Ada", "Bea", "Cyd")]
    cup = tournament(service, seated, cycles=2, duplicate="paired", overrides={"target": 1})
    live = 0
    while tournaments.get_tournament(service, cup)["state"] != "finished":
        states = [[row["state"] for row in pair] for pair in legs(service, cup)]
        assert all(pair.count("live") <= 1 for pair in states)
        live = max(live, sum(pair.count("live") for pair in states))
        play_on(service, seated, drawn(1), acts_at_most=30)
    assert live > 3, "the bots had room for more than one cycle"


def test_standings_go_by_what_is_compared(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd")]
    cup = tournament(service, seated, cycles=3, duplicate="paired", overrides={"target": 3})
    play_on(service, seated, drawn(5))

    lines = tournaments.standings(service, cup)["standings"]
    assert [line["net"] for line in lines] == sorted((line["net"] for line in lines), reverse=True)
    assert sum(line["net"] for line in lines) == 0
    expected: dict[str, int] = defaultdict(int)
    for one, other in legs(service, cup):
        both = {tuple(deal[:3]) for deal in one["deals"]} & {tuple(deal[:3]) for deal in other["deals"]}
        for row in (one, other):
            for *place, points in row["deals"]:
                if tuple(place) in both:
                    expected[row["bots"][0]] += points[0] - points[1]
                    expected[row["bots"][1]] += points[1] - points[0]
    assert {line["bot"]: line["net"] for line in lines} == expected
    assert any(expected.values())


@pytest.mark.parametrize("ruleset", ["house", "three_handed"])
def test_every_table_of_a_round_has_the_packs_of_the_field(service: Service, ruleset: str) -> None:
    number = 4 if ruleset == "house" else 9  # of three seats the fewest with more than one table in every round
    seated = [register(service, f"Bot {n}") for n in range(number)]
    cup = tournament(service, seated, ruleset=ruleset, duplicate="field", overrides={"target": 2})
    play_on(service, seated, drawn(2))

    rows = matches_of(service, cup)
    for together in legs(service, cup):
        assert len({(row["cycle"], row["round"]) for row in together}) == 1
        assert len({shape(packs_of(service, row)[1, 1]) for row in together}) == 1
        assert len({row["commitment"] for row in together}) == len(together)
    assert len(legs(service, cup)) == len({(row["cycle"], row["round"]) for row in rows})
    lines = tournaments.standings(service, cup)["standings"]
    assert sum(line["net"] for line in lines) == 0
    assert any(line["net"] for line in lines)


def test_nothing_is_told_to_others_while_the_packs_are_in_play(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd")]
    cup = tournament(service, seated, duplicate="paired")
    done: list[str] = []
    while not done:
        play_on(service, seated, drawn(3), acts_at_most=1)
        _told_to_its_own(service, cup, seated)
        done = [row["id"] for row in matches_of(service, cup) if row["state"] == "done"]
    [row] = [row for row in matches_of(service, cup) if row["id"] == done[0]]
    inside = next(bot for bot in seated if bot.id in row["bots"])
    outside = next(bot for bot in seated if bot.id not in row["bots"])
    shown = matches.get_match(service, done[0])
    assert (shown["withheld"], shown["seed"]) == (True, None)
    assert problem(matches.get_log, service, done[0]).code == "match/packs_in_play"
    assert problem(matches.get_log_json, service, done[0]).code == "match/packs_in_play"
    for caller in (outside.caller, Caller()):
        for read in (matches.get_events, matches.get_transcript, matches.get_rulings, matches.get_view):
            assert problem(read, service, done[0], caller=caller).code == "match/packs_in_play"
    assert matches.get_view(service, done[0], caller=inside.caller)["over"]
    assert row["packs_seed"] not in b"".join(tournaments.export(service, cup)).decode()

    play_on(service, seated, drawn(3))
    shown = matches.get_match(service, done[0])
    assert (shown["withheld"], shown["seed"]) == (False, row["seed"])
    assert matches.get_log(service, done[0]).endswith(b"\n")
    assert matches.get_events(service, done[0], caller=outside.caller)[1]


def test_how_a_match_stands_is_not_told_while_its_packs_are_in_play(service: Service) -> None:
    """Table A plays, and those of table B have the same packs before them."""
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd", "Dot")]
    cup = tournament(service, seated, duplicate="field", relabel=False, overrides={"target": 7})
    play_on(service, seated, first, acts_at_most=1)
    one, other = (row for row in matches_of(service, cup) if row["round"] == 1)
    assert one["packs"] == other["packs"]
    inside = [bot for bot in seated if bot.id in one["bots"]]
    while not any(json.loads(service.live.some(one["id"], ("score",))["score"])):
        play_on(service, inside, first, acts_at_most=1)
    _nothing_is_told(service, cup, one["id"], state="live")
    assert any(matches.get_view(service, one["id"], caller=inside[0].caller)["view"]["score"].values())
    play_on(service, inside, first)
    _nothing_is_told(service, cup, one["id"], state="done")
    assert all(line["played"] == 0 for line in tournaments.standings(service, cup)["standings"])

    play_on(service, seated, first)
    shown = matches.get_match(service, one["id"])
    assert None not in (shown["version"], shown["score"], shown["winner"], shown["cause"], shown["log_sha256"])
    assert [line["played"] for line in tournaments.standings(service, cup)["standings"]] == [3] * 4


def _nothing_is_told(service: Service, cup: str, match_id: str, *, state: str) -> None:
    exported = json.loads(b"".join(tournaments.export(service, cup)))
    lists = (tournaments.list_matches(service, cup).items, matches.list_matches(service).items, exported["matches"])
    alone = matches.get_match(service, match_id)
    assert alone["withheld"]
    for shown in (alone, *(row for rows in lists for row in rows if row["id"] == match_id)):
        assert {name: shown[name] for name in showing.TOLD_LATER} == dict.fromkeys(showing.TOLD_LATER)
        assert shown["state"] == state
    for line in (*exported["standings"], *tournaments.standings(service, cup)["standings"]):
        assert (line["played"], line["game_points_for"], line["net"], line["deals_compared"]) == (0, 0, 0, 0)
    for row in tournaments.crosstable(service, cup)["rows"]:
        assert not any(cell and (cell["matches"] or cell["game_points_for"]) for cell in row["cells"])


def _told_to_its_own(service: Service, cup: str, seated: list[Bot]) -> None:
    for row in matches_of(service, cup):
        if row["state"] == "live":
            for bot in seated:
                inside = bot.id in row["bots"]
                for read in (matches.get_events, matches.get_view, matches.get_rulings):
                    if inside or not row["withheld"]:
                        assert read(service, row["id"], caller=bot.caller)
                    else:
                        assert problem(read, service, row["id"], caller=bot.caller).code == "match/packs_in_play"


def test_an_appeal_is_heard_while_the_packs_are_in_play(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea")]
    cup = tournament(service, seated, duplicate="paired")
    play_on(service, seated, lambda _prompt: {"act": "concede"}, acts_at_most=1)
    row = next(row for row in matches_of(service, cup) if row["state"] == "done")
    assert row["withheld"]
    assert appeals.appeal(service, row["id"], case=1, caller=seated[0].caller)["agree"]
    refused = problem(
        appeals.overrule, service, row["id"], case=1, fields={"winner": "a", "reason": "so"}, caller=ORGANISER
    )
    assert refused.code == "match/packs_in_play"


def test_an_overruled_leg_is_not_compared(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea")]
    cup = tournament(service, seated, duplicate="paired", overrides={"target": 2})
    play_on(service, seated, lambda prompt: {"act": "concede"} if prompt["seat"] == "a" else first(prompt))
    assert tournaments.standings(service, cup)["standings"][0]["deals_compared"] > 0
    row = matches_of(service, cup)[0]
    appeals.overrule(service, row["id"], case=1, fields={"winner": "a", "reason": "so"}, caller=ORGANISER)
    assert [line["deals_compared"] for line in tournaments.standings(service, cup)["standings"]] == [0, 0]


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"duplicate": "thrice"}, "/duplicate"),
        ({"duplicate": "paired", "ruleset": "three_handed"}, "/duplicate"),
        ({"relabel": 1}, "/relabel"),
        ({"withdraw_after": -1}, "/withdraw_after"),
    ],
)
def test_what_cannot_be_compared_is_refused(service: Service, fields: dict[str, Any], pointer: str) -> None:
    found = problem(tournaments.create, service, {"name": "cup", **fields}, caller=ORGANISER)
    assert found.code == "tournament/unfit"
    assert [error["pointer"] for error in found.extras["errors"]] == [pointer]


def test_the_kinds_of_the_service_are_those_of_the_rules() -> None:
    from referee.web.schemas.tournaments import DUPLICATE

    assert DUPLICATE == duplicates.KINDS
