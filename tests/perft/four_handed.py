"""Four-handed Sixty-Six (RULES 4.3), slow and plain.

Written from the rules dossier alone, for the tests: it shares nothing with the engine. The only
acts are the cards, "play AS". `Options` holds what a rule-set may choose.
"""

from dataclasses import dataclass, field

from tests.perft.tricks import best_of, of_suit, pack, takes, worth

PACK = pack(32)
SEATS = "abcd"
SIDES = ("ac", "bd")


@dataclass(frozen=True)
class Options:
    """What section 4.3 leaves to the rule-set."""

    deal_style: str = "three_two_three"  # or "cross_twos": to partner, left, right and self (C-11)
    undertrump: bool = True  # a void hand that cannot overtrump still plays a trump (C-06)
    schneider_basis: str = "bands"  # or "under_33" (C-02)
    ten_of_trumps: str = "none"  # or "game_point": one at once to the side that captures it (C-09)


@dataclass
class State:
    """One deal between its first lead and its end."""

    options: Options
    dealer: str
    hands: dict[str, list[str]]
    trump: str
    leader: str
    table: list[str] = field(default_factory=list)  # what has been played to this trick, the led card first
    tricks: list[tuple[str, list[str]]] = field(default_factory=list)  # winner, the four cards in order


def deal(cards: list[str], dealer: str = "a", options: Options | None = None) -> State:
    """Deal 32 cards, the first card dealt first; the last is turned and stays the dealer's."""
    options = options or Options()
    left, partner, right = (left_of(dealer, places) for places in (1, 2, 3))
    if options.deal_style == "cross_twos":
        order, packets = [partner, left, right, dealer], [2, 2, 2, 2]
    else:
        order, packets = [left, partner, right, dealer], [3, 2, 3]
    hands: dict[str, list[str]] = {seat: [] for seat in SEATS}
    rest = list(cards)
    for size in packets:
        for seat in order:
            hands[seat] += rest[:size]
            rest = rest[size:]
    return State(options, dealer, hands, trump=cards[-1][1], leader=left)


def left_of(seat: str, places: int = 1) -> str:
    """The seat so many places to the left."""
    return SEATS[(SEATS.index(seat) + places) % 4]


def side_of(seat: str) -> str:
    """The two partners of whom `seat` is one."""
    return SIDES[0] if seat in SIDES[0] else SIDES[1]


def turn(state: State) -> str:
    """The seat that is to play."""
    return left_of(state.leader, len(state.table))


def is_over(state: State) -> bool:
    """True once all cards are played; nothing ends a deal sooner (C-05)."""
    return not any(state.hands.values()) and not state.table


def lawful(state: State) -> list[str]:
    """Every lawful act of the seat on turn."""
    if is_over(state):
        return []
    hand = state.hands[turn(state)]
    return ["play " + card for card in (answers(state, hand) if state.table else hand)]


def answers(state: State, hand: list[str]) -> list[str]:
    """What one who does not lead may play: he follows suit, else he trumps, and wins the trick if he can.

    Whether his partner is winning makes no difference (Foster-4h, W-37). A trick already trumped
    cannot be won in the suit led, so any card of it will do (C-07).
    """
    best = best_of(state.table, state.trump)
    for suit in (state.table[0][1], state.trump):
        held = of_suit(hand, suit)
        winning = [card for card in held if takes(card, best, state.trump)]
        if winning:
            return winning
        if held and (suit == state.table[0][1] or state.options.undertrump):
            return held
    return hand


def after(state: State, act: str) -> State:
    """The deal after a lawful act of the seat on turn."""
    card = act.split()[1]
    hands = {seat: list(hand) for seat, hand in state.hands.items()}
    new = State(state.options, state.dealer, hands, state.trump, state.leader, list(state.table), list(state.tricks))
    new.hands[turn(new)].remove(card)
    new.table.append(card)
    if len(new.table) == 4:
        winner = left_of(new.leader, new.table.index(best_of(new.table, new.trump)))
        new.tricks.append((winner, new.table))
        new.leader, new.table = winner, []
    return new


# ---- counting and scoring


def card_points(state: State) -> dict[str, int]:
    """Card points of each seat's tricks, with ten for the eighth."""
    points = dict.fromkeys(SEATS, 0)
    for number, (winner, cards) in enumerate(state.tricks, start=1):
        points[winner] += worth(cards) + (10 if number == 8 else 0)
    return points


def marriage_points(state: State) -> dict[str, int]:
    """Nobody has any: there are no marriages in this game."""
    return dict.fromkeys(SEATS, 0)


def may_declare(state: State) -> bool:
    """Nobody ever may: every deal is played out (C-05)."""
    return False


def counts(state: State) -> dict[str, int]:
    """What each side has, under the name of each of its seats."""
    return {seat: side_points(state, side_of(seat)) for seat in SEATS}


def side_points(state: State, side: str) -> int:
    """What the two partners have together."""
    points = card_points(state)
    return sum(points[seat] for seat in side)


def took_the_ten_of_trumps(state: State) -> str:
    """The side that has captured the ten of trumps, or ""."""
    for winner, cards in state.tricks:
        if "T" + state.trump in cards:
            return side_of(winner)
    return ""


def game_points(state: State) -> dict[str, int]:
    """Game points of each seat for a deal that is over, without a carry."""
    points = {seat: level(state, side_of(seat)) for seat in SEATS}
    if state.options.ten_of_trumps == "game_point":
        for seat in took_the_ten_of_trumps(state):
            points[seat] += 1
    return points


def level(state: State, side: str) -> int:
    """Three for every trick, else two or one by the points of the winners, or of the losers (C-01 to C-04).

    Nothing for the losers, and for both at 65.
    """
    total = side_points(state, side)
    if total < 66:
        return 0
    if all(winner in side for winner, _ in state.tricks):
        return 3
    if state.options.schneider_basis == "under_33":
        return 2 if 130 - total < 33 else 1
    return 2 if total >= 100 else 1
