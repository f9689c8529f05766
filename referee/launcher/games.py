"""What the demonstration can play: for each game its rule-set, its bots, and who sits opposite whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.launcher.bots import SAMPLES, Sample


@dataclass(frozen=True, slots=True)
class Game:
    """One game of the demonstration: `line_up` enters `cycles` rounds, by twos in the order given where `in_teams`."""

    ruleset: str
    line_up: tuple[Sample, ...]
    cycles: int = 2
    in_teams: bool = False

    def entries(self, bots: Sequence[str]) -> dict[str, Any]:
        """Return the members of a new tournament that say who is entered: bots, or teams of two with the captain first."""
        if not self.in_teams:
            return {"entrants": list(bots)}
        return {"teams": [{"bots": list(pair)} for pair in zip(bots[::2], bots[1::2], strict=True)]}


# One is pushed to, two do all their chores, and three languages are spoken.
FIVE: tuple[Sample, ...] = (
    replace(SAMPLES["careful"], push=True),
    SAMPLES["tidy"],
    SAMPLES["clumsy"],
    SAMPLES["node"],
    SAMPLES["shell"],
)

# Seven, for of seven every two meet equally often at tables of three.
SEVEN = (*FIVE, SAMPLES["greedy"], SAMPLES["random"])

# Four teams, all of them different; none is of two that would bid nothing, for where all pass nobody ever wins.
PAIRS: tuple[Sample, ...] = (
    replace(SAMPLES["careful"], push=True),
    SAMPLES["shell"],
    SAMPLES["node"],
    SAMPLES["tidy"],
    SAMPLES["clumsy"],
    SAMPLES["greedy"],
    replace(SAMPLES["careful"], name="careful-2"),
    replace(SAMPLES["node"], name="node-2"),
)

GAMES: Mapping[str, Game] = {
    game.ruleset: game
    for game in (
        Game("house", FIVE),
        Game("schnapsen", FIVE, cycles=1),
        Game("three_handed", SEVEN),
        Game("four_handed", PAIRS, in_teams=True),
        Game("cruce", PAIRS, in_teams=True),
    )
}
