"""The calls a bot makes, one function each, over one connection."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from sixtysix.connection import Answer, Connection, Request, encoded
from sixtysix.errors import NotUnderstood, refusal
from sixtysix.wire import Act, Prompt, Registered, Ruling, Seen, Taken, Verdict

# Above the longest poll, so that the referee ends it and not we.
POLL_GRACE_S = 10.0
# A reply to an act that takes longer than this is taken for lost, and asked for again.
ACT_TIMEOUT_S = 5.0
# What one request may hold, and one reply.
MOST_ACTS = 200
MOST_PROMPTS = 200


def new_key() -> str:
    """Makes an Idempotency-Key that nobody used before."""
    return uuid.uuid4().hex


@dataclass(slots=True)
class Decision:
    """Is the answer to a prompt, with the key under which it counts once, however often it is sent.

    `refusals` and `repeats` count how often the prompt has come again, because the answer was refused or because the
    referee has not got it; before `again_at` (monotonic) it is not sent again.
    """

    prompt: Prompt
    act: Act
    key: str = field(default_factory=new_key)
    refusals: int = 0
    repeats: int = 0
    again_at: float = 0.0


@dataclass(slots=True)
class Session:
    """Speaks to the referee as one bot; what it refuses is raised as Refused.

    >>> session = Session(Connection("http://127.0.0.1:8066", token="..."))
    >>> session.turns(wait=25)  # doctest: +SKIP
    [{'match': 'mat_...', 'version': 41, ...}]
    """

    connection: Connection

    def register(self, document: dict[str, Any]) -> Registered:
        """Enters a bot by `POST /v1/bots`; the token in the reply is shown only this once."""
        return cast(Registered, self._post("/v1/bots", document, key=new_key()))

    def over(self, connection: Connection) -> Session:
        """Makes a session of the same kind over another connection."""
        return type(self)(connection)

    def turns(self, *, wait: int = 25, most: int = MOST_PROMPTS) -> list[Prompt]:
        """Waits up to `wait` seconds for prompts; empty when none came.

        The clock of those that are fetched runs, so ask for no more than you can answer in time.
        """
        path = f"/v1/turns?wait={wait}" + (f"&most={most}" if most < MOST_PROMPTS else "")
        request = Request("GET", path, timeout_s=wait + POLL_GRACE_S)
        return cast("list[Prompt]", _listed(_expect(self.connection.send(request), {200}, of_act=False), "prompts"))

    def acts(
        self, decisions: Sequence[Decision], *, wait: int | None = None, most: int = MOST_PROMPTS
    ) -> tuple[list[Verdict], list[Prompt]]:
        """Posts up to 200 acts in one request; gives a verdict for each, in order, and prompts.

        An act that is not taken is told by its verdict, nothing is raised for it. Without `wait` there are no prompts;
        with it (seconds) they are waited for, at most `most`.
        """
        document: dict[str, Any] = {"acts": [_of_batch(decision) for decision in decisions]}
        if wait is not None:
            document["wait"] = wait
            if most < MOST_PROMPTS:
                document["most"] = most
        request = Request("POST", "/v1/acts", encoded(document), timeout_s=(wait or 0) + ACT_TIMEOUT_S)
        reply = _expect(self.connection.send(request), {200}, of_act=False)
        verdicts = _listed(reply, "verdicts")
        if len(verdicts) != len(decisions):
            raise NotUnderstood(f"POST /v1/acts: {len(verdicts)} verdicts on {len(decisions)} acts")
        prompts = [] if wait is None else _listed(reply, "prompts")
        return cast("list[Verdict]", verdicts), cast("list[Prompt]", prompts)

    def act(self, match: str, act: Act, *, version: int, key: str | None = None) -> Taken:
        """Posts `act` as the answer to `version`; raises Stale or ActRefused if it is not taken.

        The same `key` with the same act gives the same reply and is taken once.
        """
        document = {"version": version, **act}
        path = f"/v1/matches/{match}/acts"
        request = Request("POST", path, encoded(document), key or new_key(), ACT_TIMEOUT_S)
        with self.connection.stop.shielded():
            answer = self.connection.send(request)
        return cast(Taken, _expect(answer, {200, 201}, of_act=True))

    def view(self, match: str) -> Seen:
        """Reads what this bot's seat sees at the table now, asked or not.

        Where the seat is asked, this delivers its prompt, as a poll does.
        """
        return cast(Seen, self._get(f"/v1/matches/{match}/view"))

    def rulings(self, match: str) -> list[Ruling]:
        """Lists the rulings of a match so far, in order."""
        document = self._get(f"/v1/matches/{match}/rulings")
        return cast("list[Ruling]", document.get("rulings", []))

    def events(self, match: str, *, after: int = 0) -> list[dict[str, Any]]:
        """Lists the events of a match numbered above `after`, at most a thousand: what a claim picks its number from."""
        document = self._get(f"/v1/matches/{match}/events?after={after}")
        return cast("list[dict[str, Any]]", document.get("events", []))

    def appeal(self, match: str, case: int) -> dict[str, Any]:
        """Has the ruling on a case derived again: `recorded`, `derived`, and whether they `agree`."""
        return self._post(f"/v1/matches/{match}/rulings/{case}/appeal", {}, key=new_key())

    def _get(self, path: str) -> dict[str, Any]:
        answer = self.connection.send(Request("GET", path))
        return cast("dict[str, Any]", _expect(answer, {200}, of_act=False))

    def _post(self, path: str, document: dict[str, Any], *, key: str) -> dict[str, Any]:
        answer = self.connection.send(Request("POST", path, encoded(document), key))
        return cast("dict[str, Any]", _expect(answer, {200, 201}, of_act=False))


def _of_batch(decision: Decision) -> dict[str, Any]:
    prompt = decision.prompt
    return {"match": prompt["match"], "version": prompt["version"], "key": decision.key, **decision.act}


def _listed(document: Any, name: str) -> list[Any]:
    found = document.get(name) if isinstance(document, dict) else None
    if not isinstance(found, list):
        raise NotUnderstood(f"{document!r} has no list of {name}")
    return found


def _expect(answer: Answer, statuses: set[int], *, of_act: bool) -> Any:
    if answer.status in statuses:
        return answer.document
    problem = answer.document if isinstance(answer.document, dict) else {}
    raise refusal(answer.status, problem, of_act=of_act)
