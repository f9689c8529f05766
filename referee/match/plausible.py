"""Whether a position that a question states can be one that is played on from, though every card lies somewhere."""

from referee.rules.bidding import has_bid
from referee.rules.cards import SEATS
from referee.rules.positions import BIDDING, CUT_FOR_DEAL, DEALING, FOLLOW, LEAD, NOBODY, PLAYING, SCORED, Position
from referee.rules.tricks import on_table


def cannot_be(p: Position) -> str:
    """Say why a position in which every card lies somewhere can still not be one, or nothing."""
    strange = [SEATS[seat] for seat in _seats_named(p) if seat >= p.frame.players]
    if strange:
        return f"seat {strange[0]} is not at this table: they are {', '.join(SEATS[: p.frame.players])}"
    if p.phase == SCORED and p.aside.cuts:
        return "all have cut already; give the position before the last cut, and that cut among the acts"
    if p.phase == CUT_FOR_DEAL:
        return _cannot_be_cut(p)
    if p.phase == SCORED:
        return "the deal is scored, so nothing more is done in it; give the position before, and the acts that ended it"
    return _seats_amiss(p) or _bids_amiss(p) or _table_amiss(p)


def _cannot_be_cut(p: Position) -> str:
    """Say why a pack cannot be cut for deal as it lies, or nothing: it is whole, but for what has been lifted."""
    if any(p.hands) or p.table or p.turn_up >= 0 or p.trump >= 0:
        return "the seats cut for deal before any card is dealt: hands, table, turn-up and trump are left out"
    needed = p.frame.options.cut_least * (p.frame.players - len(p.aside.cuts) + 1)
    if len(p.stock) < needed:
        return f"{len(p.stock)} cards are left to cut, and with fewer than {needed} no cut is in order"
    return ""


def _seats_named(p: Position) -> tuple[int, ...]:
    aside = p.aside
    pairs = (*aside.looks, *aside.cuts, *aside.early, *p.drawn, *([aside.lifted] if aside.lifted else []))
    closer = (p.closing.closer,) if p.closing else ()
    stakes = (*p.stakes.bids, *p.stakes.cancelled)
    first = (each[0] for each in (*pairs, *stakes))
    calls = (each.seat for each in p.marriages.announced)
    dealing = () if aside.dealing == NOBODY else (aside.dealing,)
    named = (p.turn, p.leader, *p.to_draw, *aside.barred, *aside.laid_open, *closer, *dealing)
    return (*named, *first, *calls)


def _seats_amiss(p: Position) -> str:
    """Say which seat plays, or holds cards, that takes no part in the deal."""
    frame = p.frame
    if frame.resting != NOBODY and p.hands[frame.resting]:
        return f"seat {SEATS[frame.resting]} deals and rests, and so holds no cards"
    idle = [seat for seat in (p.turn, p.leader, *p.to_draw) if seat not in frame.active]
    if idle and p.phase not in DEALING:
        return f"seat {SEATS[idle[0]]} takes no part in this deal; {' and '.join(SEATS[each] for each in frame.active)} play"
    return ""


def _bids_amiss(p: Position) -> str:
    """Say what is wrong with the bids that a position states, where there is bidding."""
    options, stakes = p.frame.options, p.stakes
    if options.bidding == "none":
        return (
            "nobody bids in this game: `bids` and `cancelled` are left out" if stakes.bids or stakes.cancelled else ""
        )
    waiting = [seat for seat in p.frame.active if not has_bid(p, seat)]
    if p.phase == BIDDING:
        return f"seat {SEATS[waiting[0]]} bids next" if waiting and p.turn != waiting[0] else ""
    if p.phase in DEALING:
        return "nobody bids before the cards are dealt: `bids` and `cancelled` are left out" if stakes.bids else ""
    bidder = stakes.bidder
    if bidder == NOBODY:
        return "a deal is played for the highest bid: say what was bid, such as `bids:a:1 b:- c:2 d:-`"
    alone = stakes.ticks >= options.moon_bid
    partner = next(each for each in p.frame.sides[bidder] if each != bidder)
    if alone and p.frame.out != partner:
        return f"seat {SEATS[bidder]} plays alone: say `out:{SEATS[partner]}`"
    if not alone and p.frame.out != NOBODY:
        return f"nobody plays alone for a bid of {stakes.ticks}: `out` is left out"
    if not p.tricks and not p.table and p.leader != bidder:
        return f"seat {SEATS[bidder]} has bid highest and leads"
    return ""


def _table_amiss(p: Position) -> str:
    """Say what is wrong with the cards on the table, and with who is to play to them."""
    players = len(p.frame.active)
    if len(p.table) >= players:
        return f"{len(p.table)} cards lie on the table; a trick of {players} is in `tricks`, such as a:AS+9S"
    if p.table and p.phase in PLAYING and p.phase != "draw" and p.turn != _next_to_play(p):
        return f"seat {SEATS[p.leader]} has led to the trick on the table, so seat {SEATS[_next_to_play(p)]} plays next"
    early = [seat for seat, _ in p.aside.early]
    if early and (p.phase != FOLLOW or {p.turn, *on_table(p)}.intersection(early)):
        return (
            f"a card of seat {SEATS[early[0]]} waits for its turn: that is a seat whose turn to this trick is to come"
        )
    if p.phase == LEAD and not p.hands[p.turn]:
        return f"seat {SEATS[p.turn]} is to lead and holds no card; the deal would be over"
    return ""


def _next_to_play(p: Position) -> int:
    seat = p.leader
    for _ in p.table:
        seat = p.frame.following[seat]
    return seat
