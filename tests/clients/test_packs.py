"""A pack can be recomputed from a revealed seed by thirty lines in another language."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from greedy_play import greedy_act

from referee import match
from referee.rules import cards
from tests.clients.in_process import Table, play

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
    for size in (20, 32):
        assert printed(seed.hex(), deal, attempt, size).strip() == names(match.pack_for(seed, deal, attempt, size))


@pytest.mark.parametrize(("name", "seats", "size"), [("house", 2, 24), ("schnapsen", 2, 20), ("four_handed", 4, 32)])
def test_node_recomputes_every_pack_of_a_finished_log_and_checks_the_commitment(tmp_path, name, seats, size):
    log = tmp_path / "log.ndjson"
    table = play(Table(SEEDS[2], chores=[()] * seats, ruleset=name), [(greedy_act, None)] * seats)
    log.write_bytes(match.finished_log(table.match, table.lines, table.seed))
    begun = [event for event in map(json.loads, table.lines) if event["type"] == "deal_begun"]
    packs = [(event["deal"], event["attempt"]) for event in begun]
    expected = [f"{deal} {attempt} {names(match.pack_for(table.seed, deal, attempt, size))}" for deal, attempt in packs]
    assert len(expected) > 1
    assert printed(log).splitlines() == expected
    log.write_text(log.read_text().replace(SEEDS[2].hex(), SEEDS[1].hex()))
    refused = subprocess.run(["node", PROGRAM, log], capture_output=True, text=True, timeout=60)
    assert refused.returncode != 0
    assert "committed" in refused.stderr


def test_the_program_is_short():
    assert len(PROGRAM.read_text().splitlines()) <= 40
