"""The arithmetic of Cruce a second time, from the tricks and the bids alone (RULES 4.4).

Cards are names here and sides pairs of letters; nothing of what the engine counts is read, only what was
bid, called and played.
"""

from dataclasses import dataclass

from referee.rules import cards

WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
SIDES = ("ac", "bd")


@dataclass(frozen=True)
class Counted:
    """What each side has after a deal of Cruce: total, ticks, tricks; and who bid what."""

    totals: dict[str, int]
    tricks: dict[str, int]
    bidder: str
    bid: int

    def ticks(self, side: str) -> int:
        """How many times thirty-three card points."""
        return self.totals[side] // 33


def counted(position) -> Counted:
    """Counts a deal over again."""
    rows = [(cards.SEATS[winner], [cards.CARD_NAMES[card] for card in played]) for _, winner, played in position.tricks]
    totals, tricks = dict.fromkeys(SIDES, 0), dict.fromkeys(SIDES, 0)
    for winner, played in rows:
        totals[_side(winner)] += sum(WORTH[name[0]] for name in played)
        tricks[_side(winner)] += 1
    trump = rows[0][1][0][1] if rows else ""
    for each in position.marriages.announced:
        side = _side(cards.SEATS[each.seat])
        if each.counts != "void" and tricks[side]:
            totals[side] += 40 if cards.SUITS[each.suit] == trump else 20
    bids = [(ticks, cards.SEATS[seat]) for seat, ticks in position.stakes.bids]
    high = max((ticks for ticks, _ in bids), default=0)
    bidder = next((seat for ticks, seat in bids if high and ticks == high), "")
    return Counted(totals, tricks, bidder, high)


def _side(seat: str) -> str:
    return next(side for side in SIDES if seat in side)


def assert_bids_scored(position) -> None:
    """A deal of Cruce that was played out scored what it should: made, set, the Moon, or nothing bid."""
    result, has = position.result, counted(position)
    if not has.bidder:
        assert result.cause == "passed_out"
        assert (result.winner, result.game_points) == (-1, 0)
        assert not position.tricks
        return
    ours = _side(has.bidder)
    theirs = next(side for side in SIDES if side != ours)
    made, gained = _bid_made(has, ours, theirs, position.frame.rule_set.options)
    assert result.cause == ("played_out" if made else "set"), result
    expected = {ours: gained, theirs: has.ticks(theirs)}
    assert [result.scores[seat] for seat in range(4)] == [expected[_side(name)] for name in "abcd"], (result, has)
    assert cards.SEATS[result.winner] in (ours if made else theirs)
    assert result.game_points == expected[ours if made else theirs]


def _bid_made(has: Counted, ours: str, theirs: str, options) -> tuple[bool, int]:
    lost = -has.bid * (2 if options["set_costs"] == "twice_bid" else 1)
    if has.bid == 5 and options["moon_goal"] == "all_tricks":
        made = has.tricks[theirs] == 0
        return made, 5 if made else lost
    made = has.totals[ours] >= 33 * has.bid
    return made, has.ticks(ours) if made else lost
