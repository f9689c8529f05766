"""The terms of a match: rule-set, seats, conduct, calls, clock; all that its first event states."""

from dataclasses import dataclass
from typing import Any, Final

from referee.match.seeds import SALT_SIZE
from referee.rules import rulesets
from referee.rules.cards import SEATS
from referee.rules.rulesets import RuleSet

CHORES: Final = ("shuffle", "cut", "deal", "draw", "watch")
CONDUCT: Final = ("adjudicate", "enforce")
CALLS: Final = ("referee", "players")


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits in a seat, and the chores the bot does itself (DESIGN section 2)."""

    bot: str
    name: str
    chores: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Clock:
    """The times of a seat in milliseconds: an act, the bank, the grace, the absence limit.

    `increment_ms` is added to the bank after each act of the seat; at 0, the default, the event leaves it out.
    """

    act_ms: int = 10_000
    bank_ms: int = 60_000
    grace_ms: int = 250
    absence_ms: int = 60_000
    increment_ms: int = 0


@dataclass(frozen=True, slots=True)
class Terms:
    """What a match is played on; `first_dealer` is a seat, or nothing where lots are drawn.

    `salts` are what bots gave toward the packs (see `seeds`), in hex; left out of the event where there are none.
    """

    match_id: str
    ruleset: RuleSet
    seats: tuple[Seating, ...]
    conduct: str = "adjudicate"
    calls: str = "referee"
    clock: Clock = Clock()
    first_dealer: int | None = None
    opened_at: str = ""
    tournament: str | None = None
    salts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse terms that cannot be played, naming what would be right."""
        unknown = {chore for seat in self.seats for chore in seat.chores} - set(CHORES)
        wanted = self.ruleset.options["seats"]
        if len(self.seats) != wanted:
            raise ValueError(f"{len(self.seats)} seats: {self.ruleset.name} is played by {wanted}")
        if unknown:
            raise ValueError(f"unknown chores {sorted(unknown)}: they are {', '.join(CHORES)}")
        if self.conduct not in CONDUCT:
            raise ValueError(f"conduct {self.conduct!r}: it is one of {', '.join(CONDUCT)}")
        if self.calls not in CALLS:
            raise ValueError(f"calls {self.calls!r}: it is one of {', '.join(CALLS)}")
        if not all(is_salt(salt) for salt in self.salts):
            raise ValueError(f"salts {list(self.salts)}: each is {2 * SALT_SIZE} lower-case hexadecimal digits")


def is_salt(value: object) -> bool:
    """Tell whether that is a salt as the wire writes it."""
    return isinstance(value, str) and len(value) == 2 * SALT_SIZE and set(value) <= set("0123456789abcdef")


def terms_json(terms: Terms) -> dict[str, Any]:
    """Return the terms as JSON-able values: the members of the event `match_opened`.

    A rule-set that does not come with the game names the one that it is derived from, so that its log can be read
    without the server that keeps it.
    """
    clock = terms.clock
    return {
        "match": terms.match_id,
        "ruleset": _ruleset_json(terms.ruleset),
        "seats": [
            {
                "seat": SEATS[seat],
                "bot": each.bot,
                "name": each.name,
                "chores": sorted(each.chores),
            }
            for seat, each in enumerate(terms.seats)
        ],
        "conduct": terms.conduct,
        "calls": terms.calls,
        "clock": {
            "act_ms": clock.act_ms,
            "bank_ms": clock.bank_ms,
            "grace_ms": clock.grace_ms,
            "absence_ms": clock.absence_ms,
            **({"increment_ms": clock.increment_ms} if clock.increment_ms else {}),
        },
        "first_dealer": None if terms.first_dealer is None else SEATS[terms.first_dealer],
        "opened_at": terms.opened_at,
        "tournament": terms.tournament,
        **({"salts": list(terms.salts)} if terms.salts else {}),
    }


def _ruleset_json(ruleset: RuleSet) -> dict[str, Any]:
    derived = {} if ruleset.base == ruleset.name else {"base": ruleset.base, "title": ruleset.title}
    return {"name": ruleset.name, "digest": ruleset.digest, "options": dict(ruleset.options), **derived}


def _ruleset_from(body: dict[str, Any]) -> RuleSet:
    base = rulesets.named(body.get("base", body["name"]))
    options = {name: value for name, value in body["options"].items() if base.options.get(name) != value}
    return base.derive(body["name"], options, title=body["title"]) if "base" in body else base.override(options)


def terms_from(body: dict[str, Any]) -> Terms:
    """Return the terms that `terms_json` wrote.

    Raises `ValueError` (or `KeyError`) for a body that is none.
    """
    first = body["first_dealer"]
    return Terms(
        match_id=body["match"],
        ruleset=_ruleset_from(body["ruleset"]),
        seats=tuple(Seating(each["bot"], each["name"], frozenset(each["chores"])) for each in body["seats"]),
        conduct=body["conduct"],
        calls=body["calls"],
        clock=Clock(**body["clock"]),
        first_dealer=None if first is None else SEATS.index(first),
        opened_at=body["opened_at"],
        tournament=body["tournament"],
        salts=tuple(body.get("salts", ())),
    )
