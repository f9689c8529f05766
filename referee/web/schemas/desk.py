"""Questions to the desk and its answers on the wire."""

from collections.abc import Mapping
from typing import Any

import marshmallow as ma

from referee.match.overruling import LONGEST_REASON
from referee.match.overruling import MOST_POINTS as MOST_DECIDED
from referee.match.questions import MOST_ACTS, MOST_POINTS
from referee.match.terms import CHORES
from referee.rules.cards import SEATS as LETTERS
from referee.service.strict_json import unprintable
from referee.web.fields import Listed, Text, Whole, Word
from referee.web.schemas import Answer, flag, number, table, tables, text
from referee.web.schemas.terms import CALLS, CONDUCT, OverrideField, SeedField

SEATS = tuple(LETTERS)
_RULESET = "^[a-z0-9_-]+$"
_START = "a:KS QS TD 9D JC QC | b:AH KH TH KD AC 9H | stock:* | turn-up:JH | dealer:b | tricks:a:AS+9S | a leads"


class Prose(ma.fields.String):
    """Text of one line or several."""

    def __init__(self, most: int, **settings: Any) -> None:
        super().__init__(validate=ma.validate.Length(1, most), **settings)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ma.ValidationError("Not a string.")
        if any(unprintable(line) for line in value.replace("\t", " ").splitlines()):
            raise ma.ValidationError("Holds a control character or half a surrogate pair.")
        return value


class MoveField(ma.fields.Field[object]):
    """A move in the notation, or an act as on the wire with its seat; the desk reads it."""

    def _deserialize(self, value: object, attr: object, data: object, **_kwargs: object) -> object:
        if isinstance(value, str):
            return Prose(200).deserialize(value)
        if not isinstance(value, dict):
            raise ma.ValidationError("Not a move such as 'a KS', nor an act as on the wire with its seat.")
        return value


class LogField(ma.fields.Field[object]):
    """The lines of a log: NDJSON text, or a list with a string a line."""

    def _deserialize(self, value: object, attr: object, data: object, **_kwargs: object) -> object:
        if isinstance(value, str) or (isinstance(value, list) and all(isinstance(each, str) for each in value)):
            return value
        raise ma.ValidationError("Not NDJSON text, nor a list of strings.")


class DealNew(ma.Schema):
    """A pack as it lies, to be shuffled, cut and dealt by acts."""

    pack = Prose(200, required=True, metadata={"description": "every card of the pack once, top first"})
    dealer = Word(SEATS, metadata={"description": "the last seat if left out"})


class ClaimNew(ma.Schema):
    """A claim on an act of the other side, made after all the acts given."""

    by = Word(SEATS, required=True)
    number = Whole(1, MOST_ACTS, metadata={"description": "which of the acts given, from 1"})
    event = Whole(1, 1_000_000, metadata={"description": "which event of the log, in place of `number`"})
    law = Text(1, 8, metadata={"description": "the law that is thought to be breached", "example": "IR-20"})


class ChoresNew(ma.Schema):
    """The chores that each seat at the table does itself; all where nothing is said."""

    a = Listed(Word(CHORES), most=len(CHORES))
    b = Listed(Word(CHORES), most=len(CHORES))
    c = Listed(Word(CHORES), most=len(CHORES))
    d = Listed(Word(CHORES), most=len(CHORES))


class ScoreNew(ma.Schema):
    """Game points of the seats at the table; below nothing only where ticks are scored."""

    a = Whole(-MOST_POINTS, MOST_POINTS)
    b = Whole(-MOST_POINTS, MOST_POINTS)
    c = Whole(-MOST_POINTS, MOST_POINTS)
    d = Whole(-MOST_POINTS, MOST_POINTS)


class RulesOfQuestion(ma.Schema):
    """The rule-set that a question is judged by."""

    ruleset = Text(1, 64, pattern=_RULESET, metadata={"description": "a name out of /v1/rulesets; house if left out"})
    overrides = ma.fields.Dict(
        keys=Text(1, 64),
        values=OverrideField(),
        metadata={"description": "options that differ from the rule-set"},
    )


class AdjudicationNew(RulesOfQuestion):
    """A question: where the deal stood (one of `start`, `deal`, `log`), what was done, and perhaps a claim."""

    start = Prose(4000, metadata={"description": "the whole position in the notation", "example": _START})
    deal = ma.fields.Nested(DealNew)
    log = LogField(
        metadata={"description": "the log of a match, whole or its first lines: NDJSON text or a list of lines"}
    )
    seed = SeedField(metadata={"description": "the match's seed, where the log has no seal"})
    until = Whole(
        1, 1_000_000, metadata={"description": "the event of the log after which the acts begin; the last if left out"}
    )
    acts = Listed(
        MoveField(),
        most=MOST_ACTS,
        metadata={"description": "moves in the notation, or acts as on the wire with their `seat`"},
    )
    claim = ma.fields.Nested(ClaimNew)
    conduct = Word(CONDUCT)
    calls = Word(CALLS, metadata={"description": "who calls irregularities; players where there is a claim"})
    chores = ma.fields.Nested(ChoresNew)
    score = ma.fields.Nested(ScoreNew)
    carry = Whole(0, MOST_POINTS)


class ValidationNew(RulesOfQuestion):
    """A position and one act."""

    position = Prose(
        4000, required=True, metadata={"description": "the whole position in the notation", "example": _START}
    )
    act = MoveField(
        required=True, metadata={"description": "a move in the notation, or an act as on the wire with its seat"}
    )


class Adjudication(Answer):
    """The rulings, or why there is none."""

    verdict = text("ruled, lawful, stands, waived, window_closed, unfounded, out_of_scope, impossible or refused")
    why = text("the verdict in a sentence")
    ruleset = table("name, base, digest, and the overrides: what differs from the base, a rule-set of the game")
    conduct = text()
    calls = text()
    edition = text("edition of the law book")
    acts = tables("each act given, how it stands to the rules, and the laws against it")
    rulings = tables(
        "case, act, laws with title and citations, kind, offender, elector, facts, options (each with effect, award and "
        "the position after it), and what was chosen"
    )
    pending = table("the case in which a choice is open, and who chooses", allow_none=True)
    position = text("the position that stands, in the notation; null where the deal is dealt afresh", allow_none=True)
    result = table("how the deal ended, if it did", allow_none=True)
    score = table("game points by seat")
    over = flag("whether the match is over")
    refusal = table("which act was not taken, and why", required=False)


class Validation(Answer):
    """How one act stands to the rules."""

    verdict = text("lawful, irregular or impossible")
    why = text("the verdict in a sentence")
    move = text("the act in the notation")
    seat = text()
    turn = text("the seat whose turn it is")
    phase = text()
    objections = tables("what the rules have against it: code, law, rule, detail")
    position = text("the position it leads to, in the notation", allow_none=True)


class Appeal(Answer):
    """A ruling as recorded, and as it comes out when the log is judged again."""

    match = text()
    case = number()
    agree = flag("whether both are the same")
    recorded = table("the event as it stands in the log")
    derived = table("the event as it is derived now", allow_none=True)
    event = number("number of the ruling's event")
    laws = tables("the laws cited, with title and citations")
    log_holds = flag("whether the whole log follows from its seed and inputs")
    problem = text("what does not follow, if anything", allow_none=True)


class DecidedScoreNew(ma.Schema):
    """Game points by seat, of partners the same."""

    a = Whole(-MOST_DECIDED, MOST_DECIDED)
    b = Whole(-MOST_DECIDED, MOST_DECIDED)
    c = Whole(-MOST_DECIDED, MOST_DECIDED)
    d = Whole(-MOST_DECIDED, MOST_DECIDED)


class OverruleNew(ma.Schema):
    """The organiser's decision in place of a match's result."""

    winner = Word(
        SEATS,
        required=True,
        allow_none=True,
        metadata={"description": "the seat that wins, of partners either; null: nobody"},
    )
    score = ma.fields.Nested(
        DecidedScoreNew, metadata={"description": "the game points that count; as they were if left out"}
    )
    reason = Text(1, LONGEST_REASON, required=True, metadata={"description": "why, for everybody to read"})


class Overruled(Answer):
    """A match whose result was overruled, and the event that says so."""

    match = text()
    event = table("the event `overruled`, as it stands in the log")
    winner = text(allow_none=True)
    score = table("game points by seat")
    cause = text()
    log_sha256 = text("of the log with the event and its new seal")
