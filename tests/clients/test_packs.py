"""A pack can be recomputed from a revealed seed by a short program in another language: in Node and in Perl."""

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

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = {"node": ROOT / "clients/verify/packs.mjs", "perl": ROOT / "tests/verify/packs.pl"}
SEEDS = [bytes(32), bytes(range(32)), hashlib.sha256(b"packs").digest(), bytes(range(64))]
SALTS = ("ab" * 32, "01" * 32)

RUNS_THEM = [
    pytest.param(
        language,
        marks=pytest.mark.skipif(
            shutil.which(language) is None,
            reason=f"NOT TESTED: packs by another program, because {language} is missing",
        ),
    )
    for language in PROGRAMS
]


def run(language, *arguments):
    command = [language, PROGRAMS[language], *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def printed(language, *arguments):
    done = run(language, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def names(pack):
    return " ".join(cards.CARD_NAMES[card] for card in pack)


@pytest.mark.parametrize("language", RUNS_THEM)
@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.hex()[-8:])
@pytest.mark.parametrize("salts", [(), SALTS[:1], SALTS], ids=len)
def test_another_program_deals_the_pack_the_referee_deals(language, seed, salts):
    for size, deal, attempt in ((20, 1, 1), (24, 1, 2), (32, 17, 3)):
        expected = match.pack_for(seed, deal, attempt, size, salts=salts)
        assert printed(language, seed.hex(), deal, attempt, size, *salts).strip() == names(expected)


@pytest.mark.parametrize("language", RUNS_THEM)
@pytest.mark.parametrize(
    ("name", "seats", "size", "salts", "seed"),
    [
        ("house", 2, 24, (), SEEDS[2]),
        ("house", 2, 24, SALTS, SEEDS[3]),
        ("schnapsen", 2, 20, SALTS[:1], SEEDS[2]),
        ("four_handed", 4, 32, SALTS, SEEDS[2]),
    ],
)
def test_another_program_recomputes_every_pack_of_a_finished_log(tmp_path, language, name, seats, size, salts, seed):
    log = tmp_path / "log.ndjson"
    table = play(Table(seed, chores=[()] * seats, ruleset=name, salts=salts), [(greedy_act, None)] * seats)
    log.write_bytes(match.finished_log(table.match, table.lines, table.seed))
    assert match.verify(log.read_bytes()).ok
    begun = [event for event in map(json.loads, table.lines) if event["type"] == "deal_begun"]
    packs = [(event["deal"], event["attempt"]) for event in begun]
    expected = [
        f"{deal} {attempt} {names(match.pack_for(seed, deal, attempt, size, salts=salts))}" for deal, attempt in packs
    ]
    assert len(expected) > 1
    assert printed(language, log).splitlines() == expected
    log.write_text(log.read_text().replace(seed.hex(), SEEDS[1].hex()))
    refused = run(language, log)
    assert refused.returncode != 0
    assert "committed" in refused.stderr


def test_the_programs_are_short():
    assert max(len(program.read_text().splitlines()) for program in PROGRAMS.values()) <= 60
