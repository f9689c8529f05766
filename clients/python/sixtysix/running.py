"""Running a pull bot: poll, choose, post, again, until asked to stop."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from sixtysix.connection import Connection
from sixtysix.errors import ActRefused, Refused, SixtySixError, Stale
from sixtysix.session import Session, new_key
from sixtysix.stopping import Stop, Stopped
from sixtysix.wire import Act, Chore, Prompt, Taken

log = logging.getLogger("sixtysix")

DEFAULT_URL = "http://127.0.0.1:8066"
# How often one prompt is answered when the referee refuses the answer; then the bot gives up.
REFUSALS_BORNE = 3
# Polls that come back empty faster than this are not waited for by the referee, so we wait.
IDLE_POLL_S = 0.05

Choose = Callable[[Prompt], Act]
"""A bot: from prompt to act."""

After = Callable[[Session, Prompt, Act, "Taken | Refused"], None]
"""What a bot may do after its act was taken or refused, for instance look at the table."""


@dataclass(slots=True)
class _Answered:
    """Remembers the answer to a seat's last prompt, to repeat it and not choose anew."""

    version: int
    case: int | None
    key: str
    act: Act
    refusals: int = 0
    repeats: int = 0


@dataclass(slots=True)
class _Play:
    """Holds what `run` needs from one prompt to the next."""

    session: Session
    choose: Choose
    after: After | None
    answered: dict[tuple[str, str], _Answered] = field(default_factory=dict)


def run(
    choose: Choose,
    *,
    name: str,
    chores: Sequence[Chore] = (),
    url: str | None = None,
    token: str | None = None,
    token_file: Path | None = None,
    after: After | None = None,
    patience_s: float = 600.0,
) -> None:
    """Plays for `choose` until Ctrl-C or SIGTERM, then returns.

    `url` and `token` default to REFEREE_URL and REFEREE_TOKEN. Without a token the bot
    registers under `name` with `chores` and prints its id; the token is kept in memory, or
    in `token_file` if one is named, and read from there next time. Every prompt is put to
    `choose` once; lost replies, restarts and rate limits are ridden out. Raises
    Unreachable after `patience_s` seconds without any answer, NotAuthorised for an unknown
    token, ActRefused when one prompt's answer was refused three times.
    """
    stop = Stop()
    connection = Connection(referee_url(url), None, stop, patience_s)
    play = _Play(Session(connection), choose, after)
    try:
        with stop.on_signals():
            enter(
                play.session,
                {"name": name, "transport": "pull", "chores": list(chores)},
                token=token,
                token_file=token_file,
            )
            while True:
                _poll(play)
    except Stopped:
        log.info("%s stops: it was asked to", name)
    finally:
        connection.close()


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


def _poll(play: _Play) -> None:
    began = time.monotonic()
    prompts = play.session.turns(wait=25)
    for prompt in prompts:
        _answer(play, prompt)
    if not prompts and time.monotonic() - began < IDLE_POLL_S:
        play.session.connection.stop.sleep(0.5)


def _answer(play: _Play, prompt: Prompt) -> None:
    answered = _answer_to(play, prompt)
    play.answered[prompt["match"], prompt["seat"]] = answered
    outcome: Taken | Refused
    try:
        outcome = play.session.act(prompt["match"], answered.act, version=prompt["version"], key=answered.key)
    except Stale:
        log.info("%s: stale at version %d", prompt["match"], prompt["version"])
        return
    except ActRefused as refused:
        log.warning("%s: %s was refused: %s", prompt["match"], answered.act, refused)
        answered.refusals += 1
        if answered.refusals >= REFUSALS_BORNE:
            raise
        outcome = refused
    except Refused as refused:
        if refused.status != 404:
            raise
        log.warning("%s: the match is gone: %s", prompt["match"], refused)
        return
    else:
        if outcome["over"]:
            del play.answered[prompt["match"], prompt["seat"]]
    if play.after is not None:
        play.after(play.session, prompt, answered.act, outcome)


def _answer_to(play: _Play, prompt: Prompt) -> _Answered:
    """Chooses, or repeats the answer if this very prompt was answered and not refused.

    A prompt comes twice when the referee lost what it had acknowledged; the same key makes the
    repetition harmless where it had not.
    """
    before = play.answered.get((prompt["match"], prompt["seat"]))
    version, case = prompt["version"], prompt.get("case")
    if before is None or (before.version, before.case) != (version, case):
        return _Answered(version, case, new_key(), _chosen(play, prompt))
    if before.refusals:
        return _Answered(version, case, new_key(), _chosen(play, prompt), before.refusals)
    before.repeats += 1
    play.session.connection.stop.sleep(min(0.05 * 2**before.repeats, 5.0))
    return before


def _chosen(play: _Play, prompt: Prompt) -> Act:
    answer: object = play.choose(prompt)
    if not isinstance(answer, dict) or not isinstance(answer.get("act"), str):
        raise SixtySixError(
            f"choose answered {answer!r}; right would be a dictionary with the key 'act', "
            f"for instance {prompt['lawful'][0]!r}"
        )
    return cast(Act, answer)
