"""Cruce (RULES 4.4), slow and plain.

Written from the rules dossier alone, for the tests: it shares nothing with the engine. Acts are
"bid 2", "pass", "play AS" and "marry KS". `Options` holds what a rule-set may choose.
"""

from dataclasses import dataclass, field

from tests.perft.tricks import best_of, marriages_in, of_suit, pack, takes, worth

PACK = pack(24)
SEATS = "abcd"
SIDES = ("ac", "bd")
MOON = 5


@dataclass(frozen=True)
class Options:
    """What section 4.4 leaves to the rule-set."""

    all_pass: str = "void"  # or "dealer_forced_1": after three passes the dealer must bid (D-04)
    moon_goal: str = "all_tricks"  # or "points_165" (D-07)
    set_costs: str = "bid"  # or "twice_bid" (D-05)


@dataclass
class State:
    """One deal between its first bid and its end."""

    options: Options
    dealer: str
    hands: dict[str, list[str]]
    bids: list[tuple[str, int]] = field(default_factory=list)  # seat and ticks, 0 for a pass
    trump: str = ""  # the suit of the first card led
    leader: str = ""
    table: list[str] = field(default_factory=list)  # what has been played to this trick, the led card first
    tricks: list[tuple[str, list[str]]] = field(default_factory=list)  # winner, the cards in order
    marriages: list[tuple[str, int]] = field(default_factory=list)  # seat, amount


def deal(cards: list[str], dealer: str = "a", options: Options | None = None) -> State:
    """Deal 24 cards, three at a time, twice round from the dealer's left."""
    hands: dict[str, list[str]] = {seat: [] for seat in SEATS}
    for packet in range(8):
        hands[left_of(dealer, packet + 1)] += cards[3 * packet : 3 * packet + 3]
    return State(options or Options(), dealer, hands)


def left_of(seat: str, places: int = 1) -> str:
    """The seat so many places to the left."""
    return SEATS[(SEATS.index(seat) + places) % 4]


def side_of(seat: str) -> str:
    """The two partners of whom `seat` is one."""
    return SIDES[0] if seat in SIDES[0] else SIDES[1]


def highest(state: State) -> tuple[str, int]:
    """Who made the highest bid so far, and its ticks; ("", 0) while nobody has bid."""
    best = ("", 0)
    for bid in state.bids:
        if bid[1] > best[1]:
            best = bid
    return best


def is_bidding(state: State) -> bool:
    """True until all four have bid or passed."""
    return len(state.bids) < 4


def players(state: State) -> list[str]:
    """The seats that play, from the leader round: without the partner of one who bids Moon (D-07)."""
    bidder, ticks = highest(state)
    seats = [left_of(state.leader, places) for places in range(4)]
    return [seat for seat in seats if ticks < MOON or seat != left_of(bidder, 2)]


def turn(state: State) -> str:
    """The seat that is to act."""
    if is_bidding(state):
        return left_of(state.dealer, len(state.bids) + 1)
    return players(state)[len(state.table)]


def is_over(state: State) -> bool:
    """True once all have passed, or all six tricks are played."""
    if is_bidding(state):
        return False
    return not highest(state)[1] or len(state.tricks) == 6


# ---- what may be done


def lawful(state: State) -> list[str]:
    """Every lawful act of the seat on turn."""
    if is_over(state):
        return []
    if is_bidding(state):
        return bids(state)
    hand = state.hands[turn(state)]
    if state.table:
        return ["play " + card for card in answers(state, hand)]
    return ["play " + card for card in hand] + ["marry " + card for card in marriages_in(hand)]


def bids(state: State) -> list[str]:
    """Pass, or any number of ticks higher than every bid before (D-16)."""
    _, best = highest(state)
    higher = [f"bid {ticks}" for ticks in range(best + 1, MOON + 1)]
    forced = state.options.all_pass == "dealer_forced_1" and turn(state) == state.dealer and not best
    return higher if forced else ["pass", *higher]


def answers(state: State, hand: list[str]) -> list[str]:
    """What one who does not lead may play: he follows suit, else he trumps, and goes higher if he can.

    Higher than the card that is winning; a trick already trumped cannot be won in the suit led,
    so any card of it will do (D-09). A trump is due even where it cannot overtrump (D-10).
    """
    best = best_of(state.table, state.trump)
    for suit in (state.table[0][1], state.trump):
        held = of_suit(hand, suit)
        if held:
            return [card for card in held if takes(card, best, state.trump)] or held
    return hand


# ---- what it leads to


def after(state: State, act: str) -> State:
    """The deal after a lawful act of the seat on turn."""
    new = State(
        state.options,
        state.dealer,
        {seat: list(hand) for seat, hand in state.hands.items()},
        list(state.bids),
        state.trump,
        state.leader,
        list(state.table),
        list(state.tricks),
        list(state.marriages),
    )
    word, what = (act.split() + [""])[:2]
    if word in ("bid", "pass"):
        new.bids.append((turn(new), int(what or 0)))
        new.leader = "" if is_bidding(new) else highest(new)[0]
        return new
    new.trump = new.trump or what[1]
    if word == "marry":
        new.marriages.append((new.leader, 40 if what[1] == new.trump else 20))
    put_down(new, what)
    return new


def put_down(state: State, card: str) -> None:
    """Lead or follow with `card`; the last card of a trick makes it."""
    seats = players(state)
    state.hands[turn(state)].remove(card)
    state.table.append(card)
    if len(state.table) == len(seats):
        winner = seats[state.table.index(best_of(state.table, state.trump))]
        state.tricks.append((winner, state.table))
        state.leader, state.table = winner, []


# ---- counting and scoring


def card_points(state: State) -> dict[str, int]:
    """Card points of each seat's tricks; the last trick adds none."""
    points = dict.fromkeys(SEATS, 0)
    for winner, cards in state.tricks:
        points[winner] += worth(cards)
    return points


def marriage_points(state: State) -> dict[str, int]:
    """Marriage points of each seat that count now: none before its side has a trick (D-13)."""
    points = dict.fromkeys(SEATS, 0)
    for seat, amount in state.marriages:
        if any(winner in side_of(seat) for winner, _ in state.tricks):
            points[seat] += amount
    return points


def may_declare(state: State) -> bool:
    """Nobody ever may: every deal is played out."""
    return False


def counts(state: State) -> dict[str, int]:
    """What each side has, under the name of each of its seats."""
    return {seat: total(state, side_of(seat)) for seat in SEATS}


def total(state: State, side: str) -> int:
    """Card points and marriages of two partners."""
    cards, called = card_points(state), marriage_points(state)
    return sum(cards[seat] + called[seat] for seat in side)


def made(state: State) -> bool:
    """True when the bidding side has what was bid."""
    bidder, ticks = highest(state)
    if ticks == MOON and state.options.moon_goal == "all_tricks":
        return all(winner == bidder for winner, _ in state.tricks)
    return total(state, side_of(bidder)) >= 33 * ticks


def game_points(state: State) -> dict[str, int]:
    """What each seat's side scores for a deal that is over: ticks, or the bid off (D-05 to D-08, D-15)."""
    bidder, ticks = highest(state)
    points = dict.fromkeys(SEATS, 0)
    for seat in SEATS:
        if not ticks:
            continue
        if seat not in side_of(bidder):
            points[seat] = total(state, side_of(seat)) // 33
        elif not made(state):
            points[seat] = -ticks * (2 if state.options.set_costs == "twice_bid" else 1)
        else:
            points[seat] = MOON if ticks == MOON else total(state, side_of(seat)) // 33
    return points
