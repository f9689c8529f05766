"""What a process remembers to save trips: positions of live matches, and whose a token is. Never the truth."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.service.base import Caller
    from referee.service.table import Standing
    from referee.service.wakes import Wake

Facts = Mapping[str, str | bytes | int]

MATCHES = 2000
TOKENS = 5000
TOKEN_SECONDS = 2.0  # how long a dead token is taken where the wake that tells of it is lost
DEAD = "dead"  # the topic of the wakes by which all processes hear of dead tokens, see `tokens`


@dataclass(slots=True)
class Memory:
    """The last known standing of matches with the facts of its moment, callers by token hash, how often tokens were
    forgotten, and whether an archivist has lately been heard of."""

    standings: OrderedDict[str, Standing] = field(default_factory=OrderedDict)
    facts: dict[str, Facts] = field(default_factory=dict)
    callers: OrderedDict[str, tuple[Caller, float]] = field(default_factory=OrderedDict)
    deaths: int = 0
    has_archivist: bool = False

    def standing(self, match_id: str, *, version: int, head: str) -> Standing | None:
        """Is what is remembered of a match, if it is of that version and head."""
        kept = self.standings.get(match_id)
        return kept if kept is not None and (kept.match.version, kept.match.head) == (version, head) else None

    def keep(self, match_id: str, standing: Standing, facts: Facts) -> None:
        """Remembers a match; forgets the one not used for longest."""
        self.standings.pop(match_id, None)  # so that it comes last; other threads may forget it in between
        self.standings[match_id], self.facts[match_id] = standing, facts
        if len(self.standings) > MATCHES:
            oldest, _ = self.standings.popitem(last=False)
            self.facts.pop(oldest, None)

    def note(self, match_id: str, standing: Standing, **facts: str | bytes | int) -> None:
        """Remembers facts that have changed, if the match is still remembered with that standing."""
        if self.standings.get(match_id) is standing:
            self.facts[match_id] = {**self.facts.get(match_id, {}), **facts}

    def forget(self, match_id: str) -> None:
        """Forgets a match."""
        self.standings.pop(match_id, None)
        self.facts.pop(match_id, None)

    def caller(self, token_hash: str) -> Caller | None:
        """Is who holds a token, if that was found out in the last two seconds."""
        kept = self.callers.get(token_hash)
        return kept[0] if kept is not None and kept[1] > time.monotonic() else None

    def keep_caller(self, token_hash: str, caller: Caller, *, since: int) -> None:
        """Remembers whose a token is, for two seconds, unless tokens have died since there were so many `deaths`."""
        self.callers.pop(token_hash, None)
        self.callers[token_hash] = (caller, time.monotonic() + TOKEN_SECONDS)
        if len(self.callers) > TOKENS:
            self.callers.popitem(last=False)
        if self.deaths != since:
            self.callers.pop(token_hash, None)

    def hear_death(self, wake: Wake) -> None:
        """Forgets the tokens that died by what a wake tells; those of all callers where wakes may have been missed."""
        self.forget_callers(wake.match.partition(":")[2] or None)

    def forget_callers(self, bot_id: str | None = None) -> None:
        """Forgets the tokens of a bot, or of all callers."""
        self.deaths += 1  # first: who found a token before this, and keeps it only now, sees that it may be dead
        for token_hash, (caller, _) in list(self.callers.items()):
            if bot_id in (None, caller.bot):
                self.callers.pop(token_hash, None)
