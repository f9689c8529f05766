"""Rule-sets of one's own: what is stored and what is refused, who may, how many, and that play, check and desk take them."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.rules import rulesets
from referee.service import Caller, Service, ServiceProblem, bots, checks, desk, matches, plays, tournaments
from referee.service import rulesets as use_rulesets
from referee.store import ruleset_rows
from referee.web.app import create_app
from tests.match.test_desk import LEAD
from tests.service.playing_along import CLOCK, ORGANISER, Bot, drawn, matches_of, play_on, register, tournament

CLUB: dict[str, Any] = {"name": "club", "base": "foster", "title": "The club's", "options": {"target": 3}}


@pytest.fixture
def ada(service: Service) -> Bot:
    return register(service, "Ada")


def store(service: Service, caller: Caller = ORGANISER, **fields: Any) -> dict[str, Any]:
    stored, is_new = use_rulesets.store(service, {**CLUB, **fields}, caller=caller)
    assert is_new
    return stored


def problem(service: Service, caller: Caller = ORGANISER, **fields: Any) -> ServiceProblem:
    with pytest.raises(ServiceProblem) as caught:
        use_rulesets.store(service, {**CLUB, **fields}, caller=caller)
    return caught.value


def test_a_stored_set_is_its_base_but_for_its_options(service: Service, ada: Bot) -> None:
    made = store(service, ada.caller, about="What we play.", options={"target": 3, "points_schwarz": 4})
    foster, house = rulesets.named("foster"), rulesets.named("house")
    told = {"name": "club", "base": "foster", "title": "The club's", "about": "What we play."}
    assert told.items() <= made.items()
    assert (made["stored_by"], made["overrides"]) == (ada.id, {"target": 3, "points_schwarz": 4})
    assert [each["option"] for each in made["options"]] == list(rulesets.OPTIONS)
    for each in made["options"]:
        name, own = each["option"], each["option"] in made["overrides"]
        assert each["value"] == (made["overrides"][name] if own else foster.options[name])
        assert each["source"] == ("override" if own else foster.sources[name])
        assert each["meaning"] == rulesets.OPTIONS[name].meaning
    values = {each["option"]: each["value"] for each in made["options"]}
    assert {each["option"]: (each["value"], each["house"]) for each in made["differences"]} == {
        name: (values[name], house.options[name]) for name in values if values[name] != house.options[name]
    }
    assert {"target", "points_schwarz", "marriage_proof"} <= {each["option"] for each in made["differences"]}
    assert use_rulesets.get_ruleset(service, "club") == made


def test_those_of_the_game_are_shown_alike_and_nobodys(service: Service) -> None:
    house = use_rulesets.get_ruleset(service, "house")
    assert (house["base"], house["stored_by"], house["stored_at"]) == (None, None, None)
    assert (house["differences"], house["overrides"]) == ([], {})
    for name in rulesets.names():
        shown = use_rulesets.get_ruleset(service, name)
        assert {each["option"]: each["source"] for each in shown["options"]} == dict(rulesets.named(name).sources)
        assert bool(shown["differences"]) == (rulesets.named(name).options != rulesets.named("house").options)


def test_what_is_left_out_has_its_usual_value(service: Service) -> None:
    body = {"name": "plain", "base": "house", "options": {}}
    made, _ = use_rulesets.store(service, body, caller=ORGANISER)
    assert (made["title"], made["about"], made["stored_by"]) == ("plain", "", "organiser")
    assert made["differences"] == []
    assert made["digest"] != rulesets.named("house").digest


@pytest.mark.parametrize(
    ("fields", "code", "pointers", "said"),
    [
        ({"name": "Club"}, "unfit", ["/name"], "a letter first"),
        ({"name": "c"}, "unfit", ["/name"], "2 to 40"),
        ({"name": "c" * 41}, "unfit", ["/name"], "2 to 40"),
        ({"name": "club\n"}, "unfit", ["/name"], "2 to 40"),
        ({"name": 7}, "unfit", ["/name"], "2 to 40"),
        ({"base": None}, "unfit", ["/base"], "name of a rule-set"),
        ({"title": " "}, "unfit", ["/title"], "1 to 100"),
        ({"title": "x" * 101}, "unfit", ["/title"], "1 to 100"),
        ({"about": "x" * 1001}, "unfit", ["/about"], "at most 1000"),
        ({"about": "a\x07"}, "unfit", ["/about"], "printable"),
        ({"options": [], "colour": 1}, "unfit", ["/colour", "/options"], "option names and values"),
        ({"options": {"targt": 3}}, "unknown_option", ["/options/targt"], "(nearest: target); GET /v1/rulesets/foster"),
        ({"options": {"target": "x"}}, "wrong_type", ["/options/target"], 'found "x"'),
        ({"options": {"target": 0}}, "out_of_range", ["/options/target"], "a whole number from 1 to"),
        ({"options": {"trump_method": "?"}}, "unknown_value", ["/options/trump_method"], "turn_13th"),
        (
            {"options": {"points_schneider": 5}},
            "contradiction",
            ["/options/points_schneider", "/options/points_schwarz"],
            "points_schneider = 5 contradicts points_schwarz = 3",
        ),
    ],
)
def test_what_cannot_be_stored_is_told_where_and_why(
    service: Service, fields: dict[str, Any], code: str, pointers: list[str], said: str
) -> None:
    refused = problem(service, **fields)
    assert (refused.status, refused.code) == (422, f"ruleset/{code}")
    assert sorted(error["pointer"] for error in refused.extras["errors"]) == sorted(pointers)
    assert any(said in error["detail"] for error in refused.extras["errors"])
    with service.record.reading() as connection:
        assert ruleset_rows.page(connection, after="", limit=9) == []


def test_a_base_that_there_is_not_is_404(service: Service) -> None:
    refused = problem(service, base="bridge")
    assert (refused.status, refused.code) == (404, "ruleset/unknown")
    assert "house" in refused.detail


@pytest.mark.parametrize("name", rulesets.names())
def test_the_names_of_the_game_are_taken(service: Service, name: str) -> None:
    refused = problem(service, name=name)
    assert (refused.status, refused.code) == (409, "ruleset/name_taken")
    assert name in refused.detail


def test_the_same_again_is_the_same_whoever_asks_and_another_is_refused(service: Service, ada: Bot) -> None:
    made = store(service, ada.caller)
    for caller in (ada.caller, ORGANISER, register(service, "Bea").caller):
        assert use_rulesets.store(service, CLUB, caller=caller) == (made, False)
    same_in_other_words = {**CLUB, "options": {"target": 3, "pack": rulesets.named("foster").options["pack"]}}
    assert use_rulesets.store(service, same_in_other_words, caller=ORGANISER) == (made, False)
    for other in ({"options": {"target": 4}}, {"title": "Ours"}, {"about": "Ours"}, {"base": "house"}):
        refused = problem(service, ada.caller, **other)
        assert (refused.status, refused.code) == (409, "ruleset/name_taken")
    assert use_rulesets.get_ruleset(service, "club") == made


def test_a_stored_set_may_be_the_base_of_another(service: Service) -> None:
    store(service, options={"target": 3, "points_schwarz": 4})
    made = store(service, name="club-quick", base="club", options={"target": 2, "points_schwarz": 3})
    assert (made["base"], made["overrides"]) == ("foster", {"target": 2})
    sources = {each["option"]: each["source"] for each in made["options"]}
    assert (sources["target"], sources["points_schwarz"]) == (
        "override",
        rulesets.named("foster").sources["points_schwarz"],
    )
    assert use_rulesets.get_ruleset(service, "club-quick") == made


def test_any_bot_and_the_organiser_may_store_and_nobody_else(service: Service) -> None:
    refused = problem(service, Caller())
    assert (refused.status, refused.code) == (401, "auth/token_missing")


def test_each_may_store_so_many(service: Service, ada: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(use_rulesets, "MOST_OF_A_BOT", 2)
    monkeypatch.setattr(use_rulesets, "MOST_OF_THE_ORGANISER", 3)
    for caller, most in ((ada.caller, 2), (ORGANISER, 3)):
        names = [f"{caller.kind}-{number}" for number in range(most)]
        for name in names:
            store(service, caller, name=name)
        refused = problem(service, caller, name="one-more")
        assert (refused.status, refused.code, refused.extras["most"]) == (409, "ruleset/too_many", most)
        again = {**CLUB, "name": names[0]}
        assert use_rulesets.store(service, again, caller=caller)[1] is False
    assert store(service, register(service, "Bea").caller, name="one-more")["name"] == "one-more"


def test_of_many_that_store_at_once_one_is_first(service: Service) -> None:
    answers: list[tuple[Any, bool]] = []
    refused: list[str] = []

    def ask(target: int) -> None:
        try:
            answers.append(use_rulesets.store(service, {**CLUB, "options": {"target": target}}, caller=ORGANISER))
        except ServiceProblem as no:
            refused.append(no.code)

    threads = [threading.Thread(target=ask, args=(2 + number % 2,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [is_new for _, is_new in answers].count(True) == 1
    assert len(answers) == len(refused) == 4
    assert set(refused) == {"ruleset/name_taken"}
    assert all(stored == use_rulesets.get_ruleset(service, "club") for stored, _ in answers)


def test_the_list_goes_through_those_of_the_game_and_then_the_stored_ones(service: Service) -> None:
    stored = ["alpha", "club_2", "zeta"]
    for name in reversed(stored):
        store(service, name=name)
    seen: list[dict[str, Any]] = []
    cursor, sizes = None, []
    while True:
        page = use_rulesets.list_rulesets(service, cursor=cursor, limit=2)
        sizes.append(len(page.items))
        seen += page.items
        cursor = page.next
        if cursor is None:
            break
    assert [each["name"] for each in seen] == [*rulesets.names(), *stored]
    assert set(sizes[:-1]) == {2}
    for each in seen:
        whole = use_rulesets.get_ruleset(service, each["name"])
        assert each == {name: whole[name] for name in each}
    assert use_rulesets.list_rulesets(service).items == tuple(seen)


def test_a_stored_set_keeps_its_values_whatever_its_base_says_later(service: Service) -> None:
    made = store(service)
    with service.record.reading() as connection:
        row = ruleset_rows.by_name(connection, "club")
    assert row is not None
    older = {**row, "name": "older", "options": {**row["options"], "points_schwarz": 4, "gone_since": True}}
    del older["options"]["patience"]  # an option that the game has got since
    with service.record.writing() as connection:
        ruleset_rows.add(connection, older)
    shown = {each["option"]: each["value"] for each in use_rulesets.get_ruleset(service, "older")["options"]}
    assert shown == {each["option"]: each["value"] for each in made["options"]} | {"points_schwarz": 4}


def test_a_deleted_bots_set_stays(service: Service, ada: Bot) -> None:
    made = store(service, ada.caller)
    bots.delete_bot(service, ada.id, caller=ada.caller)
    assert use_rulesets.get_ruleset(service, "club") == made


def test_a_tournament_a_friendly_and_a_check_take_it_by_name(service: Service, ada: Bot) -> None:
    store(service)
    club = use_rulesets.find(service, "club")
    cup = tournaments.create(service, {"name": "cup", "ruleset": "club"}, caller=ORGANISER)
    assert (cup["ruleset"], cup["overrides"], cup["differences"]) == ("club", {}, [])
    assert (cup["ruleset_digest"], cup["options"]) == (club.digest, dict(club.options))
    assert "derived" not in cup
    bea = register(service, "Bea")
    body = {"bots": [ada.id, bea.id], "ruleset": "club"}
    friendly = matches.create_friendly(service, body, caller=ada.caller)
    assert (friendly["ruleset"], "derived" in friendly, "options" in friendly) == ("club", False, False)
    check = checks.start_check(service, ada.id, caller=ada.caller, fields={"ruleset": "club"})
    play_on(service, [ada, bea], drawn(1))
    for match_id in (friendly["id"], check["match"]):
        opening = json.loads(matches.get_events(service, match_id, limit=1)[0][0])
        assert (opening["ruleset"]["name"], opening["ruleset"]["base"]) == ("club", "foster")
    assert checks.get_check(service, ada.id, number=check["id"], caller=ada.caller)["passed"]


def test_overrides_lie_on_top_of_it(service: Service) -> None:
    store(service)
    body = {"name": "cup", "ruleset": "club", "overrides": {"points_schwarz": 4}}
    cup = tournaments.create(service, body, caller=ORGANISER)
    assert [(each["option"], each["value"], each["named"]) for each in cup["differences"]] == [("points_schwarz", 4, 3)]
    assert (cup["options"]["target"], cup["options"]["points_schwarz"]) == (3, 4)
    body = {"name": "cup", "ruleset": "club", "overrides": {"points_schwarz": 1}}
    with pytest.raises(ServiceProblem) as caught:
        tournaments.create(service, body, caller=ORGANISER)
    assert caught.value.code == "ruleset/contradiction"
    assert [error["pointer"] for error in caught.value.extras["errors"]] == [
        "/overrides/points_schneider",
        "/overrides/points_schwarz",
    ]


def test_what_was_resolved_is_the_same_without_the_record(service: Service) -> None:
    store(service)
    kept = json.loads(json.dumps(plays.read(service, {"ruleset": "club", "overrides": {"patience": 5}}, code="x")))
    resolved = use_rulesets.find(service, "club").override({"patience": 5})
    assert plays.ruleset_of(kept).digest == resolved.digest
    assert plays.ruleset_of(kept).options == resolved.options
    older = {name: value for name, value in kept.items() if name != "derived"} | {"ruleset": "foster"}
    assert plays.ruleset_of(older).options == resolved.options, "a play of before there were stored sets"


def test_the_desk_takes_it_by_name(service: Service) -> None:
    store(service, options={"strict_play": "follow_head_trump", "target": 3})
    body = {"ruleset": "club", "overrides": {"patience": 5}, "start": LEAD, "acts": ["b AH"]}
    answer = desk.adjudicate(service, body)
    resolved = use_rulesets.find(service, "club").override({"patience": 5})
    assert answer["ruleset"] == {
        "name": "club",
        "base": "foster",
        "digest": resolved.digest,
        "overrides": {"strict_play": "follow_head_trump", "target": 3, "patience": 5},
    }
    assert desk.validate(service, {"ruleset": "club", "position": LEAD, "act": "a KS"})["verdict"] == "lawful"
    with pytest.raises(ServiceProblem) as caught:
        desk.adjudicate(service, {**body, "ruleset": "clubb"})
    assert (caught.value.status, caught.value.code) == (404, "ruleset/unknown")


def test_a_tournament_by_it_is_played_and_its_page_shows_it(service: Service) -> None:
    store(service, title="<b>The club's</b>")
    seated = [register(service, name) for name in ("Ada", "Bea")]
    cup = tournament(service, seated, ruleset="club", clock=CLOCK)
    play_on(service, seated, drawn(2))
    [row] = matches_of(service, cup)
    assert row["state"] == "done"
    client: FlaskClient = create_app(service).test_client()
    page = client.get(f"/tournaments/{cup}").text
    assert 'href="/rulesets/club"' in page
    assert "&lt;b&gt;The club" in client.get("/rulesets/club").text
    assert "&lt;b&gt;The club" in client.get("/rulesets").text
    assert client.get(f"/matches/{row['id']}").status_code == 200
    assert "rule-set club (after foster)" in matches.get_transcript(service, row["id"])
