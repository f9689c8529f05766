"""A request's query and body are loaded by their marshmallow schema, and a misfit is answered with its places."""

from collections.abc import Mapping
from typing import Any

import marshmallow as ma
from flask import request

from referee.service import strict_json
from referee.service.problems import MOST_TOLD
from referee.web import bodies
from referee.web.problems import Problem


def load_query(schema: ma.Schema) -> dict[str, Any]:
    """Return the current request's query as `schema` reads it; raises `Problem` 422 naming each parameter that misfits."""
    args = request.args
    for name, values in args.lists():
        if len(values) > 1:
            detail = "Given more than once; give it once."
            raise Problem("request/invalid", detail=detail, errors=[{"parameter": name, "detail": detail}])
    return _load(schema, args.to_dict(), query=True)


def load_body(schema: ma.Schema) -> dict[str, Any]:
    """Return the current request's body as `schema` reads it; raises `Problem` 422 with a pointer to each misfit.

    Where the schema asks for nothing the body may be left out. Raises 400, 413 and 415 as `bodies.read_object` does.
    """
    return _load(schema, bodies.read_object(request, optional=asks_nothing(schema)), query=False)


def asks_nothing(schema: ma.Schema) -> bool:
    """Tell whether `schema` has no required member."""
    return not any(field.required for field in schema.fields.values())


def _load(schema: ma.Schema, said: Mapping[str, Any], *, query: bool) -> dict[str, Any]:
    try:
        loaded: dict[str, Any] = schema.load(said, unknown=ma.RAISE)
    except ma.ValidationError as error:
        places = list(_misfits(error.messages, (), query=query))
        raise Problem("request/invalid", detail=_summary(places), errors=places) from None
    return loaded


def _misfits(tree: Any, path: tuple[str | int, ...], *, query: bool) -> list[dict[str, str]]:
    """Return marshmallow's tree of messages as places: `pointer` or `parameter`, and `detail`."""
    if isinstance(tree, Mapping):
        below = ((*path, *(() if step in ("_schema", "value") else (step,)), inner) for step, inner in tree.items())
        return [place for *longer, inner in below for place in _misfits(inner, tuple(longer), query=query)]
    detail = " ".join(str(message) for message in (tree if isinstance(tree, list) else [tree]))
    if query:
        return [{"parameter": ascii(str(path[0]))[1:-1], "detail": detail}]
    return [{"pointer": strict_json.pointer(*path), "detail": detail}]


def _summary(places: list[dict[str, str]]) -> str:
    first = places[0]
    where = first.get("pointer") or first.get("parameter") or "the body"
    more = f" ({min(len(places), MOST_TOLD) - 1} more in errors)" if len(places) > 1 else ""
    return f"At {where}: {first['detail']}{more}"
