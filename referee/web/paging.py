"""Lists come in pages linked by RFC 8288: follow the link rel="next" until there is none."""

from typing import Any, Final
from urllib.parse import urlencode

import marshmallow as ma
from flask import Response, request

from referee.service import Page
from referee.web.answers import json_response
from referee.web.fields import QueryWhole, Text

MOST: Final = 200


class PageQuery(ma.Schema):
    """Which page of a list."""

    limit = QueryWhole(1, MOST, load_default=50, metadata={"description": "entries on a page"})
    cursor = Text(1, 200, pattern="^[0-9A-Za-z_=-]+$", metadata={"description": "opaque, out of a Link header"})


def page_response(name: str, page: Page, query: dict[str, Any]) -> Response:
    """Return `page` as {name: items, "next": cursor or null} with Link headers for the first and the next page."""
    response = json_response({name: list(page.items), "next": page.next})
    kept = {key: value for key, value in query.items() if key != "cursor" and value is not None}
    links = [_link(kept, "first")]
    if page.next is not None:
        links.append(_link({**kept, "cursor": page.next}, "next"))
    response.headers["Link"] = ", ".join(links)
    return response


def _link(query: dict[str, Any], relation: str) -> str:
    return f'<{request.path}?{urlencode(query)}>; rel="{relation}"'


LINKED: Final = {
    "responses": {
        200: {
            "headers": {
                "Link": {
                    "description": "RFC 8288 links to the first and the next page; the last page has no rel=next",
                    "schema": {"type": "string"},
                }
            }
        }
    }
}
