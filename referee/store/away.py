"""What it looks like when a store cannot be reached or takes nothing just now: to be waited out, nobody's fault but ours."""

from __future__ import annotations

from typing import Final

import redis
from sqlalchemy import exc

#: No connection, silence, a server that is starting, full, or a replica; a database that shuts down, is locked or gives
#: no connection. Anything else that the clients of the stores raise is a defect and is treated as one.
AWAY: Final = (
    redis.exceptions.ConnectionError,
    redis.exceptions.TimeoutError,
    redis.exceptions.OutOfMemoryError,
    redis.exceptions.ReadOnlyError,
    exc.OperationalError,
    exc.InterfaceError,
    exc.TimeoutError,
)
