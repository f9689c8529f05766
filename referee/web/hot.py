"""The short way of what bots ask all day: the next prompts, an act, a batch of acts.

Such a request is answered here with what Flask's layers would do for it and nothing else, if it is as it usually is: a token,
a plain address, and a JSON body that says its length. Whatever is not goes the long way, unread, and is told there what
would be right; both end in `acting`. An act takes a web process a third less time so.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from flask import Flask

from referee import journal
from referee.service import Caller, Service
from referee.service import tokens as use_tokens
from referee.service.turns import MOST_PROMPTS
from referee.web import acting, bodies, keys, limits, observing, problems
from referee.web.access import bearer
from referee.web.acting import Asked
from referee.web.answers import Answer
from referee.web.arrivals import lay_ms
from referee.web.limits import Held
from referee.web.schemas.acts import LONGEST_WAIT

Environ = Mapping[str, Any]
Do = Callable[[Asked], Answer]

TURNS: Final = "/v1/turns"
ACTS: Final = "/v1/acts"
ACT: Final = "/v1/matches/<match_id>/acts"
JSON: Final = "application/json"
EXTENSION: Final = "referee.hot"
_ACT: Final = re.compile(r"/v1/matches/(mat_[0-9A-Za-z]{1,64})/acts")
_WHOLE: Final = "(?:0|[1-9][0-9]{0,2})"
_WAIT: Final = re.compile(f"wait=({_WHOLE})")
_TURNS: Final = re.compile(f"(?:wait=(?P<wait>{_WHOLE})(?:&most=(?P<most>{_WHOLE}))?)?")
_STATUS: Final = {each.value: f"{each.value} {each.phrase}" for each in HTTPStatus}


class Way(NamedTuple):
    """How a request is answered: its method and route as they are counted, the match it is about, and what is done."""

    method: str
    route: str
    match: str | None
    do: Do


class Hot:
    """A WSGI application that answers the usual requests of bots, and leaves all others to `others`."""

    def __init__(self, app: Flask, others: Callable[..., Iterable[bytes]]) -> None:
        self.others = others
        self.service: Service = app.extensions["referee"]
        self.held: Held = limits.held_by(app)
        app.extensions[EXTENSION] = self

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer as PEP 3333 wants it."""
        answer = self.answer(environ)
        if answer is None:
            return self.others(environ, start_response)
        start_response(_STATUS[answer.status], [*answer.headers, ("Content-Length", str(len(answer.body)))])
        return [answer.body] if answer.sent is None else Sent(answer.body, answer.sent)

    def answer(self, environ: Environ) -> Answer | None:
        """Return the answer to a request, or None, and nothing of it is read, where it is not a usual one.

        Needs of `environ` method, path, query, the headers Content-Type, Content-Length, Authorization and
        Idempotency-Key, and the body.
        """
        token = bearer(environ.get("HTTP_AUTHORIZATION", ""))
        way = None if token is None else _way(environ)
        return None if token is None or way is None else self._answered(way, token, environ)

    def _answered(self, way: Way, token: str, environ: Environ) -> Answer:
        began = time.monotonic()
        journal.begin_about(match=way.match, method=way.method)
        try:
            caller = use_tokens.authenticate(self.service, token)
            journal.add_about(bot=caller.bot)
            key = keys.fit(environ.get("HTTP_IDEMPOTENCY_KEY")) if way.method == "POST" else None
            answer = way.do(Asked(self.service, caller, self._held_of(caller), key, lay_ms(environ)))
        except Exception as error:
            answer = problems.written(error, environ["PATH_INFO"])
        observing.answered(way.method, way.route, status=answer.status, seconds=time.monotonic() - began)
        journal.begin_about()  # what the thread does next is about something else
        return answer

    def _held_of(self, caller: Caller) -> Callable[[float], Any]:
        return partial(limits.held, hold=lambda: self.held.hold(caller, caller.bot or "", self.service.settings))


class Sent(list[bytes]):
    """The pieces of an answer after whose going out something is done (PEP 3333: `close` is called then)."""

    def __init__(self, body: bytes, close: Callable[[], None]) -> None:
        super().__init__([body])
        self.close = close


def _way(environ: Environ) -> Way | None:
    path, query = environ["PATH_INFO"], environ.get("QUERY_STRING", "")
    if environ.get("SCRIPT_NAME"):
        return None
    if environ["REQUEST_METHOD"] == "GET":
        return _turns(query) if path == TURNS else None
    length = bodies.known_length(environ)
    if environ["REQUEST_METHOD"] != "POST" or length is None or environ.get("CONTENT_TYPE") != JSON:
        return None
    if path == ACTS:
        return (
            None
            if query
            else Way("POST", ACTS, None, lambda asked: acting.post_acts(asked, bodies.read_known(environ, length)))
        )
    found = _ACT.fullmatch(path)
    return None if found is None else _act(environ, found[1], length, query)


def _turns(query: str) -> Way | None:
    found = _TURNS.fullmatch(query)
    if found is None:
        return None
    wait, most = int(found["wait"] or 0), int(found["most"] or MOST_PROMPTS)
    if wait > LONGEST_WAIT or not 1 <= most <= MOST_PROMPTS:
        return None
    return Way("GET", TURNS, None, lambda asked: acting.get_turns(asked, wait=float(wait), most=most))


def _act(environ: Environ, match_id: str, length: int, query: str) -> Way | None:
    found = _WAIT.fullmatch(query) if query else None
    wait = None if found is None else int(found[1])
    if (query and wait is None) or (wait or 0) > LONGEST_WAIT:
        return None
    return Way(
        "POST",
        ACT,
        match_id,
        lambda asked: acting.post_act(asked, match_id, bodies.read_known(environ, length), wait=wait),
    )
