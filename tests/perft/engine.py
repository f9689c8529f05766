"""The engine behind the face of the slow models: acts as short texts, seats as letters."""

from collections.abc import Mapping
from typing import Any

from referee.rules import acts, cards, play, rulesets
from tests.perft.counting import Game


def game(name: str, changed: Mapping[str, Any] | None = None) -> Game:
    """What counting needs, played by the engine under a named rule-set with some options changed."""
    rules = rulesets.named(name)
    if changed:
        rules = rules.override(dict(changed))

    def deal(pack: list[str], dealer: str) -> Any:
        return play.deal_position(rules, [cards.card(each) for each in pack], dealer=place(dealer))

    return Game(deal, is_over, lawful, after, game_points)


def place(seat: str) -> int:
    """The engine's number of a seat."""
    return cards.SEATS.index(seat)


def turn(position: Any) -> str:
    """The seat that is to act."""
    return cards.SEATS[position.turn]


def is_over(position: Any) -> bool:
    """True once the deal is scored."""
    return position.result is not None


def lawful(position: Any) -> list[str]:
    """Every lawful act of the seat on turn."""
    return [text_of(acts.act_json(act)) for act in play.lawful_acts(position)]


def after(position: Any, act: str) -> Any:
    """The position after an act of the seat on turn; the leader alone declares."""
    seat = position.leader if act == "declare" else position.turn
    return play.apply(position, seat, acts.read_act(body_of(act)))


def game_points(position: Any) -> dict[str, int]:
    """Game points of every seat for this deal alone, once it is over."""
    result, options = position.result, position.frame.rule_set.options
    seats = cards.SEATS[: options["seats"]]
    if result.scores:
        return dict(zip(seats, result.scores, strict=True))
    winners = [result.winner, result.winner + 2 if options["partners"] else result.winner]
    won = {cards.SEATS[seat % len(seats)] for seat in winners} if result.winner in range(len(seats)) else set()
    return {seat: result.game_points if seat in won else 0 for seat in seats}


def card_points(position: Any) -> dict[str, int]:
    """Card points of every seat, or of its side."""
    return dict(zip(cards.SEATS, position.points, strict=False))


def marriage_points(position: Any) -> dict[str, int]:
    """Marriage points of every seat, or of its side, that count now."""
    return dict(zip(cards.SEATS, position.marriages.effective, strict=False))


def text_of(body: Mapping[str, Any]) -> str:
    """An act of the wire as text: its word, and its card or ticks."""
    return " ".join(str(value) for value in body.values())


def body_of(act: str) -> dict[str, Any]:
    """An act as text as it is on the wire."""
    word, _, what = act.partition(" ")
    if word == "bid":
        return {"act": word, "ticks": int(what)}
    return {"act": word, "card": what} if what else {"act": word}
