"""Schnapsen (RULES 4.5), slow and plain.

Written from the rules dossier alone, for the tests: it shares nothing with the engine. An act is
a short text: "play AS", "marry KS", "exchange", "close", "draw", and "declare", which is never
listed. Showing a marriage unled and conceding are left out.
"""

from dataclasses import dataclass, field

from tests.perft.tricks import is_higher, marriages_in, of_suit, pack, takes, worth

PACK = pack(20)
SEATS = "ab"
OTHER = {"a": "b", "b": "a"}


@dataclass(frozen=True)
class Options:
    """What section 4.5 leaves to the rule-set, as far as it is played here."""

    min_stock_to_close: int = 2  # with the turn-up (E-02)
    false_declaration: str = "2_3_now"  # or "as_claimed" (E-05)


@dataclass
class State:
    """One deal between its first lead and its end."""

    options: Options
    hands: dict[str, list[str]]
    stock: list[str]  # the next to be drawn first, the turn-up last
    trump: str
    leader: str
    table: list[str] = field(default_factory=list)  # the card led, or nothing
    to_draw: list[str] = field(default_factory=list)
    tricks: list[tuple[str, list[str]]] = field(default_factory=list)  # winner, the two cards in order
    marriages: list[tuple[str, int]] = field(default_factory=list)  # seat, amount
    just_called: bool = False  # the card on the table was led with an announcement
    closer: str = ""
    tricks_at_close: int = 0  # those of the closer's adversary
    count_at_close: int = 0
    outcome: tuple[str, int] | None = None  # winner and game points


def deal(cards: list[str], dealer: str = "a", options: Options | None = None) -> State:
    """Three each, pone first, the seventh card turned, then two each; the turn-up ends the stock (E-09)."""
    pone = OTHER[dealer]
    hands = {pone: cards[0:3] + cards[7:9], dealer: cards[3:6] + cards[9:11]}
    stock = [*cards[11:], cards[6]]
    return State(options or Options(), hands, stock, trump=cards[6][1], leader=pone)


# ---- who, and what stands on the table


def turn(state: State) -> str:
    """The seat that is to act."""
    if state.to_draw:
        return state.to_draw[0]
    return OTHER[state.leader] if state.table else state.leader


def is_over(state: State) -> bool:
    """True once the deal is scored."""
    return state.outcome is not None


def is_open(state: State) -> bool:
    """True while there is a stock that nobody has closed."""
    return bool(state.stock) and not state.closer


def tricks_of(state: State, seat: str) -> int:
    """How many tricks `seat` has won."""
    return sum(1 for winner, _ in state.tricks if winner == seat)


# ---- what may be done


def lawful(state: State) -> list[str]:
    """Every lawful act of the seat on turn.

    The jack of trumps is exchanged, and the stock closed, only by the leader after drawing: with
    five cards in hand and the stock open; no trick is needed (E-01, E-02).
    """
    if is_over(state):
        return []
    if state.to_draw:
        return ["draw"]
    hand = state.hands[turn(state)]
    if state.table:
        return ["play " + card for card in answers(state, hand)]
    acts = ["play " + card for card in hand] + ["marry " + card for card in marriages_in(hand)]
    if is_open(state):
        if len(state.stock) >= state.options.min_stock_to_close:
            acts.append("close")
        if "J" + state.trump in hand:
            acts.append("exchange")
    return acts


def answers(state: State, hand: list[str]) -> list[str]:
    """What the follower may play: anything while the stock is open, else he follows, heads and trumps."""
    led = state.table[0]
    if is_open(state):
        return hand
    following = of_suit(hand, led[1])
    heading = [card for card in following if is_higher(card, led)]
    return heading or following or of_suit(hand, state.trump) or hand


# ---- what it leads to


def after(state: State, act: str) -> State:
    """The deal after a lawful act of the seat on turn, or after `declare` by the leader."""
    new = copied(state)
    word, card = (act.split() + [""])[:2]
    if word == "draw":
        new.hands[new.to_draw.pop(0)].append(new.stock.pop(0))
    elif word == "exchange":
        hand = new.hands[new.leader]
        hand.remove("J" + new.trump)
        hand.append(new.stock.pop())
        new.stock.append("J" + new.trump)
    elif word == "close":
        new.closer = new.leader
        new.tricks_at_close = tricks_of(new, OTHER[new.closer])
        new.count_at_close = counts(new)[OTHER[new.closer]]
    elif word == "declare":
        new.outcome = declared(new, new.leader)
    else:
        if word == "marry":
            new.marriages.append((new.leader, 40 if card[1] == new.trump else 20))
        put_down(new, card, called=word == "marry")
    return new


def copied(state: State) -> State:
    """A copy whose lists are its own."""
    return State(
        state.options,
        {seat: list(hand) for seat, hand in state.hands.items()},
        list(state.stock),
        state.trump,
        state.leader,
        list(state.table),
        list(state.to_draw),
        list(state.tricks),
        list(state.marriages),
        state.just_called,
        state.closer,
        state.tricks_at_close,
        state.count_at_close,
        state.outcome,
    )


def put_down(state: State, card: str, *, called: bool) -> None:
    """Lead or follow with `card`; a second card makes the trick."""
    state.hands[turn(state)].remove(card)
    state.table.append(card)
    state.just_called = called
    if len(state.table) < 2:
        return
    led, followed = state.table
    winner = OTHER[state.leader] if takes(followed, led, state.trump) else state.leader
    state.tricks.append((winner, [led, followed]))
    state.leader, state.table = winner, []
    if is_open(state):
        state.to_draw = [winner, OTHER[winner]]
    elif not state.hands["a"] and not state.hands["b"]:
        state.outcome = played_out(state)


# ---- counting and scoring


def card_points(state: State) -> dict[str, int]:
    """Card points of each seat's tricks; the last trick adds none here (E-03)."""
    points = {"a": 0, "b": 0}
    for winner, cards in state.tricks:
        points[winner] += worth(cards)
    return points


def marriage_points(state: State) -> dict[str, int]:
    """Marriage points that count now: none before the seat has a trick (E-01)."""
    points = {"a": 0, "b": 0}
    for seat, amount in state.marriages:
        if tricks_of(state, seat):
            points[seat] += amount
    return points


def counts(state: State) -> dict[str, int]:
    """What each seat has toward sixty-six."""
    cards, called = card_points(state), marriage_points(state)
    return {seat: cards[seat] + called[seat] for seat in cards}


def may_declare(state: State) -> bool:
    """True when the leader is in time to go out: after winning a trick, or right after a marriage.

    On the opening lead nobody has anything to go out with yet.
    """
    if is_over(state) or not state.tricks:
        return False
    return not state.table or state.just_called


def level(state: State, winner: str) -> int:
    """One, two or three by what the loser has; what it had at the close, where the winner closed (R-57)."""
    loser = OTHER[winner]
    tricks, count = tricks_of(state, loser), counts(state)[loser]
    if state.closer == winner:
        tricks, count = state.tricks_at_close, state.count_at_close
    if not tricks:
        return 3
    return 1 if count >= 33 else 2


def failed_close(state: State) -> int:
    """What a failed close pays: three if the adversary had no trick when it was made (R-55)."""
    return 2 if state.tricks_at_close else 3


def declared(state: State, seat: str) -> tuple[str, int]:
    """What going out by `seat`, rightly or falsely, ends the deal in (E-05, R-56)."""
    adversary = OTHER[seat]
    if counts(state)[seat] >= 66:
        return seat, failed_close(state) if state.closer == adversary else level(state, seat)
    if state.closer == seat:
        return adversary, failed_close(state)
    if state.options.false_declaration == "as_claimed":
        return adversary, failed_close(state) if state.closer else level(state, seat)
    return adversary, 2 if tricks_of(state, adversary) else 3


def played_out(state: State) -> tuple[str, int]:
    """The last trick wins one point (E-03); where the stock was closed, the closer has failed (E-08).

    Unless he won the last trick and has sixty-six: then he might have gone out on it (R-58).
    """
    last = state.tricks[-1][0]
    if not state.closer:
        return last, 1
    if last == state.closer and counts(state)[last] >= 66:
        return last, level(state, last)
    return OTHER[state.closer], failed_close(state)


def game_points(state: State) -> dict[str, int]:
    """Game points of each seat for a deal that is over."""
    assert state.outcome is not None
    winner, points = state.outcome
    return {seat: points if seat == winner else 0 for seat in SEATS}
