"""Every refusal on the wire is a problem (RFC 9457) with a code out of one table.

    Problem              raised by the web layer, carries code, detail and extension members
    ├─ with `errors`     a list of {"pointer": JSON Pointer, "detail"} or {"parameter", "detail"}
    └─ with `headers`    such as WWW-Authenticate or Allow

What the use cases refuse (`ServiceProblem`) goes out in the same shape.
"""

import logging
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

import orjson
from flask import Response, render_template, request
from werkzeug.exceptions import InternalServerError

from referee.service import ServiceProblem
from referee.service.problems import told, told_places
from referee.store.away import AWAY
from referee.web.answers import Answer, as_response
from referee.web.codes import CODES

MEDIA_TYPE: Final = "application/problem+json"

#: What is raised while a store cannot be reached: a 503, and the request may be repeated.
STORE_AWAY: Final = AWAY
_log: Final = logging.getLogger(__name__)


class Problem(Exception):
    """A refusal on its way out: code, status, detail, extension members and headers."""

    def __init__(
        self,
        code: str,
        *,
        detail: str,
        status: int | None = None,
        title: str | None = None,
        errors: Iterable[Mapping[str, Any]] = (),
        extra: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        known = CODES.get(code)
        self.code = code
        self.status = status or (known.status if known else 500)
        self.title = title or (known.title if known else HTTPStatus(self.status).phrase)
        places = list(errors)
        self.detail = told(detail, places)
        self.errors = told_places(places)
        self.extra = dict(extra or {})
        self.headers = dict(headers or {})

    def members(self) -> dict[str, Any]:
        """Return the members of the problem document."""
        found: dict[str, Any] = {
            "type": f"/problems/{self.code}",
            "code": self.code,
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
        }
        if self.errors:
            found["errors"] = self.errors
        return found | self.extra


def respond(problem: Problem) -> Response:
    """Return a problem of the web layer as a response."""
    return _response(problem.members(), problem.headers)


def respond_for_service(problem: ServiceProblem) -> Response:
    """Return what a use case refused as a response."""
    return _response(problem.body(), {})


def respond_for_outage(error: Exception) -> Response:
    """Return a 503 for a store that is away, and log which; the answer names no address."""
    return respond(_outage(error))


def written(error: Exception, path: str) -> Answer:
    """Return any error on the way to an answer as the problem it is: what goes out for a request of `path`, without Flask.

    One that nobody foresaw is a 500 that tells nothing of it; the journal does.
    """
    if isinstance(error, ServiceProblem):
        return _written(error.body(), {}, path)
    if isinstance(error, STORE_AWAY):
        error = _outage(error)
    elif not isinstance(error, Problem):
        _log.error("an answer for %s failed", path, exc_info=error)
        error = Problem("service/error", detail=InternalServerError.description)
    return _written(error.members(), error.headers, path)


def _outage(error: Exception) -> Problem:
    _log.error("a store cannot be reached: %s", error)
    detail = "A store of this service cannot be reached just now; what was acknowledged is kept. Ask again."
    return Problem("service/store_unreachable", detail=detail)


def _response(members: Mapping[str, Any], headers: Mapping[str, str]) -> Response:
    if not _wants_page():
        return as_response(_written(members, headers, request.path))
    page = render_template("problem.html", **_page(members))
    return Response(page, members["status"], {**_headers_of(members["status"]), **headers}, mimetype="text/html")


def _written(members: Mapping[str, Any], headers: Mapping[str, str], path: str) -> Answer:
    status: int = members["status"]
    told = {"Content-Type": MEDIA_TYPE, "X-Content-Type-Options": "nosniff", **_headers_of(status), **headers}
    return Answer(status, orjson.dumps({**members, "instance": path}), [*told.items()])


def _headers_of(status: int) -> dict[str, str]:
    found = {"Cache-Control": "no-store"}
    if status == HTTPStatus.UNAUTHORIZED:
        found["WWW-Authenticate"] = 'Bearer realm="referee", error="invalid_token"'
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        found["Retry-After"] = "2"
    return found


def _wants_page() -> bool:
    accepted = request.accept_mimetypes
    return not request.path.startswith("/v1") and accepted.best_match([MEDIA_TYPE, "text/html"]) == "text/html"


def _page(members: Mapping[str, Any]) -> dict[str, Any]:
    known = CODES.get(members["code"])
    shown = {name: members[name] for name in ("title", "code", "status", "detail")}
    return {**shown, "remedy": known.remedy if known else ""}
