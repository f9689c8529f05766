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
from referee.match.logs import (
    Appealed,
    LogError,
    Verdict,
    appeal,
    catch_up,
    finished_log,
    replay,
    resume,
    transcript,
    verify,
)
from referee.match.overruling import overrule
from referee.match.prompting import prompt, view
from referee.match.seeds import SEED_SIZE, commitment, first_dealer, match_seed, pack_for, seed_on_packs, together
from referee.match.state import Match, Outcome
from referee.match.steps import Refusal, Step
from referee.match.terms import Clock, Seating, Terms, is_salt, terms_from, terms_json

__all__ = [
    "SEED_SIZE", "Appealed", "Clock", "LogError", "Match", "Outcome", "Refusal", "Seating", "Step", "Terms", "Verdict",
    "act", "appeal", "catch_up", "commitment", "conduct_reached", "finished_log", "first_dealer", "is_salt",
    "match_seed", "no_show", "open_match", "overrule", "pack_for", "prompt", "replay", "resume", "seed_on_packs",
    "terms_from", "terms_json", "time_out", "together", "transcript", "verify", "view", "withdraw",
]  # fmt: skip
