"""Packs from seeds: a documented derivation that any language can check (DESIGN section 6).

The pack of a deal and attempt comes from the bytes HMAC-SHA256(seed, "pack/DEAL/ATTEMPT/BLOCK"),
blocks 0, 1, 2 and so on, by Fisher-Yates: for i from the last place down to 1 take a byte,
pass over one that is not below the largest multiple of i + 1 within 256, and swap the cards in
places i and byte mod (i + 1).  The cards start in the order S H D C, each suit from the ace down.
"""

import hashlib
import hmac
from collections.abc import Iterator

from referee.rules.cards import pack_cards

SEED_SIZE = 32


def _bytes(seed: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, f"{label}/{block}".encode(), "sha256")
        block += 1


def pack_for(seed: bytes, deal: int, attempt: int, size: int) -> tuple[int, ...]:
    """Return the pack of that deal and attempt, top first."""
    stream = _bytes(seed, f"pack/{deal}/{attempt}")
    cards = list(pack_cards(size))
    for last in range(len(cards) - 1, 0, -1):
        fair = 256 - 256 % (last + 1)
        for byte in stream:
            if byte < fair:
                other = byte % (last + 1)
                cards[last], cards[other] = cards[other], cards[last]
                break
    return tuple(cards)


def first_dealer(seed: bytes, seats: int = 2) -> int:
    """Return the seat that deals first where the server draws for it (R-02).

    It is the first byte of HMAC-SHA256(seed, "dealer") that is below the largest multiple of `seats`
    within 256, modulo `seats`.
    """
    fair = 256 - 256 % seats
    for byte in hmac.digest(seed, b"dealer", "sha256"):
        if byte < fair:
            return byte % seats
    return 0


def match_seed(tournament_seed: bytes, number: int) -> bytes:
    """Return the seed of a tournament's match of that number."""
    return hmac.digest(tournament_seed, f"match/{number}".encode(), "sha256")


def commitment(seed: bytes) -> str:
    """Return what is published of a seed before it is opened: its SHA-256, in hex."""
    return hashlib.sha256(seed).hexdigest()
