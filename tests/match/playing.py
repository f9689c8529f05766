"""Whole matches at random, for tests of the match layer."""

import random
from dataclasses import dataclass

from referee import match
from referee.rules import acts, rulesets
from referee.rules.cards import SEATS

ALL_BODIES = tuple(acts.act_json(one) for one in acts.finite_acts())
ALL_CHORES = ("shuffle", "cut", "deal", "draw")


@dataclass
class Played:
    terms: match.Terms
    seed: bytes
    lines: list[bytes]
    match: match.Match
    log: bytes
    steps: list


def terms(name="house", *, chores=None, overrides=None, **more):
    named = rulesets.named(name) if isinstance(name, str) else name
    rules = named.override(overrides or {})
    letters = SEATS[: rules.options["seats"]]
    chores = [()] * len(letters) if chores is None else chores
    seats = tuple(
        match.Seating(f"bot_{seat}", f"Bot {seat}", frozenset(own)) for seat, own in zip(letters, chores, strict=True)
    )
    return match.Terms("mat_test", rules, seats, opened_at="2026-11-30T12:00:00.000Z", **more)


def play(seed, *, irregular=0.0, **agreed):
    """Play a match at random: `irregular` is the share of acts picked from all there are."""
    dice = random.Random(seed)
    agreed_terms = terms(**agreed)
    secret = dice.randbytes(32)
    step = match.open_match(agreed_terms, secret)
    lines, steps = list(step.lines), [step]
    while not step.match.is_over:
        m = step.match
        seat = m.asked[0]
        prompt = match.prompt(m, seat)
        body = dice.choice(prompt["lawful"])
        if prompt["own_risk"] and dice.random() < 0.05:
            body = dice.choice(prompt["own_risk"])
        if dice.random() < irregular:
            seat, body = dice.randrange(len(m.terms.seats)), dice.choice(ALL_BODIES)
        done = match.act(m, seat, body, ms=dice.randrange(40))
        if dice.random() < irregular / 100:
            done = match.time_out(m, m.asked[0], elapsed_ms=10_300)
        if isinstance(done, match.Step):
            step = done
            lines += step.lines
            steps.append(step)
    return Played(agreed_terms, secret, lines, step.match, match.finished_log(step.match, lines, secret), steps)
