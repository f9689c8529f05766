"""The shapes on the wire as marshmallow schemas: strict for what comes in, open for what goes out.

An answer's schema says what a client may rely on; members may be added, so every client ignores what it does not know.
"""

from typing import Any

import marshmallow as ma


class Answer(ma.Schema):
    """What goes out: documented members, and room for more."""

    class Meta:
        unknown = ma.INCLUDE


def text(description: str = "", **settings: Any) -> ma.fields.String:
    """Return a required string member of an answer."""
    return ma.fields.String(**_settings(description, settings))


def number(description: str = "", **settings: Any) -> ma.fields.Integer:
    """Return a required whole-number member of an answer."""
    return ma.fields.Integer(**_settings(description, settings))


def flag(description: str = "", **settings: Any) -> ma.fields.Boolean:
    """Return a required true-or-false member of an answer."""
    return ma.fields.Boolean(**_settings(description, settings))


def texts(description: str = "", **settings: Any) -> ma.fields.List[Any]:
    """Return a required member of an answer that is a list of strings."""
    return ma.fields.List(ma.fields.String(), **_settings(description, settings))


def table(description: str = "", **settings: Any) -> ma.fields.Dict:
    """Return a required member of an answer that is an object with members of its own."""
    return ma.fields.Dict(**_settings(description, settings))


def tables(description: str = "", **settings: Any) -> ma.fields.List[Any]:
    """Return a required member of an answer that is a list of objects."""
    return ma.fields.List(ma.fields.Dict(), **_settings(description, settings))


def one(schema: type[ma.Schema], description: str = "", **settings: Any) -> ma.fields.Nested:
    """Return a required member of an answer with a schema of its own."""
    return ma.fields.Nested(schema, **_settings(description, settings))


def many(schema: type[ma.Schema], description: str = "", **settings: Any) -> ma.fields.List[Any]:
    """Return a required member of an answer that is a list of one schema."""
    return ma.fields.List(ma.fields.Nested(schema), **_settings(description, settings))


def anything(description: str = "", **settings: Any) -> ma.fields.Raw:
    """Return a required member of an answer that may be any JSON value."""
    return ma.fields.Raw(**_settings(description, settings))


def _settings(description: str, settings: dict[str, Any]) -> dict[str, Any]:
    found = {"required": True, **settings}
    if description:
        found["metadata"] = {"description": description, **found.get("metadata", {})}
    return found
