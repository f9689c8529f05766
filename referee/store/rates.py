"""How often somebody has come in a window of time: counters that forget themselves."""

from __future__ import annotations

import redis


def hit(client: redis.Redis, who: str, *, window: int, seconds: int) -> int:
    """Counts one more in that window and answers how many there have been; the counter is gone two windows later."""
    key = f"rate:{who}:{window}"
    pipe = client.pipeline(transaction=True)
    pipe.incr(key)
    pipe.expire(key, 2 * seconds)
    count, _ = pipe.execute()
    return int(count)
