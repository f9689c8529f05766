"""Positions: everything that is so at the table at one moment, as one immutable value.

A position has any shape: hands of five or eight cards, a lead out of turn, a missing turn-up
are ordinary values, and that something was irregular is not in it at all.  What a deal never
changes is one value (`Frame`), what lawful play never touches another (`Aside`); both are
shared between positions.  Nothing outside the rules assigns to a position: `fresh` copies one,
and the copy is filled before anybody else sees it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from referee.rules.cards import SUIT_MASKS, SUIT_SIZE, pack_cards
from referee.rules.options import Options, compiled
from referee.rules.rulesets import RuleSet

CUT_FOR_DEAL, SHUFFLE, CUT, DEAL, TURN_UP = "cut_for_deal", "shuffle", "cut", "deal", "turn_up"
BIDDING = "bid"
DRAW, LEAD, FOLLOW, ANSWER, SCORED = "draw", "lead", "follow", "answer", "scored"
#: Phases in which cards are dealt (of them those after the cut), and in which they are played.
DEALING: Final = frozenset((SHUFFLE, CUT, DEAL, TURN_UP))
BEING_DEALT: Final = frozenset((DEAL, TURN_UP))
PLAYING: Final = frozenset((DRAW, LEAD, FOLLOW))

NOBODY: Final = -1
NO_CARD: Final = -1
NO_SUIT: Final = -1

#: A trick as (leader, winner, cards in the order they were played).
Trick = tuple[int, int, tuple[int, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """What a deal never changes: rule-set, options, seats, who deals and who plays, the exchange cards.

    `players` are those at the table; `active` those who hold cards and play, in the order of
    dealing: without a dealer who rests (4.2), a seat that is `out`, or a dead hand (4.4).
    """

    rule_set: RuleSet
    options: Options
    dealer: int
    players: int
    active: tuple[int, ...]
    #: The active player each seat is followed by.
    following: tuple[int, ...]
    #: By seat: who scores with it, the seat itself included, and the next adversary in turn.
    sides: tuple[tuple[int, ...], ...]
    adversary: tuple[int, ...]
    pack: frozenset[int]
    #: The lowest card of each suit: the one that is exchanged for the turn-up (R-20).
    exchange_cards: tuple[int, ...]
    #: The seat left out, or nobody.
    out: int = NOBODY
    #: The objections that speak in each phase, filled in by `objections` as they are needed.
    forbidding: dict[str, tuple[tuple[int, Callable[["Position"], int]], ...]] = field(default_factory=dict)
    #: The rare ones among them, asked only while something is odd.
    rarely: dict[str, tuple[Callable[["Position"], int], ...]] = field(default_factory=dict)
    #: Where in the pack hands, stock and turn-up lie after an orderly deal, filled in by `play` at need.
    places: list[tuple[tuple[tuple[int, ...], ...], tuple[int, ...], int]] = field(default_factory=list)

    @property
    def pone(self) -> int:
        """The seat that is dealt to first and leads first."""
        return self.active[0]

    @property
    def resting(self) -> int:
        """The dealer who takes no cards (4.2), or nobody."""
        return self.dealer if self.options.dealer_rests and self.out == NOBODY else NOBODY

    @property
    def has_stock(self) -> bool:
        """Whether cards are left when all hands are dealt, to be drawn, exchanged and closed."""
        dealt_to = self.options.seats - self.options.dealer_rests
        return dealt_to * self.options.hand_size < self.options.pack

    def opponents(self, seat: int) -> tuple[int, ...]:
        """Return who plays against a seat, in the order of play; of a resting dealer both players are."""
        return tuple(each for each in self.active if each not in self.sides[seat])


@dataclass(frozen=True, slots=True)
class Marriage:
    """A marriage as announced: `amount` is what it counts, `counts` now, pending or void."""

    seat: int
    suit: int
    amount: int
    shown: bool
    counts: str


@dataclass(frozen=True, slots=True)
class Marriages:
    """The marriages of a deal and their points: `effective` count, `pending` wait for a trick."""

    announced: tuple[Marriage, ...]
    effective: tuple[int, ...]
    pending: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Closing:
    """Who closed, and what the other had at that moment (R-55, R-57).

    `tricks` and `points` are the other's, `at` is how many tricks had been completed.
    """

    closer: int
    tricks: int
    points: int
    at: int


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a deal is played for besides its cards, in games that have it (4.3, 4.4).

    `bids` are (seat, ticks) in the order they were made, 0 for a pass; `cancelled` those that were
    ruled out (IR-98); `tens` the game points each seat's side has taken at once (4.3).
    """

    bids: tuple[tuple[int, int], ...] = ()
    cancelled: tuple[tuple[int, int], ...] = ()
    tens: tuple[int, ...] = ()

    @property
    def bidder(self) -> int:
        """The seat of the highest bid, or nobody; of equal ones, which only stand unclaimed, the first."""
        best = max((ticks for _, ticks in self.bids), default=0)
        return next((seat for seat, ticks in self.bids if ticks == best), NOBODY) if best else NOBODY

    @property
    def ticks(self) -> int:
        """The highest bid, 0 if there is none."""
        return max((ticks for _, ticks in self.bids), default=0)


NO_STAKES: Final = Stakes()


@dataclass(frozen=True, slots=True)
class Aside:
    """What lawful play hardly ever touches; one shared value while nothing is odd.

    `lifted` are the two cards of a draw that was to be of one, until it is acted on, `shown` the suits of marriages
    shown unled at this lead, `barred` who may not close, `looks` who looked at which trick (below 0: the card of the
    stock, inverted), `cuts` the cards shown in cutting for deal, `faced` the cards lying face up in the pack or stock,
    `dealing` who deals out of turn, `laid_open` whose tricks the other may look at, `asked` that the mate of the
    marriage was demanded, `led_early` that the lead was made before the other's draw, `early` the cards that lie on
    the table before their seat's turn, and `exposed` those that were taken back and are played at the first chance (IR-96).
    """

    lifted: tuple[int, tuple[int, ...]] | None = None
    shown: tuple[int, ...] = ()
    barred: frozenset[int] = frozenset()
    looks: tuple[tuple[int, int], ...] = ()
    cuts: tuple[tuple[int, int], ...] = ()
    faced: int = 0
    dealing: int = NOBODY
    laid_open: frozenset[int] = frozenset()
    asked: bool = False
    led_early: bool = False
    early: tuple[tuple[int, int], ...] = ()
    exposed: int = 0


QUIET: Final = Aside()


@dataclass(frozen=True, slots=True)
class Result:
    """How a deal ended: `winner` is `NOBODY` for a drawn deal; game points without the carry.

    `cause` is out of the closed list of DESIGN section 6; `law` the law that ended it, if
    one did; `counts` the seats' card points with marriages at that moment.  Of a side `winner`
    is one seat; `scores` are the game points of every seat where they are not simply the winner's.
    """

    cause: str
    winner: int
    game_points: int
    counts: tuple[int, ...]
    law: str = ""
    seat: int = NOBODY
    scores: tuple[int, ...] = ()


#: What two positions of one deal can differ in.
_FACTS: Final = (
    "aside", "called", "closing", "counts", "drawn", "hands", "leader", "marriages", "phase", "points", "received",
    "result", "seen",
    "stakes", "stock", "strict", "table", "to_draw", "tricks", "trump", "turn", "turn_up",
)  # fmt: skip


class Position:
    """A position of one deal; see the module for what may be relied on.

    `hands` are masks by seat; `stock` the face-down cards, top first (the undealt pack while
    dealing goes on); `turn_up` and `trump` are apart, since the one can go and the other stays;
    `table` the cards of the trick being played, `leader` who led it (or leads next);
    `to_draw` the seats that still draw, in order; `drawn` who has drawn from where since the last trick, and which
    card (-1 where a text does not say); `received` each hand's cards in the order they were dealt, until hands are
    taken up; `called` the suit announced at this lead; `strict` whether the trick on the table was led in strict
    play; `seen` the cards that everybody has seen, wherever they have gone since; `points` card points and the last
    trick's, `counts` tricks.  Partners hold the same points, tricks and marriages: those of their side.
    """

    __slots__ = ("frame", "lawful", *_FACTS)

    frame: Frame
    phase: str
    turn: int
    leader: int
    hands: tuple[int, ...]
    stock: tuple[int, ...]
    turn_up: int
    trump: int
    table: tuple[int, ...]
    strict: bool
    to_draw: tuple[int, ...]
    drawn: tuple[tuple[int, str, int], ...]
    received: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    counts: tuple[int, ...]
    tricks: tuple[Trick, ...]
    called: int
    marriages: Marriages
    closing: Closing | None
    seen: int
    aside: Aside
    stakes: Stakes
    result: Result | None
    #: The mask of lawful acts, once somebody has asked; -1 before.
    lawful: int

    def same_as(self, other: "Position") -> bool:
        """Tell whether two positions hold the same facts, whatever has been worked out on them."""
        return self.frame.dealer == other.frame.dealer and all(
            getattr(self, name) == getattr(other, name) for name in _FACTS
        )


_new = Position.__new__


def fresh(p: Position) -> Position:
    """Return a copy of `p` to be filled by the caller before it is handed on."""
    q = _new(Position)
    q.frame = p.frame
    q.phase = p.phase
    q.turn = p.turn
    q.leader = p.leader
    q.hands = p.hands
    q.stock = p.stock
    q.turn_up = p.turn_up
    q.trump = p.trump
    q.table = p.table
    q.strict = p.strict
    q.to_draw = p.to_draw
    q.drawn = p.drawn
    q.received = p.received
    q.points = p.points
    q.counts = p.counts
    q.tricks = p.tricks
    q.called = p.called
    q.marriages = p.marriages
    q.closing = p.closing
    q.seen = p.seen
    q.aside = p.aside
    q.stakes = p.stakes
    q.result = p.result
    q.lawful = -1
    return q


#: The frames in use, oldest first; rule-sets of people's own come and go.
_FRAMES: dict[tuple[str, int, int], Frame] = {}
_MOST_FRAMES: Final = 2000


def frame_for(rule_set: RuleSet, *, dealer: int, out: int = NOBODY) -> Frame:
    """Return the frame of a deal; deals of the same rule-set, dealer and seat left out share one.

    A seat that is `out` takes no part: who has already won where the others play on (B-06), or the
    partner of who bid the Moon (D-07).
    """
    key = (rule_set.digest, dealer, out)
    known = _FRAMES.get(key)
    if known is None:
        if len(_FRAMES) >= _MOST_FRAMES:
            del _FRAMES[next(iter(_FRAMES))]
        options = compiled(rule_set.options)
        lowest = options.pack // len(SUIT_MASKS) - 1
        players = options.seats
        active = _active(options, dealer, out)
        known = _FRAMES[key] = Frame(
            rule_set,
            options,
            dealer,
            players,
            active,
            tuple(_next_of(active, seat, players) for seat in range(players)),
            tuple(_side(options, seat) for seat in range(players)),
            tuple(_adversary(options, active, seat) for seat in range(players)),
            frozenset(pack_cards(options.pack)),
            tuple(suit * SUIT_SIZE + lowest for suit in range(len(SUIT_MASKS))),
            out,
        )
    return known


def _active(options: Options, dealer: int, out: int) -> tuple[int, ...]:
    around = [(dealer + 1 + place) % options.seats for place in range(options.seats)]
    resting = dealer if options.dealer_rests and out == NOBODY else NOBODY
    return tuple(seat for seat in around if seat not in (out, resting))


def _next_of(active: tuple[int, ...], seat: int, players: int) -> int:
    return next(each % players for each in range(seat + 1, seat + 1 + players) if each % players in active)


def _side(options: Options, seat: int) -> tuple[int, ...]:
    """Partners sit opposite each other (4.3, 4.4)."""
    return tuple(range(seat % 2, options.seats, 2)) if options.partners else (seat,)


def _adversary(options: Options, active: tuple[int, ...], seat: int) -> int:
    """Return the next active seat after `seat` that is not on its side."""
    players, side = options.seats, _side(options, seat)
    around = (each % players for each in range(seat + 1, seat + 1 + players))
    return next(each for each in around if each in active and each not in side)


def begin(frame: Frame, pack: tuple[int, ...]) -> Position:
    """Return the position before a deal: the pack undealt, the dealer to shuffle."""
    if len(pack) != len(frame.pack) or frame.pack.symmetric_difference(pack):
        raise ValueError(f"a pack of {frame.options.pack} cards has each of its cards once")
    none = (0,) * frame.players
    q = _new(Position)
    q.frame = frame
    q.phase = SHUFFLE
    q.turn = frame.dealer
    q.leader = frame.pone
    q.hands = none
    q.stock = pack
    q.turn_up = NO_CARD
    q.trump = NO_SUIT
    q.table = ()
    q.strict = False
    q.to_draw = ()
    q.drawn = ()
    q.received = ()
    q.points = none
    q.counts = none
    q.tricks = ()
    q.called = NO_SUIT
    q.marriages = Marriages((), none, none)
    q.closing = None
    q.seen = 0
    q.aside = QUIET
    q.stakes = NO_STAKES
    q.result = None
    q.lawful = -1
    return q


def dealing_seat(p: Position) -> int:
    """Return who deals: the dealer, or the seat whose packets out of turn have stood (IR-12)."""
    return p.frame.dealer if p.aside.dealing == NOBODY else p.aside.dealing


def exhausted(p: Position) -> bool:
    """Tell whether the stock is used up without closing."""
    return p.closing is None and p.turn_up < 0 and not p.stock


def in_strict_play(p: Position) -> bool:
    """Tell whether the next lead is made in strict play: closed or exhausted (R-40)."""
    return p.closing is not None or (p.turn_up < 0 and not p.stock)


def stock_left(p: Position) -> int:
    """Return how many cards can still be drawn, the turn-up included."""
    return len(p.stock) + (p.turn_up >= 0)


def for_side(p: Position, values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    """Return per-seat values with those of a seat and its partner replaced."""
    side = p.frame.sides[seat]
    return tuple(value if each in side else has for each, has in enumerate(values))


def replaced(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    """Return per-seat values with one of them replaced."""
    return (*values[:seat], value, *values[seat + 1 :])
