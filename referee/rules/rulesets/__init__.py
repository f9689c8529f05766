"""Rule-sets: what each option of the game may be, and the named sets of values it is played by.

`options.toml` describes every option; beside it lies one file per rule-set, in which every option
stands with its value and the text the value comes from. This package reads them, checks them and
hands them out as immutable values. It knows no cards and plays nothing.

The texts, by the short names the sources use: 000 is R. F. Foster's chapter on Sixty-Six, 002 an
American card-maker's thirteen numbered rules, 003 a hobby page, 004 an old Wikipedia text, 1895 the
numbered laws of the "Bartender's Guide" (Berner-Mayer), Pagat-66 pagat.com's page by way of a close
adaptation. A text that says nothing is called silent, and the value of `house` stands.

    >>> named("house").options["target"]
    7
    >>> named("house").override({"target": 3}).options["target"]
    3
"""

from referee.rules.rulesets.options import OPTIONS, Option, RuleSetError, Value
from referee.rules.rulesets.ruleset import RuleSet, from_toml, named, names, read

__all__ = [
    "OPTIONS",
    "Option",
    "RuleSet",
    "RuleSetError",
    "Value",
    "from_toml",
    "named",
    "names",
    "read",
]
