"""Takes what it can, trick by trick, and never counts: the referee counts at the end."""

from __future__ import annotations

from command import arguments, play
from greedy_play import greedy_act


def main() -> None:
    """Runs the bot."""
    play(greedy_act, arguments("greedy"))


if __name__ == "__main__":
    main()
