"""Provisions that no act at an online table can breach, or that are no offences; each says why.

They are in the book because the sources have them, and the desk can be asked about them.
"""

from referee.laws.law import Case, Finding, Kind, Registers, law

_ALWAYS = ("always", "never")


def apart(
    law_id: str,
    title: str,
    *cites: tuple[str, str],
    why: str,
    window: tuple[str, str] = _ALWAYS,
    kind: Kind = Kind.NONE,
    option: str = "accept",
    scope: str = "every rule-set",
) -> Registers:
    """Register a provision that cannot come about at an online table, and say why."""
    return law(law_id, title, kind=kind, cites=cites, window=window, options=(option,), online=why, scope=scope)


@apart(
    "IR-08", "Wrong number found later", ("EW-Bez", "more cards than the other"),
    why="hands are filled up by counting, so a long hand skips and a short one makes up of itself",
    window=("when a hand has another number than it should", "at the end of the deal"),
)  # fmt: skip
def wrong_number_found_later(_case: Case) -> Finding | None:
    """A hand has another number of cards than it should, and nobody's error in drawing can be named.

    There is no penalty: a long hand skips its draws, a short one takes the missing card at the next draw.
    """
    return None


@apart(
    "IR-13", "The pack is imperfect", ("F-Ecarte", "imperfect pack"),
    why="the server makes the pack; a bad one would be its own fault, and the deal void",
    window=("whenever it is found", "at the end of the deal"), kind=Kind.PRESCRIBED, option="fresh_deal",
)  # fmt: skip
def imperfect_pack(_case: Case) -> Finding | None:
    """A card is missing from the pack, or one is there too many.

    The deal is void and dealt afresh with a good pack; earlier deals stand.
    """
    return None


@apart(
    "IR-15", "A misdeal does not lose the deal", ("000", "dealing"),
    why="a principle that the laws on dealing carry out: every fresh deal is dealt by the same dealer",
)  # fmt: skip
def misdeal_keeps_the_deal(_case: Case) -> Finding | None:
    """Whatever goes wrong in dealing, the deal is not lost: the same dealer deals again."""
    return None


@apart(
    "IR-39", "Cards mixed so that facts cannot be found", ("whist", "mixed cards"),
    why="cards cannot be mixed: every act is on record",
    window=("when they are mixed", "at the end of the deal"),
)  # fmt: skip
def cards_mixed(_case: Case) -> Finding | None:
    """Cards or tricks were mixed so that a fact cannot be found out any more.

    The point is decided against the one who mixed them.
    """
    return None


@apart(
    "IR-48", "An opening-lead marriage without a trick", ("000", "marriages"), ("Pagat-66", "marriages"),
    why="a consequence that the count carries out: such a marriage stays pending (R-32)",
)  # fmt: skip
def marriage_without_trick(_case: Case) -> Finding | None:
    """A marriage called on the opening lead, whose owner wins no trick, is annulled of itself."""
    return None


@apart(
    "IR-5A", "The turn-up is hidden from the other", ("000", "closing"),
    why="the exchange stays among the other's acts wherever the rule-set allows it after a close",
    window=("at the close", "at the other's next play"),
)  # fmt: skip
def turn_up_hidden(_case: Case) -> Finding | None:
    """The closer turned the turn-up down so that the other could not exchange for it.

    He must be given the exchange if he is entitled to it.
    """
    return None


@apart(
    "IR-63", "Plays on after the declaration", ("002", "introduction"),
    why="the deal is over with the declaration; a card after it is impossible",
)  # fmt: skip
def plays_on(_case: Case) -> Finding | None:
    """Cards were played after a declaration had ended the deal.

    They have no value, and what was won before it is counted.
    """
    return None


@apart(
    "IR-64", "The declarer has revoked", ("002", "rule 11"),
    why="a consequence of IR-36, IR-95 and IR-9A: an established revoke replaces whatever result the deal had",
    window=("when the revoke is established", "when the result is confirmed"),
    kind=Kind.PRESCRIBED, option="end_deal",
)  # fmt: skip
def declarer_has_revoked(_case: Case) -> Finding | None:
    """The seat that declared had revoked before, and nobody had called it.

    The revoke bars it from scoring: the deal is scored as for an established revoke.
    """
    return None


@apart(
    "IR-65", "Refuses an examination of the tricks", ("002", "introduction"),
    why="the count and both trick piles are published when a deal is scored",
)  # fmt: skip
def refuses_examination(_case: Case) -> Finding | None:
    """Who declares lets the other examine the tricks.

    Here nobody can refuse: both counts and both piles are published when the deal is scored.
    """
    return None


@apart(
    "IR-82", "Keeps a written count", ("000", "keeping count"), ("004", "keeping count"),
    why="what a bot remembers cannot be seen; the referee never serves a running count",
    window=("when it is seen", "at the end of the deal"),
)  # fmt: skip
def keeps_written_count(_case: Case) -> Finding | None:
    """A running count was written down where it is to be kept in mind.  A warning; it counts as conduct."""
    return None


@apart(
    "IR-84", "Exposes the other's card", ("house", "no source speaks of it"),
    why="no act shows another's card; if the service did, the deal would be void, its own fault",
    window=("when it is exposed", "at the other's next act"), kind=Kind.CHOICE,
)  # fmt: skip
def exposes_others_card(_case: Case) -> Finding | None:
    """A card of the other's hand was shown.

    Its owner goes on, or has the deal dealt afresh.
    """
    return None


@apart(
    "IR-90", "Score or carry wrongly entered", ("whist", "scoring"),
    why="the server counts; a claim only makes it count again",
    window=("when it is entered", "when trump of the next deal is turned; a gross error until the match ends"),
)  # fmt: skip
def score_wrong(_case: Case) -> Finding | None:
    """A score or a carry was entered wrongly.

    It is corrected until trump of the next deal is turned, a gross error until the match ends.
    """
    return None


@apart(
    "IR-93", "Both irregular, order unknown", ("Bridge 2017", "law 64"),
    why="events have an order, so the earlier of two faults can always be told",
)  # fmt: skip
def both_irregular(_case: Case) -> Finding | None:
    """Both seats were at fault and it cannot be told who was first.

    The faults cancel each other; if the deal cannot go on, it is dealt afresh.
    """
    return None
