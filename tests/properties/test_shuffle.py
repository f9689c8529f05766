"""The shuffle is uniform: chi-square over cards by place, and over ordered pairs of cards by two places.

20,000 packs in the usual run, a million with `REFEREE_SOAK_DEALS` (`make soak`). The seeds are fixed, so that a run
comes out as the one before it; the bounds lie 5.5 standard deviations out, where one run in fifty million would.
"""

import os
from collections import Counter
from itertools import permutations

import pytest

from referee.match.seeds import _bytes, pack_for, suits_for
from referee.rules.cards import pack_cards

AT_LENGTH = "REFEREE_SOAK_DEALS" in os.environ
PACKS = 1_000_000 if AT_LENGTH else 20_000
DEVIATIONS = 5.5
SALT = "5a" * 32
ATTEMPTS = 50


def bound(freedom, deviations):
    """The chi-square value so many standard deviations out (Wilson and Hilferty, 1931)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + deviations * spread**0.5) ** 3


def chi_square(counts, expected):
    return sum((seen - expected) ** 2 for seen in counts) / expected


def dealt(number, size, *, salts=()):
    """That many packs: deals and attempts under one seed after the other, as a tournament has them."""
    for each in range(number):
        seed, deal = divmod(each, ATTEMPTS * 4)
        yield pack_for(seed.to_bytes(32, "big"), deal // 4 + 1, deal % 4 + 1, size, salts=salts)


def misfits(packs, size):
    """What of the packs is not as a uniform shuffle would have it, in words; nothing where all is."""
    cards = list(pack_cards(size))
    by_place = [Counter() for _ in range(size)]
    apart = [(0, 1), (0, size - 1), (size // 2 - 1, size // 2), (size - 2, size - 1)]
    by_pair = [Counter() for _ in apart]
    number = 0
    for pack in packs:
        number += 1
        for place, card in enumerate(pack):
            by_place[place][card] += 1
        for counts, (one, other) in zip(by_pair, apart, strict=True):
            counts[pack[one], pack[other]] += 1
    found, whole = [], 0.0
    for place, counts in enumerate(by_place):
        off = chi_square([counts[card] for card in cards], number / size)
        whole += off
        if off > bound(size - 1, DEVIATIONS):
            found.append(f"place {place}: {off:.1f}")
    # Rows and columns of the whole table are fixed: (size - 1) / size of it is chi-square of (size - 1) ** 2.
    whole *= (size - 1) / size
    if not bound((size - 1) ** 2, -DEVIATIONS) < whole < bound((size - 1) ** 2, DEVIATIONS):
        found.append(f"all places together: {whole:.1f}")
    pairs = size * (size - 1)
    for counts, places in zip(by_pair, apart, strict=True):
        off = chi_square([counts[pair] for pair in permutations(cards, 2)], number / pairs)
        if not bound(pairs - 1, -DEVIATIONS) < off < bound(pairs - 1, DEVIATIONS):
            found.append(f"places {places}: {off:.1f}")
    return found


@pytest.mark.parametrize(
    ("size", "number", "salts"),
    [(24, PACKS, ()), (24, PACKS // 4, (SALT,)), (20, PACKS // 4, ()), (32, PACKS // 2, ())],
    ids=["24", "24-salted", "20", "32"],
)
def test_every_card_comes_to_every_place_and_every_pair_to_two_places_equally_often(size, number, salts):
    assert misfits(dealt(number, size, salts=salts), size) == []


def test_suits_are_called_each_of_24_ways_equally_often():
    ways = list(permutations(range(4)))
    seen = Counter(suits_for(b"suits".ljust(32), each, 1) for each in range(PACKS // 4))
    off = chi_square([seen[way] for way in ways], PACKS // 4 / len(ways))
    assert bound(len(ways) - 1, -DEVIATIONS) < off < bound(len(ways) - 1, DEVIATIONS)


def crooked(number, size, *, swap):
    """Packs of a shuffle with a usual fault, from the same bytes."""
    for each in range(number):
        stream = _bytes(each.to_bytes(32, "big"), "crooked")
        cards = list(pack_cards(size))
        for last in range(size - 1, 0, -1):
            other = swap(next(stream), last)
            cards[last], cards[other] = cards[other], cards[last]
        yield tuple(cards)


@pytest.mark.parametrize(
    ("swap", "number"),
    [
        pytest.param(lambda byte, last: byte % (last + 1), 60_000, id="no byte is passed over"),
        pytest.param(lambda byte, last: byte % 24, 20_000, id="any place is swapped with"),
        pytest.param(lambda byte, last: byte % last, 20_000, id="no card stays"),
    ],
)
def test_a_shuffle_with_a_usual_fault_is_seen_by_the_same_measure(swap, number):
    assert misfits(crooked(number, 24, swap=swap), 24) != []
