"""Shuffles, cuts, deals and draws for itself, faultlessly and without haste; else plays greedily.

The pause before a cut, before drawing first, and where there are partners before a bid or a lead
is a table manner: an adversary who acts out of turn there can do so, which a bot that answers at
once would never see.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from command import arguments, play
from greedy_play import greedy_act

if TYPE_CHECKING:
    from sixtysix import Act, Prompt

PAUSE_S = 0.03


def choose(prompt: Prompt) -> Act:
    """Does what is due and takes what it can; of remedies it takes the default."""
    act = greedy_act(prompt, wanted=())
    view = prompt["view"]
    draws_first = act["act"] == "draw" and len(view["to_draw"]) > 1
    if draws_first or act["act"] == "cut" or ("partner" in view and view["phase"] in ("bid", "lead")):
        time.sleep(PAUSE_S)
    return act


def main() -> None:
    """Runs the bot with every chore but watching."""
    play(choose, arguments("tidy"), chores=("shuffle", "cut", "deal", "draw"))


if __name__ == "__main__":
    main()
