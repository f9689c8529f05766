"""Title G: announcing 66."""

from referee.laws.law import Case, Finding, Kind, law
from referee.rules.scoring import declared_count


@law(
    "IR-61",
    "False declaration",
    kind=Kind.PRESCRIBED,
    cites=(("002", "rule 12"), ("000", "announcing"), ("Pagat-66", "false claim")),
    window=("at the declaration", "at once, by itself"),
    options=("end_deal",),
)
def false_declaration(case: Case) -> Finding | None:
    """66 was declared and the count is short.

    The deal ends; the other scores two, or three if he has no trick at that moment, as the
    rule-set says; a closer who declares falsely has failed his close.
    """
    if not case.objected("IR-61"):
        return None
    options = case.before.frame.options
    return Finding(
        case.seat,
        {"count": declared_count(case.before, case.seat), "needed": options.declare_at},
    )


@law(
    "IR-62",
    "Declares outside the window",
    kind=Kind.NONE,
    cites=(("house", "no source speaks of it"),),
    window=("at the declaration", "at once, by itself"),
    options=("accept",),
)
def declares_outside_window(case: Case) -> Finding | None:
    """66 was declared at a moment when this seat may not declare.

    With the count good it has no effect, play goes on, and it counts as conduct.  With the
    count short it is a false declaration all the same: information was given.
    """
    if not case.objected("IR-62"):
        return None
    return Finding(case.seat, {"window": case.before.frame.options.declare_window})
