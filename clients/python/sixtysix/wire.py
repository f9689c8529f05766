"""The shapes on the wire: prompts, views, acts, replies and rulings.

Plain dictionaries with types for the checker: what arrives is what JSON says, nothing is
converted. Cards are rank then suit (`"AS"`, `"TH"`, `"9C"`), seats are `"a"` and `"b"`, and in
games for more `"c"` and `"d"`; a `version` is the number of the last event of the match.
"""

from typing import Any, Literal, NotRequired, TypedDict

Card = str
Suit = Literal["S", "H", "D", "C"]
Seat = str
Chore = Literal["shuffle", "cut", "deal", "draw", "watch"]

Phase = Literal[
    "cut_for_deal",
    "shuffle",
    "cut",
    "deal",
    "turn_up",
    "bid",
    "draw",
    "lead",
    "follow",
    "answer",
    "scored",
    "confirm",
]

# The functional form, because `from` is a keyword of Python.
Act = TypedDict(
    "Act",
    {
        "act": str,
        "card": NotRequired[Card],
        "also": NotRequired[Card],
        "amount": NotRequired[int],
        "lead": NotRequired[Card],
        "suit": NotRequired[str],
        "ticks": NotRequired[int],
        "cards": NotRequired[int],
        "from": NotRequired[str],
        "at": NotRequired[int],
        "to": NotRequired[Seat],
        "faced": NotRequired[Any],
        "trick": NotRequired[int],
        "stock": NotRequired[int],
        "number": NotRequired[int],
        "law": NotRequired[str],
        "case": NotRequired[int],
        "option": NotRequired[str],
    },
)
"""One act, ready to be posted; every element of `lawful` is one."""


class Placed(TypedDict):
    """A card on the table and the seat that played it."""

    seat: Seat
    card: Card


class Trick(TypedDict):
    """A quitted trick: who led, the cards in order, who won."""

    leader: Seat
    cards: list[Card]
    winner: Seat


# In the functional form, again for `from`.
Drawn = TypedDict("Drawn", {"seat": Seat, "from": str})
"""A draw all have seen happen (not the card): who, from where."""


class Marriage(TypedDict):
    """An announced marriage; `counts` says whether its points count now, later or not at all."""

    seat: Seat
    suit: Suit
    amount: int
    shown: bool
    counts: Literal["now", "pending", "void"]


class Bid(TypedDict):
    """One seat's turn to bid; `ticks` is None for a pass."""

    seat: Seat
    ticks: int | None


class Looked(TypedDict):
    """A look at a quitted trick that all have seen."""

    seat: Seat
    trick: NotRequired[int]


class View(TypedDict):
    """What a seat sees at the table, and nothing else.

    `called` is the suit of the marriage announced at this lead, `shown` those shown unled,
    `cuts` the cards cut for deal; `confirming` who is asked to confirm, in the phase `confirm`;
    `peeked` are cards of the stock it has looked at, `laid_open` the other's tricks where it may;
    `seen_tricks` holds old tricks this seat has looked at, `piles` all of them once scored,
    `result` how the deal ended then.

    Some members are there only in games that have them: `resting` is the dealer who takes no cards,
    `out` a seat left out of the deal, `partner` the seat's own; `bids` and `cancelled_bids` are in
    order, `bidder` is who won the bidding; `tens` are game points taken with the ten of trumps;
    `early` cards lie there before their turn, `exposed` ones are played at the first chance.
    """

    seat: Seat
    ruleset: str
    deal: int
    attempt: int
    phase: Phase
    turn: Seat
    dealer: Seat
    leader: Seat
    trump: Suit | None
    turn_up: Card | None
    hand: list[Card]
    sizes: dict[Seat, int]
    stock: int
    table: list[Placed]
    tricks: dict[Seat, int]
    last_trick: Trick | None
    to_draw: list[Seat]
    drawn: list[Drawn]
    lifted: dict[str, Any] | None
    marriages: list[Marriage]
    called: Suit | None
    shown: list[Suit]
    open: dict[Card, str]
    closed_by: Seat | None
    looked: list[Looked]
    barred: list[Seat]
    cuts: NotRequired[list[Placed]]
    peeked: NotRequired[list[Card]]
    laid_open: NotRequired[list[Trick]]
    confirming: NotRequired[list[Seat]]
    result: NotRequired[dict[str, Any]]
    seen_tricks: NotRequired[list[dict[str, Any]]]
    piles: NotRequired[list[Trick]]
    resting: NotRequired[Seat | None]
    out: NotRequired[Seat]
    partner: NotRequired[Seat]
    bids: NotRequired[list[Bid]]
    cancelled_bids: NotRequired[list[Bid]]
    bidder: NotRequired[Seat | None]
    tens: NotRequired[dict[Seat, int]]
    early: NotRequired[list[Placed]]
    exposed: NotRequired[list[Card]]
    score: dict[Seat, int]
    target: int
    carry: int


class Clock(TypedDict, total=False):
    """The seat's time in milliseconds: what is left, and what the last act was charged.

    `round_trip_ms` is how long the seat's last act took in all, from delivery to arrival, thinking included; `why` what
    it cost so: `in_time`, `bank` (`from_bank_ms` of it), `free`, `time_out`.
    """

    act_ms: int
    bank_ms: int
    left_ms: int
    charged_ms: int
    round_trip_ms: int
    from_bank_ms: int
    why: str | None
    increment_ms: int


class Option(TypedDict):
    """One remedy to choose among, with its consequence and award; one of them is the default.

    `option` is a word (`undo`, `accept`, ...) or one with a card or a seat: `give:TS`, `top:KH`, `keep:QS`,
    `trump:9D` (which of two cards turned), `deal:b` (who deals first).
    """

    option: str
    effect: str
    default: NotRequired[bool]
    award: NotRequired[dict[str, Any]]


class Prompt(TypedDict):
    """A question to one seat: any element of `lawful` is a correct answer.

    `own_risk` holds `declare` and `show` where they are in time; whether the count is good
    is for the seat to know. In an election `case`, `laws` and `options` are there too, and
    `lawful` holds the `elect` acts; `laws` is empty where the highest cut chooses who deals first.
    Where a bot that watches is asked whether it has anything to claim (`calls: players`), `lawful`
    holds `confirm` alone; a claim is its own to make.
    """

    match: str
    version: int
    seat: Seat
    view: View
    lawful: list[Act]
    own_risk: list[Act]
    clock: NotRequired[Clock]
    case: NotRequired[int]
    laws: NotRequired[list[str]]
    options: NotRequired[list[Option]]


class Ruling(TypedDict, total=False):
    """The referee's decision on a case: the laws cited, who offended, what was chosen by whom.

    Who deals first, where the highest cut chooses, is such a case without laws and offender.
    """

    case: int
    number: int
    laws: list[str]
    kind: str
    offender: Seat | None
    facts: dict[str, Any]
    options: list[Any]
    option: str
    chosen_by: str | None
    award: dict[str, Any] | None
    after: Any


class Taken(TypedDict):
    """The answer to an act that was taken: its number, the version after it, the rulings on it."""

    match: str
    taken: int
    version: int
    over: bool
    rulings: list[Ruling]


class Verdict(TypedDict):
    """What came of one act of a batch: the `status` and `body` that it would have had as a request of its own."""

    match: str | None
    status: int
    body: dict[str, Any]


class Seen(TypedDict):
    """The view of a seat at `version`, asked or not; `prompt` is there where it is asked."""

    match: str
    version: int
    over: bool
    seat: Seat | None
    view: View
    asked: bool
    prompt: NotRequired[Prompt]


class Registered(TypedDict):
    """A new bot: who it is, the token shown once, and where it is pushed to, the secret."""

    bot: dict[str, Any]
    token: str
    webhook_secret: NotRequired[str]
