"""A live server, asked all sorts of things, answers nothing undocumented and never fails.

schemathesis reads the committed openapi.yaml and makes requests out of it, fit and unfit, for each operation; half of
the ids are of bots, matches and tournaments that there are, and the tokens are nobody's, a bot's and the organiser's.
"""

import re
import threading
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import schemathesis
import yaml
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from werkzeug.serving import make_server

from referee import service as services
from referee.service import streaming
from referee.web.app import create_app
from tests.conftest import ValkeyServer, settings_for
from tests.web.populated import populated

COMMITTED = Path(__file__).parents[2] / "openapi.yaml"
EXAMPLES = 15

FIT = {
    "bot_id": re.compile("bot_[0-9A-Za-z]{1,64}"),
    "tournament_id": re.compile("trn_[0-9A-Za-z]{1,64}"),
    "match_id": re.compile("mat_[0-9A-Za-z]{1,64}"),
    "number": re.compile("[1-9][0-9]{0,8}"),
    "case": re.compile("[1-9][0-9]{0,8}"),
    "name": re.compile("[0-9A-Za-z_-]{1,64}"),
    "law_id": re.compile("[0-9A-Za-z_-]{1,64}"),
}
ENDING = ("delete", "token", "cancel")

api = schemathesis.openapi.from_dict(yaml.safe_load(COMMITTED.read_text("utf-8")))
known: dict[str, list[Any]] = {}
spare: dict[str, list[Any]] = {}
tokens: list[dict[str, str]] = []


@api.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Put an id that there is in the place of every second one made up; what ends something gets a spare one."""
    operation = f"{context.operation.method} {context.operation.path}".lower()
    real = {**known, **spare} if any(word in operation for word in ENDING) else known
    for name, value in (path_parameters or {}).items():
        if name in real and len(str(value)) % 2 and FIT[name].fullmatch(str(value)):
            path_parameters[name] = real[name][len(str(value)) % len(real[name])]
    return path_parameters


@api.hook
def map_query(_context: Any, query: dict[str, Any] | None) -> dict[str, Any] | None:
    """Hold no request: a wait that fits is cut to none."""
    if query and str(query.get("wait")).isdigit() and int(query["wait"]) <= 30:
        query["wait"] = 0
    return query


@api.hook
def map_body(_context: Any, body: Any) -> Any:
    """Hold no batch: a wait that fits is cut to none."""
    if isinstance(body, dict) and type(body.get("wait")) is int and 0 <= body["wait"] <= 30:
        body["wait"] = 0
    return body


@pytest.fixture(scope="module")
def live(valkey: ValkeyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a live server that knows a bit of everything, and whose streams end where they begin."""
    opened = services.open(settings_for(valkey.url.replace("/0", "/1"), tmp_path_factory.mktemp("live")))
    app = create_app(opened)
    with app.test_client() as client:
        there = populated(client, opened)
    known.update(there.known)
    spare.update(there.spare)
    tokens[:] = there.tokens
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(streaming, "LONGEST_SECONDS", 0.0)
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
    # What fits its schema may still be refused: a cursor nobody was given, a card nobody holds, 41.0 for a version.
    not_held = [positive_data_acceptance]
    # The token is the test's own, so a request that is unfit for want of one alone is fit after all.
    if {place.value for place, part in case.meta.components.items() if part.mode.is_negative} == {"header"}:
        not_held.append(negative_data_rejection)
    if case.operation.path == "/v1/acts":  # what is wrong with one act is its verdict: the batch is fit
        not_held.append(negative_data_rejection)
    case.call_and_validate(base_url=live, headers=tokens[next(_turn)], excluded_checks=not_held, timeout=30)
