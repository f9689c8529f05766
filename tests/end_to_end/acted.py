"""The rows of `referee/laws/acts.toml` played against a referee over plain HTTP by scripted bots, one a seat."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from referee.launcher.stack import Stack
from referee.launcher.wire import RefusedError, Wire
from referee.rules import acts, notation, rulesets
from referee.rules.cards import SEATS

LIMIT = 60.0
# Answers to a demand, which nobody has made: it cannot happen whatever lies on the table.
IMPOSSIBLE = {"act": "pass"}


def until(look: Any, what: str) -> Any:
    """Look again and again until something comes of it; fail saying what did not come about."""
    end = time.monotonic() + LIMIT
    while not (found := look()):
        assert time.monotonic() < end, f"not within {LIMIT:.0f} s: {what}"
        time.sleep(0.01)
    return found


@dataclass
class Bots:
    """The bots of a referee by seat and chores, each registered when it is first needed."""

    stack: Stack
    known: dict[tuple[str, tuple[str, ...]], tuple[str, Wire]] = field(default_factory=dict)

    def at(self, seat: str, chores: list[str]) -> tuple[str, Wire]:
        key = (seat, tuple(chores))
        if key not in self.known:
            body = {"name": "-".join([seat, *chores]), "transport": "pull", "chores": chores, "concurrency": 1000}
            made = Wire(self.stack.url).post("/v1/bots", body)
            self.known[key] = made["bot"]["id"], Wire(self.stack.url, made["token"])
        return self.known[key]


@dataclass
class Scripted:
    """A match of scripted bots: its moves so far, numbered from 1, and the events they became."""

    stack: Stack
    id: str
    seats: dict[str, Wire]
    version: int = 0
    over: bool = False
    events: list[int] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    told: list[dict[str, Any]] = field(default_factory=list)

    def move(self, text: str) -> None:
        """Make the next move of the script; a refusal is noted under its code and takes a number too."""
        seat, _, rest = text.partition(" ")
        if rest == "time-out":
            until(self.rulings, f"a ruling on the clock of seat {seat} in {self.id}")
            self._look()
            return
        prompt = self._prompt(seat)
        body = dict(IMPOSSIBLE) if rest == "impossible" else self._body(text, prompt)
        self.events.append(self._post(seat, body))

    def _prompt(self, seat: str) -> dict[str, Any] | None:
        """Fetch the prompts that wait for a seat, as a pull bot does before it acts; its own of this match."""
        prompts = self.seats[seat].get("/v1/turns")["prompts"]
        return next((each for each in prompts if each["match"] == self.id), None)

    def _body(self, text: str, prompt: dict[str, Any] | None) -> dict[str, Any]:
        _, one = notation.read_move(text)
        if one.kind in (acts.TAKE_BACK, acts.CLAIM):
            one = replace(one, number=self.events[one.number - 1])
        if one.kind == acts.ELECT:
            assert prompt is not None and "case" in prompt, f"{text}: no remedy is offered to that seat"
            one = replace(one, case=prompt["case"])
        return acts.act_json(one)

    def _post(self, seat: str, body: dict[str, Any]) -> int:
        try:
            taken = self.seats[seat].post(f"/v1/matches/{self.id}/acts", {"version": self.version, **body})
        except RefusedError as refusal:
            self.refused.append(str(refusal.problem["code"]))
            self._look()
            return 0
        self.version, self.over = taken["version"], taken["over"]
        self.told += taken["rulings"]
        return int(taken["taken"])

    def _look(self) -> None:
        seen = self.stack.organiser.get(f"/v1/matches/{self.id}")
        self.version, self.over = seen["version"], seen["state"] == "done"

    def rulings(self) -> list[dict[str, Any]]:
        """The rulings of the match, as anybody may read them."""
        return list(self.stack.organiser.get(f"/v1/matches/{self.id}/rulings")["rulings"])

    def sealed(self) -> bytes:
        """End the match where it is not over yet, and return its sealed log."""
        if not self.over:
            self._post("a", {"act": "resign"})
        until(lambda: self.stack.organiser.get(f"/v1/matches/{self.id}")["state"] == "done", f"{self.id} is done")
        return self.stack.organiser.fetch(f"/v1/matches/{self.id}/log", accept="application/x-ndjson")


def begin(bots: Bots, row: dict[str, Any], calls: str) -> Scripted:
    """Seat a bot a seat in a match with the row's seed and terms, and wait until it is live."""
    chores = row.get("chores", {})
    seats = SEATS[: int(rulesets.named(row.get("rules", "house")).options["seats"])]
    seated = {seat: bots.at(seat, chores.get(seat, [])) for seat in seats}
    made = bots.stack.organiser.post(
        "/v1/matches",
        {
            "bots": [bot for bot, _ in seated.values()],
            "ruleset": row.get("rules", "house"),
            "overrides": {"target": 1, **row.get("overrides", {})},
            "calls": calls,
            "clock": row.get("clock", {}),
            "seed": f"{row['seed']:064x}",
        },
    )
    script = Scripted(bots.stack, made["id"], {seat: wire for seat, (_, wire) in seated.items()})
    address = f"/v1/matches/{script.id}"
    script.version = until(
        lambda: (seen := bots.stack.organiser.get(address))["state"] == "live" and seen["version"],
        f"{script.id} is live",
    )
    for seat in script.seats:  # a bot that never fetched a prompt would be absent
        script._prompt(seat)
    return script


def moves(row: dict[str, Any], calls: str) -> Iterator[str]:
    """The moves of a row under one way of calling, in order."""
    yield from row.get("lead_up", [])
    yield from row["acts"]
    yield from row.get(calls, [])


def is_claim(move: str) -> bool:
    """Whether a move is a claim."""
    return move.split()[1] == acts.CLAIM
