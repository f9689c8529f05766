"""Whole matches in which everybody keeps to the rules, for what is told of a match by its log alone."""

import random
from dataclasses import dataclass, field
from typing import Any

import orjson

from referee import match
from referee.rules import scoring
from referee.rules.cards import SEATS
from referee.rules.rulesets import RuleSet

CHORES = ("shuffle", "cut", "deal", "draw")


@dataclass
class LawfulMatch:
    """A finished match: its terms, seed and log, the steps that made it, and what its events say."""

    terms: match.Terms
    seed: bytes
    steps: list[match.Step] = field(default_factory=list)

    @property
    def lines(self) -> list[bytes]:
        """The lines of the log without its seal."""
        return [line for step in self.steps for line in step.lines]

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events of the log, oldest first."""
        return [orjson.loads(line) for line in self.lines]

    @property
    def match(self) -> match.Match:
        """The match as it ended."""
        return self.steps[-1].match

    def deals(self) -> list[list[dict[str, Any]]]:
        """The events of each deal from its beginning to its score; attempts that were dealt afresh lie within."""
        found: list[list[dict[str, Any]]] = []
        for event in self.events:
            if event["type"] == "deal_begun" and event["attempt"] == 1:
                found.append([])
            if found:
                found[-1].append(event)
        return [deal for deal in found if any(event["type"] == "scored" for event in deal)]


def play_lawfully(rules: RuleSet, rng: random.Random, *, most_deals: int = 60) -> LawfulMatch:
    """Play a match by lawful acts at random; a seat that can declare rightly mostly does.

    Bids are low, or nobody would ever reach the target.
    """
    rules = rules.override({"most_deals": most_deals})
    seats = tuple(
        match.Seating(f"bot_{x}", x, frozenset(CHORES if rng.random() < 0.2 else ()))
        for x in SEATS[: rules.options["seats"]]
    )
    terms = match.Terms(
        "mat_lawful", rules, seats, first_dealer=rng.randrange(len(seats)), opened_at="2026-01-01T00:00:00Z"
    )
    played = LawfulMatch(terms, rng.randbytes(32))
    played.steps.append(match.open_match(terms, played.seed))
    while not played.match.is_over:
        m = played.match
        body = _body(m, rng)
        done = match.act(m, m.asked[0], body, ms=5)
        assert isinstance(done, match.Step), (body, done)
        played.steps.append(done)
    return played


def _body(m: match.Match, rng: random.Random) -> dict[str, Any]:
    prompt = match.prompt(m, m.asked[0])
    enough = scoring.count(m.position, m.asked[0]) >= m.position.frame.options.declare_at
    if prompt["own_risk"] and rng.random() < (0.6 if enough else 0.002):
        return {"act": "declare"}
    body: dict[str, Any] = rng.choice(prompt["lawful"])
    if body["act"] == "close" and rng.random() < 0.7:
        body = rng.choice(prompt["lawful"])
    if body["act"] == "bid" and rng.random() < 0.6:
        body = prompt["lawful"][0]
    return body


def assert_log_holds(played: LawfulMatch) -> None:
    """The finished log verifies, and at every deal's beginning the header and its lines give the match again."""
    verdict = match.verify(match.finished_log(played.match, played.lines, played.seed))
    assert verdict.ok, verdict.problem
    running: list[bytes] = []
    for step in played.steps:
        running = list(step.lines[step.boundary :]) if step.boundary is not None else running + list(step.lines)
        if step.match.is_over or (step.boundary is None and step.match.version % 7):
            continue
        again = match.resume(played.terms, played.seed, orjson.loads(orjson.dumps(step.match.header())), running)
        assert (again.version, again.head, again.asked) == (step.match.version, step.match.head, step.match.asked)
        assert again.position.same_as(step.match.position)
        assert [match.prompt(again, seat) for seat in again.asked] == [
            match.prompt(step.match, seat) for seat in step.match.asked
        ]
