"""Sixty-Six for two under the rule-set `house` (RULES 4.1), slow and plain.

Written from the rules dossier alone, for the tests: it shares nothing with the engine. An act is
a short text: "play AS", "marry KS", "exchange", "close", "draw", and "declare", which is never
listed. Showing a marriage unled, calling it late and conceding are left out.

The two seats may have any names, so that three-handed Sixty-Six can be built on this one.
"""

from dataclasses import dataclass, field

from tests.perft.tricks import marriages_in, of_suit, pack, takes, worth

PACK = pack(24)
SEATS = "ab"


@dataclass
class State:
    """One deal between its first lead and its end."""

    pone: str
    dealer: str
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
    outcome: tuple[str, int] | None = None  # winner and game points; ("", 0) is a drawn deal


def deal(cards: list[str], dealer: str = "a") -> State:
    """Deal 24 cards, the first card dealt first, between seats a and b."""
    return deal_between(cards, pone="b" if dealer == "a" else "a", dealer=dealer)


def deal_between(cards: list[str], *, pone: str, dealer: str) -> State:
    """Three and three, pone first, twice; the thirteenth card is turned (R-04, R-05, W-43)."""
    hands = {pone: cards[0:3] + cards[6:9], dealer: cards[3:6] + cards[9:12]}
    return State(pone, dealer, hands, stock=[*cards[13:], cards[12]], trump=cards[12][1], leader=pone)


# ---- who, and what stands on the table


def other(state: State, seat: str) -> str:
    """The adversary of `seat`."""
    return state.dealer if seat == state.pone else state.pone


def turn(state: State) -> str:
    """The seat that is to act."""
    if state.to_draw:
        return state.to_draw[0]
    return other(state, state.leader) if state.table else state.leader


def is_over(state: State) -> bool:
    """True once the deal is scored."""
    return state.outcome is not None


def tricks_of(state: State, seat: str) -> int:
    """How many tricks `seat` has won."""
    return sum(1 for winner, _ in state.tricks if winner == seat)


# ---- what may be done


def lawful(state: State) -> list[str]:
    """Every lawful act of the seat on turn."""
    if is_over(state):
        return []
    seat = turn(state)
    acts = ["exchange"] if may_exchange(state, seat) else []
    if state.to_draw:
        return [*acts, "draw", "close"] if may_close(state, seat) else [*acts, "draw"]
    if state.table:
        return acts + ["play " + card for card in answers(state, seat)]
    if may_close(state, seat):
        acts.append("close")
    hand = state.hands[seat]
    return acts + ["play " + card for card in hand] + ["marry " + card for card in marriages_in(hand)]


def answers(state: State, seat: str) -> list[str]:
    """What the follower may play: no duty while the stock is open (R-10), else follow suit (R-40, R-41)."""
    hand = state.hands[seat]
    if not state.closer and state.stock:
        return hand
    return of_suit(hand, state.table[0][1]) or hand


def may_close(state: State, seat: str) -> bool:
    """With the lead, before or after drawing, while the stock is there (R-50 to R-53)."""
    if state.closer or not state.stock or state.table:
        return False
    if state.to_draw:
        return len(state.to_draw) == 2 and seat == state.leader
    return True


def may_exchange(state: State, seat: str) -> bool:
    """The nine of trumps for the turn-up, on one's own turn with a trick won (R-20 to R-23).

    Not between the two draws, and not while the turn-up is all that is left to draw.
    """
    if "9" + state.trump not in state.hands[seat] or not tricks_of(state, seat) or not state.stock:
        return False
    if len(state.to_draw) == 1:
        return False
    return bool(state.closer) or len(state.stock) > 1


# ---- what it leads to


def after(state: State, act: str) -> State:
    """The deal after a lawful act of the seat on turn, or after `declare` by the leader."""
    new = copied(state)
    word, card = (act.split() + [""])[:2]
    if word == "draw":
        new.hands[new.to_draw.pop(0)].append(new.stock.pop(0))
    elif word == "exchange":
        hand = new.hands[turn(new)]
        hand.remove("9" + new.trump)
        hand.append(new.stock.pop())
        new.stock.append("9" + new.trump)
    elif word == "close":
        new.closer = new.leader
        new.tricks_at_close = tricks_of(new, other(new, new.closer))
        new.to_draw = []
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
        state.pone,
        state.dealer,
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
    winner = other(state, state.leader) if takes(followed, led, state.trump) else state.leader
    state.tricks.append((winner, [led, followed]))
    state.leader, state.table = winner, []
    if not state.closer and state.stock:
        state.to_draw = [winner, other(state, winner)]
    elif not state.hands[state.pone] and not state.hands[state.dealer]:
        state.outcome = played_out(state)


# ---- counting and scoring


def card_points(state: State) -> dict[str, int]:
    """Card points of each seat's tricks, with ten for the twelfth of a deal nobody closed (R-43)."""
    points = {state.pone: 0, state.dealer: 0}
    for number, (winner, cards) in enumerate(state.tricks, start=1):
        points[winner] += worth(cards)
        if number == 12:
            points[winner] += 10
    return points


def marriage_points(state: State) -> dict[str, int]:
    """Marriage points that count now: none before the seat has a trick (R-32)."""
    points = {state.pone: 0, state.dealer: 0}
    for seat, amount in state.marriages:
        if tricks_of(state, seat):
            points[seat] += amount
    return points


def counts(state: State) -> dict[str, int]:
    """What each seat has toward sixty-six."""
    cards, called = card_points(state), marriage_points(state)
    return {seat: cards[seat] + called[seat] for seat in cards}


def may_declare(state: State) -> bool:
    """True when the leader is in time to announce: between tricks, or right after a marriage (R-61)."""
    return not is_over(state) and (not state.table or state.just_called)


def level(state: State, winner: str) -> int:
    """One, two or three by what the loser has (R-70)."""
    loser = other(state, winner)
    if not tricks_of(state, loser):
        return 3
    return 1 if counts(state)[loser] >= 33 else 2


def failed_close(state: State) -> int:
    """What a failed close pays: three if the adversary had no trick when it was made (R-55)."""
    return 2 if state.tricks_at_close else 3


def declared(state: State, seat: str) -> tuple[str, int]:
    """What an announcement by `seat` ends the deal in (R-56, R-64, R-70; 3.5 no. 7)."""
    adversary = other(state, seat)
    if counts(state)[seat] >= 66:
        return seat, failed_close(state) if state.closer == adversary else level(state, seat)
    if state.closer == seat:
        return adversary, failed_close(state)
    return adversary, 2 if tricks_of(state, adversary) else 3


def played_out(state: State) -> tuple[str, int]:
    """What the deal ends in when every card is out and nobody has announced (R-58, R-66 to R-68)."""
    enough = [seat for seat, count in counts(state).items() if count >= 66]
    if state.closer and state.closer not in enough:
        return other(state, state.closer), failed_close(state)
    if len(enough) == 1:
        return enough[0], level(state, enough[0])
    return "", 0


def game_points(state: State) -> dict[str, int]:
    """Game points of each seat for a deal that is over."""
    assert state.outcome is not None
    winner, points = state.outcome
    return {seat: points if seat == winner else 0 for seat in sorted(state.hands)}
