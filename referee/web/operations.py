"""Whether the service lives and can do its work."""

from typing import Any, Final

from flask import Response

from referee.service import health as use_health
from referee.service import metrics as use_metrics
from referee.web.access import service
from referee.web.answers import json_response
from referee.web.api import Resource
from referee.web.schemas import book as shapes

operations: Final = Resource("operations", "/v1", about="The state of the service.")


@operations.on("GET", "/health", answer=shapes.Health)
def get_health() -> Response:
    """Tell that the service is alive, without touching a store"""
    return json_response(use_health.health(service()))


@operations.on(
    "GET",
    "/metrics",
    doc={
        "responses": {
            "200": {
                "description": "counters, histograms and gauges in Prometheus's text format; no label names anybody",
                "content": {"text/plain": {"schema": {"type": "string"}}},
            }
        }
    },
)
def get_metrics() -> Response:
    """Fetch the service's figures for Prometheus

    Whichever process of a host is asked answers for all of them. What lies in a store that is away is left out.
    """
    return Response(use_metrics.exposition(service()), content_type=use_metrics.MEDIA_TYPE)


@operations.on("GET", "/ready", answer=shapes.Ready)
def get_ready() -> dict[str, Any]:
    """Tell whether Redis, database and queue can be reached"""
    return use_health.ready(service())
