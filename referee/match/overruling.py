"""Appeals and overruling: a ruling derived again, and an organiser's decision put on record after the end.

A log is never edited.  An organiser who overrules adds an event to the finished match: the result is then what
that event says, the seal covers it, and whoever verifies the log sees both.
"""

from typing import Final

from referee.match.state import Match, Outcome, draft, write
from referee.match.steps import Step, step_of
from referee.rules import scoring, views
from referee.rules.cards import SEATS

OVERRULED: Final = "overruled"
LONGEST_REASON: Final = 500
MOST_POINTS: Final = 1000


def overrule(m: Match, *, case: int, winner: int | None, score: tuple[int, ...], reason: str, decided_at: str) -> Step:
    """Record an organiser's decision in place of a finished match's result, upon a case of it.

    `winner` is a seat, or nothing where the match counts for nobody; `score` the game points that count;
    `decided_at` RFC 3339 in UTC.  Raises `ValueError` for a match that is not over, a case it has not had, and
    values that cannot be.
    """
    if m.outcome is None:
        raise ValueError("the match is not over; only a finished one is overruled")
    if not 1 <= case <= m.cases:
        raise ValueError(f"case {case!r}: the match has had {m.cases} cases")
    if winner is not None and winner not in range(len(m.terms.seats)):
        raise ValueError(f"winner {winner!r}: it is a seat, or nobody")
    least = -MOST_POINTS if scoring.can_fall(m.position.frame.options) else 0
    if len(score) != len(m.terms.seats) or not all(
        type(each) is int and least <= each <= MOST_POINTS for each in score
    ):
        raise ValueError(f"score {score!r}: a whole number from {least} to {MOST_POINTS} for each seat")
    if not 0 < len(reason) <= LONGEST_REASON:
        raise ValueError(f"the reason is a text of 1 to {LONGEST_REASON} characters")
    d = draft(m)
    write(
        d,
        OVERRULED,
        case=case,
        winner=None if winner is None else SEATS[winner],
        score=views.by_seat(tuple(score)),
        reason=reason,
        decided_at=decided_at,
    )
    d.score = tuple(score)
    d.outcome = Outcome(winner, OVERRULED, tuple(score))
    return step_of(d, taken=d.version)
