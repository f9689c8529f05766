"""Two worlds alike to the last byte but for two cards: what a viewer is told in each is compared, request by request.

Ids, tokens, seeds and clocks come out of counters, so that nothing has to be struck out before answers are compared, not
even the hash chain of the log. A world is made by emptying the stores and doing the same again with another pack.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from types import SimpleNamespace
from typing import Any

import orjson
import prometheus_client
import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient

from referee import journal
from referee.match import table as match_tables
from referee.rules.cards import CARD_NAMES
from referee.rules.positions import DEALING, Position
from referee.service import Service, advancing, clock, ids, streaming
from referee.service import table as live_table
from referee.service.clock import HostClock
from referee.store import tables as stored
from referee.web import streams
from referee.web.app import create_app
from referee.web.observing import plain
from tests.web.asking import bearer

NOON = 1_800_000_000
SEED = "5e" * 32
ORGANISER = bearer("organiser-for-tests")
NAMES = ("north", "east", "south", "west")
SPECTATOR, STRANGER, THE_ORGANISER = "spectator", "stranger", "organiser"
SEATS = "abcd"
#: Refused acts a viewer tries: fewer than lose a match by conduct, with what else is refused.
TRIED = 14
#: What cannot be the same in two worlds of one process: how long something took, and what the process is.
OF_THE_PROCESS = ("seconds", "_created", "process_", "python_")
VARYING = ("at", "pid", "ms")

Told = dict[str, str]


@dataclass(frozen=True, slots=True)
class Phase:
    """A moment of a match that is looked at: how it is played, and from which moment on nobody acts any more."""

    name: str
    phase: str
    chores: tuple[str, ...] = ()
    overrides: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)
    #: At least so many acts, and the first of these kinds is done as soon as it is lawful.
    acts: int = 0
    first: tuple[str, ...] = ()
    deal: int = 1

    def is_reached(self, position: Position, deal: int, acts: int, done: Sequence[str]) -> bool:
        """Whether the moment has come."""
        wanted = set(self.first) <= set(done)
        return position.phase == self.phase and deal >= self.deal and acts >= self.acts and wanted


@dataclass(slots=True)
class World:
    """A live friendly and a stranger beside it, a tournament that has not begun, and who is who."""

    client: FlaskClient
    service: Service
    match: str
    cup: str
    bots: list[str]
    tokens: dict[str, dict[str, str]]
    lines: list[str]

    @property
    def live(self) -> Any:
        """The match as it stands."""
        return live_table.load(self.service, self.match).match

    def act(self, seat: str, act: Mapping[str, Any], version: int) -> Any:
        """Act for a seat."""
        return self.client.post(
            f"/v1/matches/{self.match}/acts", json={"version": version, **act}, headers=self.tokens[seat]
        )

    def asked(self) -> tuple[str, dict[str, Any]]:
        """The seat that is asked, and its prompt."""
        for seat in SEATS[: len(self.bots)]:
            prompts = self.client.get("/v1/turns", headers=self.tokens[seat]).get_json()["prompts"]
            if prompts:
                return seat, prompts[0]
        raise AssertionError("nobody is asked")


class Worlds:
    """Makes one world after the other over one application."""

    def __init__(self, service: Service, patched: pytest.MonkeyPatch) -> None:
        self.patched = patched
        self.service = replace(service, clock=HostClock(NOON * 1000, lambda: 0))
        self.app: Flask = create_app(self.service)
        self.lines: list[str] = []
        self.exchanged: dict[int, int] = {}
        self.deal = 0
        patched.setattr(clock, "time", SimpleNamespace(time=lambda: float(NOON), monotonic_ns=lambda: 0))
        patched.setattr(streams, "LONGEST_S", 0.0)
        patched.setattr(streaming, "LONGEST_SECONDS", 0.0)
        dealt = match_tables.pack_for

        def pack_for(seed: bytes, deal: int, *rest: Any, **more: Any) -> tuple[int, ...]:
            exchanged = self.exchanged if deal == self.deal else {}
            return tuple(exchanged.get(card, card) for card in dealt(seed, deal, *rest, **more))

        patched.setattr(match_tables, "pack_for", pack_for)

    def made(self, phase: Phase, ruleset: str, exchanged: Mapping[int, int], deal: int) -> World:
        """Make a world in which these cards have changed places in that deal."""
        self._empty()
        self.exchanged, self.deal = dict(exchanged), deal
        client = self.app.test_client()
        seats = 2 if ruleset not in ("three_handed", "four_handed", "cruce") else 3 if ruleset == "three_handed" else 4
        made = {
            name: client.post("/v1/bots", json={"name": name, "chores": phase.chores, "concurrency": 1}).get_json()
            for name in (*NAMES[:seats], STRANGER)
        }
        bots = [made[name]["bot"]["id"] for name in NAMES[:seats]]
        tokens = dict(zip(SEATS, (bearer(made[name]["token"]) for name in NAMES[:seats]), strict=False))
        tokens |= {SPECTATOR: {}, STRANGER: bearer(made[STRANGER]["token"]), THE_ORGANISER: ORGANISER}
        cup = {"name": "cup", "entrants": bots[:2], "seed": SEED}
        cup_id = client.post("/v1/tournaments", json=cup, headers=ORGANISER).get_json()["id"]
        body = {"bots": bots, "seed": SEED, "ruleset": ruleset, "overrides": dict(phase.overrides), **phase.more}
        opened = client.post("/v1/matches", json=body, headers=ORGANISER)
        assert opened.status_code == 201, opened.text
        advancing.advance(self.service)
        return World(client, self.service, opened.get_json()["id"], cup_id, bots, tokens, self.lines)

    def _empty(self) -> None:
        with self.service.record.writing() as connection:
            for each in reversed(stored.metadata.sorted_tables):
                if each.name != "settings":
                    connection.execute(each.delete())
        with redis.Redis.from_url(self.service.settings.redis_url) as client:
            client.flushdb()
        self.service.memory.standings.clear()
        self.service.memory.callers.clear()
        numbers = count(1)
        self.patched.setattr(ids, "new_id", lambda kind: f"{kind}_{next(numbers):026d}")
        self.patched.setattr(ids, "new_token", lambda: f"token-{next(numbers):037d}")
        self.lines.clear()

    @contextmanager
    def told_to_the_journal(self) -> Iterator[None]:
        """Keep what is logged, down to every request, as the journal would write it."""
        lines, form = self.lines, journal.Lines("web")

        class Keeper(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                line = orjson.loads(form.format(record))
                lines.append(str({name: value for name, value in line.items() if name not in VARYING}))

        ours, keeper = logging.getLogger("referee"), Keeper()
        level = ours.level
        ours.addHandler(keeper)
        ours.propagate = False  # a failing test would show thousands of lines
        ours.setLevel(logging.DEBUG)
        try:
            yield
        finally:
            ours.removeHandler(keeper)
            ours.propagate = True
            ours.setLevel(level)


def played(world: World, phase: Phase) -> list[tuple[str, dict[str, Any]]]:
    """Play lawful acts until the phase is there, and return them."""
    done: list[tuple[str, dict[str, Any]]] = []
    choose = random.Random(phase.name)
    while not phase.is_reached(world.live.position, world.live.deal, len(done), [act["act"] for _, act in done]):
        assert len(done) < 300, f"{phase.name} is not reached"
        seat, prompt = world.asked()
        wanted = [act for act in prompt["lawful"] if act["act"] in phase.first]
        plain_ones = [act for act in prompt["lawful"] if act["act"] in ("play", "draw", "pass")]
        act = choose.choice(wanted or plain_ones or prompt["lawful"])
        assert world.act(seat, act, prompt["version"]).status_code == 200
        done.append((seat, act))
    return done


def replayed(world: World, acts: Sequence[tuple[str, dict[str, Any]]]) -> bool:
    """Play these acts; whether each of them could be, and was as lawful as before."""
    for seat, act in acts:
        asked, prompt = world.asked()
        if asked != seat or act not in prompt["lawful"]:
            return False
        assert world.act(seat, act, prompt["version"]).status_code == 200
    return True


def unseen(position: Position, seat: int | None) -> list[list[int]]:
    """The cards a seat has not seen and cannot see, by the place they lie in: a hand of another each, and the stock."""
    hidden = [hand for each, hand in enumerate(position.hands) if each != seat or position.phase in DEALING]
    places = [[card for card in range(32) if hand >> card & 1] for hand in hidden] + [list(position.stock)]
    return [[card for card in place if not position.seen >> card & 1] for place in places]


def exchanges(position: Position, seat: int | None, choose: random.Random) -> list[dict[int, int]]:
    """Pairs of cards that could be in each other's place for all the seat has seen, likelier ones first.

    Those of one suit that is not trump come first: with them most that was lawful for others remains so.
    """
    places = unseen(position, seat)
    if position.phase in DEALING:
        flat = [card for place in places for card in place]
        pairs = [(flat[0], flat[-1]), tuple(choose.sample(flat, 2))]
    else:
        numbered = [(card, number) for number, place in enumerate(places) for card in place]
        pairs = [(one, other) for one, p in numbered for other, q in numbered if one < other and p != q]
        choose.shuffle(pairs)

    def unlikely(pair: tuple[int, int]) -> tuple[bool, bool]:
        one, other = (CARD_NAMES[card][1] for card in pair)
        return one != other, CARD_NAMES[pair[0]][1] == "SHDC"[position.trump] if position.trump >= 0 else False

    return [{one: other, other: one} for one, other in sorted(pairs, key=unlikely)]


def figures() -> dict[str, float]:
    """Every sample of the process's metrics but what tells of time."""
    return {
        f"{sample.name}{sorted(sample.labels.items())}": sample.value
        for family in prometheus_client.REGISTRY.collect()
        for sample in family.samples
        if not any(word in sample.name for word in OF_THE_PROCESS)
    }


def addresses(app: Flask, world: World, viewer: str) -> dict[tuple[str, str], str]:
    """An address of every route and method of the application, by both, filled in with what there is.

    The bot is another than the viewer, who may change nothing of it: what one viewer asks leaves the world as it was.
    """
    filled = {
        "match_id": world.match,
        "bot_id": world.bots[1 if viewer == "a" else 0],
        "tournament_id": world.cup,
        "name": "house",
        "law_id": "IR-20",
        "number": 1,
        "case": 1,
        "code": "act/irregular",
        "filename": "style.css",
        "form": "txt",
    }
    bound = app.url_map.bind("localhost")
    found = {}
    for rule in app.url_map.iter_rules():
        values = {name: filled.get(name, "1") for name in rule.arguments}
        for method in sorted(rule.methods - {"OPTIONS", "HEAD"}):
            found[method, plain(rule.rule)] = bound.build(rule.endpoint, values, method)
    return found


#: Whatever these show does not hang on a match: they are asked once in each game.
STILL = ("/static", "/openapi", "/laws", "/v1/laws", "/rulesets", "/v1/rulesets", "/problems", "/v1/adj", "/v1/val")


def told(worlds: Worlds, world: World, viewer: str, *, still: bool) -> Told:
    """All that a viewer is told: by every route, refused ones and misfits too, by streams, the journal and the metrics."""
    worlds.lines.clear()
    before, headers = figures(), world.tokens[viewer]
    elsewhere = {"REMOTE_ADDR": f"192.0.2.{[*world.tokens].index(viewer) + 1}"}  # what is counted by address is apart
    found: Told = {}

    def ask(method: str, path: str, name: str, **more: Any) -> None:
        sent = {**headers, **more.pop("headers", {})}
        answer = world.client.open(path, method=method, headers=sent, environ_base=elsewhere, **more)
        lines = "\n".join(f"{key}: {value}" for key, value in sorted(answer.headers))
        found[name] = f"{answer.status_code}\n{lines}\n\n{answer.get_data().decode('utf-8', 'replace')}"

    with worlds.told_to_the_journal():
        for (method, route), path in sorted(addresses(worlds.app, world, viewer).items()):
            if route == "/v1/metrics" or (route.startswith(STILL) and not still):
                continue
            if method == "GET":
                ask(method, path, f"GET {route}")
            elif viewer != THE_ORGANISER:
                ask(method, path, f"{method} {route}, no JSON", data=b"{", content_type="application/json")
                ask(method, path, f"{method} {route}, an empty object", json={})
        base = f"/v1/matches/{world.match}"
        for accept in ("text/plain", "application/x-ndjson", "image/png"):
            ask("GET", f"{base}/log", f"log as {accept}", headers={"Accept": accept})
        ask("GET", f"{base}/events", "events as a stream", headers={"Accept": "text/event-stream"})
        ask("GET", f"{base}/events?after=1&limit=3", "events, a page")
        ask("HEAD", f"{base}/view", "HEAD view")
        ask("PATCH", f"{base}/view", "a method that is none")
        for seat in SEATS[: len(world.bots)]:
            ask("GET", f"{base}/view?seat={seat}", f"view of seat {seat}")
        if viewer in SEATS:
            tried(world, viewer, ask)
    found["the journal"] = "\n".join(worlds.lines)
    after = figures()
    found["the metrics"] = str(sorted((name, value - before.get(name, 0.0)) for name, value in after.items()))
    return found


def tried(world: World, seat: str, ask: Any) -> None:
    """Try acts with cards that the seat does not hold, as it could to find out where they are."""
    m = world.live
    position, own = m.position, SEATS.index(seat)
    known = position.hands[own] | position.seen | sum(1 << card for card in position.table)
    cards = [CARD_NAMES[card] for card in sorted(position.frame.pack) if not known >> card & 1]
    choose = random.Random(f"{m.version}{seat}")
    acts = [(kind, card) for kind in ("play", "marry", "exchange", "expose") for card in cards]
    for number, (kind, card) in enumerate(choose.sample(acts, min(TRIED, len(acts)))):
        body = {"version": m.version, "act": kind, "card": card}
        ask("POST", f"/v1/matches/{world.match}/acts", f"{kind} a card not held, {number}", json=body)
    batch = {"acts": [{"match": world.match, "version": m.version, "act": "play", "card": cards[0]}], "wait": 0}
    ask("POST", "/v1/acts", "a batch with a card not held", json=batch)
