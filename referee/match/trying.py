"""Trying out: a position at a table of its own, and the decisions on what is done there.

Worked cases and the desk are played by the same decisions as every match, so that what they say holds at the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from referee.match import deciding
from referee.match.state import Match, Tally
from referee.match.steps import Refusal, Step
from referee.match.table import attend
from referee.match.terms import Seating, Terms
from referee.rules import acts
from referee.rules.acts import Act
from referee.rules.cards import SEATS
from referee.rules.moves import read_move
from referee.rules.positions import CUT_FOR_DEAL, Position

#: What a seat does itself where nothing is said.
OWN_CHORES: Final = ("shuffle", "cut", "deal", "draw")
TIME_OUT, IMPOSSIBLE = "time-out", "impossible"
_SEED: Final = bytes(32)

#: A seat and what it does: an act, or one of the two words for what is none.
Move = tuple[int, Act | str]


@dataclass(slots=True)
class Trial:
    """A table at which something is tried out.

    `taken` holds for each move the number of its event, 0 where it was refused; `refused` counts by seat.
    """

    match: Match
    taken: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=lambda: [0] * len(SEATS))


def sit_down(
    position: Position,
    *,
    conduct: str = "adjudicate",
    calls: str = "referee",
    chores: Mapping[str, tuple[str, ...]] | None = None,
    score: tuple[int, ...] = (),
    carry: int = 0,
) -> Trial:
    """Return a trial of a deal that stands at `position`, the score and the carry as given."""
    players = position.frame.players
    own = chores if chores is not None else dict.fromkeys(SEATS[:players], OWN_CHORES)
    seats = tuple(Seating(name, name, frozenset(own.get(name, ()))) for name in SEATS[:players])
    terms = Terms("case", position.frame.rule_set, seats, conduct=conduct, calls=calls)
    bank, nothing = (terms.clock.bank_ms,) * players, (0,) * players
    score = score or nothing
    number = 0 if position.phase == CUT_FOR_DEAL else 1
    start = Tally(number, 1, position.frame.dealer, score, carry, bank, nothing, nothing, nothing, 0, 0, "")
    m = Match(terms, _SEED, position, start, slips=nothing, conduct=nothing, overruns=nothing)
    m.deal, m.attempt = start.deal, start.attempt
    m.dealer = position.frame.dealer
    m.score, m.carry, m.bank = score, carry, bank
    attend(m)
    return Trial(m)


def read(move: str) -> Move:
    """Return the seat and what it does: a move in the notation, or `b time-out`, `b impossible`."""
    seat, _, rest = move.strip().partition(" ")
    if rest in (TIME_OUT, IMPOSSIBLE) and len(seat) == 1 and seat in SEATS:
        return SEATS.index(seat), rest
    return read_move(move)


def make(trial: Trial, move: Move) -> Step | Refusal | None:
    """Decide on a move, numbers in it counting the moves from 1; nothing comes of an impossible request alone."""
    seat, one = move
    m = trial.match
    if isinstance(one, Act):
        done = deciding.act(m, seat, _numbered(trial, one), ms=0)
        if isinstance(done, Refusal):
            trial.taken.append(0)
            return done
        return _took(trial, done)
    if one == TIME_OUT:
        return _took(trial, deciding.time_out(m, seat, elapsed_ms=0))
    trial.refused[seat] += 1
    limit = m.position.frame.options.conduct_limit
    if trial.refused[seat] < limit:
        trial.taken.append(0)
        return None
    return _took(trial, deciding.conduct_reached(m, seat, refused=limit))


def claim(trial: Trial, seat: int, *, event: int, law: str = "") -> Step | Refusal:
    """Decide on a seat's claim on the act of that event."""
    done = deciding.act(trial.match, seat, acts.act(acts.CLAIM, number=event, law=law), ms=0)
    return done if isinstance(done, Refusal) else _took(trial, done)


def _took(trial: Trial, step: Step) -> Step:
    trial.match = step.match
    trial.taken.append(step.taken)
    return step


def _numbered(trial: Trial, one: Act) -> Act:
    """Turn the number of a move into that of its event, and name the case that is open."""
    if one.kind in (acts.TAKE_BACK, acts.CLAIM) and one.number <= len(trial.taken):
        return replace(one, number=trial.taken[one.number - 1] or one.number)
    if one.kind == acts.ELECT and trial.match.case is not None:
        return replace(one, case=trial.match.case.number)
    return one
