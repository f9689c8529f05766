"""A deterministic program against itself has nothing over every pair, with the suits relabelled too.

It must only not go by what the suits are called. Here that is seen to: each leg is shown to the program in the names of
the packs themselves, and its act is put back into those of the leg.
"""

import hashlib
import json
import re

import pytest
from greedy_play import greedy_act

from referee import match
from referee.match.seeds import suits_for
from referee.rules.cards import SUITS
from referee.service.archiving import deals
from referee.tournament.duplicates import Deal, Playing, compare
from tests.clients.in_process import Table, play

CARD = re.compile(r'"([ATKQJ987]?)([SHDC])"')
PAIRS = 40


def renamed(value, called):
    """A JSON value with every suit in it called otherwise."""
    return json.loads(CARD.sub(lambda found: f'"{found[1]}{called[found[2]]}"', json.dumps(value)))


def in_names_of_the_packs(table):
    """The program, which sees the suits as the packs have them, and lists in one order whatever they are called."""

    def choose(prompt):
        m = table.match
        names = [SUITS[suit] for suit in suits_for(table.seed[32:], m.deal, m.attempt)]
        called = dict(zip(SUITS, names, strict=True))
        seen = renamed(prompt, {name: suit for suit, name in called.items()})
        seen["lawful"].sort(key=json.dumps)
        seen["view"]["hand"].sort()
        return renamed(greedy_act(seen), called)

    return choose


def leg(shared, number, ruleset, seats):
    table = Table(shared + hashlib.sha256(b"leg %d" % number).digest(), chores=[()] * 2, ruleset=ruleset)
    play(table, [(in_names_of_the_packs(table), None)] * 2)
    assert match.verify(match.finished_log(table.match, table.lines, table.seed)).ok
    made = tuple(Deal(*place, points=tuple(points)) for *place, points in deals(tuple(table.lines)))
    return Playing("packs", seats, made)


@pytest.mark.parametrize("ruleset", ["house", "schnapsen", "foster"])
def test_a_program_against_itself_has_nothing_over_every_relabelled_pair(ruleset):
    compared = 0
    for number in range(PAIRS):
        shared = hashlib.sha256(b"pair %d" % number).digest()
        legs = [leg(shared, 2 * number, ruleset, ("x", "y")), leg(shared, 2 * number + 1, ruleset, ("y", "x"))]
        found = compare(legs, kind="paired")
        assert found.net == {"x": 0, "y": 0}, f"pair {number}: {legs}"
        compared += found.deals["x"]
    assert compared >= 2 * PAIRS
