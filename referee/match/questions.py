"""Questions to the desk: a position or a log, what was done, and perhaps a claim; read strictly.

A question is a JSON object.  Its position is stated whole: what a player could not see is part of it.

Errors: `QuestionError` names the place (a JSON Pointer), what was found there and what would be right.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from referee.laws import book
from referee.match import logs, trying
from referee.match.plausible import cannot_be
from referee.match.state import Match
from referee.match.terms import CALLS, CHORES, CONDUCT
from referee.match.trying import Move, Trial
from referee.rules import acts, rulesets
from referee.rules.acts import Unreadable
from referee.rules.cards import CARD_NUMBERS, SEATS
from referee.rules.notation import NotationError, read_position
from referee.rules.positions import Frame, Position, begin, frame_for
from referee.rules.rulesets import RuleSet, RuleSetError

MOST_ACTS: Final = 200
MOST_POINTS: Final = 1000
MEMBERS: Final = (
    "ruleset", "overrides", "start", "deal", "log", "seed", "until", "acts", "claim", "conduct", "calls",
    "chores", "score", "carry",
)  # fmt: skip
#: What a log says itself.
_OF_A_LOG: Final = ("ruleset", "overrides", "start", "deal", "conduct", "chores", "score", "carry")
_SEED_SIZE: Final = 64

#: Finds the rule-set of a name, or raises `RuleSetError`.
Find = Callable[[str], RuleSet]


class QuestionError(ValueError):
    """Says where a question cannot be judged, and what would be right; `code` is the word for it on the wire."""

    def __init__(self, code: str, pointer: str, detail: str, *, pointers: tuple[str, ...] = ()) -> None:
        super().__init__(f"{pointer or 'question'}: {detail}")
        self.code = code
        self.pointers = pointers or (pointer,)
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim at the desk: whose, on the how manieth of the acts given (or on an `event` of the log), under which law."""

    by: int
    number: int
    event: int = 0
    law: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question read: the table as it stood, what was done then, and the claim if there is one."""

    trial: Trial
    moves: tuple[Move, ...]
    claim: Claim | None


def read_question(body: Mapping[str, Any], *, find: Find = rulesets.named) -> Question:
    """Return the question that a JSON object asks, its rule-set as `find` knows it; raises `QuestionError`."""
    _refuse_others(body, MEMBERS)
    moves = _moves(body.get("acts", []))
    claim = _claim(body.get("claim"), moves, has_log="log" in body)
    calls = _word(body, "calls", CALLS, "players" if claim else "referee")
    if claim is not None and calls == "referee":
        detail = "a claim is heard with calls: players only; leave `calls` out, or the claim"
        raise QuestionError("desk/unfit", "/claim", detail, pointers=("/claim", "/calls"))
    if "log" in body:
        m = _from_log(body, claim)
        trial = Trial(replace(m, terms=replace(m.terms, calls=calls)) if "calls" in body or claim else m)
    else:
        rules = read_rules(body, find=find)
        seats = SEATS[: int(rules.options["seats"])]
        trial = trying.sit_down(
            _position(body, rules),
            conduct=_word(body, "conduct", CONDUCT, "adjudicate"),
            calls=calls,
            chores=_chores(body, calls, seats),
            score=_score(body, seats, below=MOST_POINTS if rules.options["score_by"] == "ticks" else 0),
            carry=_whole(body, "carry", 0, MOST_POINTS, 0),
        )
    _at_table(trial.match.position.frame, moves, claim)
    return Question(trial, moves, claim)


def _at_table(frame: Frame, moves: Sequence[Move], claim: Claim | None) -> None:
    """Refuse moves of seats that are not at the table, and a claim on an act of one's own side."""
    for place, (seat, _) in enumerate(moves):
        require_seat(frame, seat, f"/acts/{place}")
    if claim is None:
        return
    require_seat(frame, claim.by, "/claim/by")
    if claim.number and is_own(frame, claim.by, moves[claim.number - 1][0]):
        detail = f"act {claim.number} is {SEATS[claim.by]}'s own, or a partner's; a claim is on the other's act"
        raise QuestionError("desk/no_such_act", "/claim/number", detail, pointers=("/claim/number", "/claim/by"))


def require_seat(frame: Frame, seat: int, pointer: str) -> None:
    """Raise `QuestionError` for a seat that is not at the table."""
    if seat >= frame.players:
        at = SEATS[: frame.players]
        detail = f"seat {SEATS[seat]} is not at a table of {len(at)}: they are {', '.join(at)}"
        raise QuestionError("desk/act", pointer, detail)


def is_own(frame: Frame, claimant: int, seat: int) -> bool:
    """Tell whether an act of a seat is not for that one to claim: its own or its partner's.

    A dealer who rests may claim a misdeal of his own (B-07), which is judged at the table.
    """
    return claimant in frame.sides[seat] and not frame.options.dealer_rests


def read_rules(body: Mapping[str, Any], *, find: Find = rulesets.named) -> RuleSet:
    """Return the rule-set of a question with its overrides; raises `QuestionError`."""
    name, changes = body.get("ruleset", "house"), body.get("overrides", {})
    try:
        named = find(name) if isinstance(name, str) else None
    except RuleSetError as error:
        raise QuestionError("ruleset/unknown", "/ruleset", str(error)) from None
    if named is None:
        detail = f"must be the name of a rule-set: {', '.join(rulesets.names())}"
        raise QuestionError("desk/unfit", "/ruleset", detail)
    try:
        return named.override(changes)
    except RuleSetError as error:
        code = "ruleset/contradiction" if error.options else "ruleset/unknown_option"
        pointers = tuple(f"/overrides/{name}" for name in error.options or (error.key,) if name)
        raise QuestionError(code, "/overrides", str(error), pointers=pointers) from None


def read_place(body: Mapping[str, Any], rules: RuleSet, *, pointer: str = "/start") -> Position:
    """Return the position that `start` states, if it can be played on from; raises `QuestionError`."""
    text = body.get(pointer[1:])
    if not isinstance(text, str):
        raise QuestionError("desk/position", pointer, "must be a position in the notation, ended by who does what")
    try:
        p = read_position(text, rules)
    except ValueError as error:
        raise QuestionError("desk/position", pointer, str(error)) from None
    except LookupError:
        detail = f"names a seat that is not at this table: they are {', '.join(SEATS[: int(rules.options['seats'])])}"
        raise QuestionError("desk/position", pointer, detail) from None
    wrong = cannot_be(p)
    if wrong:
        raise QuestionError("desk/position", pointer, wrong)
    return p


def _refuse_others(body: object, known: Sequence[str]) -> None:
    if not isinstance(body, Mapping):
        raise QuestionError("desk/unfit", "", "a question is a JSON object with `start` and `acts`")
    for name in body:
        if name not in known:
            raise QuestionError("desk/unfit", f"/{name}", f"is no member of a question; it takes {', '.join(known)}")


def _position(body: Mapping[str, Any], rules: RuleSet) -> Position:
    given = [name for name in ("start", "deal") if name in body]
    if len(given) != 1:
        detail = "give one of `start` (a position in the notation), `deal` (a pack and its dealer) or `log` (lines of a match)"
        raise QuestionError("desk/unfit", f"/{given[-1]}" if given else "/start", detail)
    for name in ("seed", "until"):
        if name in body:
            raise QuestionError("desk/unfit", f"/{name}", "belongs to a `log`")
    if given == ["start"]:
        return read_place(body, rules)
    return _dealt(body["deal"], rules)


def _dealt(deal: object, rules: RuleSet) -> Position:
    if not isinstance(deal, Mapping):
        raise QuestionError("desk/position", "/deal", 'must be an object such as {"pack":"AS TS ...","dealer":"b"}')
    _refuse_deal(deal)
    seats = SEATS[: int(rules.options["seats"])]
    dealer, pack = deal.get("dealer", seats[-1]), deal.get("pack")
    if not isinstance(dealer, str) or len(dealer) != 1 or dealer not in seats:
        detail = f"found {dealer!r:.40}; it must be one of {', '.join(seats)}"
        raise QuestionError("desk/position", "/deal/dealer", detail)
    names = pack.split() if isinstance(pack, str) else pack if isinstance(pack, list) else None
    if names is None:
        raise QuestionError(
            "desk/position", "/deal/pack", "must be the cards of the pack, top first, such as 'AS 9H ...'"
        )
    odd = [each for each in names if not isinstance(each, str) or each not in CARD_NUMBERS]
    if odd:
        raise QuestionError("desk/position", "/deal/pack", f"found {odd[0]!r:.40}; it must be a card such as AS or 9H")
    frame = frame_for(rules, dealer=SEATS.index(dealer))
    twice = sorted({each for each in names if names.count(each) > 1})
    try:
        return begin(frame, tuple(CARD_NUMBERS[each] for each in names))
    except ValueError as error:
        told = f"{len(names)} cards{f', twice {chr(32).join(twice)}' if twice else ''}; {error}"
        raise QuestionError("desk/position", "/deal/pack", told) from None


def _refuse_deal(deal: Mapping[str, Any]) -> None:
    for name in deal:
        if name not in ("pack", "dealer"):
            raise QuestionError("desk/unfit", f"/deal/{name}", "is no member of a deal; it takes pack, dealer")


def _from_log(body: Mapping[str, Any], claim: Claim | None) -> Match:
    for name in _OF_A_LOG:
        if name in body:
            raise QuestionError(
                "desk/unfit", f"/{name}", "the log says it itself; leave it out", pointers=(f"/{name}", "/log")
            )
    until = _whole(body, "until", 1, 10**6, claim.event if claim else 0)
    seed = body.get("seed", "")
    if not isinstance(seed, str) or (seed and (len(seed) != _SEED_SIZE or set(seed) - set("0123456789abcdef"))):
        raise QuestionError("desk/unfit", "/seed", "must be the match's seed, 64 hexadecimal digits")
    try:
        return logs.stand_at(_lines(body["log"]), seed=bytes.fromhex(seed), until=until)
    except logs.LogError as error:
        raise QuestionError("desk/log", "/log", str(error)) from None


def _lines(log: object) -> list[bytes]:
    if isinstance(log, str):
        return [line.encode("utf-8", "replace") for line in log.split("\n") if line]
    if isinstance(log, list) and all(isinstance(line, str) for line in log):
        return [line.encode("utf-8", "replace") for line in log]
    raise QuestionError("desk/log", "/log", "must be the lines of a log: NDJSON text, or a list with a text a line")


def _moves(given: object) -> tuple[Move, ...]:
    if not isinstance(given, list):
        raise QuestionError("desk/act", "/acts", "must be a list of moves such as 'a KS', or of acts with their seat")
    if len(given) > MOST_ACTS:
        raise QuestionError("desk/act", "/acts", f"{len(given)} acts; at most {MOST_ACTS} are heard at once")
    return tuple(read_given(each, f"/acts/{place}") for place, each in enumerate(given))


def read_given(given: object, pointer: str) -> Move:
    """Return a move as a question gives it: text in the notation, or an act as on the wire with its `seat`."""
    if isinstance(given, str):
        try:
            seat, one = trying.read(given)
        except NotationError as error:
            raise QuestionError("desk/act", pointer, str(error)) from None
    elif isinstance(given, Mapping):
        seat = _seat(given.get("seat"), f"{pointer}/seat")
        try:
            one = acts.read_act({name: value for name, value in given.items() if name not in ("seat", "version")})
        except Unreadable as error:
            raise QuestionError("desk/act", pointer + error.pointer, error.detail) from None
    else:
        raise QuestionError(
            "desk/act", pointer, "must be a move such as 'a KS', or an act as on the wire with its `seat`"
        )
    return seat, one


def _seat(name: object, pointer: str) -> int:
    if not isinstance(name, str) or len(name) != 1 or name not in SEATS:
        detail = f"found {name!r:.40}; it must be the letter of a seat: a or b, and c or d where more than two sit"
        raise QuestionError("desk/act", pointer, detail)
    return SEATS.index(str(name))


def _claim(given: object, moves: Sequence[Move], *, has_log: bool) -> Claim | None:
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise QuestionError("desk/unfit", "/claim", 'must be an object such as {"by":"b","number":1}')
    for name in given:
        if name not in ("by", "number", "event", "law"):
            raise QuestionError(
                "desk/unfit", f"/claim/{name}", "is no member of a claim; it takes by, number, event, law"
            )
    by = _seat(given.get("by"), "/claim/by")
    law = given.get("law", "")
    if law and (not isinstance(law, str) or book.find(law) is None):
        raise QuestionError(
            "desk/unfit", "/claim/law", f"found {law!r:.40}; it must be the id of a law such as IR-20, or left out"
        )
    if "event" in given:
        if not has_log or "number" in given:
            raise QuestionError(
                "desk/unfit", "/claim/event", "names an event of a `log`; an act given here has a `number`"
            )
        return Claim(by, 0, _whole(given, "event", 1, 10**6, 0, under="/claim"), law)
    number = given.get("number")
    if type(number) is not int or not 1 <= number <= len(moves):
        detail = f"found {number!r:.40}; {len(moves)} acts are given, counted from 1, and a claim names one of them"
        raise QuestionError("desk/no_such_act", "/claim/number", detail)
    _, one = moves[number - 1]
    if not isinstance(one, acts.Act) or one.kind in acts.PROCEDURE:
        raise QuestionError("desk/no_such_act", "/claim/number", f"what is given as {number} is no act at the table")
    return Claim(by, number, 0, law)


def _word(body: Mapping[str, Any], name: str, words: Sequence[str], usual: str) -> str:
    found = body.get(name, usual)
    if found not in words:
        raise QuestionError("desk/unfit", f"/{name}", f"found {found!r:.40}; it must be one of {', '.join(words)}")
    return str(found)


def _whole(body: Mapping[str, Any], name: str, least: int, most: int, usual: int, *, under: str = "") -> int:
    found = body.get(name, usual)
    if name in body and (type(found) is not int or not least <= found <= most):
        detail = f"found {found!r:.40}; it must be a whole number from {least} to {most}"
        raise QuestionError("desk/unfit", f"{under}/{name}", detail)
    return int(found)


def _score(body: Mapping[str, Any], seats: str, *, below: int) -> tuple[int, ...]:
    """Return the game points by seat, which go as far below nothing as is said (D-06)."""
    given = body.get("score", {})
    if not isinstance(given, Mapping) or set(given) - set(seats):
        raise QuestionError("desk/unfit", "/score", 'must be the game points by seat, such as {"a":3,"b":5}')
    return tuple(_whole(given, seat, -below, MOST_POINTS, 0, under="/score") for seat in seats)


def _chores(body: Mapping[str, Any], calls: str, seats: str) -> Mapping[str, tuple[str, ...]]:
    usual = (*trying.OWN_CHORES, "watch") if calls == "players" else trying.OWN_CHORES
    given = body.get("chores", {})
    if not isinstance(given, Mapping) or set(given) - set(seats):
        raise QuestionError("desk/unfit", "/chores", 'must be the chores by seat, such as {"a":["draw"],"b":[]}')
    found = {}
    for seat in seats:
        own = given.get(seat, list(usual))
        if not isinstance(own, list) or not all(isinstance(each, str) and each in CHORES for each in own):
            raise QuestionError("desk/unfit", f"/chores/{seat}", f"must be a list out of {', '.join(CHORES)}")
        found[seat] = tuple(own)
    return found
