"""The numbers of the game stand in rule-set files only: no 66, 33, 10 or 3 hides in rules or laws.

A number of the game is any whole number above two that some rule-set gives to an option, and
what follows from them. Where the code spells one out, it must be listed here with what it is
there; an entry that no longer occurs must go.
"""

import ast
from pathlib import Path

from referee import laws, rules
from referee.rules import rulesets

LAYERS = (Path(rules.__file__).parent, Path(laws.__file__).parent)
DERIVED = {11, 13, 65, 120, 130}  # an ace, the thirteenth card, the even split, the pack's points, with the last trick

STRUCTURE = {
    ("acts.py", 6): "end of the range of bids",
    ("acts.py", 13): "the largest packet that can be written down",
    ("acts.py", 20): "amounts that can be said, right or wrong",
    ("acts.py", 24): "length of a text",
    ("acts.py", 40): "length of a text; amounts that can be said",
    ("cards.py", 3): "card points of a queen, the same in every source (R-01)",
    ("cards.py", 10): "card points of a ten (R-01)",
    ("cards.py", 11): "card points of an ace (R-01)",
    ("contradictions.py", 3): "two cuts and what they leave are three parts",
    ("reading.py", 6): "parts of a section of the notation",
}


def game_numbers() -> set[int]:
    """Every number above two that a rule-set gives to an option, and what follows from them."""
    given = {
        value for name in rulesets.names() for value in rulesets.named(name).options.values() if type(value) is int
    }
    return {value for value in given | DERIVED if value > 2}


def numbers_in(source: str) -> list[tuple[int, int]]:
    """(number, line) of every whole number of a module that is not an index or a slice."""
    tree = ast.parse(source)
    places = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.Subscript) for inner in ast.walk(node.slice)}
    return [
        (node.value, node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and type(node.value) is int and id(node) not in places
    ]


def found() -> dict[tuple[str, int], list[str]]:
    """Where the rules and the laws spell a number of the game out."""
    spelled: dict[tuple[str, int], list[str]] = {}
    numbers = game_numbers()
    for path in sorted(path for layer in LAYERS for path in layer.rglob("*.py")):
        for value, line in numbers_in(path.read_text(encoding="utf-8")):
            if value in numbers:
                spelled.setdefault((path.name, value), []).append(f"{path.name}:{line}")
    return spelled


def test_no_number_of_the_game_is_spelled_out_in_rules_or_laws():
    unknown = {key: lines for key, lines in found().items() if key not in STRUCTURE}
    assert not unknown, f"a number of the game belongs into the rule-set files: {unknown}"


def test_no_listed_number_has_gone():
    assert set(STRUCTURE) - set(found()) == set()


def test_the_search_sees_what_it_looks_for():
    assert {66, 33, 10, 3, 7} <= game_numbers()
    source = "def good(count, row):\n    return count >= 66 or row[3] > 1\n"
    assert numbers_in(source) == [(66, 2), (1, 2)]
