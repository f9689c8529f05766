"""Title J: three and four players, partners, bids."""

from referee.laws.apart import apart
from referee.laws.law import Case, Finding, Kind, law
from referee.laws.playing import of_established_revoke
from referee.laws.remedies import cancel_bid, lay_exposed
from referee.rules.bidding import ticks_of
from referee.rules.cards import CARD_NAMES, SEATS
from referee.rules.positions import NOBODY

_ESTABLISHED = ("when the trick's winner acts next, or the deal ends", "when the result is confirmed")
_TICKS = "score_by: ticks"


@law(
    "IR-95",
    "Revoke of a side that scores by bands",
    kind=Kind.PRESCRIBED,
    cites=(("002", "rule 11, extended"), ("003", "Four-Handed"), ("Foster-4h", "play")),
    window=_ESTABLISHED,
    options=("end_deal",),
    scope="score_by: bands",
)
def sides_revoke_established(case: Case) -> Finding | None:
    """A card did not follow suit, win the trick or trump as its owner could, and its trick has been quitted.

    The deal ends, or its result is replaced: the offending side scores nothing, the other two, or
    three if the side had no points when it revoked.  A point taken with the ten of trumps stays.
    """
    return of_established_revoke(case, "bands")


@law(
    "IR-96",
    "Plays out of turn where there is a partner",
    kind=Kind.CHOICE,
    cites=(("whist", "leads out of turn, exposed cards"), ("Bridge 2017", "laws 53 and 50, their pattern")),
    window=("at the card played", "when an opponent plays"),
    options=("undo", "accept"),
    effects={"undo": lay_exposed},
    elector="next_opponent",
    until=("other_plays",),
    scope="deals in which more than two play",
)
def plays_out_of_turn(case: Case) -> Finding | None:
    """A card was led or played by a seat whose turn it was not.

    The opponent next in turn has it taken back, and it lies exposed until its owner plays it, which is at
    his first chance to do so lawfully; or accepts it: a lead is played to, another card waits for its turn.
    """
    # 2026-11-30: is a card that was accepted out of turn still a revoke if its owner could have followed suit?  Who
    # accepts it cannot know; but an irregularity belongs to one act (DESIGN section 4), and acting on it waives it
    # (P5).  So the card stands for all purposes, and an opponent who is in doubt has it taken back.
    if not case.objected("IR-96"):
        return None
    assert case.act is not None
    card = case.act.lead if case.act.lead >= 0 else case.act.card
    return Finding(case.seat, {"card": CARD_NAMES[card], "turn": SEATS[case.before.turn]})


@apart(
    "IR-97", "The ten of trumps is scored wrongly", ("house", "no source speaks of it"),
    why="the server counts; a claim only makes it count again",
    window=("when it is scored", "when the next deal begins"), scope="ten_of_trumps: game_point",
)  # fmt: skip
def ten_scored_wrongly(_case: Case) -> Finding | None:
    """A side took the point for the ten of trumps that was the other's, or forgot its own.

    It is corrected until the next deal.
    """
    return None


@law(
    "IR-98",
    "Bids out of turn, or not higher",
    kind=Kind.PRESCRIBED,
    cites=(("Bridge 2017", "laws 27 to 29, their idea"), ("004", "Cruce, bidding")),
    window=("at the bid", "at the next bid or pass, or the first lead"),
    options=("mend",),
    effects={"mend": cancel_bid},
    until=("next_bid", "card_led"),
    scope="bidding: ticks",
)
def bids_amiss(case: Case) -> Finding | None:
    """A bid or a pass was made by a seat whose turn it was not, or a bid that is not higher than those before.

    It is cancelled, and that seat bids again in its turn: higher, or it passes.  A dealer who must bid and
    passed bids.
    """
    if not case.objected("IR-98"):
        return None
    assert case.act is not None
    reasons = [each.code for each in case.objections if each.law == "IR-98"]
    return Finding(case.seat, {"bid": ticks_of(case.act), "highest": case.before.stakes.ticks, "reasons": reasons})


@law(
    "IR-99",
    "First lead of one who is not the bidder",
    kind=Kind.PRESCRIBED,
    cites=(("house", "no source speaks of it"),),
    window=("at the card led", "at once, by itself"),
    options=("undo",),
    scope="trump_method: first_lead",
)
def first_lead_of_another(case: Case) -> Finding | None:
    """The first card of the deal, which would make trump, was led by a seat that had not bid highest.

    It is taken back, and nobody may accept it; the bidder leads.
    """
    if not case.objected("IR-99"):
        return None
    bidder = case.before.stakes.bidder
    return Finding(case.seat, {"bidder": None if bidder == NOBODY else SEATS[bidder]})


@law(
    "IR-9A",
    "Revoke of a side that scores by ticks",
    kind=Kind.PRESCRIBED,
    cites=(("NPA", "reneges"), ("004", "Cruce, play")),
    window=_ESTABLISHED,
    options=("end_deal",),
    scope=_TICKS,
)
def ticks_revoke_established(case: Case) -> Finding | None:
    """A card did not follow suit, play higher or trump as its owner could, and its trick has been quitted.

    The deal ends, or its result is replaced.  If the side of the highest bidder is at fault, it is set and the
    other scores its ticks; if the other is, the bid counts as made, and the offenders score nothing.
    """
    return of_established_revoke(case, "ticks")


@apart(
    "IR-9B", "A dealer who rests advises a player", ("house", "no source speaks of it"),
    why="there is no channel between seats, and a dealer who rests sees no hand",
    window=("when he advises", "at the end of the deal"), scope="dealer_rests",
)  # fmt: skip
def resting_dealer_advises(_case: Case) -> Finding | None:
    """The dealer, who takes no part in the deal, advised one of the players.  A warning; it counts as conduct."""
    return None


@apart(
    "IR-9C", "An award also goes to a dealer who rests", ("003", "Three-Handed"), ("1895", "three-handed game"),
    why="a consequence that the scoring carries out: what is won on his deal is his too, up to a point short of the target",
    scope="dealer_rests",
)  # fmt: skip
def award_goes_to_resting_dealer(_case: Case) -> Finding | None:
    """A remedy gave a player game points in a deal whose dealer rests.

    The dealer scores as many, but not the last point of the match.  Of his own absence he has nothing.
    """
    return None
