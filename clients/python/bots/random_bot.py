"""Plays any lawful act: the least a correct bot has to do."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from command import arguments, play

if TYPE_CHECKING:
    from sixtysix import Act, Prompt


def main() -> None:
    """Runs the bot; `--seed` makes its choices repeatable."""
    given = arguments("random")
    dice = random.Random(given.seed)

    def choose(prompt: Prompt) -> Act:
        return dice.choice(prompt["lawful"])

    play(choose, given)


if __name__ == "__main__":
    main()
