"""A live server, asked all sorts of things, answers nothing undocumented and never fails.

schemathesis reads the committed openapi.yaml and makes requests out of it, fit and unfit, for each operation; half of
the ids are of bots, matches and tournaments that there are, and the tokens are nobody's, a bot's and the organiser's.
"""

import threading
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import schemathesis
import yaml
from schemathesis.specs.openapi.checks import positive_data_acceptance
from werkzeug.serving import make_server

from referee import service as services
from referee.service import advancing
from referee.web.app import create_app
from tests.conftest import ValkeyServer, settings_for
from tests.web.asking import bearer
from tests.web.test_journey import register

COMMITTED = Path(__file__).parents[2] / "openapi.yaml"
ORGANISER = bearer("organiser-for-tests")
EXAMPLES = 15
# What fits its schema may still be refused: a cursor nobody was given, a card nobody holds, 41.0 for a version.
NOT_HELD = [positive_data_acceptance]

api = schemathesis.openapi.from_dict(yaml.safe_load(COMMITTED.read_text("utf-8")))
known: dict[str, list[Any]] = {}
tokens: list[dict[str, str]] = []


@api.hook
def map_path_parameters(_context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Put an id that there is in the place of every second one made up."""
    for name, value in (path_parameters or {}).items():
        if name in known and len(str(value)) % 2:
            path_parameters[name] = known[name][len(str(value)) % len(known[name])]
    return path_parameters


@api.hook
def map_query(_context: Any, query: dict[str, Any] | None) -> dict[str, Any] | None:
    """Hold no request: a wait that fits is cut to none."""
    if query and str(query.get("wait")).isdigit() and int(query["wait"]) <= 30:
        query["wait"] = 0
    return query


@pytest.fixture(scope="module")
def live(valkey: ValkeyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a live server with two bots, a live friendly, one planned, a running tournament and a fresh one."""
    opened = services.open(settings_for(valkey.url.replace("/0", "/1"), tmp_path_factory.mktemp("live")))
    app = create_app(opened)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    with app.test_client() as client:
        bots = [register(client, name) for name in ("north", "south", "west")]
        ids = [bot for bot, _ in bots]
        tokens[:] = [{}, bearer(bots[0][1]), ORGANISER]
        matches = [
            client.post("/v1/matches", json={"bots": ids[:2]}, headers=tokens[1]).get_json()["id"] for _ in range(2)
        ]
        tournaments = [
            client.post("/v1/tournaments", json={"name": name, "entrants": ids}, headers=ORGANISER).get_json()["id"]
            for name in ("cup", "open")
        ]
        client.post(f"/v1/tournaments/{tournaments[0]}/start", headers=ORGANISER)
        client.post(f"/v1/bots/{ids[0]}/checks", json={}, headers=tokens[1])
    advancing.advance(opened)
    known.update(
        bot_id=ids, match_id=matches, tournament_id=tournaments, name=["house", "pagat"], law_id=["IR-20"], number=[1]
    )
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
    services.close(opened)


_turn = cycle(range(3))


@api.parametrize()
@hypothesis.settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(hypothesis.HealthCheck)
)
def test_every_answer_is_documented_and_none_is_a_failure(case: Any, live: str) -> None:
    case.call_and_validate(base_url=live, headers=tokens[next(_turn)], excluded_checks=NOT_HELD, timeout=30)
