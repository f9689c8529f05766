"""What a bot has decided, and how it gets to the referee while the next decision takes its time.

Decisions are posted many at once. Those that lie here for longer than HOLD_S, because the bot still thinks
about another match, are posted by a thread of their own over a second connection; a bot in one match has neither.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import partial

from sixtysix.session import MOST_ACTS, Decision, Session
from sixtysix.stopping import Stopped
from sixtysix.wire import Prompt, Verdict

HOLD_S = 0.01
# With acts on their way the wait is short, so that a lost reply to them is noticed soon.
WAIT_WITH_ACTS_S = 2
LONGEST_WAIT_S = 25


@dataclass(slots=True)
class Outbox:
    """Holds decisions until the referee has them, and verdicts until they are fetched.

    All functions are for the thread that decides; the other one is the outbox's own.
    """

    session: Session
    _unsent: list[Decision] = field(default_factory=list)
    _verdicts: list[tuple[Decision, Verdict]] = field(default_factory=list)
    _failure: Exception | None = None
    _courier: threading.Thread | None = None
    _ended: bool = False
    _state: threading.Condition = field(default_factory=threading.Condition)
    _posting: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_empty(self) -> bool:
        """Tells whether the referee has every decision."""
        return not self._unsent

    def put(self, decision: Decision, *, is_last: bool) -> None:
        """Lays a decision here: it goes with the next exchange, or after HOLD_S if it is not the last to be made."""
        with self._state:
            self._unsent.append(decision)
            if is_last:
                return
            if self._courier is None:
                self._courier = threading.Thread(target=self._run, name="sixtysix courier", daemon=True)
                self._courier.start()
            elif len(self._unsent) == 1:
                self._state.notify()

    def exchange(self, *, most: int) -> list[Prompt]:
        """Posts what is here and waits for prompts, `most` of them at most; empty when none came in time.

        What an interruption leaves without a verdict stays here, and goes again under the same keys.
        """
        with self._posting:
            if self.is_empty:
                return self.session.turns(wait=LONGEST_WAIT_S, most=most)
            return self._post(self.session, wait=WAIT_WITH_ACTS_S, most=most)

    def empty(self) -> None:
        """Posts what is here and waits for the verdicts alone; holds a signal to stop back until they are there."""
        with self.session.connection.stop.shielded(), self._posting:
            while not self.is_empty:
                self._post(self.session)

    def settled(self) -> list[tuple[Decision, Verdict]]:
        """Takes the verdicts that have come; raises what stopped the thread."""
        if self._failure is not None:
            raise self._failure
        with self._state:
            found, self._verdicts = self._verdicts, []
        return found

    def close(self) -> None:
        """Ends the thread. It is not waited for: what it is posting has gone out, and it holds nothing else."""
        with self._state:
            self._ended = True
            self._state.notify()

    def _post(self, session: Session, *, wait: int | None = None, most: int = MOST_ACTS) -> list[Prompt]:
        posted = self._unsent[:MOST_ACTS]
        verdicts, prompts = session.acts(posted, wait=wait, most=most)
        with self._state:
            del self._unsent[: len(posted)]
            self._verdicts += zip(posted, verdicts, strict=True)
        return prompts

    def _run(self) -> None:
        with self.session.connection.another() as connection:
            session = self.session.over(connection)
            try:
                while self._lie_too_long():
                    with self._posting:
                        if not self.is_empty:
                            self._post(session)
            except Stopped:
                pass  # the thread that decides posts the rest
            except Exception as failure:
                self._failure = failure

    def _lie_too_long(self) -> bool:
        """Waits until there are decisions that have lain for HOLD_S; False at the end."""
        with self._state:
            while not self._ended:
                if self.is_empty:
                    self._state.wait()
                    continue
                if not self._state.wait_for(partial(self._is_gone, self._unsent[0]), HOLD_S):
                    return True
        return False

    def _is_gone(self, decision: Decision) -> bool:
        return self._ended or self.is_empty or self._unsent[0] is not decision
