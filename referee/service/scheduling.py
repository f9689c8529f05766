"""The schedule of a tournament: which tables its entries make, and the matches that are planned from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from referee import match as matches
from referee.service import ids, plays
from referee.service.clock import wall_time
from referee.service.problems import ServiceProblem
from referee.tournament import balance as balancing
from referee.tournament import schedule, teams

Row = Mapping[str, Any]

MEETINGS_OF_THREE = (2, 1, 6, 1, 2, 3)
"""How often any two meet in a cycle at tables of three, by the rest of their number divided by 6 (rule S7)."""

MOST_FORESEEN = 2000
"""Up to so many matches the balance is worked out before the start, anew each time it is asked for."""


def laid_down(row: Row, entries: Sequence[Row]) -> tuple[Iterator[dict[str, Any]], dict[str, Any]]:
    """Lays down the schedule of those entries: the rows of all its matches in order, one by one, and its BALANCE.

    409 `tournament/too_few`.
    """
    names = {bot: name for entry in entries for bot, name in entry["members"]}
    try:
        laid = _pairings(row, entries)
    except schedule.TournamentError as problem:
        title = "Too few entrants"
        raise ServiceProblem(409, "tournament/too_few", title=title, detail=f"{row['id']}: {problem}") from problem
    packs = _packs(row, laid)
    planned = (_planned(row, pairing, names, packs.get(pairing.number)) for pairing in laid)
    return planned, _balance(row, entries, laid)


def count(row: Row, entries: Sequence[Row]) -> int:
    """Is how many matches a schedule of those entries has, 0 where they are too few for one."""
    size, seats = len(entries), plays.seats(row["play"])
    pairs = size * (size - 1) // 2
    if seats == 3:
        pairs = MEETINGS_OF_THREE[size % 6] * pairs // 3 if size >= seats else 0
    return pairs * _cycles(row)


def balance(row: Row, entries: Sequence[Row]) -> dict[str, Any] | None:
    """Is the BALANCE of a schedule: as it was laid down or, before the start, of the entries there are.

    BALANCE: `{"entrants","seats","matches","rounds","played","meetings","partners": null,"in_seat","first_deals","byes"
    (each {"least","most"}),"seat_gap","uneven":[word],"exact","words":[sentence]}`. None where they are too few for a
    schedule, or, before the start, more than are worked out for the asking.
    """
    if row["state"] != "created":
        laid_down: dict[str, Any] | None = row["balance"]
        return laid_down
    if not 0 < count(row, entries) <= MOST_FORESEEN:
        return None
    return _balance(row, entries, _pairings(row, entries))


def entrants_of(entries: Iterable[Row]) -> dict[str, str]:
    """Is for each bot the entrant it plays for, by which the table knows it: itself, or its team's captain."""
    return {bot: entry["bot"] for entry in entries for bot, _ in entry["members"]}


def _pairings(row: Row, entries: Sequence[Row]) -> tuple[schedule.Pairing, ...]:
    """Are the tables that entries make: of teams where partners play, else of as many bots as there are seats."""
    if plays.has_partners(row["play"]):
        return teams.teams_round_robin([_team(entry) for entry in entries], cycles=_cycles(row))
    return schedule.tables([entry["bot"] for entry in entries], seats=plays.seats(row["play"]), cycles=_cycles(row))


def _cycles(row: Row) -> int:
    """Is how many cycles are played: `paired` every one twice, for the second has the seats exchanged (S4)."""
    return int(row["cycles"]) * (2 if row["duplicate"] == "paired" else 1)


def _packs(row: Row, laid: Sequence[schedule.Pairing]) -> dict[int, int]:
    """Is for each match of a duplicate tournament which packs it is played on: the number of the first match on them."""
    if row["duplicate"] == "none":
        return {}
    if row["duplicate"] == "paired":
        cycle = len(laid) // _cycles(row)
        return {each.number: each.number - cycle * ((each.cycle - 1) % 2) for each in laid}
    first: dict[tuple[int, int], int] = {}
    return {each.number: first.setdefault((each.cycle, each.round), each.number) for each in laid}


def _balance(row: Row, entries: Sequence[Row], laid: Sequence[schedule.Pairing]) -> dict[str, Any]:
    has_partners = plays.has_partners(row["play"])
    field: list[Any] = [_team(entry) if has_partners else entry["bot"] for entry in entries]
    found = balancing.balance(laid, field)
    return {**found.facts(), "words": list(found.words())}


def _team(entry: Row) -> teams.Team:
    (captain, _), (partner, _) = entry["members"]
    return teams.Team(captain, (captain, partner))


def seed_columns(seed: bytes) -> dict[str, Any]:
    """Are the columns of a match that hang on its seed: the seed in its halves, the packs it makes, the commitment."""
    shared, own = seed[: matches.SEED_SIZE], seed[matches.SEED_SIZE :]
    halves = {"packs_seed": shared.hex(), "seed": own.hex()} if own else {"packs_seed": None, "seed": seed.hex()}
    return {**halves, "packs": matches.commitment(shared), "commitment": matches.commitment(seed)}


def _planned(row: Row, pairing: schedule.Pairing, names: Mapping[str, str], packs: int | None) -> dict[str, Any]:
    secret, number = bytes.fromhex(row["seed"]), pairing.number
    seed = matches.match_seed(secret, number)
    if packs is not None:
        seed = matches.seed_on_packs(secret, packs, match=number, relabel=row["relabel"])
    return {
        "id": ids.new_id("mat"),
        "kind": "tournament",
        "tournament": row["id"],
        "number": pairing.number,
        "replay": 0,
        "cycle": pairing.cycle,
        "round": pairing.round,
        "state": "planned",
        "play": row["play"],
        "first_dealer": pairing.first_dealer,
        **seed_columns(seed),
        "created_at": wall_time(),
        "bots": pairing.seats,
        "names": tuple(names[bot] for bot in pairing.seats),
    }
