"""The numbers of the game stand in rule-set files only: no 66, 33, 10 or 3 hides in the rules layer.

Every whole number above two that the rules layer spells out must be listed here with what
it is; a number of the game is no reason.  An entry that no longer occurs must go.
"""

import ast
from pathlib import Path

from referee.rules import rulesets

RULES = Path(rulesets.__file__).parent
RULES = RULES.parent if RULES.name == "rulesets" else RULES
ALWAYS = {-1, 0, 1, 2}  # nobody and nothing; one and two: a step, a pair, two seats, two cards of a trick

STRUCTURE: dict[tuple[str, int], str] = {}


def _numbers(path: Path) -> list[tuple[int, int]]:
    """(number, line) of every whole number that is not an index or a slice."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    places = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.Subscript) for inner in ast.walk(node.slice)}
    return [
        (node.value, node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and type(node.value) is int and id(node) not in places
    ]


def _found() -> dict[tuple[str, int], list[int]]:
    found: dict[tuple[str, int], list[int]] = {}
    for path in sorted(RULES.rglob("*.py")):
        for value, line in _numbers(path):
            if value not in ALWAYS:
                found.setdefault((path.name, value), []).append(line)
    return found


def test_every_number_in_the_rules_layer_is_structure_and_not_a_rule():
    unknown = {key: lines for key, lines in _found().items() if key not in STRUCTURE}
    assert not unknown, f"(file, number): lines. A rule's number belongs into the rule-sets: {unknown}"


def test_no_listed_number_has_gone():
    assert set(STRUCTURE) - set(_found()) == set()
