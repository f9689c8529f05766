"""Tables of three and four and teams over HTTP: what goes in, what comes out, and what the pages show of it."""

import random
import re
from html import unescape
from typing import Any

import jsonschema
import pytest
import yaml
from flask.testing import FlaskClient

from referee.service import Service, advancing
from referee.web import openapi
from tests.web.asking import bearer, check
from tests.web.test_journey import Table, register

ORGANISER = bearer("organiser-for-tests")
NAMES = ("Ada", "Bea", "Cyd", "Dee")
SEATS = {"house": 2, "three_handed": 3, "four_handed": 4, "cruce": 4}
CARD = re.compile(r'aria-label="((?:ace|ten|king|queen|jack|nine|eight|seven) of [a-z]+)"')


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(openapi.render())
    return found


@pytest.fixture
def bots(client: FlaskClient) -> list[tuple[str, str]]:
    return [register(client, name, concurrency=4) for name in NAMES]


def fits(described: dict[str, Any], name: str, body: Any) -> None:
    """Hold an answer to its schema."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": described["components"]}
    jsonschema.Draft202012Validator(schema).validate(body)


def seated(client: FlaskClient, service: Service, bots: list[tuple[str, str]], name: str, **overrides: int) -> Table:
    """Open a friendly of as many bots as the rule-set has seats."""
    ours = bots[: SEATS[name]]
    body = {"bots": [bot for bot, _ in ours], "ruleset": name, "overrides": overrides, "seed": "3" * 64}
    made = client.post("/v1/matches", json=body, headers=ORGANISER)
    assert made.status_code == 201, made.text
    advancing.advance(service)
    return Table(client, made.get_json()["id"], {seat: token for seat, (_, token) in zip("abcd", ours, strict=False)})


def play(table: Table, acts: int, dice: random.Random, *, ticks: int = 1) -> None:
    """Play so many acts, cards wherever one is to be played; bid so many ticks, or pass."""
    for _ in range(acts):
        if table.client.get(f"/v1/matches/{table.match}").get_json()["state"] != "live":
            return
        seat, prompt = table.asked()
        cards = [act for act in prompt["lawful"] if act["act"] == "play"]
        bids = [act for act in ({"act": "bid", "ticks": ticks}, {"act": "pass"}) if act in prompt["lawful"]]
        act = dice.choice(cards or bids[:1] or prompt["lawful"][:1])
        assert table.act(seat, {"version": prompt["version"], **act}).status_code == 200


def test_teams_are_entered_played_and_shown_over_http(
    client: FlaskClient, service: Service, bots: list[tuple[str, str]], described: dict[str, Any]
) -> None:
    (ada, _), (bea, _), (cyd, _), (dee, _) = bots
    body = {
        "name": "cup", "ruleset": "four_handed", "overrides": {"target": 1}, "standings": "game_points",
        "entrants": [ada], "teams": [{"bots": [bea, cyd]}, {"bots": [dee], "name": "Solo"}],
    }  # fmt: skip
    made = client.post("/v1/tournaments", json=body, headers=ORGANISER)
    assert made.status_code == 201, made.text
    fits(described, "Tournament", made.get_json())
    base = f"/v1/tournaments/{made.get_json()['id']}"
    assert client.post(f"{base}/start", headers=ORGANISER).status_code == 200
    tokens = dict(bots)
    dice = random.Random(1)
    for _ in range(3):
        advancing.advance(service)
        live = client.get(f"{base}/matches?state=live").get_json()["matches"]
        for match in live:
            held = {seat: tokens[who["bot"]] for seat, who in match["seats"].items()}
            for _ in range(40):
                table = Table(client, match["id"], held)
                if client.get(f"/v1/matches/{match['id']}").get_json()["state"] != "live":
                    break
                seat, prompt = next((s, p) for s in held for p in table.prompts(s) if p["match"] == match["id"])
                card = dice.choice([act for act in prompt["lawful"] if act["act"] == "play"])
                assert table.act(seat, {"version": prompt["version"], **card}).status_code == 200
    shown = client.get(base).get_json()
    assert shown["state"] == "finished", shown
    fits(described, "Tournament", shown)
    for what, schema in (("standings", "Standings"), ("crosstable", "Crosstable"), ("export", "Export")):
        fits(described, schema, client.get(f"{base}/{what}").get_json())
    page = unescape(client.get(f"/tournaments/{shown['id']}").text)
    for said in (
        "Bea & Cyd",
        "Bea and Cyd",
        "Dee, in both partner seats",
        "by game points",
        *shown["balance"]["words"],
    ):
        assert said in page
    assert "Solo – Bea & Cyd" in page or "Bea & Cyd – Solo" in page
    match = shown_match = client.get(f"{base}/matches").get_json()["matches"][0]
    fits(described, "Match", shown_match)
    assert len(match["seats"]) == 4


def test_a_team_is_offered_taken_up_and_declined_over_http(
    client: FlaskClient, bots: list[tuple[str, str]], described: dict[str, Any]
) -> None:
    (ada, adas), (bea, beas), (cyd, cyds), _ = bots
    body = {"name": "cup", "ruleset": "cruce", "open_entry": True}
    base = f"/v1/tournaments/{client.post('/v1/tournaments', json=body, headers=ORGANISER).get_json()['id']}"
    offer = client.post(f"{base}/entries", json={"bot": ada, "partner": bea, "name": "Aces"}, headers=bearer(adas))
    assert (offer.status_code, offer.get_json()["state"]) == (201, "offered")
    fits(described, "Entry", offer.get_json())
    declined = client.delete(f"{base}/entries/{bea}", headers=bearer(beas))
    assert (declined.status_code, declined.get_json()["name"]) == (200, "Aces")
    assert client.get(base).get_json()["entrants"] == []
    client.post(f"{base}/entries", json={"bot": cyd, "partner": bea}, headers=bearer(cyds))
    taken = client.post(f"{base}/entries", json={"bot": bea, "partner": cyd}, headers=bearer(beas)).get_json()
    assert (taken["bot"], taken["name"], taken["state"]) == (cyd, "Cyd & Bea", "entered")
    again = client.post(f"{base}/entries", json={"bot": ada, "partner": bea}, headers=bearer(adas))
    check(again, 409, "tournament/entered_twice")
    for unfit in ({"bot": ada, "partner": 1}, {"bot": ada, "name": ""}, {"bot": ada, "mate": bea}):
        check(client.post(f"{base}/entries", json=unfit, headers=bearer(adas)), 422, "request/invalid")
    page = unescape(client.get(f"/tournaments/{client.get(base).get_json()['id']}").text)
    assert "Cyd & Bea" in page


@pytest.mark.parametrize(
    "team",
    [{}, {"bots": []}, {"bots": ["bot_1", "bot_2", "bot_3"]}, {"bots": ["x"]}, {"bots": ["bot_1"], "n": 1}, "bot_1"],
)
def test_what_is_no_team_is_refused_with_its_place(client: FlaskClient, team: Any) -> None:
    body = {"name": "cup", "ruleset": "four_handed", "teams": [team]}
    problem = check(client.post("/v1/tournaments", json=body, headers=ORGANISER), 422, "request/invalid")
    assert all(error["pointer"].startswith("/teams/0") for error in problem["errors"])


@pytest.mark.parametrize("name", SEATS)
def test_the_page_of_a_live_match_has_every_seat_and_no_card_that_is_closed(
    client: FlaskClient, service: Service, bots: list[tuple[str, str]], name: str
) -> None:
    table = seated(client, service, bots, name)
    play(table, 7, random.Random(2))
    seen = table.view(None)["view"]
    page = unescape(client.get(f"/matches/{table.match}").text)
    news = client.get(f"/matches/{table.match}/table").get_json()["table"]
    drawn = page.split('<section class="table"')[1].split("</section>")[0]
    assert drawn == unescape(news).split('<section class="table"')[1].split("</section>")[0]
    for seat, who in zip("abcd", NAMES[: SEATS[name]], strict=False):
        assert f"<h3>{seat} · {who}" in drawn
    assert drawn.count('class="seat ') == SEATS[name]
    open_ones = [
        *seen["open"],
        *(laid["card"] for laid in seen["table"]),
        *((seen["last_trick"] or {}).get("cards", [])),
    ]
    assert len(CARD.findall(drawn)) <= len(open_ones)
    assert drawn.count('aria-label="a closed card"') == sum(seen["sizes"].values())
    assert ("rests in this deal" in drawn) == (name == "three_handed")
    assert ("bid 1" in drawn) == (name == "cruce") == ("Highest bid" in drawn)
    assert ("with c" in drawn) == (SEATS[name] == 4)
    assert f"{NAMES['abcd'.index(seen['turn'])]} ({seen['turn']}) to act" in drawn


@pytest.mark.parametrize("name", SEATS)
def test_a_finished_match_is_stepped_through_with_all_its_hands(
    client: FlaskClient, service: Service, bots: list[tuple[str, str]], name: str
) -> None:
    table = seated(client, service, bots, name, target=1)
    play(table, 400, random.Random(4))
    shown = client.get(f"/v1/matches/{table.match}").get_json()
    assert shown["state"] == "done", shown
    first = unescape(client.get(f"/matches/{table.match}").text)
    count = int(first.split("step 1 of ")[1].split("<")[0])
    dealt = {"house": 12, "three_handed": 12, "four_handed": 32, "cruce": 24}[name]
    drawn = first.split('<section class="table"')[1].split("</section>")[0]
    assert len(set(CARD.findall(drawn))) in (dealt, dealt + 1)  # with the turn-up
    assert "a closed card" not in drawn
    for at in (2, count // 2, count):
        assert f"step {at} of {count}" in client.get(f"/matches/{table.match}?at={at}").text
    against = " against ".join(" & ".join(shown["seats"][seat]["name"] for seat in side) for side in shown["sides"])
    assert f"<h1>{against}</h1>" in first
    listed = unescape(client.get("/matches").text)
    assert against.replace(" against ", " – ") in listed
    won = next(side for side in shown["sides"] if shown["winner"] in side)
    assert f"{' & '.join(shown['seats'][seat]['name'] for seat in won)} won" in listed
    score = " : ".join(str(shown["score"][side[0]]) for side in shown["sides"])
    assert f"<dd>{score}</dd>" in first


def test_the_partner_of_who_bids_the_moon_is_out_and_its_hand_stays_closed(
    client: FlaskClient, service: Service, bots: list[tuple[str, str]]
) -> None:
    table = seated(client, service, bots, "cruce")
    play(table, 6, random.Random(2), ticks=5)
    seen = table.view(None)["view"]
    page = client.get(f"/matches/{table.match}").text
    assert "abcd".index(seen["out"]) == ("abcd".index(seen["bidder"]) + 2) % 4
    assert "out of this deal: the partner plays alone" in page
    assert page.count('aria-label="a closed card"') == sum(seen["sizes"].values()) == 22


def test_who_lost_a_match_that_two_have_won_is_told(
    client: FlaskClient, service: Service, bots: list[tuple[str, str]]
) -> None:
    table = seated(client, service, bots, "three_handed")
    seat, prompt = table.asked()
    assert table.act(seat, {"version": prompt["version"], "act": "resign"}).status_code == 200
    shown = client.get(f"/v1/matches/{table.match}").get_json()
    assert (shown["winner"], shown["lost_by"]) == (None, seat)
    name = shown["seats"][seat]["name"]
    assert f"lost by {name} ({seat})" in client.get(f"/matches/{table.match}").text
    assert f"{name} lost" in client.get("/matches").text
