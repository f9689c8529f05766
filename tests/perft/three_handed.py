"""Three-handed Sixty-Six (RULES 4.2), slow and plain: a hand of two-handed `house` beside a resting dealer.

Acts are those of `sixty_six`. Nobody cards the dealer; whoever sits on its left is pone.
"""

from dataclasses import dataclass

from tests.perft import sixty_six

PACK = sixty_six.PACK
SEATS = "abc"


@dataclass
class State:
    """The hand of the two who play, and who rests."""

    resting: str
    two: sixty_six.State


def deal(cards: list[str], dealer: str = "a") -> State:
    """Deal 24 cards to the two seats on the left of `dealer`, the nearer of them first (B-01)."""
    left = SEATS[(SEATS.index(dealer) + 1) % 3]
    right = SEATS[(SEATS.index(dealer) + 2) % 3]
    return State(dealer, sixty_six.deal_between(cards, pone=left, dealer=right))


def turn(state: State) -> str:
    """The seat that is to act."""
    return sixty_six.turn(state.two)


def is_over(state: State) -> bool:
    """True once the deal is scored."""
    return sixty_six.is_over(state.two)


def lawful(state: State) -> list[str]:
    """Every lawful act of the seat on turn."""
    return sixty_six.lawful(state.two)


def may_declare(state: State) -> bool:
    """True when the leader is in time to announce."""
    return sixty_six.may_declare(state.two)


def after(state: State, act: str) -> State:
    """The deal after a lawful act of the seat on turn, or after `declare` by the leader."""
    return State(state.resting, sixty_six.after(state.two, act))


def card_points(state: State) -> dict[str, int]:
    """Card points of each seat; the dealer has none."""
    return {state.resting: 0, **sixty_six.card_points(state.two)}


def marriage_points(state: State) -> dict[str, int]:
    """Marriage points that count now; the dealer has none."""
    return {state.resting: 0, **sixty_six.marriage_points(state.two)}


def counts(state: State) -> dict[str, int]:
    """What each seat has toward sixty-six; the dealer has nothing."""
    return {state.resting: 0, **sixty_six.counts(state.two)}


def game_points(state: State) -> dict[str, int]:
    """Game points of each seat for a deal that is over, before the dealer's cap.

    The dealer scores what a player scores, and one when nobody does (B-03, B-04).
    """
    points = sixty_six.game_points(state.two)
    points[state.resting] = max(points.values()) or 1
    return dict(sorted(points.items()))


def scores_after(state: State, before: dict[str, int]) -> dict[str, int]:
    """The match score after a deal that is over; its dealer stops one short of the game of seven (B-02)."""
    gained = game_points(state)
    scores = {seat: before[seat] + gained[seat] for seat in before}
    scores[state.resting] = max(before[state.resting], min(scores[state.resting], 6))
    return scores
