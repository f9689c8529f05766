"""Packs from seeds: a documented derivation that any language can check (DESIGN section 6).

The pack of a deal and attempt comes from the bytes HMAC-SHA256(seed, "pack/DEAL/ATTEMPT/BLOCK"),
blocks 0, 1, 2 and so on, by Fisher-Yates: for i from the last place down to 1 take a byte,
pass over one that is not below the largest multiple of i + 1 within 256, and swap the cards in
places i and byte mod (i + 1).  The cards start in the order S H D C, each suit from the ace down.

Where bots gave salts, the label is "pack/DEAL/ATTEMPT/BLOCK/SALT/SALT...": each salt 64 hex digits, in the
order in which `match_opened` lists them.  A salt is given after the commitment to the seed was published,
and the seed is drawn before the salt is known, so that neither whoever keeps the server nor a
bot can choose a pack.  The first dealer is drawn without them.

A seed of a duplicate match with its suits relabelled is 64 bytes: packs come from the first 32, the
same for all matches on those packs, and the other 32 are the match's own: the four suits S H D C are
shuffled likewise with the bytes HMAC-SHA256(own, "suits/DEAL/ATTEMPT/BLOCK"), and a card of the
i-th suit becomes the card of that rank in the suit that lies in place i.
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from itertools import chain, count
from typing import Final

from referee.rules.acts import WIDEST_PACK
from referee.rules.cards import RANK_OF, SUIT_OF, SUITS, card_of, pack_cards

SEED_SIZE: Final = 32


#: A salt of a bot: that many bytes, in hex on the wire.
SALT_SIZE: Final = 32


#: For each number of places the least byte that is passed over, so that every place is as likely.
_UNFAIR: Final = (0, *(256 - 256 % places for places in range(1, WIDEST_PACK + 1)))


def _bytes(key: bytes, label: str, tail: str = "") -> Iterator[int]:
    return chain.from_iterable(hmac.digest(key, f"{label}/{block}{tail}".encode(), "sha256") for block in count())


def _shuffle(cards: list[int], stream: Iterator[int]) -> None:
    for places in range(len(cards), 1, -1):
        unfair = _UNFAIR[places]
        byte = next(stream)
        while byte >= unfair:
            byte = next(stream)
        last, other = places - 1, byte % places
        cards[last], cards[other] = cards[other], cards[last]


def pack_for(seed: bytes, deal: int, attempt: int, size: int, *, salts: Iterable[str] = ()) -> tuple[int, ...]:
    """Return the pack of that deal and attempt, top first; `salts` are those of the bots, in hex and in order."""
    key, own = seed[:SEED_SIZE], seed[SEED_SIZE:]
    cards = list(pack_cards(size))
    _shuffle(cards, _bytes(key, f"pack/{deal}/{attempt}", "".join(f"/{salt}" for salt in salts)))
    if not own:
        return tuple(cards)
    suits = suits_for(own, deal, attempt)
    return tuple(card_of(suits[SUIT_OF[card]], RANK_OF[card]) for card in cards)


def suits_for(own: bytes, deal: int, attempt: int) -> tuple[int, ...]:
    """Return what each suit, in the order S H D C, is called in a match whose own half of the seed that is."""
    suits = list(range(len(SUITS)))
    _shuffle(suits, _bytes(own, f"suits/{deal}/{attempt}"))
    return tuple(suits)


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


def seed_on_packs(tournament_seed: bytes, packs: int, *, match: int, relabel: bool) -> bytes:
    """Return the seed of a match of a duplicate tournament that is played on the packs of that number.

    Without `relabel` all matches on those packs have the same seed, and commitments that are equal.
    """
    shared = hmac.digest(tournament_seed, f"packs/{packs}".encode(), "sha256")
    return shared + match_seed(tournament_seed, match) if relabel else shared


def together(salts: Iterable[str]) -> str:
    """Return many salts as one: the SHA-256 of their bytes one after the other, in hex."""
    return hashlib.sha256(b"".join(bytes.fromhex(salt) for salt in salts)).hexdigest()


def commitment(seed: bytes) -> str:
    """Return what is published of a seed before it is opened: its SHA-256, in hex."""
    return hashlib.sha256(seed).hexdigest()
