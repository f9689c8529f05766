"""The law book: every law of this edition, checked as a whole, with its worked cases.

The cases lie as TOML beside the laws (`cases/IR-xx.toml`); they are tests, documentation
and part of what `GET /v1/laws/{id}` answers.
"""

import tomllib
from functools import cache
from importlib import resources
from typing import Any, Final

from referee.laws import (  # noqa: F401  registering the laws
    announcing,
    apart,
    conduct,
    dealing,
    drawing,
    marriages,
    playing,
    sides,
    stock,
)
from referee.laws.law import EDITION, Citation, Law, registered_laws

__all__ = ["EDITION", "cases", "citation_json", "coverage", "find", "law_json", "laws", "part_of", "sources", "ways"]

#: The parts of the book, each with the beginnings of the ids that stand in it (RULES section 3.4).
PARTS: Final = {
    "A": ("Cutting and dealing", ("IR-0", "IR-1")),
    "B": ("Drawing", ("IR-2",)),
    "C": ("Playing", ("IR-3",)),
    "D": ("Marriages", ("IR-4",)),
    "E": ("The exchange of the nine", ("IR-51", "IR-52", "IR-53", "IR-54")),
    "F": ("Closing", ("IR-5",)),
    "G": ("Announcing 66", ("IR-6",)),
    "H": ("Information and conduct", ("IR-8",)),
    "I": ("Score, stopping, time", ("IR-90", "IR-91", "IR-92", "IR-93")),
    "J": ("Three and four players", ("IR-9",)),
}


def sources() -> dict[str, dict[str, str]]:
    """Return the sources that may be cited, by short name, each with title, edition and kind, and perhaps author."""
    return _table("sources.toml")


@cache
def _table(name: str) -> dict[str, Any]:
    """Return a file of the book's data."""
    return tomllib.loads((resources.files("referee.laws") / name).read_text(encoding="utf-8"))


def citation_json(citation: Citation) -> dict[str, str]:
    """Return a citation as it stands on the wire: source (short name), title, edition and place.

    >>> citation_json(Citation("Bridge 2017", "law 53"))["edition"]
    '2017'
    """
    found = sources()[citation.source]
    return {
        "source": citation.source,
        "title": found["title"],
        "edition": found["edition"],
        "place": citation.place,
    }


def part_of(law_id: str) -> str:
    """Return the letter of the part a law stands in.

    >>> part_of("IR-52"), part_of("IR-5A")
    ('E', 'F')
    """
    return next(letter for letter, (_, begins) in PARTS.items() if law_id.startswith(begins))


def ways(law_id: str) -> tuple[dict[str, Any], ...]:
    """Return by which acts a law comes about at this table, each way as its row stands in `acts.toml`."""
    return tuple(row for row in _table("acts.toml")["row"] if row["law"] == law_id)


def coverage() -> tuple[dict[str, Any], ...]:
    """Return what the four texts say of irregularities, and what carries each, as in `coverage.toml`."""
    return tuple(_table("coverage.toml")["says"])


@cache
def laws() -> tuple[Law, ...]:
    """Return every law by id.

    Raises `ValueError` if a law yields to one that does not exist, or cites an unknown source.
    """
    book = registered_laws()
    for each in book.values():
        for other in each.yields_to:
            if other not in book:
                raise ValueError(f"{each.id} yields to {other}, which is no law of the book")
        for citation in each.citations:
            if citation.source not in sources():
                raise ValueError(f"{each.id} cites {citation.source!r}, which sources.toml does not know")
    return tuple(book[law_id] for law_id in sorted(book))


def find(law_id: str) -> Law | None:
    """Return the law of that id, or nothing if the book has none."""
    laws()
    return registered_laws().get(law_id)


@cache
def cases(law_id: str) -> tuple[dict[str, Any], ...]:
    """Return the worked cases of a law, as they stand in its file."""
    folder = resources.files("referee.laws") / "cases"
    text = (folder / f"{law_id}.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["case"])


def law_json(law_id: str) -> dict[str, Any] | None:
    """Return all of a law as JSON-able values, or nothing if the book has none of that id."""
    found = find(law_id)
    if found is None:
        return None
    return {
        "id": found.id,
        "part": part_of(found.id),
        "name": found.name,
        "title": found.title,
        "text": found.text,
        "kind": found.kind.value,
        "citations": [citation_json(each) for each in found.citations],
        "scope": found.scope,
        "window": {"opens": found.window.opens, "closes": found.window.closes},
        "remedies": list(found.options),
        "elector": found.elector if found.kind == "CHOICE" else None,
        "yields_to": list(found.yields_to),
        "online": found.online or None,
        "ways": list(ways(law_id)),
        "edition": EDITION,
        "cases": list(cases(law_id)),
    }
