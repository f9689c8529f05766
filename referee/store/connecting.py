"""Connections to Redis: a pool for short calls, brief ones for readiness, and clients without a read timeout for waiting ones."""

from __future__ import annotations

import redis
from redis.backoff import ExponentialBackoff, NoBackoff
from redis.retry import Retry

ANSWER_SECONDS = 3.5  # a server that is silent for longer hangs, and who asked is told so rather than left waiting
CONNECT_SECONDS = 2.0
PROBE_SECONDS = 2.0
CONNECTIONS = 500
#: What a subscription that lost its server comes to; over hiredis redis-py looks at a socket that is closed, a TypeError.
GONE = (redis.RedisError, OSError, TypeError)
RETRIES = 4  # after 20, 40, 80 and 160 ms: what every call here does can be done again


def pooled(url: str) -> redis.Redis:
    """Is a client for calls that are answered at once. Callers beyond `CONNECTIONS` wait for one to come free.

    A connection that breaks is tried anew; silence is not, for each trial would take as long as the first.
    """
    pool = redis.BlockingConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        timeout=ANSWER_SECONDS,
        socket_timeout=ANSWER_SECONDS,
        socket_connect_timeout=CONNECT_SECONDS,
        retry=Retry(ExponentialBackoff(base=0.02, cap=0.5), RETRIES, supported_errors=(redis.ConnectionError,)),
    )
    return redis.Redis(connection_pool=pool)


def probing(url: str) -> redis.Redis:
    """Is a client that asks once, over a connection of its own, and gives up soon: for readiness."""
    brief = Retry(NoBackoff(), 0)
    return redis.Redis.from_url(url, socket_timeout=PROBE_SECONDS, socket_connect_timeout=PROBE_SECONDS, retry=brief)


def waiting(url: str) -> redis.Redis:
    """Is a client whose reads may take as long as they like: redis-py would otherwise give up after five seconds."""
    return redis.Redis.from_url(url, socket_timeout=None, socket_connect_timeout=5.0)
