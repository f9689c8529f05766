"""Fields that take what the contract says and nothing near it.

Plain marshmallow fields take 1.9 or "7" for a whole number and 1 for true. Each field here refuses, naming what is
right, and describes itself to OpenAPI exactly as it behaves.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from marshmallow import ValidationError, fields, validate

from referee.service.problems import MOST_TOLD
from referee.service.strict_json import MAX_INTEGER, unprintable

_DIGITS: Final = re.compile(r"(0|[1-9][0-9]{0,15})\Z")


class Whole(fields.Integer):
    """A JSON whole number between `least` and `most`: no fraction part, no string, no boolean."""

    def __init__(self, least: int = 0, most: int = MAX_INTEGER, **settings: Any) -> None:
        super().__init__(validate=validate.Range(least, most), **settings)
        self.least, self.most = least, most

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_kwargs: Any) -> int:
        if type(value) is not int:
            raise ValidationError(f"Not a whole number: write {self.least} to {self.most} without quotes or fraction.")
        return value


class QueryWhole(Whole):
    """A whole number in an address: decimal digits only."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_kwargs: Any) -> int:
        if not isinstance(value, str) or not _DIGITS.match(value):
            raise ValidationError(f"Not a whole number: write decimal digits, {self.least} to {self.most}.")
        return int(value)


class Flag(fields.Boolean):
    """JSON true or false and nothing that looks like it."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_kwargs: Any) -> bool:
        if type(value) is not bool:
            raise ValidationError("Not true or false.")
        return value


class Text(fields.String):
    """A string of `least` to `most` characters without control characters or half surrogates."""

    def __init__(self, least: int = 0, most: int = 200, *, pattern: str = "", **settings: Any) -> None:
        rules: list[Any] = [validate.Length(least, most)]
        if pattern:
            said = pattern.replace("{", "{{").replace("}", "}}")  # marshmallow formats the message once more
            rules.append(validate.Regexp(pattern, error=f"Does not fit the pattern {said}."))
        super().__init__(validate=rules, **settings)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_kwargs: Any) -> str:
        if not isinstance(value, str):
            raise ValidationError("Not a string.")
        if unprintable(value):
            raise ValidationError("Holds a control character or half a surrogate pair.")
        return value


class Word(Text):
    """One of a closed list of words."""

    def __init__(self, words: Iterable[str], **settings: Any) -> None:
        super().__init__(**settings)
        self.words = tuple(words)
        self.validators = [validate.OneOf(self.words, error=f"Not one of: {', '.join(self.words)}.")]


class Listed(fields.List[Any]):
    """A list of `least` to `most` elements: its length is looked at first, and misfits until there are more than are told."""

    def __init__(
        self, inner: fields.Field[Any] | type[fields.Field[Any]], *, most: int, least: int = 0, **settings: Any
    ) -> None:
        self.length = validate.Length(least or None, most)
        super().__init__(inner, validate=self.length, **settings)

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **_kwargs: Any) -> list[Any]:
        if not isinstance(value, list):
            raise self.make_error("invalid")
        self.length(value)
        taken: list[Any] = []
        errors: dict[int, Any] = {}
        for place, each in enumerate(value):
            try:
                taken.append(self.inner.deserialize(each))
            except ValidationError as error:
                errors[place] = error.messages
            if len(errors) > MOST_TOLD:
                break
        if errors:
            raise ValidationError(errors)
        return taken


class Shaped(fields.Raw):
    """A member of an answer whose JSON Schema is given as it is, such as a reference to a component."""

    def __init__(self, schema: Mapping[str, Any], **settings: Any) -> None:
        super().__init__(**settings)
        self.schema = schema


def shape_of(_converter: Any, field: fields.Field[Any], **_kwargs: Any) -> dict[str, Any]:
    """Return what apispec is to say of a `Shaped` field beyond what it says of any; nothing of others."""
    return dict(field.schema) if isinstance(field, Shaped) else {}
