"""The length check finds what is too long and heeds a reason."""

from pathlib import Path

from tests.checks import lengths


def test_every_file_is_short_enough_or_says_why() -> None:
    files = lengths.code_files()
    assert len(files) > 50
    assert [
        p for path in files for p in lengths.too_long(path.relative_to(lengths.ROOT), path.read_text("utf-8"))
    ] == []


def test_a_long_file_is_found_and_a_reason_is_heeded() -> None:
    text = "x = 1\n" * 401
    assert list(lengths.too_long(Path("a.py"), text)) == [
        "a.py: 401 lines, more than 400: split it, or say why not in a comment '# long: WHY'"
    ]
    assert list(lengths.too_long(Path("a.py"), "# long: a table\n" + text)) == []


def test_a_long_function_is_found_and_a_reason_is_heeded() -> None:
    body = "    x = 1\n" * 60
    (problem,) = lengths.too_long(Path("a.py"), f"\n\ndef f():\n{body}")
    assert problem.startswith("a.py:3: f has 61 lines")
    assert list(lengths.too_long(Path("a.py"), f"\n# long: a table\ndef f():\n{body}")) == []
    assert list(lengths.too_long(Path("a.py"), f"def f():  # long: a table\n{body}")) == []
    assert list(lengths.too_long(Path("a.py"), f"def f():\n{body[10:]}")) == []
