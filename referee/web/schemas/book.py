"""Rule-sets, laws and the state of the service on the wire."""

import marshmallow as ma

from referee.service.rulesets import LONGEST_ABOUT, LONGEST_TITLE, NAME
from referee.web.fields import Text
from referee.web.schemas import Answer, anything, many, table, tables, texts
from referee.web.schemas import text as string
from referee.web.schemas.terms import OverrideField


class RuleSetNew(ma.Schema):
    """A rule-set of one's own: what differs from another."""

    name = Text(2, 40, required=True, pattern=NAME, metadata={"description": "what it is called from now on"})
    base = Text(1, 64, required=True, pattern="^[a-z0-9_-]+$", metadata={"description": "a name out of /v1/rulesets"})
    title = Text(1, LONGEST_TITLE, metadata={"description": "what pages call it; the name if left out"})
    about = Text(0, LONGEST_ABOUT, metadata={"description": "a few words on it", "default": ""})
    options = ma.fields.Dict(
        keys=Text(1, 64),
        values=OverrideField(),
        required=True,
        metadata={"description": "options that differ from the base", "example": {"target": 5}},
    )


class RuleSetEntry(Answer):
    """A rule-set in the list."""

    name = string()
    title = string()
    digest = string("SHA-256 of its values")
    base = string("of a stored one: the rule-set of the game it is derived from", allow_none=True)
    stored_by = string("of a stored one: the bot that stored it, or organiser", allow_none=True)
    stored_at = string("of a stored one: RFC 3339, UTC", allow_none=True)


class RuleSetPage(Answer):
    """A page of rule-sets: those that come with the game, then the stored ones by name."""

    rulesets = many(RuleSetEntry)
    next = string("cursor of the next page", allow_none=True)


class Option(Answer):
    """One option of a rule-set."""

    option = string()
    value = anything("the value here")
    source = string("text and place the value rests on, or override")
    rule = string("rule point, such as R-20")
    meaning = string()
    allowed = anything("the values that are allowed, or the least and the most")
    values = table("what each value means, where they have names")


class Difference(Answer):
    """An option that is not as in the house rules."""

    option = string()
    value = anything("the value here")
    house = anything("the value in the house rules")
    meaning = string()


class RuleSet(RuleSetEntry):
    """A rule-set, option by option."""

    about = string()
    overrides = table("of a stored one: the options in which it differs from its base, and their values")
    options = many(Option)
    differences = many(Difference, "what is not as in the house rules")


class LawEntry(Answer):
    """A law in the list."""

    id = string(metadata={"example": "IR-20"})
    name = string()
    title = string()


class Citation(Answer):
    """A place in a source."""

    source = string("short name of the source", metadata={"example": "Bridge 2017"})
    title = string()
    edition = string("its year or number, or what is known of it where it states none", metadata={"example": "2017"})
    place = string("where in it", metadata={"example": "law 53"})


class Law(LawEntry):
    """A law: text, sources, when it speaks, until when it is heard, what follows, and worked cases."""

    part = string("letter of the part it stands in", metadata={"example": "B"})
    text = string()
    citations = many(Citation, "what the law rests on")
    scope = string("where the law speaks")
    window = table("from when until when it is heard: opens, closes")
    kind = string("NONE, PRESCRIBED, CHOICE or DISCRETION")
    remedies = texts("what follows, or may be chosen, the default first")
    elector = string("who chooses, where there is a choice", allow_none=True)
    yields_to = texts("laws before which this one gives way")
    online = string("why it cannot come about at this table, where it cannot", allow_none=True)
    ways = tables("by which acts it comes about at this table, each way tried by a test over HTTP")
    edition = string("edition of the law book")
    cases = tables("worked cases, each a test of the service")


class Laws(Answer):
    """The law book."""

    edition = string()
    parts = table("titles of the parts by letter")
    laws = many(Law)
    coverage = tables("what the texts say of irregularities: source, place, says; laws, options or why")


class Health(Answer):
    """The service is alive."""

    status = string(metadata={"example": "ok"})
    version = string()


class Ready(Answer):
    """The service can do its work."""

    status = string(metadata={"example": "ready"})
    checks = table("state of Redis, database and queue")
