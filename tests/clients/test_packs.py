"""A pack can be recomputed from a revealed seed by thirty lines in another language."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from referee import match
from referee.rules import cards

PROGRAM = Path(__file__).resolve().parents[2] / "clients" / "verify" / "packs.mjs"
SEEDS = [bytes(32), bytes(range(32)), hashlib.sha256(b"packs").digest()]

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None, reason="NOT TESTED: packs in another language, because node is missing here"
)


def printed(*arguments):
    done = subprocess.run(["node", PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def names(pack):
    return " ".join(cards.CARD_NAMES[card] for card in pack)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.hex()[:8])
@pytest.mark.parametrize(("deal", "attempt"), [(1, 1), (1, 2), (2, 1), (17, 3)])
def test_node_deals_the_pack_the_referee_deals(seed, deal, attempt):
    expected = match.pack_for(seed, deal, attempt, 24)
    assert printed(seed.hex(), deal, attempt).strip() == names(expected)


def test_node_checks_a_log_against_its_commitment(tmp_path):
    seed, log = SEEDS[2], tmp_path / "log.ndjson"
    opened = {"type": "match_opened", "commitment": match.commitment(seed)}
    begun = [{"type": "deal_begun", "deal": 1, "attempt": attempt} for attempt in (1, 2)]
    sealed = {"type": "sealed", "seed": seed.hex()}
    log.write_text("".join(json.dumps(line) + "\n" for line in [opened, *begun, sealed]))
    packs = [match.pack_for(seed, 1, attempt, 24) for attempt in (1, 2)]
    assert printed(log).splitlines() == [f"1 {number} {names(pack)}" for number, pack in enumerate(packs, start=1)]
    log.write_text(log.read_text().replace(seed.hex(), SEEDS[1].hex()))
    refused = subprocess.run(["node", PROGRAM, log], capture_output=True, text=True, timeout=60)
    assert refused.returncode != 0
    assert "committed" in refused.stderr


def test_the_program_is_short():
    assert len(PROGRAM.read_text().splitlines()) <= 40
