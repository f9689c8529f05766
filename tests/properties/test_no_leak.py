"""What a seat cannot see changes nothing in what it is told (acceptance 6).

Two positions that differ only in other hands, the order of the stock and what lies where between them give
a seat the same bytes: view, lawful acts, acts at own risk. A partner's hand is another hand, a dead one too, and
a dealer who rests sees no hand at all.
"""

import json
import random
from collections import Counter

import orjson
import pytest

from referee import match
from referee.match import table
from referee.rules import acts, play, rulesets, views
from referee.rules.positions import begin, frame_for, fresh
from tests.properties.deals import DEALS, PROFILES, choose, dealt, show, shuffled
from tests.properties.walks import ACTS, COMMON, Walk

pytestmark = pytest.mark.timeout(max(300, DEALS))

DEALING = {"shuffle", "cut", "deal", "turn_up"}


def bytes_for(position, seat: int) -> bytes:
    """Everything the rules let `seat` be told, as canonical JSON."""
    told = {"view": views.view(position, seat)}
    if position.result is None and position.turn == seat:
        told["lawful"] = [acts.act_json(act) for act in play.lawful_acts(position)]
        told["own_risk"] = [acts.act_json(act) for act in play.own_risk(position)]
    return json.dumps(told, sort_keys=True).encode()


def exchanged_unseen(position, seat: int | None, rng: random.Random, *, known: int = 0) -> dict[int, int]:
    """Which card takes the place of which among all that `seat` (None: a spectator) cannot see.

    `known` are cards that the seat had in hand once and that went back, by a remedy.
    """
    hidden = [each for each in range(len(position.hands)) if each != seat or position.phase in DEALING]
    closed = [card for each in hidden for card in _cards(position.hands[each])] + list(position.stock)
    closed = [card for card in closed if not (position.seen | known) >> card & 1]
    return dict(zip(closed, rng.sample(closed, len(closed)), strict=True))


def _cards(mask: int) -> list[int]:
    return [card for card in range(32) if mask >> card & 1]


def shuffled_where_unseen(position, seat: int | None, rng: random.Random):
    """The same position with every card that `seat` cannot see in another one's place."""
    moved = exchanged_unseen(position, seat, rng)
    other = fresh(position)
    other.hands = tuple(sum(1 << moved.get(card, card) for card in _cards(hand)) for hand in position.hands)
    other.stock = tuple(moved.get(card, card) for card in position.stock)
    other.drawn = tuple((who, place, moved.get(card, card)) for who, place, card in position.drawn)
    return other


def assert_tells_nothing(position, rng: random.Random, seen: Counter) -> None:
    for seat in (*range(position.frame.players), None):
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
    if rulesets.named(name).options["partners"]:
        phases = {"lead", "follow"} | ({"bid", "scored"} if name == "cruce" else set())
    everybody = (*range(rulesets.named(name).options["seats"]), None)
    assert {(phase, seat) for phase in phases for seat in everybody} <= set(seen)


def ways_of_dealing(name: str) -> list[dict]:
    """The values of options on which the order of dealing and the turning of a trump hang."""
    if rulesets.named(name).options["partners"]:
        return [{}, {"deal_style": "cross_twos"}, {"deal_style": "packets", "packet": 2}]
    return [{"trump_method": method} for method in ("turn_13th", "turn_7th", "turn_after_3", "pone_draws")]


@pytest.mark.parametrize(("name", "way"), [(name, way) for name in PROFILES for way in ways_of_dealing(name)], ids=str)
def test_nothing_is_told_while_the_cards_are_dealt(name, way):
    rules = rulesets.named(name).override(way)
    seats = rules.options["seats"]
    seen: Counter = Counter()
    for number in range(5):
        rng = random.Random(f"dealing/{name}/{number}")
        position = begin(frame_for(rules, dealer=number % seats), tuple(shuffled(rules, rng)))
        while position.phase in DEALING:
            assert_tells_nothing(position, rng, seen)
            position = play.apply(position, position.turn, rng.choice(play.lawful_acts(position)))
        assert_tells_nothing(position, rng, seen)
    turned = DEALING - ({"turn_up"} if rules.options["trump_method"] == "first_lead" else set())
    hidden = (
        turned if rules.options["trump_method"] != "last_card" else turned - {"turn_up"}
    )  # one card: nothing to move
    assert {(phase, seat) for phase in hidden for seat in (*range(seats), None)} <= set(seen)


@pytest.mark.parametrize("name", PROFILES)
def test_the_shuffled_position_is_another_position(name):
    """The test above would see a leak: a view with another hand in it differs."""
    rng = random.Random(name)
    position = dealt(name, rng)
    seats = range(position.frame.players)
    for seat in seats:
        other = shuffled_where_unseen(position, seat, rng)
        assert position.hands[seat] == other.hands[seat]
        for each in seats:
            differs = each != seat and each in position.frame.active
            assert (position.hands[each] != other.hands[each]) == differs
            assert (bytes_for(position, each) != bytes_for(other, each)) == differs


# ---- at the table of a match: the same acts over two packs


class Taped(Walk):
    """A walk that keeps what was taken and, act by act, all that a seat was told."""

    def __init__(self, *args, **options) -> None:
        self.tape: list[tuple[int, dict]] = []
        self.told: list[tuple[tuple[bytes, ...], dict]] = []
        self.held = [0, 0, 0, 0]
        super().__init__(*args, **options)

    def _accept(self, step) -> None:
        super()._accept(step)
        self.told.append((step.lines, told(step.match)))
        position = step.match.position
        for seat in range(len(self.letters)):
            before = 0 if step.boundary is not None else self.held[seat]
            self.held[seat] = before if position.phase in DEALING else before | position.hands[seat]

    def try_act(self, seat, body) -> bool:
        taken = super().try_act(seat, body)
        if taken:
            self.tape.append((seat, body))
        return taken


def told(m) -> dict:
    """What each seat and a spectator are told now, as bytes."""
    seats = {seat: orjson.dumps(match.view(m, seat)) for seat in (*range(len(m.score)), None)}
    for seat in m.asked:
        seats[seat] += orjson.dumps(match.prompt(m, seat))
    return seats


def other_pack(walk: Taped, seat: int, rng: random.Random):
    """The running deal's pack with the cards that `seat` has not seen by now in other places, or nothing."""
    m = walk.m
    pack = table.pack_for(m.seed, m.deal, m.attempt, m.position.frame.options.pack)
    moved = exchanged_unseen(m.position, seat, rng, known=walk.held[seat])
    if all(card == other for card, other in moved.items()):
        return None
    return tuple(moved.get(card, card) for card in pack)


def replay_over(walk: Taped, pack, upto: int, seat: int, monkeypatch) -> int:
    """Plays the tape again with another pack; the seat is told the same until a ruling shows a card."""
    deal, attempt = walk.m.deal, walk.m.attempt
    true_pack = table.pack_for
    monkeypatch.setattr(
        table, "pack_for", lambda seed, d, a, size: pack if (d, a) == (deal, attempt) else true_pack(seed, d, a, size)
    )
    step = match.open_match(walk.terms, walk.seed)
    same = 0
    for number in range(upto + 1):
        if number:
            who, body = walk.tape[number - 1]
            step = match.act(step.match, who, body, ms=11)
            if isinstance(step, match.Refusal):
                return same  # what was possible with those cards is not with these
        lines, told_then = walk.told[number]
        if step.lines != lines:
            kinds = {orjson.loads(line)["type"] for line in (*step.lines, *lines)}
            assert kinds & {"ruled", "case_opened"}, f"an event tells of an unseen card\n{step.lines}\n{lines}"
            return same
        for who in (seat, None):
            assert told(step.match)[who] == told_then[who], f"{who} is told of a card unseen by {seat}\n{walk.story()}"
        same += 1
    assert_refused_alike(walk.m, step.match, seat, random.Random(upto))
    return same


def assert_refused_alike(m, other, seat: int, rng: random.Random) -> None:
    """What the seat tries is taken of both tables or of neither, and a refusal says the same."""
    for act in rng.sample(ACTS, 25) + rng.sample(COMMON, 25):
        one, two = (match.act(each, seat, act, ms=3) for each in (m, other))
        assert type(one) is type(two), (act, one, two)
        if isinstance(one, match.Refusal):
            assert one == two, act


@pytest.mark.parametrize("name", PROFILES)
def test_two_packs_that_differ_in_unseen_cards_give_a_seat_the_same_prompts_and_events(name, monkeypatch):
    compared = 0
    for number in range(max(12, DEALS // 10)):
        rng = random.Random(f"packs/{name}/{number}")
        walk = Taped(name, rng)
        for _ in range(rng.randint(3, 45)):
            if walk.m.is_over:
                break
            walk.wild(rng) if rng.random() < 0.15 else walk.lawful(rng)
        if walk.m.is_over or walk.m.position.phase == "cut_for_deal":
            continue
        for seat in range(len(walk.letters)):
            pack = other_pack(walk, seat, rng)
            if pack is not None:
                with monkeypatch.context() as patched:
                    compared += replay_over(walk, pack, len(walk.tape), seat, patched)
    assert compared > 100, compared
