"""How a match is to be played: rule-set, conduct, calls and clock, shared by tournaments and friendlies."""

import marshmallow as ma

from referee.service.friendlies import LONGEST
from referee.service.strict_json import unprintable
from referee.web.fields import Text, Whole, Word
from referee.web.schemas import Answer, number

CONDUCT = ("adjudicate", "enforce")
CALLS = ("referee", "players")
_HOUR = 3_600_000


class OverrideField(ma.fields.Field[object]):
    """The value of one option: a word, a whole number, true or false, or a list of words; the rule-set judges it."""

    def _deserialize(self, value: object, attr: object, data: object, **_kwargs: object) -> object:
        plain = value if isinstance(value, list) else [value]
        if not all(type(each) in (str, int, bool) for each in plain):
            raise ma.ValidationError("Not a word, a whole number, true, false or a list of words.")
        if any(isinstance(each, str) and unprintable(each) for each in plain):
            raise ma.ValidationError("Holds a control character or half a surrogate pair.")
        return value


class ClockNew(ma.Schema):
    """The clock of each seat in milliseconds; what is left out has its default."""

    act_ms = Whole(1, _HOUR, metadata={"description": "allowance for each act", "default": 10_000})
    bank_ms = Whole(0, _HOUR, metadata={"description": "bank for the whole match", "default": 60_000})
    increment_ms = Whole(0, _HOUR, metadata={"description": "what the bank gains by each act", "default": 0})
    grace_ms = Whole(0, 60_000, metadata={"description": "network grace", "default": 250})
    absence_ms = Whole(1, _HOUR, metadata={"description": "until the first prompt is fetched", "default": 60_000})


class FriendlyClockNew(ma.Schema):
    """The clock of each seat in a friendly, in milliseconds: bounded, for a stranger's bot plays in it."""

    act_ms = Whole(1, LONGEST["act_ms"], metadata={"description": "allowance for each act", "default": 10_000})
    bank_ms = Whole(0, LONGEST["bank_ms"], metadata={"description": "bank for the whole match", "default": 60_000})
    increment_ms = Whole(
        0, LONGEST["increment_ms"], metadata={"description": "what the bank gains by each act", "default": 0}
    )
    grace_ms = Whole(0, LONGEST["grace_ms"], metadata={"description": "network grace", "default": 250})
    absence_ms = Whole(
        1, LONGEST["absence_ms"], metadata={"description": "until the first prompt is fetched", "default": 60_000}
    )


class Clock(Answer):
    """The clock of each seat, in milliseconds."""

    act_ms = number("allowance for each act")
    bank_ms = number("bank for the whole match")
    increment_ms = number("what the bank gains by each act", required=False)
    grace_ms = number("network grace")
    absence_ms = number("until the first prompt is fetched")


class TermsNew(ma.Schema):
    """Rule-set, conduct, calls and clock; what is left out has its default."""

    ruleset = Text(
        1, 64, pattern="^[a-z0-9_-]+$", load_default="house", metadata={"description": "a name out of /v1/rulesets"}
    )
    overrides = ma.fields.Dict(
        keys=Text(1, 64),
        values=OverrideField(),
        metadata={"description": "options that differ from the rule-set", "example": {"target": 7}, "default": {}},
    )
    conduct = Word(
        CONDUCT,
        metadata={"description": "admit irregular acts and rule on them, or refuse them", "default": CONDUCT[0]},
    )
    calls = Word(
        CALLS,
        metadata={
            "description": "who calls irregularities: the referee at once, or the players by claims",
            "default": CALLS[0],
        },
    )
    clock = ma.fields.Nested(ClockNew)


class SeedField(Text):
    """A secret seed of 32 bytes in hexadecimal."""

    def __init__(self, **settings: object) -> None:
        super().__init__(64, 64, pattern="^[0-9a-f]{64}$", **settings)
