"""The state of a match: what the fold over its events has arrived at.

Between decisions a `Match` is not changed; `draft` makes the copy a decision works on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from hashlib import sha256
from typing import Any, Final, NamedTuple

import orjson

from referee.laws.adjudicate import Judgement
from referee.laws.law import Case
from referee.match.terms import Terms
from referee.rules.acts import Act
from referee.rules.positions import Position

ZERO_HASH: Final = "0" * 64


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: `winner` is a seat, or nothing where nobody won."""

    winner: int | None
    cause: str
    score: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OpenCase:
    """A case that waits for a choice: `options` are the ones on offer now, the default first."""

    number: int
    case: Case
    judgement: Judgement
    options: tuple[str, ...]


class Past(NamedTuple):
    """An act of the running deal: the number of its event, whose it was, and the position before it.

    `attendant` tells that the seat did not do it itself; `asked` whether the other seat has been
    asked since the act before.
    """

    number: int
    seat: int
    act: Act
    before: Position
    attendant: bool


@dataclass(frozen=True, slots=True)
class Tally:
    """What is carried from deal to deal, per seat; JSON-able, and the head of a running deal.

    `bank` is the time left in milliseconds, `slips` the irregular acts and by-plays of this
    deal number, `conduct` what counts toward IR-85 in the log itself, `overruns` time-outs.
    """

    deal: int
    attempt: int
    dealer: int
    score: tuple[int, ...]
    carry: int
    bank: tuple[int, ...]
    slips: tuple[int, ...]
    conduct: tuple[int, ...]
    overruns: tuple[int, ...]
    cases: int
    version: int
    head: str


def tally_from(header: Mapping[str, Any]) -> Tally:
    """Return the tally that `Match.header` wrote."""
    values: Any = {name: tuple(value) if isinstance(value, list) else value for name, value in header.items()}
    return Tally(**values)


@dataclass(slots=True)
class Match:
    """A match at one version; see the module for who may change it.

    `version` is the number of the last event, `head` the SHA-256 of its line in hex; `firm` the
    last version after which only by-play happened.  `revokes` are the breaches of strict play in
    one trick that stand and are not established, oldest first; `start` the tally at the start of the running deal.
    """

    terms: Terms
    seed: bytes
    position: Position
    start: Tally
    version: int = 0
    head: str = ZERO_HASH
    firm: int = 0
    deal: int = 0
    attempt: int = 0
    dealer: int = 0
    score: tuple[int, ...] = (0, 0)
    carry: int = 0
    bank: tuple[int, ...] = (0, 0)
    slips: tuple[int, ...] = (0, 0)
    conduct: tuple[int, ...] = (0, 0)
    overruns: tuple[int, ...] = (0, 0)
    cases: int = 0
    case: OpenCase | None = None
    revokes: tuple[Case, ...] = ()
    outcome: Outcome | None = None
    #: The acts of the running deal, oldest first: nothing is marked on them, a claim folds to them.
    past: tuple[Past, ...] = ()
    #: The acts that have been ruled on, and those whose claims wait behind an open choice.
    heard: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    #: Of those ruled on, the acts that were taken back.
    undone: tuple[int, ...] = ()
    #: The stop that watchers are asked to confirm, who has not yet, and the last stop passed.
    stop: str = ""
    confirming: tuple[int, ...] = ()
    passed: str = ""
    #: The lines written by the decision being made, and where the last deal began among them.
    lines: list[bytes] = field(default_factory=list)
    boundary: int | None = None
    #: The cases opened by the decision being made, settled at once or not.
    docket: list[OpenCase] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.outcome is not None

    @property
    def electing(self) -> bool:
        """Whether a remedy is to be chosen or a stop confirmed: that is asked with a fresh allowance."""
        return self.case is not None or bool(self.confirming)

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that are asked now."""
        if self.outcome is not None:
            return ()
        if self.case is not None:
            return (self.case.judgement.elector,)
        return self.confirming or (self.position.turn,)

    def is_stale(self, version: int) -> bool:
        """Tell whether an act made at `version` comes too late: more than by-play happened since."""
        return version < self.firm or version > self.version

    def clock_left(self, seat: int) -> int:
        """Return the milliseconds left in a seat's bank."""
        return self.bank[seat]

    def header(self) -> dict[str, Any]:
        """Return the tally at the start of the running deal as JSON-able values, for `resume`."""
        start = self.start
        return {each.name: getattr(start, each.name) for each in fields(start)}


def draft(m: Match) -> Match:
    """Return a copy of a match for a decision to work on."""
    return Match(
        m.terms, m.seed, m.position, m.start, m.version, m.head, m.firm, m.deal, m.attempt,
        m.dealer, m.score, m.carry, m.bank, m.slips, m.conduct, m.overruns, m.cases, m.case,
        m.revokes, m.outcome, m.past, m.heard, m.waiting, m.undone, m.stop, m.confirming, m.passed, [], None,
    )  # fmt: skip


def tally(m: Match) -> Tally:
    """Return the tally of a match as it stands."""
    return Tally(
        m.deal, m.attempt, m.dealer, m.score, m.carry, m.bank, m.slips, m.conduct, m.overruns,
        m.cases, m.version, m.head,
    )  # fmt: skip


def write(m: Match, type_: str, /, **members: Any) -> None:
    """Append one event to a draft: a line of canonical JSON (RFC 8785), chained to the one before."""
    m.version += 1
    line = orjson.dumps({"n": m.version, "prev": m.head, "type": type_, **members}, option=orjson.OPT_SORT_KEYS)
    _chain(m, line)


def write_act(m: Match, seat: str, body: str, tail: str) -> None:
    """Append an `acted` event: the same bytes as `write`, without building a dict for it.

    `body` is the act's canonical JSON; `tail` says who did it: `"ms":12` or by an attendant.
    """
    m.version += 1
    line = (f'{{"act":{body},{tail},"n":{m.version},"prev":"{m.head}","seat":"{seat}","type":"acted"}}').encode()
    m.lines.append(line)
    m.head = sha256(line).hexdigest()


def _chain(m: Match, line: bytes) -> None:
    m.lines.append(line)
    m.head = sha256(line).hexdigest()
