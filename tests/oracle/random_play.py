"""Random deals that go everywhere: what a careless but lawful pair of players might do next.

Announcements may be good, false or out of time; marriages are called late; the nine is
exchanged off turn where a rule-set lets it be. Everything is drawn from one generator, so
a seed is the whole deal.
"""

import random

from tests.oracle.around_the_deal import OTHER
from tests.oracle.two_handed import MATE, Act, Table

PACK = [rank + suit for suit in "SHDC" for rank in "ATKQJ9"]
DECLARE: Act = {"act": "declare"}


def shuffled(rng: random.Random) -> list[str]:
    """A pack in random order, top card first."""
    pack = list(PACK)
    rng.shuffle(pack)
    return pack


def ideas(table: Table, seat: str) -> list[Act]:
    """Everything `seat` could do with the cards it holds, in order or not."""
    held = table.hands[seat]
    led = table.on_table if table.leader == seat else []
    acts: list[Act] = [{"act": "play", "card": card} for card in held]
    acts += [{"act": "marry", "card": card} for card in held + led if card[0] in MATE]
    acts += [{"act": word} for word in ("exchange", "close", "draw", "demand", "pass", "declare")]
    return acts


def next_act(table: Table, rng: random.Random) -> tuple[str, Act]:
    """Draws (seat, act) to go on with; declare and concede may come from either seat."""
    if table.phase != "answer":
        for seat in rng.sample("ab", 2):
            announced = _ends_it(table, seat, rng)
            if announced is not None:
                return seat, announced
        aside = _out_of_turn(table, rng)
        if aside is not None:
            return aside
        shown = _shows(table, rng)
        if shown is not None:
            return table.turn, shown
    return table.turn, _lawful(table, rng)


def _ends_it(table: Table, seat: str, rng: random.Random) -> Act | None:
    good, timely = table.announced(seat) >= 66, table.in_order(seat, DECLARE)
    chance = (0.4 if timely else 0.08) if good else (0.006 if timely else 0.003)
    if rng.random() < chance:
        return DECLARE
    return {"act": "concede"} if rng.random() < 0.002 else None


def _out_of_turn(table: Table, rng: random.Random) -> tuple[str, Act] | None:
    other = OTHER[table.turn]
    exchange: Act = {"act": "exchange"}
    if table.in_order(other, exchange) and rng.random() < 0.3:
        return other, exchange
    if table.phase == "follow":
        late: Act = {"act": "marry", "card": table.on_table[0]}
        if table.in_order(table.leader, late) and rng.random() < 0.5:
            return table.leader, late
    return None


def _shows(table: Table, rng: random.Random) -> Act | None:
    for act in table.own_risk():
        if act["act"] == "show":
            makes_it = table.count(table.turn) + (40 if act["suit"] == table.trump else 20) >= 66
            if rng.random() < (0.6 if makes_it else 0.05):
                return act
    return None


def _lawful(table: Table, rng: random.Random) -> Act:
    acts = table.legal()
    rare = [act for act in acts if act["act"] == "close"]
    if rare and rng.random() < 0.07:
        return rare[0]
    bold = [act for act in acts if act["act"] in ("marry", "exchange", "demand")]
    if bold and rng.random() < 0.4:
        return rng.choice(bold)
    return rng.choice([act for act in acts if act not in rare])
