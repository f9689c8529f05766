"""What one client may take of the service: so many requests in a window, so many polls and streams held at a time.

Beyond a bound it is 429 `request/too_many`, with the bound's name (`key`) and the seconds to wait (`seconds`, Retry-After).
Of requests with a token the bot is counted, of others the address. Nothing here touches acts and their clocks.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from flask import Flask, Response, after_this_request, current_app, request

from referee.service import Caller, rates
from referee.service.rates import Policy, Rate
from referee.settings import Settings
from referee.web.access import caller, service
from referee.web.problems import Problem

HELD: Final = "held"
HELD_SECONDS: Final = 5  # until one of the others is over, most likely


def source() -> str:
    """Return what the address of the current request counts as."""
    return rates.source(request.remote_addr)


def who(asking: Caller) -> str:
    """Return whom a request is counted against: the bot that makes it, else the address it comes from."""
    return asking.bot or source()


def bounded(*policies: Policy, by: str, what: str) -> None:
    """Count the current request of `by`; raises `Problem` 429 beyond a quota. `what` says in plural what is counted.

    The headers are those of draft-ietf-httpapi-ratelimit-headers, on refusals too.
    """
    stand = [rates.count(service(), by, policy=policy) for policy in policies]

    @after_this_request
    def tell(response: Response) -> Response:
        response.headers["RateLimit-Policy"] = ", ".join(f'"{p.name}";q={p.quota};w={p.seconds}' for p in policies)
        response.headers["RateLimit"] = ", ".join(f'"{r.policy.name}";r={r.left};t={r.seconds}' for r in stand)
        return response

    spent = [rate for rate in stand if rate.is_spent]
    if spent:
        raise _too_many(max(spent, key=lambda rate: rate.seconds), what)


def _too_many(rate: Rate, what: str) -> Problem:
    policy = rate.policy
    allowed = f"{policy.quota} {what} are taken in {policy.seconds} seconds"
    return refusal(policy.name, rate.seconds, f"No more than {allowed}; ask again in {rate.seconds} seconds.")


def refusal(key: str, seconds: int, detail: str) -> Problem:
    """Return the 429 of a bound: its name, the seconds to wait, and what is allowed."""
    extra = {"key": key, "seconds": seconds}
    return Problem("request/too_many", detail=detail, extra=extra, headers={"Retry-After": str(seconds)})


class Held:
    """How many polls and streams of whom this process holds. Guarded by a lock; of one application."""

    def __init__(self) -> None:
        self.of: Counter[str] = Counter()
        self.lock = threading.Lock()

    def take(self, one: str, most: int) -> bool:
        """Count one more, unless there are as many as may be; tell whether it was counted."""
        with self.lock:
            if self.of[one] >= most:
                return False
            self.of[one] += 1
            return True

    def give(self, one: str) -> None:
        """Count one less."""
        with self.lock:
            self.of[one] -= 1
            if self.of[one] <= 0:
                del self.of[one]

    def hold(self, asking: Caller, one: str, settings: Settings) -> Callable[[], None]:
        """Count one more of `one`, and return what is to be called when it is over.

        Raises `Problem` 429 where there are as many as the settings allow. The organiser is not counted.
        """
        if asking.kind == "organiser":
            return lambda: None
        most = settings.held if asking.bot else settings.watchers
        if not self.take(one, most):
            detail = f"{most} polls and streams of yours are held here already; let one of them end first."
            raise refusal(HELD, HELD_SECONDS, detail)
        return lambda: self.give(one)


def held_by(app: Flask) -> Held:
    """Return what an application holds."""
    found: Held = app.extensions.setdefault("referee.held", Held())
    return found


def hold() -> Callable[[], None]:
    """Count the current request among those that are held, and return what is to be called when it is over.

    Raises `Problem` 429 where as many of this bot, or of this address without a token, are held already.
    """
    return held_by(current_app).hold(caller(), who(caller()), service().settings)


@contextmanager
def held(wait: float, hold: Callable[[], Callable[[], None]] = hold) -> Iterator[None]:
    """Hold the current request, which may wait for so many seconds, within the bound; not counted where it does not wait."""
    over = hold() if wait > 0 else None
    try:
        yield
    finally:
        if over is not None:
            over()


def held_stream(begin: Callable[[], Response]) -> Response:
    """Return the stream that `begin` makes, held within the bound until it is closed."""
    over = hold()
    try:
        stream = begin()
    except BaseException:
        over()
        raise
    stream.call_on_close(over)
    return stream
