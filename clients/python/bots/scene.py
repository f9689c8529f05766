"""What a bot that means to slip sees: the prompt, its memory of the deal, and what it did last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from counting import Memory
    from sixtysix import Act, Prompt, View


@dataclass(frozen=True, slots=True)
class Scene:
    """Is the prompt with the memory; `shown` and `revoked` tell of a slip whose first half is done."""

    prompt: Prompt
    memory: Memory
    shown: str = ""
    taken: int = 0
    revoked: bool = False

    @property
    def view(self) -> View:
        """Is the table as the seat sees it."""
        return self.prompt["view"]

    @property
    def seat(self) -> str:
        """Is the bot's own seat."""
        return self.prompt["seat"]

    def asked_to(self, kind: str) -> bool:
        """Tells whether an act of this kind is lawful now."""
        return any(act["act"] == kind for act in self.prompt["lawful"])

    def may_declare(self) -> bool:
        """Tells whether an announcement is in time."""
        return any(act["act"] == "declare" for act in self.prompt["own_risk"])


Slip = Callable[[Scene], "Act | None"]


def wrong_card(scene: Scene) -> Act | None:
    """Plays a card that is not lawful where others are, no trump if possible."""
    lawful = {act["card"] for act in scene.prompt["lawful"] if act["act"] == "play"}
    wrong = [card for card in scene.view["hand"] if card not in lawful]
    if not scene.view["table"] or not lawful or not wrong:
        return None
    return {"act": "play", "card": min(wrong, key=lambda card: card[1] == scene.view["trump"])}
