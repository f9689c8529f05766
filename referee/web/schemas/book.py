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


class Laws(Answer):
    """The law book."""

    edition = string()
    laws = many(LawEntry)


class Law(LawEntry):
    """A law: text, sources, when it speaks, until when it is heard, what follows, and worked cases."""

    text = string()
    citations = anything("sources and places the law rests on")
    scope = anything("when the law speaks")
    window = anything("until when it is heard")
    kind = anything("none, prescribed, choice or discretion")
    remedies = anything("what follows")
    elector = anything("who chooses, where there is a choice", required=False)
    yields_to = texts("laws that override it")
    edition = string("edition of the law book")
    cases = tables("worked cases, each a test of the service")


class Health(Answer):
    """The service is alive."""

    status = string(metadata={"example": "ok"})
    version = string()


class Ready(Answer):
    """The service can do its work."""

    status = string(metadata={"example": "ready"})
    checks = table("state of Redis, database and queue")
