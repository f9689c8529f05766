"""How a law looks: condition, window, remedies, citation; and the registry of them.

A law is a function of a case that returns a finding or nothing, decorated with what readers
need to know.  The decorator registers it and returns the function unchanged.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from referee.rules.acts import Act
from referee.rules.objections import Objection
from referee.rules.positions import Position

EDITION: Final = "2026.1"


class Kind(StrEnum):
    """The four kinds of ruling (Laws of Duplicate Bridge 2017, law 84)."""

    NONE = "NONE"
    PRESCRIBED = "PRESCRIBED"
    CHOICE = "CHOICE"
    DISCRETION = "DISCRETION"


#: The options in few words (DESIGN section 4) and the order in which a default is taken.
DEFAULT_ORDER: Final = ("undo", "mend", "accept")

#: The laws on an established revoke, by how a deal is scored.
REVOKES: Final = frozenset(("IR-36", "IR-95", "IR-9A"))

ACT, TIME_OUT, CONDUCT, DISCOVERY, CLAIM = "act", "time_out", "conduct", "discovery", "claim"


@dataclass(frozen=True, slots=True)
class Case:
    """An irregularity at the table: who did what, and the positions around it.

    `number` is that of the act's event; `before` is the position at the act, on which facts
    are judged, `after` the one it led to.  `happening` is `act`, `time_out`, `conduct` or `discovery`; for
    a revoke, `established` tells whether its trick has been quitted.  A claim is judged
    with the present position as `now`; an unfounded one names the act it was `against`.
    `unseen` tells whether the pone has not looked at his hand yet.
    """

    number: int
    seat: int
    before: Position
    after: Position
    act: Act | None = None
    objections: tuple[Objection, ...] = ()
    happening: str = ACT
    established: bool = False
    repeated: bool = False
    now: Position | None = None
    against: Act | None = None
    unseen: bool = True

    @property
    def claimed(self) -> bool:
        """Whether a seat has claimed it, perhaps later, and not the referee at once."""
        return self.now is not None

    @property
    def present(self) -> Position:
        """The position that a remedy works on: the present one."""
        return self.after if self.now is None else self.now

    @property
    def moved_on(self) -> bool:
        """Whether cards have moved since the act, so that those in question lie elsewhere by now."""
        now, after = self.present, self.after
        return (now.hands, now.stock, now.table) != (after.hands, after.stock, after.table)

    def objected(self, law: str) -> bool:
        """Tell whether an objection of that law was raised against the act."""
        return any(each.law == law for each in self.objections)


@dataclass(frozen=True, slots=True)
class Finding:
    """A law's answer on a case: who offended, and the facts that show it.

    Facts name no card that some seat has not seen.  `kind` and `options` are given where
    they depend on the case.
    """

    offender: int
    facts: Mapping[str, Any] = field(default_factory=dict)
    kind: Kind | None = None
    options: tuple[str, ...] = ()


Effect = Callable[[Case, Position], Position | None]
Condition = Callable[[Case], Finding | None]
Registers = Callable[[Condition], Condition]


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a source: its short name, under which `sources.toml` has title and edition, and the place."""

    source: str
    place: str


@dataclass(frozen=True, slots=True)
class Window:
    """From when until when an irregularity is heard, in words."""

    opens: str
    closes: str


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """A numbered provision of the law book; `text` is the condition's docstring.

    `options` are the remedies, the default first; `effects` what each does to the position
    after the act, where it is not the usual effect of that word; `elector` who chooses.
    """

    id: str
    name: str
    title: str
    text: str
    kind: Kind
    citations: tuple[Citation, ...]
    scope: str
    window: Window
    #: The events that close the window for a claim (`calls: players`).
    until: tuple[str, ...]
    options: tuple[str, ...]
    effects: Mapping[str, Effect]
    elector: str
    consequence_of: frozenset[str]
    yields_to: tuple[str, ...]
    #: Why it cannot come about at this table, where it cannot.
    online: str
    condition: Condition


_BOOK: dict[str, Law] = {}


def law(
    law_id: str,
    title: str,
    *,
    kind: Kind,
    cites: tuple[tuple[str, str], ...],
    window: tuple[str, str],
    options: tuple[str, ...],
    scope: str = "every rule-set",
    effects: Mapping[str, Effect] | None = None,
    elector: str = "non_offender",
    consequence_of: tuple[str, ...] = (),
    yields_to: tuple[str, ...] = (),
    online: str = "",
    until: tuple[str, ...] = (),
) -> Registers:
    """Register a condition as the law of that id; raises `ValueError` on an id used twice."""

    def registered(condition: Condition) -> Condition:
        if law_id in _BOOK:
            raise ValueError(f"two laws with the id {law_id}")
        _BOOK[law_id] = Law(
            id=law_id,
            name=condition.__name__,
            title=title,
            text=" ".join((condition.__doc__ or "").split()),
            kind=kind,
            citations=tuple(Citation(source, place) for source, place in cites),
            scope=scope,
            window=Window(*window),
            until=until,
            options=options,
            effects=effects or {},
            elector=elector,
            consequence_of=frozenset(consequence_of),
            yields_to=yields_to,
            online=online,
            condition=condition,
        )
        return condition

    return registered


def registered_laws() -> dict[str, Law]:
    """Return the laws registered so far by id; `book.laws` is the complete book."""
    return _BOOK
