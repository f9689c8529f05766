"""A table without a server: bots of `clients/` play a match of `referee.match` in this process, two to four of them.

`Seat` stands where the SDK's Session stands, so that a bot which looks at the table or acts while
it is not asked can be played here, act by act and with no races.
"""

import json

from sixtysix.errors import Refused, refusal

from referee import match
from referee.rules import rulesets


class Table:
    """One match between bots, as many as the game has seats; `lines` are its events so far."""

    def __init__(self, seed, *, chores, conduct="adjudicate", calls="referee", ruleset="house", number=1, salts=()):
        seats = tuple(match.Seating(f"bot_{seat}", f"Bot {seat}", frozenset(own)) for seat, own in enumerate(chores))
        rules = rulesets.named(ruleset)
        opened_at = "2026-11-30T12:00:00.000Z"
        how = {"conduct": conduct, "calls": calls, "opened_at": opened_at, "salts": salts}
        terms = match.Terms(f"mat_{number}", rules, seats, **how)
        step = match.open_match(terms, seed)
        self.seed, self.match, self.lines = seed, step.match, list(step.lines)
        self.refused = [0] * len(seats)

    def rulings(self):
        events = map(json.loads, self.lines)
        return [event for event in events if event["type"] == "ruled"]

    def take(self, seat, act):
        done = match.act(self.match, seat, act, ms=5)
        if isinstance(done, match.Refusal):
            self.refused[seat] += done.counts
            problem = {"code": done.code, "detail": done.detail, "objections": list(done.objections)}
            raise refusal(done.status, problem, of_act=True)
        self.match = done.match
        self.lines += done.lines
        rulings = [event for event in map(json.loads, done.lines) if event["type"] == "ruled"]
        return {
            "match": self.match.terms.match_id,
            "taken": done.taken,
            "version": self.match.version,
            "over": self.match.is_over,
            "rulings": rulings,
        }


class Seat:
    """Is a session of the bot at one seat."""

    def __init__(self, table, seat):
        self.table, self.seat = table, seat

    def view(self, _match):
        m = self.table.match
        return {"version": m.version, "over": m.is_over, "view": match.view(m, self.seat)}

    def act(self, _match, act, *, version, key=None):
        assert version == self.table.match.version
        return self.table.take(self.seat, act)

    def rulings(self, _match):
        return self.table.rulings()


def play(table, bots, *, look=lambda prompt: None, limit=5000):
    """Plays a match to its end; `bots` are, by seat, pairs of choose and after (or None). Gives the table."""
    for _ in range(limit):
        if table.match.is_over:
            return table
        seat = table.match.asked[0]
        choose, after = bots[seat]
        prompt = match.prompt(table.match, seat)
        look(prompt)
        act = choose(prompt)
        try:
            outcome = table.take(seat, act)
        except Refused as refused:
            outcome = refused
        if after:
            after(Seat(table, seat), prompt, act, outcome)
    raise AssertionError(f"no end after {limit} acts; the last prompt was {prompt}")
