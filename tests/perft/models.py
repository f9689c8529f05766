"""The slow models by the name of their rule-set, and what they all offer."""

from typing import Any, Protocol

from tests.perft import cruce, four_handed, schnapsen, sixty_six, three_handed


class Model(Protocol):
    """A slow model: functions over its own kind of state; acts are short texts such as "play AS"."""

    PACK: list[str]
    SEATS: str

    def deal(self, cards: list[str], dealer: str = "a") -> Any:
        """The state in which the first lead, or the first bid, is to be made."""

    def turn(self, state: Any) -> str:
        """The seat that is to act."""

    def is_over(self, state: Any) -> bool:
        """True once the deal is scored."""

    def lawful(self, state: Any) -> list[str]:
        """Every lawful act of the seat on turn, in no particular order; `declare` is never among them."""

    def after(self, state: Any, act: str) -> Any:
        """The state after a lawful act; the old one is left as it was."""

    def may_declare(self, state: Any) -> bool:
        """True when the leader may announce now."""

    def counts(self, state: Any) -> dict[str, int]:
        """What each seat has, or its side, that an announcement or the score rests on."""

    def card_points(self, state: Any) -> dict[str, int]:
        """Card points of the tricks of each seat."""

    def marriage_points(self, state: Any) -> dict[str, int]:
        """Marriage points of each seat that count now."""

    def game_points(self, state: Any) -> dict[str, int]:
        """Game points of each seat for this deal alone, once it is over."""


MODELS: dict[str, Model] = {
    "house": sixty_six,
    "schnapsen": schnapsen,
    "three_handed": three_handed,
    "four_handed": four_handed,
    "cruce": cruce,
}

#: The models that are games of their own; the existing oracle plays the two-handed profiles.
RELATIVES = ("schnapsen", "three_handed", "four_handed", "cruce")
