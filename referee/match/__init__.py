"""A match as events: deciding on acts, the fold, the hash chain, replay and verification.

This package is pure: it has no clock, no store and no dice but the seed it is given.  A `Match` is
never changed once it has been handed out; every decision returns another.
"""

from referee.match.deciding import (
    act,
    conduct_reached,
    no_show,
    open_match,
    time_out,
    withdraw,
)
from referee.match.logs import Appealed, Verdict, appeal, finished_log, replay, resume, transcript, verify
from referee.match.overruling import overrule
from referee.match.prompting import prompt, view
from referee.match.seeds import commitment, first_dealer, match_seed, pack_for
from referee.match.state import Match, Outcome
from referee.match.steps import Refusal, Step
from referee.match.terms import Clock, Seating, Terms, terms_from, terms_json

__all__ = [
    "Appealed", "Clock", "Match", "Outcome", "Refusal", "Seating", "Step", "Terms", "Verdict", "act", "appeal", "commitment",
    "conduct_reached", "finished_log", "first_dealer", "match_seed", "no_show", "open_match", "overrule",
    "pack_for", "prompt", "replay", "resume", "terms_from", "terms_json", "time_out", "transcript",
    "verify", "view", "withdraw",
]  # fmt: skip
