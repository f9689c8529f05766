"""Lengths stay readable: no file over 400 lines, no function over 60, unless a reason stands beside it.

The reason is a comment `# long: WHY` (`// long: WHY` in JavaScript, `-- long: WHY` in Lua): for a file among
its first twenty lines, for a function on its first line or the one above. Run as a script it lists what is
too long and exits 1 if anything is.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = ("referee", "workers", "clients", "tests")
CODE = (".py", ".mjs", ".js", ".sh", ".lua", ".html", ".css")
LONGEST_FILE = 400
LONGEST_FUNCTION = 60
ADVICE = "split it, or say why not in a comment '# long: WHY'"
REASON = re.compile(r"(#|//|--) long: \S")


def code_files(root: Path = ROOT) -> list[Path]:
    """List the code files of the checkout."""
    found = (path for folder in FOLDERS for path in (root / folder).rglob("*"))
    return sorted(path for path in found if path.suffix in CODE and "node_modules" not in path.parts)


def too_long(path: Path, text: str) -> Iterator[str]:
    """Say what in this file is too long and has no reason beside it."""
    lines = text.splitlines()
    if len(lines) > LONGEST_FILE and not any(REASON.search(line) for line in lines[:20]):
        yield f"{path}: {len(lines)} lines, more than {LONGEST_FILE}: {ADVICE}"
    if path.suffix == ".py":
        yield from long_functions(path, text, lines)


def long_functions(path: Path, text: str, lines: list[str]) -> Iterator[str]:
    """Say which functions of a Python file are too long."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        length = (node.end_lineno or node.lineno) - node.lineno + 1
        beside = lines[max(0, node.lineno - 2) : node.lineno]
        if length > LONGEST_FUNCTION and not any(REASON.search(line) for line in beside):
            yield f"{path}:{node.lineno}: {node.name} has {length} lines, more than {LONGEST_FUNCTION}: {ADVICE}"


def main() -> int:
    """Check every code file."""
    problems = [
        problem for path in code_files() for problem in too_long(path.relative_to(ROOT), path.read_text("utf-8"))
    ]
    print("\n".join(problems) or f"lengths: {len(code_files())} files in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
