"""A backup made while bots play is a service that goes on from there, to the same end."""

from __future__ import annotations

import dataclasses
import shutil
import stat
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from referee import cli
from referee.launcher import backup, valkey
from referee.launcher.processes import LauncherError
from referee.launcher.stack import Shape, Stack
from tests import postgresql
from tests.conftest import EXTERNAL, STORE_KINDS, settings_for
from tests.faults.players import LINE_UP, Crew, Player, playing
from tests.faults.records import Final, differences, final
from tests.faults.runs import CYCLES, Tournament, ended, started
from tests.faults.runs import settings_for as settings_on

LIMIT, MOST = 120.0, 100
SHORT = Tournament(cards=[card for card in LINE_UP if not card.push][:3], target=2)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("store_kind", STORE_KINDS)
def test_a_backup_of_a_running_service_goes_on_to_the_same_end(
    empty_database_url: str, store_kind: str, tmp_path: Path
) -> None:
    database = empty_database_url if store_kind == EXTERNAL else ""
    first = settings_on(tmp_path / "first", database)
    with Stack(first, Shape(web=1, workers=1)) as stack, bots(stack) as crew:
        saved = threading.Event()
        for player in crew.players:  # they play while it is saved, and not to the end
            player.may_act = lambda: saved.is_set() or crew.acted < MOST
        cup = started("backup", SHORT, stack, crew)
        until(lambda: crew.acted >= 40, f"forty acts; {crew.acted}")
        made = backup.save(first, tmp_path / "backup")
        dump = dumped(database, tmp_path / "dump") if database else None
        saved.set()
        ended(stack, cup, crew, None)
        whole = read(stack, cup, crew)
        tokens = {player.card.name: player.token for player in crew.players}
    assert whole.lost == whole.doubled == whole.amiss == ()
    assert set(made.saved) == {"redis/appendonlydir", "organiser-token"} | (
        {"record.sqlite"} if not database else set()
    )
    shutil.copytree(made.directory, tmp_path / "second")
    restored = settings_on(tmp_path / "second", loaded(dump, database) if dump else "")
    with Stack(restored, Shape(web=1, workers=1)) as stack:
        assert not stack.is_first_start
        played = stack.organiser.get(f"/v1/tournaments/{cup}")
        assert played["state"] == "running", played
        again = Crew(crew.ids, [Player(card, "backup", stack.url, tokens[card.name]) for card in SHORT.cards], [])
        for player in again.players:
            player.start()
        try:
            ended(stack, cup, again, None)
            found = read(stack, cup, again)
        finally:
            for player in again.players:
                player.over = True
            for player in again.players:
                player.join()
                player.hang_up()
    assert found.lost == found.doubled == found.amiss == ()
    assert differences(whole, found) == []
    assert len(found.facts) == CYCLES * 3
    assert 0 < again.acted < crew.acted  # it went on from where it was


def bots(stack: Stack) -> AbstractContextManager[Crew]:
    return playing(SHORT.cards, "backup", dataclasses.replace(stack.organiser, token=""), concurrency=2)


def read(stack: Stack, cup: str, crew: Crew) -> Final:
    settings = stack.settings
    taken = list(crew.taken)
    return final(settings.database, settings.data, stack.organiser, tournament=cup, planned=SHORT.matches, taken=taken)


def until(holds: Callable[[], object], what: str) -> None:
    end = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < end, f"not within {LIMIT:.0f} s: {what}"
        time.sleep(0.02)


def dumped(database: str, file: Path) -> Path:
    """Does what the runbook says: pg_dump of a database in use."""
    program = postgresql.program("pg_dump")
    if not program:
        pytest.skip("no pg_dump beside the server")
    subprocess.run([program, "--format=custom", f"--file={file}", f"--dbname={database}"], check=True)
    return file


def loaded(dump: Path, database: str) -> str:
    """And pg_restore into an empty one."""
    import psycopg

    name = f"{database.rpartition('/')[2]}_restored"
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")  # type: ignore[arg-type]
    url = f"{database.rpartition('/')[0]}/{name}"
    subprocess.run([postgresql.program("pg_restore"), "--no-owner", f"--dbname={url}", dump], check=True)
    return url


def test_a_backup_is_its_owners_alone_whole_or_not_there_and_overwrites_nothing(tmp_path: Path) -> None:
    settings = settings_for("", tmp_path / "data", organiser_token="")
    with Stack(settings, Shape(web=1, workers=0)):
        made = backup.save(settings, tmp_path / "one")
        assert stat.S_IMODE((tmp_path / "one").stat().st_mode) == 0o700
        assert sorted(path.name for path in (tmp_path / "one").iterdir()) == [
            "organiser-token",
            "record.sqlite",
            "redis",
        ]
        assert len(made.saved) == 3
        with pytest.raises(LauncherError, match="is there already"):
            backup.save(settings, tmp_path / "one")
    backup.save(settings, tmp_path / "two")  # and when it does not run
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "one", "two"]


def test_a_backup_of_nothing_says_so_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(LauncherError, match="is no data directory"):
        backup.save(settings_for("", tmp_path / "data"), tmp_path / "backup")
    (tmp_path / "data").mkdir()
    with pytest.raises(LauncherError, match="no service has ever run"):
        backup.save(settings_for("", tmp_path / "data"), tmp_path / "backup")
    (tmp_path / "data" / "record.sqlite").write_bytes(b"no database" * 999)
    with pytest.raises(LauncherError, match="no backup was made"):
        backup.save(settings_for("", tmp_path / "data"), tmp_path / "backup")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_while_files_are_copied_the_live_store_begins_no_new_ones(tmp_path: Path) -> None:
    import redis

    child, url = valkey.launch(tmp_path / "data" / "redis", fsync="everysec")
    try:
        with redis.Redis.from_url(url) as client:
            client.set("one", "1")
            before = client.config_get("auto-aof-rewrite-percentage")
            with backup._no_rewrite(valkey.Place(tmp_path / "data" / "redis")):
                assert client.config_get("auto-aof-rewrite-percentage") == {"auto-aof-rewrite-percentage": "0"}
            assert client.config_get("auto-aof-rewrite-percentage") == before
    finally:
        child.process.kill()
        child.process.wait()


def test_the_verb_says_what_was_saved_and_what_lies_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_for("", tmp_path / "data", organiser_token="")
    with Stack(settings, Shape(web=1, workers=0)):
        pass
    assert cli.main(["backup", str(tmp_path / "backup"), "--data", str(settings.data)]) == 0
    said = capsys.readouterr().out
    assert "saved in" in said
    assert "record.sqlite" in said
    assert "not saved" not in said
    monkeypatch.setenv("REFEREE_DATABASE_URL", "postgresql://somebody:secret@127.0.0.1:1/none")
    assert cli.main(["backup", str(tmp_path / "other"), "--data", str(settings.data)]) == 0
    said = capsys.readouterr().out
    assert "pg_dump" in said
    assert "record.sqlite" not in said
    assert "secret" not in said
