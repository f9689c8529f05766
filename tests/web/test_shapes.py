"""What openapi.yaml says of acts, views and prompts is what the code reads and writes, member by member."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from flask.testing import FlaskClient

from referee import match
from referee.match.state import draft
from referee.rules import acts, notation
from referee.service import Service, advancing
from referee.web import openapi
from referee.web.push import PROMPT
from referee.web.schemas import acts as described_acts
from tests.match.playing import ALL_CHORES, play, terms
from tests.web.test_journey import Table, register

CHORES = (ALL_CHORES, ALL_CHORES)
CLIENTS = Path(__file__).parents[2] / "clients"
#: Matches that between them see every phase and every odd thing a view can tell of.
MATCHES: tuple[dict[str, Any], ...] = (
    {"seed": 3},
    {"seed": 5, "irregular": 0.4, "chores": CHORES},
    {"seed": 2, "irregular": 0.5, "chores": CHORES},
    {"seed": 4, "irregular": 0.5, "chores": CHORES},
    {"seed": 4, "overrides": {"marriage_proof": "on_demand"}},
    {"seed": 13, "irregular": 0.3, "chores": CHORES, "name": "pagat"},
    {"seed": 2, "chores": ((*ALL_CHORES, "watch"), (*ALL_CHORES, "watch")), "calls": "players"},
    {"seed": 1, "name": "schnapsen", "overrides": {"target": 3}},
    {"seed": 2, "name": "three_handed", "irregular": 0.3, "chores": (ALL_CHORES,) * 3},
    {"seed": 1, "name": "four_handed", "overrides": {"ten_of_trumps": "game_point", "target": 3}},
    {"seed": 2, "name": "cruce", "irregular": 0.3, "chores": (ALL_CHORES,) * 4, "overrides": {"target": 3}},
)


#: What hardly ever comes about at random: marriages shown unled, two cards lifted, looks, a seat that may not close.
ODD = """a:TS KS QS JS TD KH | b:TC KC QC JC 9C AC | tricks:a:AS+9S b:AH+9H | stock:* | turn-up:QD | dealer:b
| lifted:a:QH JH | shown:S | barred:b | looked:a:1 b:KD | laid-open:a b | a leads"""
#: What an irregular act at a table of four leaves behind: a card before its turn, one taken back, a bid ruled out.
ODD_AT_FOUR = """a:TS 9S AH TH KH | b:QH JH 9H AD TD KD | c:QD JD 9D AC TC | d:KC QC JC 9C KS QS | dealer:d | trump:S
| table:a:AS | early:c:JS | exposed:KD | bids:a:2 b:- c:- d:- | cancelled:b:1 | b follows"""


@pytest.fixture(scope="module")
def schemas() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(openapi.render())["components"]["schemas"]
    return found


@pytest.fixture(scope="module")
def closed(schemas: dict[str, Any]) -> dict[str, Any]:
    """The same schemas, but open to no member that is not described."""
    return {name: _closed(schema) for name, schema in schemas.items()}


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _closed(inner) for name, inner in schema.items()}
    return {**found, "additionalProperties": False} if "properties" in schema else found


def validator(name: str, among: dict[str, Any]) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": {"schemas": among}})


@pytest.fixture(scope="module")
def steps() -> list[match.Match]:
    """Every state of some matches, those of odd acts among them, and one where all that is rare is there."""
    rare = []
    for name, text in (("house", ODD), ("cruce", ODD_AT_FOUR)):
        one = draft(match.open_match(terms(name), bytes(32)).match)
        one.position = notation.read_position(text, one.terms.ruleset)
        rare.append(one)
    return [*rare, *(step.match for agreed in MATCHES for step in play(**agreed).steps)]


def test_every_act_is_described_with_exactly_the_members_it_takes(schemas: dict[str, Any]) -> None:
    kinds = {
        one["properties"]["act"]["const"]: one
        for name, one in schemas.items()
        if name.endswith("Act") and "properties" in one
    }
    assert list(kinds) == list(acts.SHAPES)
    for kind, shape in acts.SHAPES.items():
        properties = kinds[kind]["properties"]
        assert list(properties) == ["act", *shape, "version", "seat"], kind
        assert kinds[kind]["required"] == ["act", *(name for name in shape if shape[name].required)]
        assert all(properties[name]["description"] for name in shape), kind
        assert kinds[kind]["description"]
    mapping = schemas["Act"]["discriminator"]["mapping"]
    assert list(mapping) == list(acts.SHAPES)
    assert [one["$ref"] for one in schemas["Act"]["oneOf"]] == list(mapping.values())


def test_the_words_about_acts_are_about_acts_there_are() -> None:
    assert {kind: set(meanings) for kind, (_, _, meanings) in described_acts._WORDS.items()} == {
        kind: set(shape) for kind, shape in acts.SHAPES.items()
    }


def test_every_act_there_is_fits_and_every_example_is_one(schemas: dict[str, Any]) -> None:
    fits = validator("Act", schemas)
    dice = random.Random(4)
    for body in dice.sample([acts.act_json(one) for one in acts.finite_acts()], 300):
        fits.validate(body)
    for kind in acts.SHAPES:
        fits.validate(described_acts.example(kind))
        assert acts.act_json(acts.read_act(described_acts.example(kind))) == described_acts.example(kind)


def _wrong() -> Iterator[dict[str, Any]]:
    for kind, shape in acts.SHAPES.items():
        right = described_acts.example(kind)
        yield {**right, "more": 1}
        yield {"act": kind + "s"}
        for name, member in shape.items():
            whole = member.schema["type"] == "integer"
            beyond = [member.schema["minimum"] - 1, member.schema["maximum"] + 1] if whole else ["", "x" * 30, 0]
            for value in (*beyond, None, [], False):
                yield {**right, name: value}
            if member.required:
                yield {key: value for key, value in right.items() if key != name}


def test_what_the_schema_refuses_is_refused_when_read(schemas: dict[str, Any]) -> None:
    fits = validator("Act", schemas)
    for body in _wrong():
        assert not fits.is_valid(body), body
        with pytest.raises(acts.Unreadable):
            acts.read_act(body)


def test_the_limits_of_a_number_are_within_what_is_read() -> None:
    for kind, shape in acts.SHAPES.items():
        for name, member in shape.items():
            if member.schema["type"] == "integer":
                for value in (member.schema["minimum"], member.schema["maximum"]):
                    assert member.read(value) == value, (kind, name)
            for value in member.schema.get("enum", ()):
                assert member.write(member.read(value)) == value, (kind, name)


def test_what_is_posted_needs_its_version(schemas: dict[str, Any]) -> None:
    fits = validator("ActPosted", schemas)
    assert fits.is_valid({"version": 41, "act": "play", "card": "AS"})
    assert not fits.is_valid({"act": "play", "card": "AS"})
    assert not fits.is_valid({"version": 0, "act": "play", "card": "AS"})


def test_a_view_holds_what_is_described_and_no_more(closed: dict[str, Any], steps: list[match.Match]) -> None:
    fits = validator("View", closed)
    seen: set[str] = set()
    phases: set[str] = set()
    odd: set[str] = set()
    for m in steps:
        for seat in (*range(len(m.terms.seats)), None):
            view = match.view(m, seat)
            fits.validate(view)
            seen |= view.keys()
            phases.add(view["phase"])
            odd |= {name for name, value in view.items() if value not in ([], None, {})}
    properties = closed["View"]["properties"]
    assert seen == set(properties), "described, but in none of these views"
    assert phases == set(properties["phase"]["enum"])
    assert odd == set(properties), "never filled in these views, so not compared"
    assert all(one.get("description") for one in properties.values())


def test_what_only_a_seat_sees_is_not_required_of_a_view(schemas: dict[str, Any], steps: list[match.Match]) -> None:
    always = set.intersection(*(set(match.view(m, None)) for m in steps))
    assert set(schemas["View"]["required"]) == always
    assert set(match.view(steps[0], 0)) - always >= {"hand", "seen_tricks"}


def test_a_prompt_holds_what_is_described_and_no_more(closed: dict[str, Any], steps: list[match.Match]) -> None:
    fits = validator("Prompt", closed)
    seen: set[str] = set()
    remedies: set[str] = set()
    for m in steps:
        for seat in m.asked:
            prompt = match.prompt(m, seat)
            fits.validate(prompt)
            seen |= prompt.keys()
            remedies |= {name for option in prompt.get("options", ()) for name in option}
    assert seen | {"clock"} == set(closed["Prompt"]["properties"])
    assert remedies == set(closed["Remedy"]["properties"])


def test_the_prompt_of_the_push_protocol_is_one(closed: dict[str, Any]) -> None:
    validator("Prompt", closed).validate(PROMPT)


def test_a_prompt_that_was_fetched_has_the_clock_that_is_described(
    client: FlaskClient, service: Service, closed: dict[str, Any]
) -> None:
    bots = [register(client, name) for name in ("north", "south")]
    asked = {"bots": [bot for bot, _ in bots]}
    made = client.post("/v1/matches", json=asked, headers={"Authorization": f"Bearer {bots[0][1]}"})
    advancing.advance(service)
    _, prompt = Table(client, made.get_json()["id"], {"a": bots[0][1], "b": bots[1][1]}).asked()
    validator("Prompt", closed).validate(prompt)
    assert prompt["clock"].keys() == closed["PromptClock"]["properties"].keys()


def test_the_table_of_acts_for_bot_authors_names_every_act_and_member() -> None:
    page = (CLIENTS / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \|([^|]*)\|", page.partition("## The acts")[2], re.MULTILINE)
    told = {}
    for kind, members in rows:
        needed, _, left_out = members.partition("[")
        told[kind] = (re.findall(r"`(\w+)`", needed), re.findall(r"`(\w+)`", left_out))
    assert told == {
        kind: (
            [name for name in shape if shape[name].required],
            [name for name in shape if not shape[name].required],
        )
        for kind, shape in acts.SHAPES.items()
    }
