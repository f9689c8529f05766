"""What can go wrong between a bot and the referee, as exceptions.

SixtySixError
├── Unreachable          no answer for as long as the caller was ready to wait
├── NotUnderstood        an answer that is not what the contract says
├── BadSignature         a pushed prompt that was not signed with our secret
└── Refused              the referee answered with a problem (RFC 9457)
    ├── NotAuthorised    401 or 403: the token is unknown or may not do this
    └── ActRefused       409 or 422 on an act: it was not taken
        └── Stale        the table has moved on since the prompt: poll again
"""

from __future__ import annotations

from typing import Any

# What is wrong is not the act but its moment: the table is no longer what the prompt showed.
MOVED_ON = frozenset({"act/stale_version", "act/too_late", "act/match_over", "act/election_pending", "match/planned"})


class SixtySixError(Exception):
    """Is the base of every error this package raises."""


class Unreachable(SixtySixError):
    """Says that the referee gave no answer for as long as we were ready to wait."""


class NotUnderstood(SixtySixError):
    """Says that an answer or a pushed prompt is not what the contract says."""


class BadSignature(SixtySixError):
    """Says that a pushed prompt was not signed with our secret, or is too old."""


class Refused(SixtySixError):
    """Carries a problem of the referee: `status`, `code` and the whole `problem`."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.problem = problem
        self.code = str(problem.get("code", ""))
        super().__init__(f"{status} {self.code or 'without a code'}: {_in_words(problem)}")


class NotAuthorised(Refused):
    """Says that the token is unknown to the referee or may not do this."""


class ActRefused(Refused):
    """Says that an act was not taken; `lawful` is what would have been, if the referee says so."""

    @property
    def lawful(self) -> list[dict[str, Any]]:
        """Lists the lawful acts the problem names, empty where it names none."""
        return list(self.problem.get("lawful") or [])


class Stale(ActRefused):
    """Says that the table is no longer what the prompt showed; nothing was taken, poll again."""


def refusal(status: int, problem: dict[str, Any], *, of_act: bool) -> Refused:
    """Makes the error that fits a problem: by status first, then by code."""
    if status in (401, 403):
        return NotAuthorised(status, problem)
    if of_act and problem.get("code") in MOVED_ON:
        return Stale(status, problem)
    if of_act and status in (409, 422):
        return ActRefused(status, problem)
    return Refused(status, problem)


def _in_words(problem: dict[str, Any]) -> str:
    said = [str(problem[key]) for key in ("title", "detail") if problem.get(key)]
    for objection in problem.get("objections") or []:
        said.append(f"{objection.get('law') or objection.get('rule') or objection.get('code')}")
    return "; ".join(said) or "no title, no detail"
