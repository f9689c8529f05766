"""Matches as wakes tell of them: most need not be read where this process has brought them there, or knew them before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee import match as matches
from referee.service import news, table
from referee.service.base import Service
from referee.service.table import Standing, Table
from referee.service.wakes import Wake


def as_heard(service: Service, match_ids: Sequence[str], wakes: Iterable[Wake]) -> list[Table | None]:
    """Are the matches; None stands for one that is not live. Read are those of which no wake tells enough.

    What was not read may have moved on by now, so what is delivered of it is to name the version it is made of.
    """
    heard = {wake.match: wake for wake in wakes}
    told = {each: _told(service, heard[each]) for each in match_ids if each in heard}
    unread = [each for each in match_ids if told.get(each) is None]
    versions = {each: heard[each].version for each in unread if each in heard}
    told |= zip(unread, table.load_all(service, unread, at_least=versions), strict=True)
    return [told[each] for each in match_ids]


def _told(service: Service, wake: Wake) -> Table | None:
    """Is the match at the version of the wake, if this process remembers that, or the one before and the wake tells how it
    went on."""
    known = table.remembered(service, wake.match)
    if known is None:
        return None
    if known.match.version == wake.version:  # by another way, perhaps, where an outage cost the store its last acts
        return known if known.match.head == wake.head else None
    lines, fields = news.read(wake.news)
    if known.match.version + len(lines) != wake.version:
        return None
    try:
        match = matches.catch_up(known.match, lines)
    except matches.LogError:
        return None
    if (match.version, match.head) != (wake.version, wake.head):
        return None
    before = known.standing
    standing = Standing(match, before.lines + lines, before.bots, before.transports)
    facts = {**known.facts, **fields}
    service.memory.keep(wake.match, standing, facts)
    return Table(wake.match, standing, facts)
