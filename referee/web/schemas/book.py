"""Rule-sets, laws and the state of the service on the wire."""

from referee.web.schemas import Answer, anything, many, table, tables, texts
from referee.web.schemas import text as string


class RuleSetEntry(Answer):
    """A rule-set in the list."""

    name = string()
    title = string()
    digest = string("SHA-256 of its values")


class RuleSets(Answer):
    """All named rule-sets."""

    rulesets = many(RuleSetEntry)


class Option(Answer):
    """One option of a rule-set."""

    option = string()
    value = anything("the value here")
    source = string("text and place the value rests on")
    rule = string("rule point, such as R-20")
    meaning = string()
    allowed = anything("the values that are allowed, or the least and the most")
    values = table("what each value means, where they have names")


class RuleSet(RuleSetEntry):
    """A rule-set, option by option."""

    about = string()
    options = many(Option)


class LawEntry(Answer):
    """A law in the list."""

    id = string(metadata={"example": "IR-20"})
    name = string()
    title = string()


class Law(LawEntry):
    """A law: text, sources, when it speaks, until when it is heard, what follows, and worked cases."""

    part = string("letter of the part it stands in", metadata={"example": "B"})
    text = string()
    citations = tables("sources and places the law rests on")
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
