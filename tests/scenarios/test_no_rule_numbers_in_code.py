"""The numbers of the game stand in rule-set files only: no 66, 33, 10 or 3 hides in rules or laws.

A number of the game is any whole number above two that some rule-set gives to an option, and
what follows from them. Where the code spells one out, it must be listed here with what it is
there; an entry that no longer occurs must go.

One, two and three are everywhere in code and nearly never points.  Where they stand beside something named
for points they are, and then they may not be there, in the match neither, unless `POINTS_KNOWN` says what for.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from referee import laws, match, rules
from referee.rules import rulesets

LAYERS = (Path(rules.__file__).parent, Path(laws.__file__).parent)
SCORING = (*LAYERS, Path(match.__file__).parent)
DERIVED = {11, 13, 65, 120, 130}  # an ace, the thirteenth card, the even split, the pack's points, with the last trick

STRUCTURE = {
    ("acts.py", 5): "end of the range of bids",
    ("acts.py", 8): "length of a text",
    ("acts.py", 13): "the largest packet that can be written down",
    ("acts.py", 20): "amounts that can be said, right or wrong",
    ("acts.py", 24): "length of a text",
    ("acts.py", 32): "the cards of the widest pack",
    ("acts.py", 40): "length of a text; amounts that can be said",
    ("acts.py", 100): "end of the range of amounts that can be said",
    ("cards.py", 3): "card points of a queen, the same in every source (R-01)",
    ("cards.py", 4): "card points of a king (R-01)",
    ("cards.py", 10): "card points of a ten (R-01)",
    ("cards.py", 11): "card points of an ace (R-01)",
    (
        "contradictions.py",
        3,
    ): "seats of the table at which the dealer rests; what `turn_after_3` and `three_two_three` say by name",
    ("contradictions.py", 4): "seats of the table at which partners sit",
    ("contradictions.py", 8): "what `three_two_three` adds up to",
    ("dealing.py", 3): "what `three_two_three` says by name",
    ("dealing.py", 5): "the same after its second round",
    ("dealing.py", 8): "the same after its third round",
    ("order.py", 8): "bits of a suit",
    ("order.py", 32): "bits of all cards",
    ("reading.py", 6): "parts of a section of the notation",
    ("reading.py", 7): "the same, with the scores of every seat",
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


POINTS = {"points", "award", "score", "carry", "carried", "target", "total", "owed", "level", "fine"}
POINTS_KNOWN = {
    ("cards.py", "RANK_POINTS"): "card points by rank, the same in every source (R-01)",
    ("reading.py", "score"): "how many seats have one",
    ("table.py", "score"): "how many seats have one",
    ("table.py", "target"): "a resting dealer stops a point short of it (4.2, B-02)",
    ("scoring.py", "owed"): "the account an organiser may keep: one a match, twice that against none (R-72, R-73)",
}


def named(node: ast.AST) -> set[str]:
    """Every name that occurs in an expression, attributes and functions included, but not what is looked up by index."""
    if isinstance(node, ast.Subscript):
        return named(node.value)
    own = {getattr(node, attribute) for attribute in ("id", "attr", "arg") if hasattr(node, attribute)}
    inner = (child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.Constant))
    return {name for name in own if isinstance(name, str)}.union(*map(named, inner))


def literal(node: ast.AST | None) -> bool:
    """Whether an expression is a number of the game as it could be scored: one, two, or a larger one."""
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value in {1, 2} | game_numbers()


def beside(node: ast.AST) -> Iterator[tuple[list[ast.AST | None], set[str]]]:
    """What stands together in a statement or expression: values, and the names they are measured by or given to."""
    match node:
        case ast.Compare(left=left, comparators=others):
            yield [left, *others], set().union(*map(named, [left, *others]))
        case ast.BinOp(left=left, right=right):
            yield [left, right], named(left) | named(right)
        case ast.Assign(targets=targets, value=value):
            yield alternatives(value), set().union(*map(named, targets))
        case ast.AnnAssign(target=target, value=value) | ast.AugAssign(target=target, value=value):
            yield alternatives(value), named(target)
        case ast.keyword(arg=arg, value=value):
            yield alternatives(value), {arg or ""}
        case ast.FunctionDef(name=name):
            values = [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
            yield [each for value in values for each in alternatives(value)], {name}
        case ast.Call(func=func, args=args) if named(func) & {"Result", "_result"}:
            yield list(args), {"points"}
        case ast.Call(func=func, args=args) if named(func) & {"max", "min"}:
            yield list(args), set().union(*map(named, args))
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                yield alternatives(value), {str(key.value)} if isinstance(key, ast.Constant) else set()


def alternatives(node: ast.AST | None) -> list[ast.AST | None]:
    """The values an expression may come to, as far as it chooses between them."""
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            return [*alternatives(body), *alternatives(orelse)]
        case ast.Tuple(elts=elements):
            return list(elements)
    return [node]


def points_in(source: str) -> set[tuple[int, int, str]]:
    """(number, line, name) of every number that stands beside a name for points."""
    return {
        (value.value, value.lineno, name)
        for node in ast.walk(ast.parse(source))
        for values, names in beside(node)
        for value in values
        if literal(value)
        for name in names
        if POINTS.intersection(name.lower().split("_"))
    }


def points_found() -> dict[tuple[str, str], list[str]]:
    """Where a number stands beside a name for points, by file and name."""
    spelled: dict[tuple[str, str], list[str]] = {}
    for path in sorted(path for layer in SCORING for path in layer.rglob("*.py")):
        for value, line, name in sorted(points_in(path.read_text(encoding="utf-8"))):
            spelled.setdefault((path.name, name), []).append(f"{path.name}:{line}: {value}")
    return spelled


def test_no_points_are_spelled_out_in_rules_laws_or_match():
    unknown = {key: lines for key, lines in points_found().items() if key not in POINTS_KNOWN}
    assert not unknown, f"points belong into the rule-set files: {unknown}"


def test_no_listed_points_have_gone():
    assert set(POINTS_KNOWN) - set(points_found()) == set()


def test_the_search_sees_points_however_they_are_written():
    source = """
def level(p):
    return 3 if p.won else row[1]
points = 2 if good else options.points_plain
if p.points[1] >= 33:
    score += 1
give(award=1)
Result("remedy", seat, 2, counts)
owed = 2 * owed
fine = max(fine, 2)
said = {"game_points": 1}
hands[1] = row[2]
"""
    assert {(number, line) for number, line, _ in points_in(source)} == {
        (3, 3), (2, 4), (33, 5), (1, 6), (1, 7), (2, 8), (2, 9), (2, 10), (1, 11),
    }  # fmt: skip
