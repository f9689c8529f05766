"""The environment is read once, checked, and complained about by name."""

import os
from pathlib import Path

import pytest

from referee import settings


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("REFEREE_"):
            monkeypatch.delenv(name)


def test_nothing_set_gives_the_documented_defaults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    read = settings.read()
    assert read == settings.Settings(
        data=Path(".referee"),
        port=8066,
        redis_url="",
        database_url="",
        allow_private_push=False,
        registration="open",
        organiser_token="",
        fsync="everysec",
    )
    assert read.database == f"sqlite:///{tmp_path}/.referee/record.sqlite"


def test_what_is_set_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA", "/srv/referee")
    monkeypatch.setenv("REFEREE_PORT", "80")
    monkeypatch.setenv("REFEREE_DATABASE_URL", "postgresql://somewhere/record")
    monkeypatch.setenv("REFEREE_ALLOW_PRIVATE_PUSH", "1")
    monkeypatch.setenv("REFEREE_REGISTRATIONS_A_DAY", "7")
    read = settings.read()
    assert (read.data, read.port, read.allow_private_push) == (Path("/srv/referee"), 80, True)
    assert (read.registrations, read.registrations_a_day, read.held) == (120, 7, 500)
    assert read.database == "postgresql://somewhere/record"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("REFEREE_PORT", "eighty"),
        ("REFEREE_PORT", "65536"),
        ("REFEREE_ALLOW_PRIVATE_PUSH", "perhaps"),
        ("REFEREE_REGISTRATION", "closed"),
        ("REFEREE_FSYNC", "never"),
        ("REFEREE_REGISTRATIONS", "0"),
        ("REFEREE_REGISTRATIONS_A_DAY", "many"),
        ("REFEREE_HELD", "0"),
        ("REFEREE_WATCHERS", "0"),
        ("REFEREE_PROXIES", "-1"),
        ("REFEREE_HEAD_SECONDS", "0"),
        ("REFEREE_BODY_SECONDS", "1e3"),
        ("REFEREE_SEND_SECONDS", "9999"),
    ],
)
def test_a_bad_value_is_an_error_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(settings.SettingsError, match=name):
        settings.read()
