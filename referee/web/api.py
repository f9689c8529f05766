"""How a resource states its operations: one decorator carries route, access, body, answer and problems.

flask-smorest makes OpenAPI out of what the code says. Five of its habits are overridden here: problems go out, and are
described, as application/problem+json; a 405 keeps its Allow header; another content type is 415; a problem may carry
members of its own; pages are linked by RFC 8288 and not by an X- header.
"""

import functools
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final, TypeVar

import flask_smorest
import marshmallow as ma
from flask import Flask, Response
from flask_smorest.utils import prepare_response
from werkzeug.exceptions import HTTPException
from werkzeug.routing import BaseConverter

from referee.web import problems
from referee.web.access import Access, admitted
from referee.web.keys import KEY_PARAMETER, replayable
from referee.web.loading import asks_nothing, load_body, load_query
from referee.web.problems import Problem

View = TypeVar("View", bound=Callable[..., Any])

TITLE: Final = "Sixty-Six tournament and referee service"
_ELSEWHERE: Final = "There is nothing at this address; /openapi.yaml lists the addresses there are."
_BY_STATUS: Final = {
    400: "request/refused",
    404: "request/not_found",
    405: "request/method_not_allowed",
    406: "request/not_acceptable",
    408: "request/too_slow",
    413: "request/too_large",
    415: "request/content_type",
    429: "request/too_many",
    500: "service/error",
    503: "service/not_ready",
}


class ProblemErrorSchema(ma.Schema):
    """One place in the request that does not fit."""

    pointer = ma.fields.String(metadata={"description": "JSON Pointer (RFC 6901) into the body"})
    parameter = ma.fields.String(metadata={"description": "name of a parameter of the address"})
    header = ma.fields.String(metadata={"description": "name of a header"})
    detail = ma.fields.String(required=True, metadata={"description": "what is wrong there and what would be right"})


class ProblemSchema(ma.Schema):
    """A refusal (RFC 9457). Codes are listed on the page /problems/; some carry members of their own."""

    class Meta:
        unknown = ma.INCLUDE

    type = ma.fields.String(required=True, metadata={"description": "address of the code's page"})
    code = ma.fields.String(required=True, metadata={"description": "namespaced code, such as act/irregular"})
    title = ma.fields.String(required=True)
    status = ma.fields.Integer(required=True)
    detail = ma.fields.String(required=True)
    instance = ma.fields.String(metadata={"description": "the path that was asked"})
    errors = ma.fields.List(ma.fields.Nested(ProblemErrorSchema))
    key = ma.fields.String(metadata={"description": "of 429: the name of the bound, such as registrations"})
    seconds = ma.fields.Integer(metadata={"description": "of 429: how long to wait, as Retry-After says too"})
    conduct_count = ma.fields.Integer(
        metadata={"description": "of a refused act that counts: how much counts against the seat by now (IR-85)"}
    )
    conduct_limit = ma.fields.Integer(metadata={"description": "at how much the match is lost by conduct; usually 20"})
    over = ma.fields.Boolean(metadata={"description": "of a refused act that counts: whether it has lost the match"})


class Id(BaseConverter):
    """An id with its prefix in an address, such as bot_01j9; anything else is no address of ours."""

    part_isolating = True

    def __init__(self, url_map: Any, prefix: str) -> None:
        super().__init__(url_map)
        self.regex = f"{prefix}_[0-9A-Za-z]" + "{1,64}"


class Name(BaseConverter):
    """The name of a rule-set or law in an address."""

    part_isolating = True
    regex = "[0-9A-Za-z_-]{1,64}"


class Count(BaseConverter):
    """A number from 1 in an address."""

    part_isolating = True
    regex = "[1-9][0-9]{0,8}"

    def to_python(self, value: str) -> int:
        return int(value)


def pattern(converter: BaseConverter) -> dict[str, str]:
    """Return the OpenAPI schema of a path parameter with this converter."""
    return {"type": "string", "pattern": f"^{converter.regex}$"}


class Api(flask_smorest.Api):  # type: ignore[misc]
    """flask-smorest with problems as RFC 9457 wants them."""

    ERROR_SCHEMA = ProblemSchema

    def handle_http_exception(self, error: HTTPException) -> Response | Any:
        return from_http(error)

    def _register_responses(self) -> None:
        for status in HTTPStatus:
            if status < HTTPStatus.BAD_REQUEST:
                continue
            answer = {"description": status.phrase, "schema": ProblemSchema}
            prepare_response(answer, self.spec, problems.MEDIA_TYPE)
            self.spec.components.response(status.name, answer, lazy=True)


def document(app: Flask) -> dict[str, Any]:
    """Return the OpenAPI document of `app`, its sections in reading order."""
    made = app.extensions["flask-smorest"]["apis"][""]["ext_obj"].spec.to_dict()
    return {section: made[section] for section in ("openapi", "info", "tags", "paths", "webhooks", "components")}


def from_http(error: HTTPException) -> Any:
    """Return an HTTP exception of Flask's as a problem, keeping headers such as Allow and Retry-After."""
    ready = error.get_response()
    if error.code is None or error.code < HTTPStatus.BAD_REQUEST:
        return ready
    kept = {name: value for name, value in ready.headers if name not in ("Content-Type", "Content-Length")}
    return problems.respond(
        Problem(
            _BY_STATUS.get(error.code, "request/refused"),
            status=error.code,
            detail=_ELSEWHERE if error.code == HTTPStatus.NOT_FOUND else error.description or "",
            headers=kept,
        )
    )


class Resource(flask_smorest.Blueprint):  # type: ignore[misc]
    """A blueprint whose `on` states an operation whole."""

    def __init__(self, name: str, prefix: str, *, about: str) -> None:
        super().__init__(name, __name__, url_prefix=prefix, description=about)
        self._prepare_doc_cbks.append(self._prepare_manners_doc)

    def on(
        self,
        method: str,
        rule: str,
        *,
        status: int = 200,
        answer: type[ma.Schema] | None = None,
        body: type[ma.Schema] | None = None,
        query: type[ma.Schema] | None = None,
        access: Access = Access.OPEN,
        counted: Callable[[], None] | None = None,
        once: bool = False,
        hot: bool = False,
        refusals: Iterable[int] = (),
        headers: Iterable[Mapping[str, Any]] = (),
        example: Mapping[str, Any] | None = None,
        doc: Mapping[str, Any] | None = None,
    ) -> Callable[[View], View]:
        """Register the decorated function as `method` `rule`.

        The function takes the loaded query, then the loaded body, where there are schemas for them, and the path's
        ids by name. `access` is checked first, then the request is `counted` against a bound, whatever it says, then
        query and body are read, then `once` (a POST that may be repeated under an Idempotency-Key). What is `hot`, as what
        only reads, is done for whoever had the token a moment ago by what this process remembers; for all else the record
        is asked. `refusals` are the problem statuses beside those which follow from the rest, `headers` the headers and
        other parameters it reads itself, `example` is a body that fits. `doc` is merged into the OpenAPI operation.
        """

        def decorate(view: View) -> View:
            wrapped: Any = self.response(status, answer)(view)
            if view.__annotations__["return"] is Response:  # written already: the wrapper has nothing to add
                wrapped = _described_as(wrapped, functools.partial(view))
            if once:
                wrapped = replayable(wrapped)
            if body is not None:
                wrapped = self._loading(wrapped, body, location="json", example=example)
            if query is not None:
                wrapped = self._loading(wrapped, query, location="query")
            if counted is not None:
                wrapped = _described_as(wrapped, _after(counted, wrapped))
            wrapped = admitted(wrapped, access, afresh=method != "GET" and not hot)
            wrapped._apidoc["manners"] = {
                "access": access,
                "headers": [*headers, *([KEY_PARAMETER] if once else [])],
                "statuses": _statuses(
                    refusals, access=access, once=once, body=body is not None, query=query is not None
                ),
            }
            wrapped._apidoc["manual_doc"] = {"operationId": view.__name__, **(doc or {})}
            self.route(rule, methods=[method])(wrapped)
            return view

        return decorate

    def _loading(
        self, view: Any, shape: type[ma.Schema], *, location: str, example: Mapping[str, Any] | None = None
    ) -> Any:
        """Return `view` given what `shape` loads first; flask-smorest describes it, `loading` does it."""
        schema = shape()
        load = load_query if location == "query" else load_body
        needed = not asks_nothing(schema)
        described = self.arguments(shape, location=location, required=needed, example=example)(view)
        return _described_as(described, lambda *args, **kwargs: view(load(schema), *args, **kwargs))

    def _prepare_manners_doc(self, doc: dict[str, Any], doc_info: Mapping[str, Any], **_kwargs: Any) -> dict[str, Any]:
        manners = doc_info["manners"]
        answers = doc.setdefault("responses", {})
        answers.pop("default", None)  # it would document everything, and so nothing
        answers.update({status: HTTPStatus(status).name for status in manners["statuses"]})
        if manners["access"] is not Access.OPEN:
            optional: list[dict[str, Any]] = [{}] if manners["access"] is Access.SEEN else []
            doc["security"] = [{"token": []}, *optional]
        if manners["headers"]:
            doc.setdefault("parameters", []).extend(manners["headers"])
        return doc


def _described_as(described: Any, view: Callable[..., Any]) -> Any:
    """Return `view` under the name and the description that flask-smorest made for `described`, without its wrapper."""
    found: Any = functools.update_wrapper(view, described)
    found._apidoc = described._apidoc
    return found


def _after(first: Callable[[], None], view: Callable[..., Any]) -> Callable[..., Any]:
    def both(*args: Any, **kwargs: Any) -> Any:
        first()
        return view(*args, **kwargs)

    return both


def _statuses(refusals: Iterable[int], *, access: Access, once: bool, body: bool, query: bool) -> list[int]:
    found = {500, 503, *refusals}
    if access is not Access.OPEN:
        found |= {401}
    if access in (Access.TOKEN, Access.ORGANISER):
        found |= {403}
    if once:
        found |= {400, 408, 409, 413, 422, 429}
    if body:
        found |= {400, 408, 413, 415, 422}
    if query:
        found |= {422}
    return sorted(found)
