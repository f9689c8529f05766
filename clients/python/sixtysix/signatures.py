"""Signatures of pushed prompts, as the Standard Webhooks specification has them (scheme v1)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Mapping

from sixtysix.errors import BadSignature, NotUnderstood

TOLERANCE_S = 300


def sign(secret: str, *, message: str, timestamp: int, body: bytes) -> str:
    """Signs as the referee does: HMAC-SHA256 over `message.timestamp.body`, `v1,` and base64."""
    text = f"{message}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(_key(secret), text, hashlib.sha256).digest()).decode()


def verify(secret: str, headers: Mapping[str, str], body: bytes, *, now: float) -> str:
    """Checks a pushed prompt and returns its message id; raises BadSignature, saying why.

    `headers` have names in lower case; `now` is in seconds since 1970 and may differ from
    the timestamp by five minutes.
    """
    missing = [name for name in ("webhook-id", "webhook-timestamp", "webhook-signature") if not headers.get(name)]
    if missing:
        raise BadSignature(f"the headers {', '.join(missing)} are missing")
    message, sent = headers["webhook-id"], headers["webhook-timestamp"]
    if not sent.isdecimal() or abs(now - int(sent)) > TOLERANCE_S:
        raise BadSignature(f"webhook-timestamp {sent!r} is not within {TOLERANCE_S} s of now")
    right = sign(secret, message=message, timestamp=int(sent), body=body)
    # Several signatures stand side by side while a secret is being changed.
    for given in headers["webhook-signature"].split():
        if hmac.compare_digest(given.encode(), right.encode()):
            return message
    raise BadSignature("webhook-signature holds no v1 signature made with our secret")


def _key(secret: str) -> bytes:
    try:
        return base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        raise NotUnderstood(
            "the webhook secret is not base64; right would be whsec_ and base64, as registered"
        ) from None
