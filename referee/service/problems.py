"""What a use case answers when it cannot do as asked: one exception, shaped as RFC 9457 asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

#: So many places are told of a body that has more wrong ones, and texts as long as that: an answer stays small.
MOST_TOLD = 20
LONGEST_DETAIL = 2000
LONGEST_PLACE = 400
STANDARD = ("type", "code", "title", "status", "detail")


class ServiceProblem(Exception):
    """Says that a use case was not carried out: `status`, namespaced `code`, `title`, `detail`, extension members.

    `extras` become members of the problem body beside the standard ones, for instance
    `errors` (a list of `{"pointer", "detail"}`), `objections`, `lawful` or `clock`.
    """

    def __init__(self, status: int, code: str, *, title: str, detail: str, **extras: Any) -> None:
        super().__init__(f"{code}: {detail[:LONGEST_DETAIL]}")
        self.status = status
        self.code = code
        self.title = title
        errors = extras.get("errors", ())
        self.detail = told(detail, errors)
        self.extras: Mapping[str, Any] = {**extras, "errors": told_places(errors)} if errors else extras

    def body(self) -> dict[str, Any]:
        """Is the problem as a JSON object, with `type` under `/problems/`. RFC 9457 section 3."""
        standard = {"type": f"/problems/{self.code}", "code": self.code, "title": self.title}
        return {**standard, "status": self.status, "detail": self.detail, **self.extras}


def told(detail: str, errors: Sequence[object] = ()) -> str:
    """Is `detail` no longer than may be, with the number of places that `told_places` leaves out."""
    more = f" (and {len(errors) - MOST_TOLD} more)" if len(errors) > MOST_TOLD else ""
    return _cut(detail, LONGEST_DETAIL) + more


def told_places(errors: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Are the first `MOST_TOLD` places, no text in them longer than may be."""
    return [
        {name: _cut(value, LONGEST_PLACE) if isinstance(value, str) else value for name, value in error.items()}
        for error in errors[:MOST_TOLD]
    ]


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest] + " ..."


def from_body(body: Mapping[str, Any]) -> ServiceProblem:
    """Is the problem whose body that is, for a repeated request."""
    extras = {name: value for name, value in body.items() if name not in STANDARD}
    return ServiceProblem(body["status"], body["code"], title=body["title"], detail=body["detail"], **extras)


def unknown(kind: str, what: str) -> ServiceProblem:
    """Is the 404 for an id that is nobody's; `kind` is bot, tournament, match, check or entry."""
    return ServiceProblem(404, f"{kind}/unknown", title=f"No such {kind}", detail=f"There is no {kind} {what!r}.")


def unfit(code: str, errors: list[tuple[str, str]]) -> ServiceProblem:
    """Is the 422 for a body whose members at those JSON pointers are wrong for the reasons given."""
    listed = [{"pointer": pointer, "detail": detail} for pointer, detail in errors]
    detail = "; ".join(f"{pointer}: {detail}" for pointer, detail in errors[:MOST_TOLD])
    return ServiceProblem(422, code, title="The body cannot be used", detail=detail, errors=listed)
