"""A worker whose push bots sit in its own process: each call is answered where it would have left for the network.

A tournament cannot be made of the bots of the house, which only checks seat; and bots in processes of their own would take
most of the time on the same cores, and hide behind it what the referee's own cost does. So everything is a worker's usual
work (job, lease, prompt, signature, act, append, archive) but the socket: what is left out costs the same in a tournament
of any size. They concede at the first prompt, so that ten thousand matches of one deal are over in minutes; what a match
costs besides its acts (opening, archive, what is opened next) is what could grow.

Run as `python -m tests.bench.instant`, in the environment of a stack's workers.
"""

from __future__ import annotations

import sys
import time

from referee.service import pushing
from referee.service.connection import Answer
from referee.service.posting import Posts
from workers import run

CONCEDE = b'{"act":"concede"}'


async def answered(posts: Posts, url: str, *, secret: str, call: str, body: bytes, seconds: float) -> Answer:
    """Sign the call and answer it."""
    pushing.signature(secret, call=call, body=body, at=int(time.time()))
    return Answer(200, CONCEDE)


if __name__ == "__main__":
    pushing.post = answered
    sys.exit(run.main())
