"""Two deals that differ only in what a seat cannot see give that seat the same bytes on every endpoint and page."""

import random
import re
from collections.abc import Sequence
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.match import table as tables
from referee.rules import rulesets
from referee.rules.cards import CARD_NAMES, CARD_NUMBERS, pack_cards
from referee.service import Service, advancing
from tests.web.asking import bearer
from tests.web.test_journey import CARDS, Table, register

SEED = "5e" * 32
ORGANISER = bearer("organiser-for-tests")
FACES = [(re.compile(pattern), name) for pattern, name in [
    (r"mat_[0-9a-v]{26}", "MATCH"), (r"bot_[0-9a-v]{26}", "BOT"), (r"[0-9a-f]{64}", "HASH"),
    (r"20\d\d-\d\d-\d\dT[0-9:.]+Z", "TIME"),
    (r'"(left|charged|round_trip)_ms":\d+', "CLOCK"), (r'"ms":\d+', "MS"),
]]  # fmt: skip


def faceless(text: str) -> str:
    """Return an answer without what differs between any two matches: ids, hashes, times and clocks."""
    for pattern, name in FACES:
        text = pattern.sub(name, text)
    return text


def told(table: Table, seat: str | None, *, pack: frozenset[str] = CARDS) -> dict[str, str]:
    """Return everything the service tells a seat, or a spectator, about the match: answers, refusals and pages."""
    headers = bearer(table.tokens[seat]) if seat else {}
    base = f"/v1/matches/{table.match}"
    paths = [base, f"{base}/view", f"{base}/events", f"{base}/rulings", f"{base}/log", "/v1/turns"]
    paths.append("/v1/stream?seconds=0")
    paths += [f"/matches/{table.match}", f"/matches/{table.match}/table"]
    answers = {path: table.client.get(path, headers=headers) for path in paths}
    answers["text log"] = table.client.get(f"{base}/log", headers={**headers, "Accept": "text/plain"})
    if seat:
        answers["batch"] = table.client.post("/v1/acts", json={"acts": [], "wait": 0}, headers=headers)
        view = table.view(seat)
        for card in sorted(pack - set(view["view"]["hand"])):
            for act in ({"act": "play"}, {"act": "marry"}, {"act": "exchange"}, {"act": "expose"}):
                body = {"version": view["version"], **act, "card": card}
                answers[str(body)] = table.act(seat, body)
    return {faceless(asked): f"{answer.status_code} {faceless(answer.text)}" for asked, answer in answers.items()}


def friendly(
    client: FlaskClient, service: Service, bots: Sequence[tuple[str, str]], *, ruleset: str = "house"
) -> Table:
    """Open a friendly with the one seed and return its table."""
    body = {"bots": [bot for bot, _ in bots], "seed": SEED, "ruleset": ruleset}
    made = client.post("/v1/matches", json=body, headers=ORGANISER)
    assert made.status_code == 201, made.text
    advancing.advance(service)
    return Table(client, made.get_json()["id"], {seat: token for seat, (_, token) in zip("abcd", bots, strict=False)})


def play_alike(table: Table, acts: int) -> list[tuple[str, dict[str, Any]]]:
    """Play so many lawful acts and return them."""
    done, choose = [], random.Random(acts)
    for _ in range(acts):
        seat, prompt = table.asked()
        cards = [act for act in prompt["lawful"] if act["act"] == "play"]
        act = choose.choice(cards or prompt["lawful"])
        table.act(seat, {"version": prompt["version"], **act})
        done.append((seat, act))
    return done


def replay(table: Table, acts: Sequence[tuple[str, dict[str, Any]]]) -> None:
    """Play these acts."""
    for seat, act in acts:
        answer = table.act(seat, {"version": table.view(seat)["version"], **act})
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("acts", [0, 1, 4])
@pytest.mark.parametrize("seat", ["a", "b", None])
def test_what_a_seat_cannot_see_changes_nothing_it_is_told(
    client: FlaskClient, service: Service, monkeypatch: pytest.MonkeyPatch, seat: str | None, acts: int
) -> None:
    bots = [register(client, name, concurrency=1) for name in ("north", "south")]
    plain = tables.pack_for
    first = friendly(client, service, bots)
    played = play_alike(first, acts)
    views = {each: first.view(each)["view"] for each in "ab"}
    known = set(views["a"]["open"]) | {act["card"] for _, act in played}
    known |= set(views[seat]["hand"]) if seat else set()
    hidden = sorted({card for each in "ab" if each != seat for card in views[each]["hand"]} - known)
    stock = sorted(CARDS - known - set(views["a"]["hand"]) - set(views["b"]["hand"]))
    swap = {CARD_NUMBERS[hidden[0]]: CARD_NUMBERS[stock[0]], CARD_NUMBERS[stock[0]]: CARD_NUMBERS[hidden[0]]}
    assert len(swap) == 2, "nothing hidden to swap"
    before = told(first, seat)
    client.delete(f"/v1/bots/{bots[0][0]}", headers=ORGANISER)
    client.delete(f"/v1/bots/{bots[1][0]}", headers=ORGANISER)

    def swapped(*asked: Any) -> tuple[int, ...]:
        return tuple(swap.get(card, card) for card in plain(*asked))

    monkeypatch.setattr(tables, "pack_for", swapped)
    bots = [register(client, name, concurrency=1) for name in ("north", "south")]
    second = friendly(client, service, bots)
    replay(second, played)
    assert {views[each]["hand"] != second.view(each)["view"]["hand"] for each in "ab"} == {True, False}
    after = told(second, seat)
    assert after.keys() == before.keys()
    for asked, answer in before.items():
        assert after[asked] == answer, asked


def hidden_pair(table: Table, seat: str | None, played: Sequence[tuple[str, dict[str, Any]]]) -> tuple[str, str]:
    """Return two cards that the seat cannot tell apart, in the hands of two others or one in the stock.

    Where everything is dealt they are of one suit, neither trump nor played yet, so that whatever was lawful for their
    owners is so with the cards exchanged; with partners one of the hands is the partner's.
    """
    views = {each: table.view(each)["view"] for each in table.tokens}
    any_view = views["a"]
    known = set(any_view["open"]) | {act["card"] for _, act in played if "card" in act}
    hands = {each: sorted(set(view["hand"]) - known) for each, view in views.items() if each != seat}
    if any_view["stock"]:
        everybodys = {card for view in views.values() for card in view["hand"]}
        stock = sorted(CARDS - known - everybodys)
        return next(card for cards in hands.values() for card in cards), stock[0]
    suits = {act["card"][1] for _, act in played if "card" in act} | {any_view["trump"]}
    first = views[seat]["partner"] if seat else "a"
    pairs = [
        (one, other)
        for one in hands[first]
        for owner, cards in hands.items()
        for other in cards
        if owner != first and one[1] == other[1] and one[1] not in suits
    ]
    return pairs[0]


@pytest.mark.parametrize(
    ("ruleset", "seat"),
    [(name, seat) for name, seats in (("three_handed", "abc"), ("four_handed", "abcd"), ("cruce", "abcd"))
     for seat in (*seats, None)],
)  # fmt: skip
@pytest.mark.parametrize("acts", [0, 2, 6])
def test_what_a_seat_of_three_or_four_cannot_see_changes_nothing_it_is_told(
    client: FlaskClient, service: Service, monkeypatch: pytest.MonkeyPatch, ruleset: str, seat: str | None, acts: int
) -> None:
    options = rulesets.named(ruleset).options
    pack = frozenset(CARD_NAMES[card] for card in pack_cards(int(str(options["pack"]))))
    names = ("north", "east", "south", "west")[: int(str(options["seats"]))]
    plain = tables.pack_for
    bots = [register(client, name, concurrency=1) for name in names]
    first = friendly(client, service, bots, ruleset=ruleset)
    played = play_alike(first, acts)
    pair = hidden_pair(first, seat, played)
    hands = {each: set(first.view(each)["view"]["hand"]) for each in first.tokens}
    before = told(first, seat, pack=pack)
    for bot, _ in bots:
        client.delete(f"/v1/bots/{bot}", headers=ORGANISER)
    one, other = (CARD_NUMBERS[card] for card in pair)
    swap = {one: other, other: one}
    monkeypatch.setattr(tables, "pack_for", lambda *asked: tuple(swap.get(card, card) for card in plain(*asked)))
    second = friendly(client, service, [register(client, name, concurrency=1) for name in names], ruleset=ruleset)
    replay(second, played)
    changed = {each for each in hands if set(second.view(each)["view"]["hand"]) != hands[each]}
    assert seat not in changed
    assert changed, "nothing hidden was exchanged"
    if options["partners"] and seat:
        assert second.view(seat)["view"]["partner"] in changed
    after = told(second, seat, pack=pack)
    assert after.keys() == before.keys()
    for asked, answer in before.items():
        assert after[asked] == answer, asked
