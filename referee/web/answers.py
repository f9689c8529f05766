"""Answers are written by orjson, once, and never pass through marshmallow on a hot path."""

from typing import Any, Final

import orjson
from flask import Flask, Response
from flask.json.provider import JSONProvider

#: What a JSON answer carries. It is no-store because the same address shows each token something else.
JSON_HEADERS: Final = [
    ("Content-Type", "application/json"),
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
]


class OrjsonProvider(JSONProvider):
    """Flask's JSON by way of orjson; keys keep their order."""

    def dumps(self, obj: Any, **_kwargs: Any) -> str:
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **_kwargs: Any) -> Any:
        return orjson.loads(s)

    def response(self, *args: Any, **kwargs: Any) -> Response:
        return json_response(self._prepare_response_obj(args, kwargs))


def use_orjson(app: Flask) -> None:
    """Let `app` write JSON with orjson."""
    app.json = OrjsonProvider(app)


def json_response(value: Any, *, status: int = 200, location: str = "") -> Response:
    """Return `value` as a JSON response, with a Location header where something was created."""
    response = Response(orjson.dumps(value), status=status, headers=JSON_HEADERS)
    if location:
        response.headers["Location"] = location
    return response
