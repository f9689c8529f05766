"""While a store is away the service says so, with a 503 that may be asked again, and is well once it is back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from referee import service as services
from referee.web.app import create_app
from tests.conftest import ValkeyServer, settings_for
from tests.web.asking import bearer, check
from tests.web.test_journey import register


@pytest.fixture
def shaky(own_valkey: ValkeyServer, tmp_path: Path) -> Iterator[FlaskClient]:
    """A client of an application whose Valkey may be killed."""
    opened = services.open(settings_for(own_valkey.url, tmp_path / "data"))
    with create_app(opened).test_client() as client:
        yield client
    services.close(opened)


def test_a_dead_valkey_is_503_and_a_living_one_is_well_again(shaky: FlaskClient, own_valkey: ValkeyServer) -> None:
    token = register(shaky, "north")[1]
    assert shaky.get("/v1/turns", headers=bearer(token)).status_code == 200
    own_valkey.kill()
    answer = shaky.get("/v1/turns", headers=bearer(token))
    check(answer, 503, "service/store_unreachable")
    assert int(answer.headers["Retry-After"]) > 0
    assert shaky.get("/v1/health").status_code == 200
    check(shaky.get("/v1/ready"), 503, "service/not_ready")
    own_valkey.start()
    assert shaky.get("/v1/turns", headers=bearer(token)).status_code == 200
    assert shaky.get("/v1/ready").status_code == 200
