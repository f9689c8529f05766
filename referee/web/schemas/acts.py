"""Acts in the API's description: one component for each kind, its members read off `acts.SHAPES`.

What a member may be stands in the rules, where it is read; here stand only the words about who does what when, an
example of each, and how they are put together.
"""

from collections.abc import Mapping
from typing import Any, Final

from referee.rules.acts import ONE_OF, SHAPES, Field
from referee.rules.cards import SEATS
from referee.service.batches import MOST_ACTS
from referee.service.strict_json import MAX_INTEGER
from referee.service.turns import MOST_PROMPTS
from referee.web.fields import Shaped

LONGEST_WAIT: Final = 30

ACT: Final = {"$ref": "#/components/schemas/Act"}
POSTED: Final = {"$ref": "#/components/schemas/ActPosted"}
BATCH: Final = {"$ref": "#/components/schemas/ActBatch"}

#: By kind: who does it and when, an example, and what its members mean.
_WORDS: Final[Mapping[str, tuple[str, dict[str, Any], dict[str, str]]]] = {
    "play": (
        "Lead or follow with a card of one's hand.",
        {"card": "AS"},
        {"card": "the card played", "also": "a second card that fell with it by mistake"},
    ),
    "marry": (
        "Lead a king or queen and announce the marriage; or, with the card one has just led, call it late (IR-41).",
        {"card": "KS"},
        {
            "card": "the king or queen that is led",
            "amount": "the points said aloud, right or wrong",
            "lead": "the card led in place of `card` by mistake",
        },
    ),
    "exchange": (
        "Take the turn-up for the lowest trump, usually the nine, while it may be exchanged.",
        {},
        {"card": "the card laid down in place of the lowest trump by mistake"},
    ),
    "close": ("Turn the turn-up down: no more drawing, strict play; on lead, after drawing or before it.", {}, {}),
    "draw": (
        "Draw from the stock after a trick, winner first; asked only of a seat with the chore `draw`.",
        {},
        {"cards": "how many at once; two are in order only where two are owed", "from": "where from, if not the top"},
    ),
    "demand": (
        "The follower asks to see the mate of the marriage just announced (`marriage_proof: on_demand`).",
        {},
        {},
    ),
    "pass": (
        "Bid nothing; or answer a demand without showing the mate, as is left to a seat that lacks it.",
        {},
        {},
    ),
    "declare": (
        "Announce 66 and end the deal, at one's own risk: never in `lawful`, in `own_risk` while it is in time.",
        {},
        {},
    ),
    "show": (
        "Show a marriage without leading it because it makes 66, then declare; or show the mate a `demand` asks for.",
        {"suit": "S"},
        {"suit": "the suit of the marriage"},
    ),
    "bid": (
        "Bid in games with bidding, each seat once in a deal and higher than all before; elsewhere it is impossible.",
        {"ticks": 2},
        {"ticks": "the game points bid; the highest there is stands for the Moon"},
    ),
    "shuffle": (
        "Shuffle before the cut; the dealer with the chore `shuffle`.",
        {},
        {"faced": "place in the pack of a card left face up by mistake"},
    ),
    "cut": (
        "Cut the pack before the deal, the pone with the chore `cut`; or cut for deal, both seats.",
        {"at": 9},
        {"at": "how many cards are lifted off", "faced": "the cut card is shown by mistake"},
    ),
    "deal": (
        "Give a packet to a seat; the dealer with the chore `deal`.",
        {"to": "a", "cards": 3},
        {
            "to": "the seat that gets it",
            "cards": "how many cards",
            "faced": "place in the packet of a card shown by mistake",
        },
    ),
    "turn_up": (
        "Turn the card that makes trumps; the dealer with the chore `deal`.",
        {},
        {"cards": "how many are turned; two only by mistake"},
    ),
    "look": (
        "Look at a quitted trick, or at the top card of the stock; by-play, by any seat at any time.",
        {"trick": 3},
        {"trick": "number of the trick, from 1", "stock": "1: the top card of the stock"},
    ),
    "expose": (
        "Show a card of one's hand; while dealing goes on one of those received, by place. By-play.",
        {"card": "AS"},
        {"card": "the card shown", "at": "place of the card among those received, from 1"},
    ),
    "concede": ("Give up the deal.", {}, {}),
    "resign": ("Give up the match.", {}, {}),
    "take_back": (
        "Take back one's own act while it can still be mended (IR-31, IR-32, IR-35). By-play.",
        {"number": 40},
        {"number": "number of the act's event"},
    ),
    "claim": (
        "Call an irregularity (`calls: players`); where the referee calls, it is refused. By-play.",
        {"number": 40},
        {"number": "number of the event of the act that is called", "law": "the law it is called under"},
    ),
    "elect": (
        "Choose among the remedies offered; the seat whose prompt holds `case`.",
        {"case": 1, "option": "accept"},
        {"case": "the prompt's `case`", "option": "an `option` of the prompt's `options`"},
    ),
    "confirm": ("Nothing to claim: go on (`calls: players`, chore `watch`). By-play.", {}, {}),
}
_VERSION: Final = {
    "type": "integer",
    "minimum": 1,
    "maximum": MAX_INTEGER,
    "description": "version of the prompt that is answered: needed in POST acts, absent in `lawful`, free in the reply to a push",
}
_SEAT: Final = {
    "type": "string",
    "enum": list(SEATS),
    "description": "which seat acts, where one bot holds more seats than one; else one's own, or left out",
}


def act_field() -> Shaped:
    """Return an act as a member of an answer."""
    return Shaped(ACT)


def component(kind: str) -> str:
    """Return the name of the component that describes a kind of act.

    >>> component("take_back")
    'TakeBackAct'
    """
    return "".join(part.title() for part in kind.split("_")) + "Act"


def example(kind: str) -> dict[str, Any]:
    """Return an act of that kind, as an element of `lawful` would stand."""
    return {"act": kind, **_WORDS[kind][1]}


def posted_examples(version: int) -> dict[str, Any]:
    """Return the OpenAPI examples of what is posted: one for each kind of act."""
    return {kind: {"summary": _WORDS[kind][0], "value": {"version": version, **example(kind)}} for kind in SHAPES}


def batch_examples(version: int) -> dict[str, Any]:
    """Return the OpenAPI examples of a batch: two acts, and none at all."""
    first = {"match": "mat_01j9", "version": version, "key": "5b2c7d", **example("play")}
    second = {"match": "mat_01jb", "version": version + 7, **example("marry")}
    return {
        "acts": {"summary": "Acts in two matches, and what to do next.", "value": {"acts": [first, second], "wait": 2}},
        "none": {"summary": "No act: the prompts that wait.", "value": {"acts": [], "wait": 25}},
    }


def components() -> dict[str, dict[str, Any]]:
    """Return the JSON Schemas by name: one for each kind of act, `Act` for any of them, `ActPosted` with its version."""
    kinds = {kind: {"$ref": f"#/components/schemas/{component(kind)}"} for kind in SHAPES}
    return {
        "ActVersion": dict(_VERSION),
        "ActSeat": dict(_SEAT),
        **{component(kind): _kind(kind) for kind in SHAPES},
        "Act": {
            "description": "One act, flat: `act` names it. An element of `lawful` is one, and so is the reply to a push.",
            "oneOf": list(kinds.values()),
            "discriminator": {
                "propertyName": "act",
                "mapping": {kind: found["$ref"] for kind, found in kinds.items()},
            },
        },
        "ActPosted": {
            "description": "An act with the version it answers; an element of `lawful` lacks only `version`.",
            "allOf": [ACT, {"type": "object", "required": ["version"]}],
        },
        "ActOfBatch": _of_batch(),
        "ActBatch": {
            "type": "object",
            "description": "Acts on any of the bot's matches, and how long to wait for the next prompts.",
            "properties": {
                "acts": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/ActOfBatch"},
                    "maxItems": MOST_ACTS,
                    "description": "those on one match are taken in order",
                },
                "wait": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": LONGEST_WAIT,
                    "description": "seconds; left out, no prompts come with the answer",
                },
                "most": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MOST_PROMPTS,
                    "default": MOST_PROMPTS,
                    "description": "how many prompts are fetched at most: the clock of those that are not does not run",
                },
            },
            "required": ["acts"],
            "additionalProperties": False,
        },
    }


def _of_batch() -> dict[str, Any]:
    return {
        "type": "object",
        "description": "ActPosted with its match. What is wrong with it is its verdict's `status`, never that of the batch.",
        "properties": {
            "match": {"type": "string", "pattern": "^mat_[0-9A-Za-z]{1,64}$", "description": "that of the prompt"},
            "key": {
                "type": ["string", "null"],
                "pattern": "^[ -~]{1,200}$",
                "description": "what the header Idempotency-Key is for a request of its own",
            },
            "version": {"$ref": "#/components/schemas/ActVersion"},
            "seat": {"$ref": "#/components/schemas/ActSeat"},
            "act": {"type": "string", "enum": list(SHAPES)},
        },
        "required": ["match", "version", "act"],
        "additionalProperties": True,
    }


def _kind(kind: str) -> dict[str, Any]:
    about, _, meanings = _WORDS[kind]
    members = SHAPES[kind]
    found: dict[str, Any] = {
        "type": "object",
        "description": about,
        "properties": {
            "act": {"type": "string", "const": kind},
            **{name: _member(members[name], meanings[name]) for name in members},
            "version": {"$ref": "#/components/schemas/ActVersion"},
            "seat": {"$ref": "#/components/schemas/ActSeat"},
        },
        "required": ["act", *(name for name in members if members[name].required)],
        "additionalProperties": False,
        "example": example(kind),
    }
    if kind in ONE_OF:
        found["oneOf"] = [{"required": [name]} for name in ONE_OF[kind]]
    return found


def _member(shape: Field, meaning: str) -> dict[str, Any]:
    needed = "" if shape.required else "; may be left out"
    return {**shape.schema, "description": f"{meaning}{needed}"}
