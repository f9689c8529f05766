"""What a seat cannot see changes nothing in what it is told (acceptance 6).

Two positions that differ only in the other hand, the order of the stock and what lies
where between the two give a seat the same bytes: view, lawful acts, acts at own risk.
"""

import json
import random
from collections import Counter

import pytest

from referee.rules import acts, play, rulesets, views
from referee.rules.positions import begin, frame_for, fresh
from tests.properties.deals import DEALS, PACK, PROFILES, cards, choose, dealt, show

DEALING = {"shuffle", "cut", "deal", "turn_up"}


def bytes_for(position, seat: int) -> bytes:
    """Everything the rules let `seat` be told, as canonical JSON."""
    told = {"view": views.view(position, seat)}
    if position.result is None and position.turn == seat:
        told["lawful"] = [acts.act_json(act) for act in play.lawful_acts(position)]
        told["own_risk"] = [acts.act_json(act) for act in play.own_risk(position)]
    return json.dumps(told, sort_keys=True).encode()


def shuffled_where_unseen(position, seat: int | None, rng: random.Random):
    """The same position with every card that `seat` (None: a spectator) cannot see dealt anew."""
    hidden = [each for each in (0, 1) if each != seat or position.phase in DEALING]
    held = {each: [card for card in range(32) if _closed(position, each) >> card & 1] for each in hidden}
    down = [place for place, card in enumerate(position.stock) if not position.seen >> card & 1]
    pool = [card for hand in held.values() for card in hand] + [position.stock[place] for place in down]
    rng.shuffle(pool)
    other = fresh(position)
    hands, stock = list(position.hands), list(position.stock)
    for each, hand in held.items():
        mask = sum(1 << pool.pop() for _ in hand)
        hands[each] = position.hands[each] & position.seen | mask
    for place in down:
        stock[place] = pool.pop()
    other.hands, other.stock = tuple(hands), tuple(stock)
    return other


def _closed(position, seat: int) -> int:
    return position.hands[seat] & ~position.seen


def assert_tells_nothing(position, rng: random.Random, seen: Counter) -> None:
    for seat in (0, 1, None):
        other = shuffled_where_unseen(position, seat, rng)
        if other.hands == position.hands and other.stock == position.stock:
            continue
        if seat is None:
            assert views.view(position, None) == views.view(other, None), show(position)
        else:
            assert bytes_for(position, seat) == bytes_for(other, seat), f"{seat}: {show(position)}"
        seen[position.phase, seat] += 1


@pytest.mark.parametrize("name", PROFILES)
def test_a_seat_is_told_the_same_whatever_it_cannot_see(name):
    seen: Counter = Counter()
    for number in range(max(30, DEALS // 5)):
        rng = random.Random(f"leak/{name}/{number}")
        position = dealt(name, rng)
        while position.result is None:
            assert_tells_nothing(position, rng, seen)
            position = play.apply(position, position.turn, choose(position, rng))
        assert_tells_nothing(position, rng, seen)
    phases = {"draw", "lead", "follow", "scored"} | ({"answer"} if name == "foster" else set())
    assert {(phase, seat) for phase in phases for seat in (0, 1, None)} <= set(seen)


@pytest.mark.parametrize("method", ["turn_13th", "turn_7th", "pone_draws"])
@pytest.mark.parametrize("name", PROFILES)
def test_nothing_is_told_while_the_cards_are_dealt(name, method):
    rules = rulesets.named(name).override({"trump_method": method})
    seen: Counter = Counter()
    for number in range(5):
        rng = random.Random(f"dealing/{name}/{number}")
        pack = [cards.card(card) for card in PACK]
        rng.shuffle(pack)
        position = begin(frame_for(rules, dealer=number % 2), tuple(pack))
        while position.phase in DEALING:
            assert_tells_nothing(position, rng, seen)
            position = play.apply(position, position.turn, rng.choice(play.lawful_acts(position)))
    assert {(phase, seat) for phase in DEALING for seat in (0, 1, None)} <= set(seen)
    assert seen["deal", 0] > 0


@pytest.mark.parametrize("name", PROFILES)
def test_the_shuffled_position_is_another_position(name):
    """The test above would see a leak: a view with the other hand in it differs."""
    rng = random.Random(name)
    position = dealt(name, rng)
    other = shuffled_where_unseen(position, 0, rng)
    assert position.hands[0] == other.hands[0]
    assert position.hands[1] != other.hands[1]
    assert bytes_for(position, 1) != bytes_for(other, 1)
