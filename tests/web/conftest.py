"""Applications for the tests: over a service of stand-ins for what is HTTP alone, over a real one for the rest."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.service import Caller, Reply, ServiceProblem, rates
from referee.service import keys as use_keys
from referee.service import tokens as use_tokens
from referee.service.wakes import Wakes
from referee.web.app import create_app
from tests.conftest import settings_for
from tests.web.asking import CALLERS


def _authenticate(_service: Any, token: str | None, *, afresh: bool = False) -> Caller:
    if token is None:
        return Caller()
    if token not in CALLERS:
        raise ServiceProblem(401, "auth/token_unknown", title="The token is not known", detail="Nobody has it.")
    return CALLERS[token]


def _count(_service: Any, _who: str, *, policy: rates.Policy) -> rates.Rate:
    return rates.Rate(policy, False, policy.quota, policy.seconds)


def _once(_service: Any, _caller: Caller, *, key: str | None, request: bytes, run: Callable[[], Reply]) -> Reply:
    return run()


@pytest.fixture
def hollow(monkeypatch: pytest.MonkeyPatch) -> Iterator[FlaskClient]:
    """A client of an application whose service is hollow: tokens are known, nobody is told to go, and that is all."""
    monkeypatch.setattr(use_tokens, "authenticate", _authenticate)
    monkeypatch.setattr(use_keys, "once", _once)
    monkeypatch.setattr(rates, "count", _count)
    service: Any = SimpleNamespace(wakes=Wakes(""), settings=settings_for("", Path()))
    app = create_app(service)
    with app.test_client() as client:
        yield client


@pytest.fixture
def app(service: Any) -> Flask:
    """The application over a real service."""
    return create_app(service)


@pytest.fixture
def client(app: Flask) -> Iterator[FlaskClient]:
    """A client of the application over a real service."""
    with app.test_client() as client:
        yield client
