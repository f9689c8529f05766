"""House rules: the resolved rule-set of a tournament is stored, hashed, shown, and what its matches are played by."""

from __future__ import annotations

import json
from typing import Any

from flask.testing import FlaskClient

from referee.rules import rulesets
from referee.service import Service, matches, plays, tournaments
from referee.store import tournament_rows
from referee.web.app import create_app
from tests.service.playing_along import ORGANISER, matches_of, play_on, register, tournament


def changes() -> dict[str, Any]:
    """A change of each kind that the house rule-set takes."""
    house = rulesets.named("house")
    return {"target": 3, "points_schwarz": 4, "nine_needs_trick": not house.options["nine_needs_trick"]}


def test_the_resolved_set_is_stored_and_hashed_and_shown(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea")]
    cup = tournament(service, seated, overrides=changes())
    resolved = rulesets.named("house").override(changes())
    with service.record.reading() as connection:
        row = tournament_rows.by_id(connection, cup)
    assert row is not None
    assert row["play"]["options"] == dict(resolved.options)
    shown = tournaments.get_tournament(service, cup)
    assert shown["ruleset_digest"] == resolved.digest == row["ruleset_digest"]
    assert shown["options"] == dict(resolved.options)
    assert {each["option"]: (each["value"], each["named"]) for each in shown["differences"]} == {
        name: (value, rulesets.named("house").options[name]) for name, value in changes().items()
    }
    assert "options" not in tournaments.list_tournaments(service).items[0]
    play_on(service, seated)
    [match] = matches_of(service, cup)
    opening = json.loads(matches.get_events(service, match["id"], limit=1)[0][0])
    assert opening["ruleset"] == {"name": "house", "digest": resolved.digest, "options": dict(resolved.options)}
    assert "options" not in matches.get_match(service, match["id"])


def test_what_was_resolved_holds_whatever_the_named_rule_set_says_later(service: Service) -> None:
    kept = plays.read(service, {"overrides": {"target": 3}}, code="match/unfit")
    older = {**kept, "overrides": {}, "options": {**kept["options"], "points_schwarz": 4}}
    assert plays.ruleset_of(older).options["points_schwarz"] == 4
    assert plays.ruleset_of(older).options["target"] == 3
    unread = {name: value for name, value in kept.items() if name != "options"}
    assert plays.ruleset_of(unread).digest == plays.ruleset_of(kept).digest


def test_an_override_that_changes_nothing_is_no_difference(service: Service) -> None:
    made = tournaments.create(
        service, {"name": "cup", "overrides": {"target": rulesets.named("house").options["target"]}}, caller=ORGANISER
    )
    assert made["differences"] == []
    assert made["ruleset_digest"] == rulesets.named("house").digest


def test_the_page_shows_the_house_rules(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea")]
    cup = tournament(service, seated, overrides={"points_schwarz": 4})
    client: FlaskClient = create_app(service).test_client()
    page = client.get(f"/tournaments/{cup}").text
    digest = rulesets.named("house").override({"points_schwarz": 4}).digest
    assert digest in page
    assert "House rules" in page
    assert "points schwarz" in page
    assert client.get(f"/v1/tournaments/{cup}").get_json()["ruleset_digest"] == digest
