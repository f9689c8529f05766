"""`/v1/metrics` over HTTP: requests by route, and in no label what a client sent."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from tests.web.asking import bearer
from tests.web.test_journey import register


def figures(client: FlaskClient) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """What a scrape finds, by name and labels."""
    answer = client.get("/v1/metrics")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    families: Any = text_string_to_metric_families(answer.text)
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for each in families
        for sample in each.samples
    }


def requests(client: FlaskClient) -> dict[tuple[str, str, str], float]:
    """How often each method, route and status was."""
    found = {}
    for (name, labels), value in figures(client).items():
        if name == "referee_requests_total":
            its = dict(labels)
            found[its["method"], its["route"], its["status"]] = value
    return found


def test_requests_are_counted_by_route_and_status_and_timed(client: FlaskClient) -> None:
    before = requests(client)
    bot, token = register(client, "north")
    client.get(f"/v1/bots/{bot}")
    client.get("/v1/bots/bot_00000000000000000000000000")
    client.get("/v1/turns", headers=bearer(token))
    client.get("/no/such/place?token=secret-word")
    client.open("/v1/bots", method="SECRETWORD")
    after = requests(client)
    new = {key: value - before.get(key, 0) for key, value in after.items() if value != before.get(key, 0)}
    assert new == {
        ("GET", "/v1/metrics", "200"): 1,
        ("POST", "/v1/bots", "201"): 1,
        ("GET", "/v1/bots/<bot_id>", "200"): 1,
        ("GET", "/v1/bots/<bot_id>", "404"): 1,
        ("GET", "/v1/turns", "200"): 1,
        ("GET", "none", "404"): 1,
        ("other", "none", "405"): 1,
    }
    text = client.get("/v1/metrics").text
    for word in (bot, token, "secret", "SECRET", "north", "bot_0"):
        assert word not in text
    counts = {name for name, _ in figures(client)}
    assert {"referee_request_seconds_bucket", "referee_request_seconds_sum", "referee_request_seconds_count"} <= counts
