"""Plays deals on the PyPI package `schnapsen`; run in an environment that has it, never imported.

`schnapsen_package.py DEALS SEED` writes a line of JSON a deal: the pack in our order of dealing,
pone `b` and dealer `a`, and the steps of random play to the last card: each with the seat, the
package's legal moves and the one made, and, where it ended a trick, what the package says of it.
Going out is left to the reader: play goes on whatever `declare_winner` answers.
"""

import json
import random
import sys

from schnapsen.deck import Card, Rank, Suit
from schnapsen.game import Bot, BotState, GameState, Hand, SchnapsenGamePlayEngine, Talon

RANKS = {"A": Rank.ACE, "T": Rank.TEN, "K": Rank.KING, "Q": Rank.QUEEN, "J": Rank.JACK}
SUITS = {"S": Suit.SPADES, "H": Suit.HEARTS, "D": Suit.DIAMONDS, "C": Suit.CLUBS}
CARDS = {rank + suit: Card.get_card(RANKS[rank], SUITS[suit]) for suit in SUITS for rank in RANKS}
NAMES = {card: name for name, card in CARDS.items()}


class Seat(Bot):
    """Makes any legal move and writes down which there were."""

    def __init__(self, seat, rng, steps):
        super().__init__(seat)
        self.seat, self.rng, self.steps = seat, rng, steps

    def get_move(self, perspective, leader_move):
        """Pick among the legal moves, marriages and exchanges twice as often."""
        moves = {text_of(move): move for move in perspective.valid_moves()}
        special = [text for text in moves if not text.startswith("play")]
        chosen = self.rng.choice(sorted(moves) + sorted(special))
        self.steps.append({"seat": self.seat, "legal": sorted(moves), "act": chosen})
        return moves[chosen]


def text_of(move):
    """A move in words: the package leads the king of every marriage."""
    if move.is_trump_exchange():
        return "exchange"
    if move.is_marriage():
        return "marry " + NAMES[move.underlying_regular_move().card]
    return "play " + NAMES[move.card]


def dealt(pack, seats):
    """Three each, pone first, one turned, two each; the turned card lies under the stock."""
    cards = [CARDS[name] for name in pack]
    pone, dealer = Hand(cards[0:3] + cards[7:9]), Hand(cards[3:6] + cards[9:11])
    talon = Talon([*cards[11:], cards[6]])
    return GameState(
        leader=BotState(seats["b"], pone), follower=BotState(seats["a"], dealer), talon=talon, previous=None
    )


def trick_of(engine, state, *, gone_out):
    """What the package says after a trick; who wins the deal only as long as nobody has gone out."""
    bots = {bot.implementation.seat: bot for bot in (state.leader, state.follower)}
    winner = None if gone_out else engine.trick_scorer.declare_winner(state)
    return {
        "winner": state.leader.implementation.seat,
        "won": {seat: [NAMES[card] for card in bot.won_cards] for seat, bot in bots.items()},
        "direct": {seat: bot.score.direct_points for seat, bot in bots.items()},
        "pending": {seat: bot.score.pending_points for seat, bot in bots.items()},
        "out": [winner[0].implementation.seat, winner[1]] if winner else None,
    }


def play(engine, pack, rng):
    """One deal to its last card."""
    steps, gone_out = [], False
    state = dealt(pack, {seat: Seat(seat, rng, steps) for seat in "ab"})
    while not state.are_all_cards_played():
        state = engine.trick_implementer.play_trick(engine, state)
        state.previous = None  # a chain of all former states, which nothing here asks for
        if steps[-1]["act"] != "exchange":
            steps[-1]["trick"] = trick_of(engine, state, gone_out=gone_out)
            gone_out = gone_out or steps[-1]["trick"]["out"] is not None
    return {"pack": pack, "steps": steps}


def main(deals, seed):
    """Write so many deals."""
    engine = SchnapsenGamePlayEngine()
    for number in range(deals):
        rng = random.Random(f"{seed}/{number}")
        pack = rng.sample(sorted(CARDS), len(CARDS))
        print(json.dumps(play(engine, pack, rng)), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
