"""The Flask application: resources under /v1, pages beside them, problems everywhere.

`create_app` is a factory; `gunicorn "referee.web.app:create_app()"` serves it. Nothing here imports gevent.
"""

import logging
from typing import Any, Final

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException
from werkzeug.middleware.proxy_fix import ProxyFix

import referee
from referee import service as services
from referee import settings
from referee.service import Service, ServiceProblem
from referee.web import problems
from referee.web.answers import use_orjson
from referee.web.api import TITLE, Api, Count, Id, Name, from_http, pattern
from referee.web.bodies import MAX_BYTES
from referee.web.book import book
from referee.web.bots import bots
from referee.web.desk import desk
from referee.web.fields import shape_of
from referee.web.hot import Hot
from referee.web.matches import matches
from referee.web.observing import observe
from referee.web.operations import operations
from referee.web.pages import pages
from referee.web.play import play
from referee.web.problems import Problem
from referee.web.push import describe_push
from referee.web.schemas import acts as act_shapes
from referee.web.tournaments import tournaments

ABOUT: Final = """\
Bots play Sixty-Six over HTTP; the referee admits what can happen at a table and rules on it by a law book.

Errors are problems (RFC 9457) with a code each, listed under /problems/. A POST that creates or acts takes an
Idempotency-Key. Lists are linked pages (RFC 8288). Ids carry a prefix; tokens are sent as Authorization: Bearer TOKEN.
Whole numbers are written without a fraction, and no object may hold one key twice. Bodies are JSON in UTF-8, at most
64 KiB. A request line or header beyond the HTTP server's own limits (some 4 and 8 KiB) is answered by that server,
with status 400, 414 or 431 and a few words of HTML instead of a problem.
"""
WILL_NOT_BOOT: Final = 3  # as gunicorn has it
_log = logging.getLogger(__name__)
CONTENT_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
)


def create_app(service: Service | None = None) -> Flask:
    """Return the application over `service`, or over one opened from the environment's settings.

    Call it after a fork, as a server does that loads the application in each worker.
    """
    app = bare_app()
    app.extensions["referee"] = opened = service or _opened()
    if opened.settings.proxies:  # then, and only then, X-Forwarded-For is not just anybody's word
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=opened.settings.proxies, x_proto=0)  # type: ignore[method-assign]
    app.wsgi_app = Hot(app, app.wsgi_app)  # type: ignore[method-assign]
    return app


def _opened() -> Service:
    try:
        return services.open(settings.read(), serves=True)
    except ServiceProblem as problem:
        _log.error("the service cannot start: %s", problem.detail)
        raise SystemExit(WILL_NOT_BOOT) from problem


def bare_app() -> Flask:
    """Return the application without a service: good for its description and nothing else."""
    app = Flask("referee.web", static_folder="static", template_folder="templates")
    _configure(app)
    _register(app)
    return app


def _configure(app: Flask) -> None:
    use_orjson(app)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BYTES
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.config["API_SPEC_OPTIONS"] = {"info": {"description": ABOUT, "license": {"name": "MIT", "identifier": "MIT"}}}
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False
    app.url_map.converters.update({"id": Id, "count": Count, "name": Name})
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.register_error_handler(HTTPException, from_http)
    app.register_error_handler(Problem, problems.respond)
    app.register_error_handler(ServiceProblem, problems.respond_for_service)
    for away in problems.STORE_AWAY:
        app.register_error_handler(away, problems.respond_for_outage)
    app.after_request(_secure)
    observe(app)


def _register(app: Flask) -> None:
    api = Api(app, spec_kwargs={"title": TITLE, "version": referee.__version__, "openapi_version": "3.1.0"})
    for converter in (Id, Name):
        api.register_converter(converter, pattern)
    api.register_converter(Count, lambda _converter: {"type": "integer", "minimum": 1, "maximum": 999_999_999})
    api.ma_plugin.converter.add_attribute_function(shape_of)
    for name, schema in act_shapes.components().items():
        api.spec.components.schema(name, schema)
    api.spec.components.security_scheme("token", {"type": "http", "scheme": "bearer"})
    for resource in (bots, tournaments, matches, play, desk, book, operations):
        api.register_blueprint(resource)
    describe_push(api)
    app.register_blueprint(pages)


def _secure(response: Response) -> Response:
    headers: Any = response.headers
    if "X-Content-Type-Options" in headers:
        return response
    headers["X-Content-Type-Options"] = "nosniff"
    if request.path.startswith("/v1/"):
        headers["Cache-Control"] = "no-store"
    elif response.mimetype == "text/html":
        headers["Content-Security-Policy"] = CONTENT_POLICY
        headers["Referrer-Policy"] = "no-referrer"
    return response
