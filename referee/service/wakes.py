"""Waking who waits: one subscription a process, any number of waiters.

Register, then read, then wait, in that order: what happens after the reading wakes the waiter. A wake
is a hint; whoever is woken reads again. This module works with threads and with greenlets alike.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from referee.service import metrics
from referee.store import connecting

CHANNEL = "wake"
PAUSE_SECONDS = 0.2
LOOK_UP_SECONDS = 1.0

_log = logging.getLogger(__name__)


class Wake(NamedTuple):
    """A line of a message: a match, its version, whether it is over, the bots asked now, the head of its log, and what it
    tells of the step that led there (`news`). `match` "" wakes everybody."""

    match: str = ""
    version: int = 0
    over: bool = False
    bots: tuple[str, ...] = ()
    head: str = ""
    news: str = ""

    def text(self) -> str:
        """Is the line as it is published."""
        line = f"{self.match} {self.version} {int(self.over)} {','.join(self.bots)} {self.head}"
        return f"{line} {self.news}" if self.news else line


def read(text: str) -> Wake:
    """Reads one line of a published message; what is none wakes everybody.

    >>> read(Wake("mat_1", 4, False, ("bot_1",)).text())
    Wake(match='mat_1', version=4, over=False, bots=('bot_1',))
    """
    match, *parts = text.split(" ", 5)
    if len(parts) < 3 or not parts[0].isdigit():
        return Wake()
    bots = tuple(filter(None, parts[2].split(",")))
    return Wake(match, int(parts[0]), parts[1] == "1", bots, *parts[3:])


Listener = Callable[[Wake], None]


@dataclass(slots=True)
class Wakes:
    """The subscription of a process. It starts with the first listener, and again after a fork."""

    url: str
    listeners: dict[str, set[Listener]] = field(default_factory=dict)
    everything: set[Listener] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)
    process: int = 0
    ready: threading.Event = field(default_factory=threading.Event)
    closed: bool = False
    leaving: bool = False

    @contextmanager
    def listening(self, topics: list[str], listener: Listener) -> Iterator[None]:
        """Calls `listener` for every wake of these matches and bots until the block ends; no topics: for every wake.

        Waits until the subscription stands. The listener runs in the wake thread and must not block.
        """
        self.start()
        self.ready.wait(5.0)
        with self.lock:
            for group in self._groups(topics):
                group.add(listener)
        try:
            yield
        finally:
            with self.lock:
                for group in self._groups(topics):
                    group.discard(listener)
                for topic in topics:
                    if not self.listeners.get(topic, True):
                        del self.listeners[topic]

    def always(self, topic: str, listener: Listener) -> None:
        """Calls `listener` for every wake of a topic for as long as there is a subscription, which this does not start."""
        with self.lock:
            self.listeners.setdefault(topic, set()).add(listener)

    def _groups(self, topics: list[str]) -> list[set[Listener]]:
        return [self.listeners.setdefault(topic, set()) for topic in topics] or [self.everything]

    def left(self, until: float) -> float:
        """Is for how many seconds somebody may still be held who is to be let go at `until`, by the monotonic clock."""
        return 0.0 if self.leaving else until - time.monotonic()

    def release(self) -> None:
        """Lets everybody who waits go now, and holds nobody any more: the process is told to end."""
        self.leaving = True
        self._spread(Wake())

    def close(self) -> None:
        """Ends the subscription, within a second."""
        self.closed = True

    def start(self) -> None:
        """Begins the subscription of this process, unless it stands; waits for nothing."""
        with self.lock:
            if self.process == os.getpid():
                return
            self.process = os.getpid()
            self.ready = threading.Event()
            threading.Thread(target=self._run, name="wakes", daemon=True).start()

    def _run(self) -> None:
        while not self.closed:
            try:
                self._listen()
            except connecting.GONE as problem:
                _log.warning("wakes are interrupted: %s", problem)
            self.ready.clear()
            time.sleep(PAUSE_SECONDS)

    def _listen(self) -> None:
        with connecting.waiting(self.url) as client, client.pubsub() as subscription:
            subscription.subscribe(CHANNEL)
            while not self.closed:
                self._heard(subscription.get_message(timeout=LOOK_UP_SECONDS))

    def _heard(self, message: Any) -> None:
        if message is None:
            return
        if message["type"] == "subscribe":
            self._spread(Wake())  # whatever was missed meanwhile, by those who were listening before
            self.ready.set()
        elif message["type"] == "message":
            for line in message["data"].decode().split("\n"):
                self._spread(read(line))

    def _spread(self, wake: Wake) -> None:
        with self.lock:
            if wake.match:
                found = [self.listeners[topic] for topic in (wake.match, *wake.bots) if topic in self.listeners]
                called = self.everything.union(*found)
            else:
                called = self.everything.union(*self.listeners.values())
        for listener in called:
            try:
                listener(wake)
            except Exception:  # one listener's fault must not leave all the others asleep
                _log.exception("a listener failed on %s", wake)


@dataclass(slots=True)
class Waiter:
    """Somebody who waits for wakes of some topics: each is noticed once, of several on one match the last.

    One that came before the call counts. What is `known` of a match is no news, so that nobody is woken by his own act.
    """

    rung: threading.Event = field(default_factory=threading.Event)
    heard: dict[str, Wake] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)

    def hear(self, wake: Wake) -> None:
        """Notices a wake."""
        if not wake.match:  # anything may have happened, the loss of what was known among it
            self.known.clear()
        if not self._is_known(wake):
            self.heard[wake.match] = wake
            self.rung.set()

    def knows(self, match: str, version: int) -> None:
        """Notes that the match is known at that version."""
        self.known[match] = version
        heard = self.heard.get(match)
        if heard is not None and self._is_known(heard):
            self.heard.pop(match, None)

    def __call__(self, seconds: float) -> tuple[Wake, ...]:
        """Waits up to so many seconds, and answers the wakes there were, none if there was none."""
        until = time.monotonic() + seconds
        while True:
            if not self.heard:
                with metrics.held():
                    in_time = self.rung.wait(max(0.0, until - time.monotonic()))
            else:
                in_time = True
            self.rung.clear()  # before looking: what comes from now on rings again
            found = tuple(_emptied(self.heard))
            if found or not in_time:
                return found

    def _is_known(self, wake: Wake) -> bool:
        return bool(wake.match) and wake.version <= self.known.get(wake.match, -1)


@contextmanager
def waiter(wakes: Wakes, topics: list[str]) -> Iterator[Waiter]:
    """Gives a waiter for wakes of the topics."""
    found = Waiter()
    with wakes.listening(topics, found.hear):
        yield found


def _emptied(heard: dict[str, Wake]) -> Iterator[Wake]:
    while heard:
        yield heard.popitem()[1]
