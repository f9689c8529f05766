"""Speak to the service over HTTP, as any client does; standard library only.

Proxies set in the environment are not used: the service the launcher speaks to is its own.
"""

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TIMEOUT = 30.0
Body = Mapping[str, Any]


class RefusedError(RuntimeError):
    """The service answered with a problem; `status` is its code and `problem` its body."""

    def __init__(self, request: str, status: int, problem: Mapping[str, Any]) -> None:
        detail = problem.get("detail") or problem.get("title") or "no detail given"
        errors = "".join(
            f"\n  {error.get('pointer', '')}: {error.get('detail', '')}" for error in problem.get("errors", [])
        )
        super().__init__(f"{request} was answered {status} {problem.get('code', '')}: {detail}{errors}")
        self.status = status
        self.problem = problem


class UnreachableError(RuntimeError):
    """Nothing answered at the address."""


@dataclass(frozen=True, slots=True)
class Wire:
    """The address of a service and the token to show it; each call is one request."""

    url: str
    token: str = ""

    def get(self, path: str) -> Any:
        """Fetch JSON. Raises `RefusedError` on a problem, `UnreachableError` where nobody answers."""
        return self._read(self.fetch(path, accept="application/json"))

    def post(self, path: str, body: Body | None = None) -> Any:
        """Post a JSON body and return the JSON answer, or None where there is none."""
        answer = self._send("POST", path, json.dumps(body if body is not None else {}).encode(), "application/json")
        return self._read(answer) if answer else None

    def fetch(self, path: str, *, accept: str) -> bytes:
        """Fetch a document as it lies on the wire."""
        return self._send("GET", path, None, accept)

    def _read(self, answer: bytes) -> Any:
        try:
            return json.loads(answer)
        except ValueError:  # a header cut short leaves the body out, and is not told by the library
            raise UnreachableError(f"{self.url} does not answer in JSON: {answer[:80]!r}") from None

    def _send(self, method: str, path: str, body: bytes | None, accept: str) -> bytes:
        headers = {"Accept": accept}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(self.url + path, data=body, headers=headers, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=TIMEOUT) as reply:
                content: bytes = reply.read()
                return content
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise RefusedError(f"{method} {path}", refusal.code, problem_of(refusal.read())) from None
        except (OSError, http.client.HTTPException) as problem:  # the latter when it died in the middle of an answer
            raise UnreachableError(f"{self.url} does not answer ({problem})") from problem


def problem_of(body: bytes) -> Mapping[str, Any]:
    """Read a problem body, whatever it turns out to be."""
    try:
        problem = json.loads(body)
    except ValueError:
        return {"detail": body[:300].decode("utf-8", "replace")}
    return problem if isinstance(problem, dict) else {"detail": str(problem)}
