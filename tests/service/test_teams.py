"""Teams of two where partners play: how they are entered, offered, named, seated, counted and withdrawn."""

from __future__ import annotations

from typing import Any

import pytest

from referee import match
from referee.service import Caller, Service, ServiceProblem, advancing, bots, matches, tournaments
from tests.service.playing_along import ORGANISER, Bot, a_card, drawn, matches_of, play_on, register, tournament

FOUR = {"ruleset": "four_handed", "overrides": {"target": 1}}


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    return [register(service, name, concurrency=4) for name in ("Ada", "Bea", "Cyd", "Dee", "Eve")]


def problem(call: Any, *args: Any, **kwargs: Any) -> ServiceProblem:
    with pytest.raises(ServiceProblem) as caught:
        call(*args, **kwargs)
    return caught.value


def create(service: Service, **fields: Any) -> dict[str, Any]:
    return tournaments.create(service, {"name": "cup", **FOUR, **fields}, caller=ORGANISER)


def team(*of: Bot, **fields: Any) -> dict[str, Any]:
    return {"bots": [bot.id for bot in of], **fields}


def entered(service: Service, cup: str) -> list[tuple[str, str]]:
    return [(entry["name"], entry["state"]) for entry in tournaments.get_tournament(service, cup)["entrants"]]


def test_entrants_are_teams_of_their_own_and_teams_bear_the_names_of_both(service: Service, seated: list[Bot]) -> None:
    ada, bea, cyd, dee, eve = seated
    teams = [team(bea, cyd), team(dee, eve, name="The Aces")]
    made = create(service, entrants=[ada.id], teams=teams)
    assert [(entry["bot"], entry["name"]) for entry in made["entrants"]] == [
        (ada.id, "Ada"), (bea.id, "Bea & Cyd"), (dee.id, "The Aces"),
    ]  # fmt: skip
    members = [[member["name"] for member in entry["members"]] for entry in made["entrants"]]
    assert members == [["Ada", "Ada"], ["Bea", "Cyd"], ["Dee", "Eve"]]
    assert made["planned"] == 3
    for same in (team(ada), team(ada, ada)):
        assert [m["bot"] for m in create(service, teams=[same])["entrants"][0]["members"]] == [ada.id, ada.id]


@pytest.mark.parametrize(
    ("fields", "pointer", "said"),
    [
        ({"teams": "x"}, "/teams", "must be a list"),
        ({"teams": ["x"]}, "/teams/0", "must be an object"),
        ({"teams": [{"bots": ["bot_1"], "colour": "red"}]}, "/teams/0/colour", "is not a member of a team"),
        ({"teams": [{}]}, "/teams/0/bots", "must be the ids of two bots, or one id"),
        ({"teams": [{"bots": ["bot_1"]}, {"bots": ["a", "b", "c"]}]}, "/teams/1/bots", "must be the ids of two bots"),
        ({"teams": [{"bots": ["bot_1"], "name": " "}]}, "/teams/0/name", "1 to 64 printable characters"),
        ({"teams": [{"bots": ["bot_1"]}], "ruleset": "house"}, "/teams", "house seats 2, each for itself"),
        (
            {"teams": [{"bots": ["bot_1"]}], "ruleset": "three_handed"},
            "/teams",
            "three_handed seats 3, each for itself",
        ),
        ({"entrants": ["bot"] * 300, "teams": [{"bots": ["bot"]}] * 201}, "/entrants", "there are 501 with the teams"),
        ({"standings": "rating"}, "/standings", "must be one of wins, game_points"),
    ],
)
def test_what_is_no_team_is_told_where_and_why(
    service: Service, fields: dict[str, Any], pointer: str, said: str
) -> None:
    found = problem(create, service, **fields)
    assert (found.status, found.code) == (422, "tournament/unfit")
    [error] = found.extras["errors"]
    assert error["pointer"] == pointer
    assert said in error["detail"]


def test_a_bot_is_in_one_team_only_and_a_name_is_one_teams(service: Service, seated: list[Bot]) -> None:
    ada, bea, cyd, *_ = seated
    found = problem(create, service, teams=[team(ada, bea), team(cyd, bea)])
    assert (found.status, found.code) == (409, "tournament/entered_twice")
    assert f"{bea.id} is entered" in found.detail
    assert "in the team Ada & Bea" in found.detail
    assert problem(create, service, entrants=[bea.id], teams=[team(ada, bea)]).code == "tournament/entered_twice"
    assert problem(create, service, teams=[team(ada, Bot("bot_none", Caller(), ""))]).code == "bot/unknown"
    named = problem(create, service, teams=[team(ada, name="Aces"), team(bea, name="ACES")])
    assert (named.status, named.code) == (409, "entry/name_taken")
    assert tournaments.list_tournaments(service).items == ()


def test_a_start_needs_two_teams(service: Service, seated: list[Bot]) -> None:
    cup = create(service, teams=[team(*seated[:2])])["id"]
    assert tournaments.get_tournament(service, cup)["balance"] is None
    found = problem(tournaments.start, service, cup, caller=ORGANISER)
    assert (found.status, found.code) == (409, "tournament/too_few")
    assert "1 team" in found.detail


def test_who_enters_alone_sits_in_both_partner_seats(service: Service, seated: list[Bot]) -> None:
    ada, bea, *_ = seated
    cup = create(service, open_entry=True)["id"]
    entry = tournaments.enter(service, cup, bot_id=ada.id, caller=ada.caller)
    assert (entry["state"], entry["name"], [each["bot"] for each in entry["members"]]) == (
        "entered",
        "Ada",
        [ada.id] * 2,
    )
    both = tournaments.enter(service, cup, bot_id=bea.id, partner=bea.id, name="Solo", caller=bea.caller)
    assert (both["state"], both["name"]) == ("entered", "Solo")
    started = tournaments.start(service, cup, caller=ORGANISER)
    assert started["planned"] == 1
    [row] = matches_of(service, cup)
    assert {row["bots"][::2], row["bots"][1::2]} == {(ada.id,) * 2, (bea.id,) * 2}


def test_a_team_with_anothers_bot_is_an_offer_until_that_bot_enters_too(service: Service, seated: list[Bot]) -> None:
    ada, bea, cyd, *_ = seated
    cup = create(service, open_entry=True)["id"]
    offer = tournaments.enter(service, cup, bot_id=ada.id, partner=bea.id, name="Aces", caller=ada.caller)
    assert (offer["state"], offer["bot"]) == ("offered", ada.id)
    tournaments.enter(service, cup, bot_id=cyd.id, partner=bea.id, caller=cyd.caller)
    assert entered(service, cup) == [("Aces", "offered"), ("Cyd & Bea", "offered")]
    assert tournaments.get_tournament(service, cup)["planned"] == 0
    assert tournaments.standings(service, cup)["standings"] == []
    other = problem(tournaments.enter, service, cup, bot_id=bea.id, partner=ada.id, name="Kings", caller=bea.caller)
    assert (other.code, other.extras["errors"][0]["pointer"]) == ("entry/unfit", "/name")
    agreed = tournaments.enter(service, cup, bot_id=bea.id, partner=ada.id, caller=bea.caller)
    assert (agreed["state"], agreed["bot"], agreed["name"]) == ("entered", ada.id, "Aces")
    late = problem(tournaments.enter, service, cup, bot_id=bea.id, partner=cyd.id, caller=bea.caller)
    assert late.code == "tournament/entered_twice"
    assert "in the team Aces" in late.detail


def test_an_offer_is_replaced_withdrawn_declined_or_lapses_at_the_start(service: Service, seated: list[Bot]) -> None:
    ada, bea, cyd, dee, eve = seated
    cup = create(service, open_entry=True, entrants=[dee.id, eve.id])["id"]

    def offer(by: Bot, to: Bot) -> str:
        return str(tournaments.enter(service, cup, bot_id=by.id, partner=to.id, caller=by.caller)["state"])

    assert offer(ada, bea) == offer(ada, cyd) == "offered"
    assert entered(service, cup)[2:] == [("Ada & Cyd", "offered")]
    assert tournaments.withdraw_entry(service, cup, bot_id=cyd.id, caller=cyd.caller)["name"] == "Ada & Cyd"
    assert offer(ada, bea) == "offered"
    assert tournaments.withdraw_entry(service, cup, bot_id=ada.id, caller=ada.caller)["state"] == "withdrawn"
    assert entered(service, cup) == [("Dee", "entered"), ("Eve", "entered")]
    assert offer(ada, bea) == "offered"
    tournaments.enter(service, cup, bot_id=ada.id, caller=ada.caller)
    assert entered(service, cup)[2:] == [("Ada", "entered")]
    assert offer(bea, cyd) == "offered"
    assert tournaments.start(service, cup, caller=ORGANISER)["planned"] == 3
    assert [name for name, _ in entered(service, cup)] == ["Dee", "Eve", "Ada"]


def test_offers_that_cross_make_one_team_and_the_organiser_needs_none(service: Service, seated: list[Bot]) -> None:
    ada, bea, cyd, dee, _ = seated
    cup = create(service, open_entry=True)["id"]
    tournaments.enter(service, cup, bot_id=cyd.id, partner=ada.id, caller=cyd.caller)
    tournaments.enter(service, cup, bot_id=bea.id, partner=ada.id, caller=bea.caller)
    assert tournaments.enter(service, cup, bot_id=ada.id, partner=bea.id, caller=ada.caller)["bot"] == bea.id
    taken = problem(tournaments.enter, service, cup, bot_id=ada.id, partner=cyd.id, caller=ada.caller)
    assert taken.code == "tournament/entered_twice"
    entry = tournaments.enter(service, cup, bot_id=dee.id, partner=cyd.id, caller=ORGANISER)
    assert (entry["state"], entry["name"]) == ("entered", "Dee & Cyd")
    assert tournaments.start(service, cup, caller=ORGANISER)["planned"] == 1
    assert entered(service, cup) == [("Bea & Ada", "entered"), ("Dee & Cyd", "entered")]


def test_partners_and_names_are_for_teams(service: Service, seated: list[Bot]) -> None:
    ada, bea, *_ = seated
    cup = create(service, ruleset="house", open_entry=True)["id"]
    found = problem(tournaments.enter, service, cup, bot_id=ada.id, partner=bea.id, name="Aces", caller=ada.caller)
    assert (found.status, found.code) == (422, "entry/unfit")
    assert [error["pointer"] for error in found.extras["errors"]] == ["/partner", "/name"]
    wide = create(service, open_entry=True)["id"]
    nameless = problem(tournaments.enter, service, wide, bot_id=ada.id, name="\n", caller=ada.caller)
    assert (nameless.code, nameless.extras["errors"][0]["pointer"]) == ("entry/unfit", "/name")
    ghost = problem(tournaments.enter, service, wide, bot_id=ada.id, partner="bot_none", caller=ada.caller)
    assert ghost.code == "bot/unknown"


def played(service: Service, row: dict[str, Any]) -> str:
    return matches.get_transcript(service, row["id"])


@pytest.mark.parametrize("who", [0, 1])
def test_either_member_withdraws_the_team(service: Service, seated: list[Bot], who: int) -> None:
    leaver = seated[who]
    teams = [team(*seated[:2]), team(seated[2], seated[3]), team(seated[4])]
    cup = tournament(service, [], **FOUR, teams=teams, cycles=2)
    play_on(service, seated, a_card, acts_at_most=8)
    assert sum(row["state"] == "live" and seated[0].id in row["bots"] for row in matches_of(service, cup)) > 0
    answer = tournaments.withdraw_entry(service, cup, bot_id=leaver.id, caller=leaver.caller)
    assert (answer["bot"], answer["name"], answer["state"]) == (seated[0].id, "Ada & Bea", "withdrawn")
    play_on(service, seated, drawn(1))
    assert tournaments.get_tournament(service, cup)["state"] == "finished"
    for row in matches_of(service, cup):
        if seated[0].id in row["bots"]:
            assert (row["state"], row["cause"]) in (("void", None), ("done", "conceded"))
            seat = row["bots"].index(leaver.id)
            assert row["winner"] in (None, 1 - seat % 2)
            assert row["state"] == "void" or f"seat {'abcd'[seat]} was withdrawn" in played(service, row)
        else:
            assert row["state"] == "done"
    lines = {line["bot"]: line for line in tournaments.standings(service, cup)["standings"]}
    assert len(lines) == 3
    assert (lines[seated[0].id]["wins"], lines[seated[0].id]["state"]) == (0, "withdrawn")


def test_a_deleted_partner_takes_the_team_along_and_its_offers(service: Service, seated: list[Bot]) -> None:
    ada, bea, cyd, dee, eve = seated
    before = create(service, teams=[team(ada, bea)], open_entry=True)["id"]
    offered = create(service, open_entry=True)["id"]
    tournaments.enter(service, offered, bot_id=cyd.id, partner=bea.id, caller=cyd.caller)
    cup = tournament(service, [], **FOUR, teams=[team(ada, bea), team(cyd, dee), team(eve)])
    advancing.advance(service)
    bots.delete_bot(service, bea.id, caller=bea.caller)
    assert entered(service, before) == entered(service, offered) == []
    assert entered(service, cup)[0] == ("Ada & Bea", "withdrawn")
    play_on(service, [ada, cyd, dee, eve], drawn(2))
    assert tournaments.get_tournament(service, cup)["state"] == "finished"


def test_standings_and_crosstable_count_by_teams(service: Service, seated: list[Bot]) -> None:
    teams = [team(*seated[:2]), team(seated[2], seated[3]), team(seated[4])]
    cup = tournament(service, [], **FOUR, teams=teams, cycles=2, standings="game_points")
    play_on(service, seated, drawn(3))
    shown = tournaments.get_tournament(service, cup)
    assert (shown["state"], shown["played"], shown["standings"]) == ("finished", 6, "game_points")
    rows = matches_of(service, cup)
    assert [match.verify(matches.get_log(service, row["id"])).problem for row in rows] == [""] * 6
    lines = tournaments.standings(service, cup)["standings"]
    assert [line["game_points_for"] for line in lines] == sorted((x["game_points_for"] for x in lines), reverse=True)
    for line in lines:
        won = sum(row["bots"][row["winner"]] in (line["bot"], partner_of(line["bot"], seated)) for row in rows)
        mine = [row for row in rows if line["bot"] in row["bots"]]
        points = sum(row["score"][row["bots"].index(line["bot"])] for row in mine)
        assert (line["played"], line["wins"], line["game_points_for"]) == (4, won, points)
    table = tournaments.crosstable(service, cup)
    assert {each["name"] for each in table["bots"]} == {"Ada & Bea", "Cyd & Dee", "Eve"}
    assert {len(cell["matches"]) for row in table["rows"] for cell in row["cells"] if cell} == {2}
    assert sum(cell["wins"] for row in table["rows"] for cell in row["cells"] if cell) == 6
    shown_match = matches.get_match(service, rows[0]["id"])
    assert shown_match["sides"] == [["a", "c"], ["b", "d"]]
    assert shown_match["winner"] in ("a", "b")


def partner_of(captain: str, seated: list[Bot]) -> str:
    pairs = {seated[0].id: seated[1].id, seated[2].id: seated[3].id}
    return pairs.get(captain, captain)


def test_the_balance_is_told_before_the_start_and_kept_with_the_schedule(service: Service, seated: list[Bot]) -> None:
    teams = [team(*seated[:2]), team(seated[2], seated[3])]
    cup = create(service, teams=teams, cycles=4)["id"]
    foreseen = tournaments.get_tournament(service, cup)["balance"]
    assert (foreseen["entrants"], foreseen["seats"], foreseen["matches"], foreseen["exact"]) == (2, 4, 4, True)
    assert foreseen["in_seat"] == {"least": 1, "most": 1}
    assert any("Any two teams meet exactly 4 times" in line for line in foreseen["words"])
    tournaments.start(service, cup, caller=ORGANISER)
    tournaments.withdraw_entry(service, cup, bot_id=seated[0].id, caller=ORGANISER)
    assert tournaments.get_tournament(service, cup)["balance"] == foreseen
    assert "balance" not in tournaments.list_tournaments(service).items[0]
