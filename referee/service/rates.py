"""Bounded rates for what costs others something: so many requests of one address or bot in each window of time.

Acts and prompts are not among it: a bot at a table is bounded by its clock and its conduct, and never waits for us.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from referee.service.base import Service
from referee.settings import Settings
from referee.store import rates

DAY = 86_400


@dataclass(frozen=True, slots=True)
class Policy:
    """So many requests (`quota`) in each window of so many `seconds`, by the name it has on the wire."""

    name: str
    quota: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Rate:
    """Where somebody stands: how many requests are `left` in this window, and when (in `seconds`) the next begins."""

    policy: Policy
    is_spent: bool
    left: int
    seconds: int


DESK = Policy("desk", 60, 60)
#: Requests under an Idempotency-Key, each of which is kept for a day: of one bot, or of one address without a token.
KEYED = Policy("keys", 600, 60)
#: Of one bot: each makes a match, which the record keeps.
FRIENDLIES = Policy("friendlies", 120, 60)
CHECKS = Policy("checks", 120, 3600)
#: Of one bot: each plays a match again.
APPEALS = Policy("appeals", 60, 60)


def registrations(settings: Settings) -> tuple[Policy, ...]:
    """Are the bounds on registrations from one address."""
    return (
        Policy("registrations", settings.registrations, 60),
        Policy("registrations-a-day", settings.registrations_a_day, DAY),
    )


def count(service: Service, who: str, *, policy: Policy) -> Rate:
    """Counts a request of `who` and answers where it stands; one beyond the quota is not to be carried out."""
    length = policy.seconds * 1000
    window, passed = divmod(service.clock.now_ms(), length)
    found = rates.hit(service.live.client, f"{policy.name}:{who}", window=window, seconds=policy.seconds)
    wait = -(-(length - passed) // 1000)
    return Rate(policy, found > policy.quota, max(0, policy.quota - found), wait)


def source(address: str | None) -> str:
    """Is what an address counts as: itself, or of IPv6 the network of 64 bits, all of which is one household's.

    >>> source("192.0.2.7"), source("2001:db8::1:2:3:4"), source("::ffff:192.0.2.7"), source(None)
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7', 'nowhere')
    """
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return "nowhere"
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.IPv6Network((int(found), 64), strict=False))
