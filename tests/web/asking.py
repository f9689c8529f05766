"""What the tests ask with, and the shape every refusal must have."""

from typing import Any

from referee.service import Caller
from referee.web.codes import CODES

BOT, OTHER, ORGANISER = "token-of-a-bot", "token-of-another", "token-of-the-organiser"
CALLERS = {BOT: Caller("bot", "bot_1"), OTHER: Caller("bot", "bot_2"), ORGANISER: Caller("organiser")}


def bearer(token: str) -> dict[str, str]:
    """Return the Authorization header for `token`."""
    return {"Authorization": f"Bearer {token}"}


MEMBERS = {"type", "code", "title", "status", "detail", "instance"}


def check(answer: Any, status: int, code: str) -> dict[str, Any]:
    """Hold `answer` to the shape of a problem and return its body."""
    assert answer.status_code == status, answer.text
    assert answer.mimetype == "application/problem+json"
    body: dict[str, Any] = answer.get_json()
    assert body["code"] == code
    assert body["status"] == status
    assert body["type"] == f"/problems/{code}"
    assert set(body) >= MEMBERS
    assert code in CODES
    return body
