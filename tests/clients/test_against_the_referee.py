"""The sample bots at tables of the real referee, and the SDK's types against what it says."""

import hashlib
import json
import random
from pathlib import Path

import pytest
import sixtysix
import slips
import yaml
from careful_bot import Careful
from clumsy_bot import A_DEAL, A_MATCH, SPARE, Clumsy
from greedy_play import greedy_act
from sixtysix import errors, wire
from sixtysix.connection import STILL_RUNNING

from referee import match
from referee.laws import book
from referee.rules import rulesets
from referee.web.codes import CODES
from tests.clients.fake_referee import CONVERSATIONS, steps
from tests.clients.in_process import Table, play

ALL_CHORES = ("shuffle", "cut", "deal", "draw")
DEMANDED = {f"IR-{number}" for number in ("06", "20", "21", "22", "23", "36", "43", "51", "61", "80")}


def seed(label):
    return hashlib.sha256(label.encode()).digest()


def tidy(prompt):
    return greedy_act(prompt, wanted=())


def first_lawful(prompt):
    return prompt["lawful"][0]


OTHERS = {"tidy": (tidy, ALL_CHORES), "careful": None, "greedy": (greedy_act, ()), "first": (first_lawful, ())}


def other(name, dice):
    return (Careful(dice).choose, ()) if name == "careful" else OTHERS[name]


def round_robin(label, **terms):
    """Plays the clumsy bot's eight matches of a double round robin; gives the bot and the tables."""
    clumsy, tables, dice = Clumsy(), [], random.Random(label)
    for number in range(8):
        choose, chores = other(list(OTHERS)[number % 4], dice)
        seats = [((clumsy.choose, clumsy.after), ALL_CHORES), ((choose, None), chores)]
        seats = seats[::-1] if number >= 4 else seats
        table = Table(seed(f"{label}/{number}"), chores=[own for _, own in seats], number=number, **terms)
        tables.append(play(table, [bot for bot, _ in seats]))
    return clumsy, tables


@pytest.mark.parametrize("label", ["one", "two", "three"])
def test_eight_matches_bring_the_clumsy_bot_under_every_law_it_is_known_for(label):
    clumsy, tables = round_robin(label)
    assert clumsy.ruled >= DEMANDED
    cited = {law for table in tables for ruling in table.rulings() for law in ruling["laws"]}
    assert cited >= clumsy.ruled
    assert len(cited) >= len(DEMANDED) + 5, f"only {sorted(cited)}"


def test_the_clumsy_bot_stays_within_patience_and_conduct():
    _, tables = round_robin("within")
    for number, table in enumerate(tables):
        offender = "ab"[number >= 4]
        events = list(map(json.loads, table.lines))
        slipped = [event for event in events if event["type"] == "ruled" and event["offender"] == offender]
        assert len(slipped) <= A_MATCH + SPARE
        assert events[-1]["cause"] not in ("conduct", "time")
        deals, deal = {}, 0
        for event in events:
            deal = event["deal"] if event["type"] == "deal_begun" else deal
            if event in slipped:
                deals[deal] = deals.get(deal, 0) + 1
        assert max(deals.values(), default=0) <= A_DEAL + SPARE


def test_where_irregular_acts_are_refused_the_clumsy_bot_gives_up_in_time():
    _, tables = round_robin("enforced", conduct="enforce")
    limit = rulesets.named("house").options["conduct_limit"]
    for number, table in enumerate(tables):
        assert 0 < table.refused[number >= 4] < limit


@pytest.mark.parametrize("name", rulesets.names())
def test_only_the_clumsy_bot_is_ever_refused_or_ruled_on(name):
    seats = rulesets.named(name).options["seats"]
    for number, chores in enumerate([ALL_CHORES, ()]):
        bots = ([(Careful(random.Random(number)).choose, None), (tidy, None)] * seats)[:seats]
        own = ([chores, ALL_CHORES] * seats)[:seats]
        table = play(Table(seed(f"{name}/{number}"), chores=own, ruleset=name), bots)
        assert table.refused == [0] * seats
        assert table.rulings() == []
        assert match.verify(match.finished_log(table.match, table.lines, table.seed)).ok


def test_every_slip_is_known_to_the_law_book():
    assert {*slips.SLIPS, *slips.OFF_TURN} <= {law.id for law in book.laws()}


@pytest.mark.parametrize("calls", ["referee", "players"])
@pytest.mark.parametrize("name", ["house", "schnapsen", "three_handed", "four_handed", "cruce"])
def test_prompts_and_views_have_the_members_the_sdk_types_say(name, calls):
    kept, options = [], rulesets.named(name).options
    bots = ([(Careful(random.Random(1)).choose, None), (tidy, None)] * 2)[: options["seats"]]
    chores = [(*ALL_CHORES, "watch")] * options["seats"]
    play(Table(seed("types"), chores=chores, calls=calls, ruleset=name), bots, look=kept.append)
    assert ("confirm" in {asked["view"]["phase"] for asked in kept}) == (calls == "players")
    prompt, view = sixtysix.Prompt, sixtysix.View
    for asked in kept:
        assert prompt.__required_keys__ <= asked.keys() <= prompt.__required_keys__ | prompt.__optional_keys__
        seen = asked["view"].keys()
        assert view.__required_keys__ <= seen <= view.__required_keys__ | view.__optional_keys__
        for act in asked["lawful"] + asked["own_risk"]:
            assert act.keys() <= sixtysix.Act.__required_keys__ | sixtysix.Act.__optional_keys__
    phases = {"shuffle", "cut", "deal", "lead", "follow"}
    phases |= {"bid"} if options["bidding"] != "none" else {"turn_up"}
    assert {asked["view"]["phase"] for asked in kept} >= phases | ({"draw"} if options["seats"] < 4 else set())


def test_the_codes_the_sdk_knows_are_codes_of_the_service():
    assert {*errors.MOVED_ON, STILL_RUNNING} <= set(CODES)


def test_what_the_clients_call_is_in_the_description():
    paths = yaml.safe_load((Path(__file__).resolve().parents[2] / "openapi.yaml").read_text())["paths"]
    described = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    for recorded in sorted(CONVERSATIONS.glob("*.json")):
        for step in steps(recorded.stem):
            path = "/v1/matches/{match_id}/acts" if step["path"].endswith("/acts") else step["path"]
            assert (step["method"], path) in described
    read = {("GET", f"/v1/matches/{{match_id}}/{what}") for what in ("view", "rulings", "events")}
    assert read | {("POST", "/v1/matches/{match_id}/rulings/{case}/appeal")} <= described
    assert {("GET", "/v1/matches/{match_id}/view"), ("GET", "/v1/matches/{match_id}/rulings")} <= described


def test_the_types_of_the_sdk_have_the_members_that_are_described():
    schemas = yaml.safe_load((Path(__file__).resolve().parents[2] / "openapi.yaml").read_text())["components"][
        "schemas"
    ]
    for typed, name in (
        (wire.View, "View"),
        (wire.Prompt, "Prompt"),
        (wire.Clock, "PromptClock"),
        (wire.Option, "Remedy"),
    ):
        assert set(typed.__annotations__) == set(schemas[name]["properties"]), name
    acts = [schemas[one["$ref"].rpartition("/")[2]]["properties"] for one in schemas["Act"]["oneOf"]]
    assert set(wire.Act.__annotations__) == set().union(*acts) - {"version", "seat"}
