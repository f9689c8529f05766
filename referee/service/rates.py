"""Bounded rates for what nobody needs a token for: so many requests an address in each window of time."""

from __future__ import annotations

from dataclasses import dataclass

from referee.service.base import Service
from referee.store import rates


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


def count(service: Service, who: str, *, policy: Policy) -> Rate:
    """Counts a request of `who` and answers where it stands; one beyond the quota is not to be carried out."""
    length = policy.seconds * 1000
    window, passed = divmod(service.clock.now_ms(), length)
    found = rates.hit(service.live.client, f"{policy.name}:{who}", window=window, seconds=policy.seconds)
    wait = -(-(length - passed) // 1000)
    return Rate(policy, found > policy.quota, max(0, policy.quota - found), wait)
