"""What a mutant must survive: every worked case and example, the law book, then the tests that look closer.

The cases and the book come first, since they are quick and kill most.  The exit code is 0 if all is as it should be.
"""

import sys
import tomllib
from pathlib import Path

import pytest

from referee.laws import book, cases, lawbook
from referee.match.casework import play_case
from tests.laws.outcomes import differences

TESTS = Path(__file__).parents[1]
CLOSER = (
    "laws/test_book.py",
    "laws/test_remedies.py",
    "laws/test_remedies_drawing.py",
    "laws/test_words.py",
    "rules/test_scoring.py",
    "rules/test_sides.py",
    "laws/test_sides.py",
    "match/test_desk.py",
    "laws/test_lawbook.py",
)


def first_difference() -> str:
    """The first worked case or example or page of the book that comes out otherwise, in words; empty if none does."""
    folder = Path(cases.__file__).parent
    for path in [*sorted(folder.glob("*.toml")), TESTS / "worked" / "examples.toml"]:
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            wrong = differences(case["expect"], play_case(case))
            if wrong:
                return f"{path.stem}: {case['name']}\n  " + "\n  ".join(wrong)
    committed = Path(book.__file__).parent / "LAWBOOK.md"
    return "" if lawbook.render() == committed.read_text(encoding="utf-8") else "LAWBOOK.md is not what the laws say"


def main() -> int:
    wrong = first_difference()
    if wrong:
        print(wrong)
        return 1
    # One file after the other, as they stand: collecting and rewriting them all would take longer than the tests.
    quick = ("-x", "-q", "--assert=plain", "-p", "no:cacheprovider")
    return next((code for name in CLOSER if (code := int(pytest.main([*quick, str(TESTS / name)])))), 0)


if __name__ == "__main__":
    sys.exit(main())
