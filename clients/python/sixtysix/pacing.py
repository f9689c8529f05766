"""How many prompts a bot has in hand at once: no more than it can answer in time, one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sixtysix.session import MOST_PROMPTS
from sixtysix.wire import Prompt

# The share of the allowance for an act that the decisions of one handful may take together.
SHARE = 0.25
LATEST = 8


@dataclass(slots=True)
class Pace:
    """Remembers how long a decision takes (s, the mean of about the last eight) and what is allowed for one.

    A prompt's clock runs from when it is fetched, so one that waits for its turn in the bot costs the bot.
    """

    seconds: float | None = None
    allowed: float = 0.0

    def took(self, seconds: float) -> None:
        """Notes how long one decision took."""
        self.seconds = seconds if self.seconds is None else self.seconds + (seconds - self.seconds) / LATEST

    def fetched(self, prompts: Iterable[Prompt]) -> None:
        """Notes what is allowed for the acts asked for."""
        clocks = [prompt["clock"] for prompt in prompts if "clock" in prompt]
        self.allowed = min((clock["act_ms"] / 1000 for clock in clocks if "act_ms" in clock), default=self.allowed)

    @property
    def most(self) -> int:
        """Tells how many prompts to fetch: one until it is known how long a decision takes.

        >>> Pace(seconds=0.01, allowed=0.1).most
        2
        """
        if self.seconds is None:
            return 1
        return max(1, min(MOST_PROMPTS, int(SHARE * self.allowed / max(self.seconds, 1e-6))))
