"""What the property tests share: how many deals, packs from a seed, and the truths that never bend."""

import os
import random
from collections import Counter

from referee.rules import acts, cards, notation, play, rulesets

PROFILES = rulesets.names()
DEALS = int(os.environ.get("REFEREE_SOAK_DEALS", "200"))
PACK = [rank + suit for suit in "SHDC" for rank in "ATKQJ9"]
LONGEST = 300  # acts; a lawful deal has at most 24 cards, 12 draws and a handful beside


def dealt(name: str, rng: random.Random):
    """A fresh deal under a named rule-set, everything from `rng`."""
    pack = [cards.card(name) for name in PACK]
    rng.shuffle(pack)
    return play.deal_position(rulesets.named(name), pack, dealer=rng.randrange(2))


def choose(position, rng: random.Random):
    """A lawful act or one at own risk: closing and announcing seldom, so that deals grow long."""
    risky = play.own_risk(position) if rng.random() < 0.01 else ()
    lawful = risky or play.lawful_acts(position)
    act = rng.choice(lawful)
    return rng.choice(lawful) if act.kind == "close" and rng.random() < 0.8 else act


def names(mask: int) -> list[str]:
    """The names of the cards in a mask."""
    return [cards.CARD_NAMES[number] for number in range(mask.bit_length()) if mask >> number & 1]


def whereabouts(position) -> list[str]:
    """Every card of the pack as often as it lies somewhere."""
    found = [name for hand in position.hands for name in names(hand)]
    found += [cards.CARD_NAMES[card] for card in position.stock]
    found += [cards.CARD_NAMES[card] for card in position.table]
    found += [cards.CARD_NAMES[position.turn_up]] if position.turn_up >= 0 else []
    for _, _, played in position.tricks:
        found += [cards.CARD_NAMES[card] for card in played]
    return found


def assert_conserved(position) -> None:
    """24 distinct cards lie in hands, stock, turn-up, tricks and on the table."""
    count = Counter(whereabouts(position))
    assert count == Counter(PACK), (count - Counter(PACK), Counter(PACK) - count, show(position))


def worth(position) -> int:
    """Card points of all tricks and of all cards not played."""
    return sum(cards.CARD_POINTS[cards.card(name)] for name in whereabouts(position))


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
    """Leaves out a usual value that was spelled out: the right amount, the nine of trumps."""
    trump = "SHDC"[position.trump]
    if body["act"] == "marry" and body.get("amount") == (40 if body["card"][1] == trump else 20):
        return {key: value for key, value in body.items() if key != "amount"}
    if body["act"] == "exchange" and body.get("card") == "9" + trump:
        return {"act": "exchange"}
    if body["act"] == "draw" and body.get("from") == "turn_up" and not position.stock:
        return {"act": "draw"}
    return body


def assert_end_of_deal(position) -> None:
    """The invariants of RULES section 5 that hold for every scored deal."""
    result, rules = position.result, position.frame.rule_set
    assert worth(position) == 120
    in_tricks = sum(cards.CARD_POINTS[card] for _, _, played in position.tricks for card in played)
    full = position.closing is None and len(position.tricks) == 12
    assert sum(position.points) == in_tricks + (10 if full else 0), show(position)
    if full:
        assert sum(position.points) == 130
        counts = [position.points[seat] + position.marriages.effective[seat] for seat in (0, 1)]
        if max(counts) < 66:
            assert counts == [65, 65], show(position)
    assert result.cause in rules_causes()
    drawn = result.winner not in (0, 1)
    assert result.game_points == 0 if drawn else 1 <= result.game_points <= 3, (rules.name, result)


def rules_causes() -> set[str]:
    """The causes a deal may end from, by the rules alone."""
    return {"declared", "false_declaration", "played_out", "closer_failed", "conceded"}


def show(position) -> str:
    """The position in notation, for a failure message."""
    return f"{position.frame.rule_set.name}: {notation.write_position(position)}"
