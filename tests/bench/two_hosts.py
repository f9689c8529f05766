"""Two hosts over one Redis and one record: acts through the processes of one of them, and through those of both.

A host is a data directory with a web process and a worker of its own. Here both lie on one machine, with Redis, the database
and the clients on the same cores. So the figure shows that a second host is no burden, and what one web process more gives
where there are processors for it; it cannot show that two machines do twice as much.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median

from referee import settings
from referee.launcher.stack import Shape, Stack
from tests import postgresql
from tests.bench import many_acts
from tests.bench.pairs import Pairs
from tests.bench.report import Figure, Measure

TOKEN = "organiser-of-both-hosts"


def figures(*, acts: int, rounds: int, matches: int = many_acts.MATCHES) -> Iterator[Figure | Measure]:
    """So many acts in each round through one host and through two, in turn; then every match is played and verified."""
    with both() as (first, second, database):
        hall = many_acts.seated(first, matches=matches)
        ways = {"one": [first.port], "two": [first.port, second.port]}
        connections = min(many_acts.CONNECTIONS, matches)
        taken: dict[str, list[float]] = {"one": [], "two": []}
        for number in range(2 * rounds):
            way = ("one", "two", "two", "one")[number % 4]
            taken[way].append(hall.one_by_one(acts, connections=connections, ports=ways[way]).per_unit)
        pairs = Pairs(tuple(taken["two"]), tuple(taken["one"]))
        what = f"an act through two hosts (against one of them), {database}"
        yield Figure("two_hosts", what, median(pairs.ours), median(pairs.theirs), pairs.times_as_fast, "at least", 1)
        for key, hosts in (("one", "one host"), ("two", "two hosts on the same processors")):
            yield Measure(f"two_hosts_{key}", f"acts one by one through {hosts}", 1e6 / median(taken[key]), "a second")
        many_acts.verified(hall)


@contextmanager
def both() -> Iterator[tuple[Stack, Stack, str]]:
    """Starts two hosts and gives them, with the name of the database: PostgreSQL where one can be had, else one SQLite file."""
    with ExitStack() as ending:
        folder = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="referee-bench-")))
        database, url = "SQLite", f"sqlite:///{folder / 'record.sqlite'}"
        if not postgresql.lacking():
            server = postgresql.new_server()
            ending.callback(server.stop if server.is_ours else lambda: None)
            database, url = "PostgreSQL", server.fresh()
            ending.callback(server.drop, url)
        usual = replace(settings.read(), redis_url="", database_url=url, organiser_token=TOKEN)
        shape = Shape(web=1, workers=1)
        first = ending.enter_context(Stack(replace(usual, data=folder / "first"), shape))
        shared = replace(usual, data=folder / "second", redis_url=first.settings.redis_url)
        yield first, ending.enter_context(Stack(shared, shape)), database
