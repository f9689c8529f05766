"""Names that people read: of bots, teams and tournaments."""

from __future__ import annotations

import re

#: What shows nothing wherever it stands (Default_Ignorable_Code_Point of Unicode), as far as `isprintable` lets it pass.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def is_name(value: object, *, most: int) -> bool:
    """Tells whether this is text of 1 to so many characters that can all be seen, and not only blanks.

    >>> is_name("Ada", most=64), is_name(" ", most=64), is_name("Ada\\u034f", most=64), is_name("\\u3164", most=64)
    (True, False, False, False)
    """
    return isinstance(value, str) and bool(value.strip()) and len(value) <= most and is_visible(value)


def is_visible(text: str) -> bool:
    """Tells whether every character of a text can be seen, or is a blank."""
    return text.isprintable() and not _INVISIBLE.search(text)
