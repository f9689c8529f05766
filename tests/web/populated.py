"""A service that knows a bit of everything, for tests that ask it all sorts of things."""

import random
from dataclasses import dataclass
from typing import Any

from flask.testing import FlaskClient

from referee.service import Service, advancing
from tests.web.asking import bearer
from tests.web.test_journey import Table, register

ORGANISER = bearer("organiser-for-tests")


@dataclass(frozen=True, slots=True)
class Populated:
    """Ids that there are by the parameter they fit, those that may be ended, and the headers of nobody, a bot, the organiser."""

    known: dict[str, list[Any]]
    spare: dict[str, list[Any]]
    tokens: list[dict[str, str]]


def populated(client: FlaskClient, service: Service) -> Populated:
    """Register bots, finish one friendly, leave others live and planned, at tables of two, three and four; start a
    tournament, leave others unstarted, one of teams with an offer."""
    bots = [register(client, name) for name in ("north", "south", "west", "east")]
    ids = [bot for bot, _ in bots]
    tokens = [{}, bearer(bots[0][1]), ORGANISER]

    def friendly(ruleset: str = "house", seats: int = 2) -> str:
        body = {"bots": ids[:seats], "ruleset": ruleset, "overrides": {"target": 1}}
        return str(client.post("/v1/matches", json=body, headers=tokens[1]).get_json()["id"])

    def tournament(name: str, entrants: list[str], **more: Any) -> str:
        body = {"name": name, "entrants": entrants, "open_entry": True, **more}
        return str(client.post("/v1/tournaments", json=body, headers=ORGANISER).get_json()["id"])

    finished = friendly()
    advancing.advance(service)
    Table(client, finished, {"a": bots[0][1], "b": bots[1][1]}).play_on(2000, random.Random(1))
    matches = [finished, friendly(), friendly("three_handed", 3), friendly("cruce", 4)]
    teams = tournament("teams", [], ruleset="four_handed", teams=[{"bots": ids[1:3]}])
    tournaments = [tournament("cup", ids[:3]), tournament("open", ids[:1]), teams, tournament("empty", [])]
    client.post(f"/v1/tournaments/{teams}/entries", json={"bot": ids[0], "partner": ids[3]}, headers=tokens[1])
    client.post(f"/v1/tournaments/{tournaments[0]}/start", headers=ORGANISER)
    client.post(f"/v1/bots/{ids[0]}/checks", json={}, headers=tokens[1])
    advancing.advance(service)
    club = {"name": "club", "base": "house", "options": {"target": 3}}
    client.post("/v1/rulesets", json=club, headers=tokens[1])
    known: dict[str, list[Any]] = {"bot_id": ids[:3], "match_id": matches, "tournament_id": tournaments}
    known |= {"name": ["house", "club"], "law_id": ["IR-20", "IR-36"], "number": [1], "case": [1]}
    return Populated(known, {"bot_id": ids[3:], "tournament_id": [tournament("doomed", ids[:2])]}, tokens)
