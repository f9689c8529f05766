"""Connections to Redis: a pool for short calls, and clients without a read timeout for waiting ones."""

from __future__ import annotations

import redis
from redis.backoff import ExponentialBackoff
from redis.retry import Retry

ANSWER_SECONDS = 10.0
CONNECTIONS = 500
RETRIES = 4  # after 20, 40, 80 and 160 ms: what every call here does can be done again


def pooled(url: str) -> redis.Redis:
    """Is a client for calls that are answered at once. Callers beyond `CONNECTIONS` wait for one to come free."""
    pool = redis.BlockingConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        timeout=ANSWER_SECONDS,
        socket_timeout=ANSWER_SECONDS,
        socket_connect_timeout=5.0,
        retry=Retry(ExponentialBackoff(base=0.02, cap=0.5), RETRIES),
    )
    return redis.Redis(connection_pool=pool)


def waiting(url: str) -> redis.Redis:
    """Is a client whose reads may take as long as they like: redis-py would otherwise give up after five seconds."""
    return redis.Redis.from_url(url, socket_timeout=None, socket_connect_timeout=5.0)
