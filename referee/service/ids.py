"""Identities and secrets. An id is its kind and a UUIDv7 (RFC 9562), so that ids sort by age."""

from __future__ import annotations

import hashlib
import secrets
import time

ALPHABET = "0123456789abcdefghijklmnopqrstuv"
LENGTH = 26


def new_id(kind: str) -> str:
    """Is a new id such as `bot_067f...`; `kind` is `bot`, `trn` or `mat`."""
    random = secrets.randbits(74)
    number = (time.time_ns() // 1_000_000) << 80 | 0x7 << 76 | (random >> 62) << 64 | 0b10 << 62 | random & (2**62 - 1)
    return f"{kind}_{''.join(ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))}"


def new_token() -> str:
    """Is a new bearer token, 256 bits."""
    return secrets.token_urlsafe(32)


def new_webhook_secret() -> str:
    """Is a new secret as Standard Webhooks write it."""
    from base64 import b64encode

    return f"whsec_{b64encode(secrets.token_bytes(32)).decode()}"


def token_hash(token: str) -> str:
    """Is what is kept of a token. A plain hash is enough: a token has too many bits to be guessed."""
    return hashlib.sha256(token.encode()).hexdigest()
