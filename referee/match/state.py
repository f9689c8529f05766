"""The state of a match: what the fold over its events has arrived at.

Between decisions a `Match` is not changed; `draft` makes the copy a decision works on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
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

    `attendant` tells that the seat did not do it itself; `earlier` is the act before it in that deal.
    """

    number: int
    seat: int
    act: Act
    before: Position
    attendant: bool
    earlier: "Past | None"


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
    #: The act of the running deal that was done last, which leads to those before it.
    last: Past | None = None
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
    lines: tuple[bytes, ...] = ()
    boundary: int | None = None
    #: The cases opened by the decision being made, settled at once or not.
    docket: tuple[OpenCase, ...] = ()

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

    @property
    def past(self) -> tuple[Past, ...]:
        """The acts of the running deal, oldest first: nothing is marked on them, a claim folds to them."""
        found, each = [], self.last
        while each is not None:
            found.append(each)
            each = each.earlier
        return tuple(reversed(found))

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


_new: Final = Match.__new__


def draft(m: Match) -> Match:
    """Return a copy of a match for a decision to work on; written out, as this is done for every act."""
    d = _new(Match)
    d.terms = m.terms
    d.seed = m.seed
    d.position = m.position
    d.start = m.start
    d.version = m.version
    d.head = m.head
    d.firm = m.firm
    d.deal = m.deal
    d.attempt = m.attempt
    d.dealer = m.dealer
    d.score = m.score
    d.carry = m.carry
    d.bank = m.bank
    d.slips = m.slips
    d.conduct = m.conduct
    d.overruns = m.overruns
    d.cases = m.cases
    d.case = m.case
    d.revokes = m.revokes
    d.outcome = m.outcome
    d.last = m.last
    d.heard = m.heard
    d.waiting = m.waiting
    d.undone = m.undone
    d.stop = m.stop
    d.confirming = m.confirming
    d.passed = m.passed
    d.lines = ()
    d.boundary = None
    d.docket = ()
    return d


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
    m.lines += (line,)
    m.head = sha256(line).hexdigest()


def write_act(m: Match, seat: str, body: str, tail: str) -> None:
    """Append an `acted` event: the same bytes as `write`, without building a dict for it.

    `body` is the act's canonical JSON; `tail` says who did it: `"ms":12` or by an attendant.
    """
    m.version += 1
    line = f'{{"act":{body},{tail},"n":{m.version},"prev":"{m.head}","seat":"{seat}","type":"acted"}}'.encode()
    m.lines += (line,)
    m.head = sha256(line).hexdigest()
