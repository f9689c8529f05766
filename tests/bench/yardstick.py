"""Plays the PyPI package `schnapsen` in its own environment; run by `peer`, never imported.

A line `DEALS SEED` asks for so many whole deals of random lawful moves; the answer is a line
`MOVES SECONDS`. The pack is shuffled and the move picked inside the measured time. The
package's own random bot cannot be used: importing it asks for a machine-learning library.
"""

import random
import sys
import time

from schnapsen.game import Bot, SchnapsenGamePlayEngine


class Picking(Bot):
    """Plays any lawful move and counts its moves."""

    def __init__(self, dice):
        super().__init__("picking")
        self.dice = dice
        self.moves = 0

    def get_move(self, perspective, leader_move):
        """Pick one of the lawful moves."""
        self.moves += 1
        moves = perspective.valid_moves()
        return moves[int(self.dice.random() * len(moves))]


def main():
    """Answer requests until the input ends."""
    engine = SchnapsenGamePlayEngine()
    for line in sys.stdin:
        deals, seed = map(int, line.split())
        dice = random.Random(seed)
        first, second = Picking(dice), Picking(dice)
        started = time.process_time()
        for _ in range(deals):
            engine.play_game(first, second, dice)
        spent = time.process_time() - started
        print(first.moves + second.moves, spent, flush=True)


if __name__ == "__main__":
    main()
