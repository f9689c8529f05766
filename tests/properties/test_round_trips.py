"""What is written is read back the same: acts on the wire and in notation, positions, events.

Positions are those of walks in which everything odd happens, not of lawful play only.
"""

import hashlib
import json
import random
from collections import Counter

import orjson
import pytest

from referee import match
from referee.rules import acts, moves, notation, play, rulesets
from tests.properties.deals import DEALS, PROFILES
from tests.properties.walks import ACTS, Walk

pytestmark = pytest.mark.timeout(max(300, DEALS))

PROCEDURE = (
    {"act": "take_back", "number": 12}, {"act": "claim", "number": 3}, {"act": "claim", "number": 3, "law": "IR-20"},
    {"act": "elect", "case": 2, "option": "accept"}, {"act": "elect", "case": 1, "option": "give:AS"},
    {"act": "confirm"}, {"act": "resign"},
)  # fmt: skip


def test_every_act_of_the_finite_set_is_read_from_the_wire_as_itself():
    assert len(ACTS) > 2000
    for act in ACTS:
        body = acts.act_json(act)
        again = json.loads(json.dumps(body))
        assert acts.read_act(again) is act, body
        assert acts.read_act(dict(reversed(again.items()))) is act, "the order of members means nothing"


def test_different_acts_are_written_differently():
    written = Counter(json.dumps(acts.act_json(act), sort_keys=True) for act in ACTS)
    assert max(written.values()) == 1, written.most_common(3)


@pytest.mark.parametrize("body", PROCEDURE, ids=str)
def test_acts_of_procedure_are_read_from_the_wire_as_themselves(body):
    assert acts.act_json(acts.read_act(body)) == body


def test_every_act_of_the_finite_set_is_read_from_notation_as_itself():
    for number, act in enumerate(ACTS):
        seat = number % 2
        text = moves.write_move(seat, act)
        assert moves.read_move(text) == (seat, act), text


@pytest.mark.parametrize("body", [each for each in PROCEDURE if "law" not in each], ids=str)
def test_acts_of_procedure_are_read_from_notation_as_themselves(body):
    seat, act = moves.read_move(moves.write_move(1, acts.read_act(body)))
    assert seat == 1
    assert acts.act_json(act) == body


@pytest.mark.parametrize("name", PROFILES)
def test_positions_of_every_shape_are_read_from_notation_as_themselves(name):
    phases: Counter = Counter()
    for number in range(max(15, DEALS // 20)):
        rng = random.Random(f"notation/{name}/{number}")
        walk = Walk(name, rng)
        while not walk.m.is_over:
            position = walk.m.position
            if rng.random() < 0.5:
                phases[position.phase] += 1
                text = notation.write_position(position)
                again = notation.read_position(text, position.frame.rule_set)
                assert notation.write_position(again) == text
                assert again.same_as(position), text
                assert play.lawful_acts(again) == play.lawful_acts(position), text
            walk.wild(rng) if rng.random() < 0.4 else walk.lawful(rng)
    options = rulesets.named(name).options
    common = {"shuffle", "cut", "deal", "lead", "follow"} | ({"bid"} if options["bidding"] != "none" else set())
    common |= {"turn_up"} if options["trump_method"] != "first_lead" else set()
    assert common | (set() if options["partners"] else {"draw"}) <= set(phases)


@pytest.mark.parametrize("name", PROFILES)
def test_every_event_is_canonical_json_chained_to_the_one_before(name):
    rng = random.Random(f"events/{name}")
    for _ in range(4):
        walk = Walk(name, rng)
        while not walk.m.is_over:
            walk.wild(rng) if rng.random() < 0.3 else walk.lawful(rng)
        head = "0" * 64
        for number, line in enumerate(walk.lines, start=1):
            event = orjson.loads(line)
            assert orjson.dumps(event, option=orjson.OPT_SORT_KEYS) == line
            assert (event["n"], event["prev"]) == (number, head)
            head = hashlib.sha256(line).hexdigest()
        assert walk.m.head == head


@pytest.mark.parametrize("name", PROFILES)
def test_a_log_with_any_act_changed_does_not_verify(name):
    rng = random.Random(f"changed/{name}")
    walk = Walk(name, rng)
    while not walk.m.is_over:
        walk.wild(rng) if rng.random() < 0.2 else walk.lawful(rng)
    log = match.finished_log(walk.m, walk.lines, walk.seed)
    assert match.verify(log).ok
    for _ in range(25):
        place = rng.randrange(len(log))
        changed = bytes([rng.choice([byte for byte in range(256) if byte != log[place]])])
        verdict = match.verify(log[:place] + changed + log[place + 1 :])
        assert not verdict.ok, place
        assert "event" in verdict.problem
