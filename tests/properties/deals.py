"""What the property tests share: how many deals, packs from a seed, and the truths that never bend."""

import os
import random
from collections import Counter

from referee.rules import acts, cards, notation, play, rulesets
from referee.rules.positions import Position, stock_left
from referee.rules.rulesets import RuleSet
from tests.properties.bids import assert_bids_scored

PROFILES = rulesets.names()
DEALS = int(os.environ.get("REFEREE_SOAK_DEALS", "200"))
LONGEST = 300  # acts; a lawful deal has at most 32 cards, a dozen draws and a handful beside


def pack_of(rules: RuleSet) -> list[str]:
    """The cards of a rule-set's pack by name."""
    return [rank + suit for suit in "SHDC" for rank in "ATKQJ987"[: rules.options["pack"] // 4]]


def shuffled(rules: RuleSet, rng: random.Random) -> list[int]:
    """The pack of a rule-set in random order, as the engine takes it."""
    pack = [cards.card(name) for name in pack_of(rules)]
    rng.shuffle(pack)
    return pack


def dealt(name: str, rng: random.Random):
    """A fresh deal under a named rule-set, everything from `rng`."""
    rules = rulesets.named(name)
    return play.deal_position(rules, shuffled(rules, rng), dealer=rng.randrange(rules.options["seats"]))


def choose(position, rng: random.Random):
    """A lawful act or one at own risk: closing, announcing and bidding high seldom, so that deals grow long."""
    risky = play.own_risk(position) if rng.random() < 0.01 else ()
    lawful = risky or play.lawful_acts(position)
    act = rng.choice(lawful)
    rare = act.kind == "close" or act.ticks > 1
    return rng.choice(lawful) if rare and rng.random() < 0.8 else act


def names(mask: int) -> list[str]:
    """The names of the cards in a mask."""
    return [cards.CARD_NAMES[number] for number in range(mask.bit_length()) if mask >> number & 1]


def whereabouts(position) -> list[str]:
    """Every card of the pack as often as it lies somewhere."""
    found = [name for hand in position.hands for name in names(hand)]
    found += [cards.CARD_NAMES[card] for card in position.stock]
    found += [cards.CARD_NAMES[card] for card in position.table]
    found += [cards.CARD_NAMES[card] for _, card in position.aside.early]
    found += [cards.CARD_NAMES[position.turn_up]] if position.turn_up >= 0 else []
    for _, _, played in position.tricks:
        found += [cards.CARD_NAMES[card] for card in played]
    return found


def assert_conserved(position) -> None:
    """The distinct cards of the pack lie in hands, stock, turn-up, tricks and on the table."""
    count, pack = Counter(whereabouts(position)), Counter(pack_of(position.frame.rule_set))
    assert count == pack, (count - pack, pack - count, show(position))


def worth(position) -> int:
    """Card points of all tricks and of all cards not played."""
    return sum(cards.CARD_POINTS[cards.card(name)] for name in whereabouts(position))


def one_of_each_side(position) -> list[int]:
    """The first seat of every side: partners hold the same points and tricks, and are counted once."""
    return sorted({side[0] for side in position.frame.sides})


#: Every act that belongs to a position (no claims, elections and the like), odd ones included.
ALL_ACTS = tuple(dict.fromkeys(acts.finite_acts()))
AT_OWN_RISK = {"declare", "show"}
ASIDE = {"look", "expose", "concede"}


def assert_lawful_is_possible_without_objections(position) -> None:
    """`lawful_acts` is exactly what is possible and not objected to, but for what is never listed."""
    seat = position.turn
    free = {
        act
        for act in ALL_ACTS
        if act.kind not in AT_OWN_RISK | ASIDE
        and play.is_possible(position, seat, act)
        and not play.objections(position, seat, act)
    }
    plain = {acts.read_act(_usual(position, acts.act_json(act))) for act in free}
    listed = [act for act in play.lawful_acts(position) if act.kind not in AT_OWN_RISK]
    assert len(listed) == len(set(listed))
    assert plain == set(listed), (plain ^ set(listed), show(position))


def _usual(position, body: dict) -> dict:
    """Leaves out a usual value that was spelled out: the right amount, the lowest trump."""
    trump = "SHDC"[position.trump]
    lowest = pack_of(position.frame.rule_set)[-1][0]
    royal = position.trump < 0 or body.get("card", "-")[-1] == trump
    if body["act"] == "marry" and body.get("amount") == (40 if royal else 20):
        return {key: value for key, value in body.items() if key != "amount"}
    if body["act"] == "exchange" and body.get("card") == lowest + trump:
        return {"act": "exchange"}
    if body["act"] == "draw" and body.get("from") == "turn_up" and not position.stock:
        return {"act": "draw"}
    return body


def assert_end_of_deal(position: Position) -> None:
    """The invariants of RULES section 5 that hold for every scored deal."""
    result, options = position.result, position.frame.options
    assert result is not None
    assert worth(position) == 120
    in_tricks = sum(cards.CARD_POINTS[card] for _, _, played in position.tricks for card in played)
    full = position.closing is None and not any(position.hands) and not stock_left(position)
    total = sum(position.points[seat] for seat in one_of_each_side(position))
    assert total == in_tricks + (10 if full and options.last_trick == "ten" else 0), show(position)
    for values in (position.points, position.counts, position.marriages.effective):
        assert all(values[each] == values[side[0]] for side in position.frame.sides for each in side)
    if full and options.last_trick == "ten":
        assert total == 130
        counts = [position.points[seat] + position.marriages.effective[seat] for seat in position.frame.active[:2]]
        if max(counts) < 66:
            assert counts == [65, 65], show(position)
    assert result.cause in rules_causes()
    _assert_scored(position, result)


def _assert_scored(position, result) -> None:
    drawn = result.winner not in range(position.frame.players)
    if position.frame.options.score_by == "ticks":
        assert_bids_scored(position)
    elif drawn:
        assert result.game_points == 0
        assert position.frame.options.last_trick != "wins_hand_1", "the last trick has a winner"
    else:
        assert 1 <= result.game_points <= 3, (position.frame.rule_set.name, result)


def rules_causes() -> set[str]:
    """The causes a deal may end from, by the rules alone."""
    return {"declared", "false_declaration", "played_out", "closer_failed", "conceded", "set", "passed_out"}


def show(position) -> str:
    """The position in notation, for a failure message."""
    return f"{position.frame.rule_set.name}: {notation.write_position(position)}"
