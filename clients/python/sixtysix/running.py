"""Running a pull bot: choose for every prompt in hand, exchange the acts for the next prompts, until asked to stop."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from sixtysix.connection import Connection, must_ask_again
from sixtysix.errors import ActRefused, Refused, SixtySixError, Stale, refusal
from sixtysix.outbox import Outbox
from sixtysix.pacing import Pace
from sixtysix.session import Decision, Session
from sixtysix.stopping import Stop, Stopped
from sixtysix.wire import Act, Chore, Prompt, Taken, Verdict

log = logging.getLogger("sixtysix")

DEFAULT_URL = "http://127.0.0.1:8066"
# How often one prompt is answered when the referee refuses the answer; then the bot gives up.
REFUSALS_BORNE = 3
# Polls that come back empty faster than this are not waited for by the referee, so we wait.
IDLE_POLL_S = 0.05
# A bot is in a thousand matches at most.
MOST_REMEMBERED = 2000

Choose = Callable[[Prompt], Act]
"""A bot: from prompt to act."""

After = Callable[[Session, Prompt, Act, "Taken | Refused"], None]
"""What a bot may do after its act was taken or refused, for instance look at the table."""


@dataclass(slots=True)
class _Play:
    """Holds what `run` needs from one prompt to the next; `last` is by match and seat the newest decision."""

    outbox: Outbox
    choose: Choose
    after: After | None
    pace: Pace = field(default_factory=Pace)
    last: dict[tuple[str, str], Decision] = field(default_factory=dict)

    @property
    def stop(self) -> Stop:
        return self.outbox.session.connection.stop


def run(
    choose: Choose,
    *,
    name: str,
    chores: Sequence[Chore] = (),
    url: str | None = None,
    token: str | None = None,
    token_file: Path | None = None,
    after: After | None = None,
    concurrency: int = 1,
    patience_s: float = 600.0,
) -> None:
    """Plays for `choose` until Ctrl-C or SIGTERM, then returns.

    `url` and `token` default to REFEREE_URL and REFEREE_TOKEN. Without a token the bot
    registers under `name` with `chores`, for up to `concurrency` matches at once (hundreds are
    no trouble), and prints its id; the token is kept in memory, or in `token_file` if one is
    named, and read from there next time. Every prompt is put to `choose` once, one after the
    other, no more of them are fetched than can be answered in time, and the acts are posted
    together; lost replies, restarts and rate limits are ridden out. Raises
    Unreachable after `patience_s` seconds without any answer, NotAuthorised for an unknown
    token, ActRefused when one prompt's answer was refused three times.
    """
    connection = Connection(referee_url(url), patience_s=patience_s)
    document: dict[str, object] = {"name": name, "transport": "pull", "chores": list(chores)}
    if concurrency > 1:
        document["concurrency"] = concurrency
    try:
        with connection.stop.on_signals():
            session = Session(connection)
            enter(session, document, token=token, token_file=token_file)
            play(choose, session, after=after)
    except Stopped:
        log.info("%s stops: it was asked to", name)
    finally:
        connection.close()


def play(choose: Choose, session: Session, *, after: After | None = None) -> None:
    """Plays for `choose` over a session that has its token, until its connection is asked to stop: raises Stopped.

    What had been decided by then is posted, and its verdicts are waited for.
    """
    now = _Play(Outbox(session), choose, after)
    prompts: list[Prompt] = []
    try:
        while True:
            prompts = _turn(now, prompts)
    except Stopped:
        now.outbox.empty()
        raise
    finally:
        now.outbox.close()


def referee_url(url: str | None) -> str:
    """Takes the address given, else REFEREE_URL, else the default port of this machine."""
    return (url or os.environ.get("REFEREE_URL") or DEFAULT_URL).rstrip("/")


def enter(
    session: Session,
    document: dict[str, object],
    *,
    token: str | None,
    token_file: Path | None,
) -> str | None:
    """Gives the session a token: the one at hand, or one from registering; returns a new secret.

    The secret is that of a push bot's webhook, None where nothing was registered. The id of
    a newly registered bot goes to standard output as the line `bot_... NAME`.
    """
    token = token or os.environ.get("REFEREE_TOKEN") or _stored(token_file)
    if token:
        session.connection.token = token
        return None
    known = {"language": "python", "version": "1", **document}
    registered = session.register(known)
    session.connection.token = registered["token"]
    if token_file is not None:
        token_file.touch(mode=0o600)
        token_file.write_text(registered["token"] + "\n")
    print(f"{registered['bot']['id']} {document['name']}", flush=True)
    return registered.get("webhook_secret")


def _stored(token_file: Path | None) -> str | None:
    if token_file is None or not token_file.exists():
        return None
    return token_file.read_text().strip() or None


def _turn(play: _Play, prompts: Sequence[Prompt]) -> list[Prompt]:
    """Decides on the prompts in hand, and exchanges the decisions for the next."""
    began = time.monotonic()
    due = [prompt for prompt in prompts if _is_due(play, prompt, began)]
    for place, prompt in enumerate(due, 1):
        play.outbox.put(_decided(play, prompt), is_last=place == len(due))
        _settle(play)
    if prompts and not due:
        play.stop.sleep(IDLE_POLL_S)
    began, is_idle = time.monotonic(), play.outbox.is_empty
    found = play.outbox.exchange(most=play.pace.most + len(prompts) - len(due))
    _settle(play)
    play.pace.fetched(found)
    if is_idle and not found and time.monotonic() - began < IDLE_POLL_S:
        play.stop.sleep(0.5)
    return found


def _is_due(play: _Play, prompt: Prompt, now: float) -> bool:
    """Tells whether to answer a prompt now: not if it was answered just before and the referee has not got it."""
    before = _answered(play, prompt)
    return before is None or before.again_at <= now


def _answered(play: _Play, prompt: Prompt) -> Decision | None:
    before = play.last.get((prompt["match"], prompt["seat"]))
    if before is None or (before.prompt["version"], before.prompt.get("case")) != (
        prompt["version"],
        prompt.get("case"),
    ):
        return None
    return before


def _decided(play: _Play, prompt: Prompt) -> Decision:
    """Chooses, or repeats the answer if this very prompt was answered and not refused.

    A prompt comes twice when the referee lost what it had acknowledged, or failed on it; the same key makes the
    repetition harmless where it had not.
    """
    before = _answered(play, prompt)
    if before is not None and not before.refusals:
        before.repeats += 1
        before.again_at = time.monotonic() + min(0.05 * 2**before.repeats, 5.0)
        return before
    began = time.monotonic()
    decision = Decision(prompt, _chosen(play, prompt), refusals=before.refusals if before else 0)
    play.pace.took(time.monotonic() - began)
    _remember(play, decision)
    return decision


def _remember(play: _Play, decision: Decision) -> None:
    """Notes the newest decision at a table; those at tables that were left longest ago are forgotten."""
    table = decision.prompt["match"], decision.prompt["seat"]
    play.last.pop(table, None)
    play.last[table] = decision
    if len(play.last) > MOST_REMEMBERED:
        del play.last[next(iter(play.last))]


def _settle(play: _Play) -> None:
    """Draws the consequences of the verdicts that have come."""
    for decision, verdict in play.outbox.settled():
        outcome = _outcome(play, decision, verdict)
        if outcome is not None and play.after is not None:
            play.after(play.outbox.session, decision.prompt, decision.act, outcome)


def _outcome(play: _Play, decision: Decision, verdict: Verdict) -> Taken | Refused | None:
    """Says what came of a decision; None where there is nothing more to do about it. Raises what ends the bot."""
    prompt, status = decision.prompt, verdict["status"]
    if status == 200:
        taken = cast(Taken, verdict["body"])
        if taken["over"]:
            play.last.pop((prompt["match"], prompt["seat"]), None)
        return taken
    refused = refusal(status, verdict["body"], of_act=True)
    if must_ask_again(status, verdict["body"]):
        log.warning(
            "%s: no verdict yet: %s", prompt["match"], refused
        )  # the prompt comes again, and then the act goes again
        return None
    if isinstance(refused, Stale):
        log.info("%s: stale at version %d", prompt["match"], prompt["version"])
        return None
    if status == 404:
        log.warning("%s: the match is gone: %s", prompt["match"], refused)
        return None
    if not isinstance(refused, ActRefused):
        raise refused
    log.warning("%s: %s was refused: %s", prompt["match"], decision.act, refused)
    decision.refusals += 1
    if decision.refusals >= REFUSALS_BORNE:
        raise refused
    return refused


def _chosen(play: _Play, prompt: Prompt) -> Act:
    answer: object = play.choose(prompt)
    if not isinstance(answer, dict) or not isinstance(answer.get("act"), str):
        raise SixtySixError(
            f"choose answered {answer!r}; right would be a dictionary with the key 'act', "
            f"for instance {prompt['lawful'][0]!r}"
        )
    return cast(Act, answer)
