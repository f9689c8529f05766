"""What the operator may set, read once from the environment.

| variable | default | meaning |
|---|---|---|
| `REFEREE_DATA` | `./.referee` | directory of everything durable |
| `REFEREE_PORT` | 8066 | port of the service |
| `REFEREE_REDIS_URL` | embedded | Redis or Valkey to use in place of the embedded one |
| `REFEREE_DATABASE_URL` | SQLite in the data directory | SQLAlchemy URL of the durable record |
| `REFEREE_ALLOW_PRIVATE_PUSH` | false | push bots may have private and loopback addresses |
| `REFEREE_REGISTRATION` | open | `open`: anyone registers a bot; `token`: only the organiser |
| `REFEREE_REGISTRATIONS` | 120 | how many bots one address may register in a minute; the organiser is not counted |
| `REFEREE_REGISTRATIONS_A_DAY` | 2000 | how many in a day |
| `REFEREE_HELD` | 500 | how many polls and streams of one bot a process holds at a time |
| `REFEREE_WATCHERS` | 50 | how many of one address without a token |
| `REFEREE_PROXIES` | 0 | how many proxies stand in front and add to X-Forwarded-For, so that an address is the client's |
| `REFEREE_HEAD_SECONDS` | 15 | how long the head of a request may take to come, and a connection be idle |
| `REFEREE_BODY_SECONDS` | 30 | how long its body may take in all |
| `REFEREE_SEND_SECONDS` | 60 | how long a client may take to receive what is written at once |
| `REFEREE_ORGANISER_TOKEN` | generated | token of the organiser, else made and kept in the data directory |
| `REFEREE_LOG_LEVEL` | info | how much the journal tells: debug, info, warning or error |
| `REFEREE_FSYNC` | everysec | `always`: what was acknowledged survives even a dead host |

This module imports nothing of the referee, so every layer may read it.
"""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from environs import Env, EnvError
from marshmallow.validate import OneOf, Range

DEFAULT_PORT = 8066
MOST = 1_000_000_000
HOUR = 3600


class SettingsError(ValueError):
    """An environment variable holds something unusable; the message names it and what is allowed."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The operator's settings; empty text where nothing was set and there is no default."""

    data: Path
    port: int
    redis_url: str
    database_url: str
    allow_private_push: bool
    registration: str
    organiser_token: str
    fsync: str
    log_level: str = "info"
    registrations: int = 120
    registrations_a_day: int = 2000
    held: int = 500
    watchers: int = 50
    proxies: int = 0
    head_seconds: int = 15
    body_seconds: int = 30
    send_seconds: int = 60

    @property
    def database(self) -> str:
        """Name the durable record by URL: the one set, or SQLite in the data directory."""
        return self.database_url or f"sqlite:///{self.data.resolve() / 'record.sqlite'}"


def read() -> Settings:
    """Read the settings from the environment of this process.

    Raises `SettingsError` where a value is of the wrong kind or not among the allowed.
    """
    env = Env()
    try:
        with env.prefixed("REFEREE_"):
            return Settings(
                data=Path(env.str("DATA", "") or ".referee"),
                port=env.int("PORT", DEFAULT_PORT, validate=Range(0, 65535)),
                redis_url=env.str("REDIS_URL", ""),
                database_url=env.str("DATABASE_URL", ""),
                allow_private_push=env.bool("ALLOW_PRIVATE_PUSH", default=False),
                registration=env.str("REGISTRATION", "open", validate=OneOf(["open", "token"])),
                organiser_token=env.str("ORGANISER_TOKEN", ""),
                fsync=env.str("FSYNC", "everysec", validate=OneOf(["everysec", "always"])),
                log_level=env.str("LOG_LEVEL", "info", validate=OneOf(["debug", "info", "warning", "error"])),
                **_limits(env),
            )
    except EnvError as problem:
        raise SettingsError(f"the environment cannot be used: {problem}") from problem


def _limits(env: Env) -> dict[str, int]:
    """Read what strangers may take of the service: each member of `Settings` with a number for its default."""
    usual: dict[str, Any] = {field.name: field.default for field in fields(Settings)}
    ranges = {
        "registrations": Range(1, MOST),
        "registrations_a_day": Range(1, MOST),
        "held": Range(1, MOST),
        "watchers": Range(1, MOST),
        "proxies": Range(0, 10),
        "head_seconds": Range(1, HOUR),
        "body_seconds": Range(1, HOUR),
        "send_seconds": Range(1, HOUR),
    }
    return {name: int(env.int(name.upper(), usual[name], validate=fits) or 0) for name, fits in ranges.items()}
