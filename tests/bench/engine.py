"""The rules engine alone: whole lawful deals at random, every draw an act."""

from __future__ import annotations

import random
import time

from referee.rules import acts as kinds
from referee.rules import cards, play, rulesets
from tests.bench.pairs import Sample

DEALS = 100
CLOSE = kinds.act(kinds.CLOSE)


def lawful_deals(number: int, *, deals: int = DEALS, profile: str = "house") -> Sample:
    """Play `deals` whole deals; shuffling and picking are inside the measured time.

    Nobody declares or closes (the yardstick's game has neither), so a deal is played out: 24
    cards and 12 draws, a few exchanges besides. Closing is asked about, drawn, and drawn again.
    """
    rules = rulesets.named(profile)
    fresh = cards.pack_cards(24)
    dice = random.Random(number)
    pick, lawful_acts, apply = dice.random, play.lawful_acts, play.apply
    acts = 0
    started = time.process_time()
    for deal in range(deals):
        pack = list(fresh)
        dice.shuffle(pack)
        position = play.deal_position(rules, pack, dealer=deal % 2)
        while position.phase != "scored":
            lawful = lawful_acts(position)
            act = lawful[int(pick() * len(lawful))]
            while act is CLOSE:
                act = lawful[int(pick() * len(lawful))]
            position = apply(position, position.turn, act)
            acts += 1
    return Sample(acts, time.process_time() - started)
