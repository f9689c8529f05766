"""`referee demo` and `referee match`."""

import json
import re
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console

from referee import settings as environment
from referee.cli import showing, stopping
from referee.launcher import demo as demonstration
from referee.launcher import friendly, valkey
from referee.launcher.bots import SAMPLES, fresh_seed
from referee.launcher.games import GAMES
from referee.rules import rulesets
from referee.settings import Settings

JSON = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON; all else on standard error.")
DATA = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="Directory for everything [a new one]."
)


class Seed(click.ParamType[str]):
    """A seed as 64 hexadecimal digits, or the word `random`."""

    name = "hex|random"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the digits."""
        if value == "random":
            return fresh_seed()
        if re.fullmatch(r"[0-9a-f]{64}", value):
            return value
        return self.fail(
            f"{value!r} is not a seed: 64 hexadecimal digits in lower case, or the word random", param, ctx
        )


@click.command()
@click.option("--game", type=click.Choice(list(GAMES)), default="house", show_default=True, help="What is played.")
@click.option("--seed", type=Seed(), default=demonstration.SEED, help="Where the packs come from [always the same].")
@DATA
@JSON
def demo(game: str, seed: str, data: Path | None, as_json: bool) -> int:
    """Play a tournament of sample bots in three languages, and verify every log.

    Five bots play 20 matches by the house rules, or 10 of Schnapsen; seven play 14 three-handed ones; four teams of
    two play 12 of the four-handed game or of Cruce.

    Needs nothing running. It starts a referee of its own on a free port, with embedded Valkey and two
    workers, and the bots as processes that speak HTTP; all have ended when it ends.
    """
    began = time.monotonic()
    console = showing.console(stderr=as_json)
    chosen = settled(data, "demo")
    with stopping.orderly(), showing.teller(console) as teller:
        outcome = demonstration.play(chosen, seed, teller, game=GAMES[game])
        teller.note("every process has ended; verifying the logs, with no server running")
        verdicts = demonstration.verified(chosen.data / "logs")
    show(console, outcome)
    faulty = [verdict for verdict in verdicts if not verdict["ok"]]
    for verdict in faulty:
        console.print(f"{verdict['log']}: {verdict['problem']}", markup=False)
    console.print(
        f"{len(verdicts) - len(faulty)} of {len(outcome.logs)} logs verified; they lie in {chosen.data / 'logs'}",
        *(f"check them again: python3 -m referee verify {chosen.data / 'logs'}",),
        f"done in {time.monotonic() - began:.0f} s",
        sep="\n",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )
    if as_json:
        document = {
            "tournament": outcome.tournament,
            "standings": outcome.standings,
            "crosstable": outcome.crosstable,
            "rulings": [{"match": match["id"], **ruling} for match, ruling in outcome.rulings],
            "logs": verdicts,
        }
        click.echo(json.dumps(document, indent=2))
    complete = outcome.tournament["played"] == outcome.tournament["planned"] == len(verdicts)
    return 0 if complete and not faulty else 1


def show(console: Console, outcome: demonstration.Outcome) -> None:
    """Print standings, crosstable and the first rulings."""
    console.print(showing.standings(outcome.standings))
    console.print(showing.crosstable(outcome.crosstable))
    if outcome.rulings:
        first = showing.first_under_each_law(outcome.rulings)
        console.print(showing.rulings(first, outcome.laws), markup=False, highlight=False, soft_wrap=True)
    console.print(f"{len(outcome.rulings)} rulings under {len(outcome.laws)} laws in all")


@click.command()
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT [BOT [BOT]]")
@click.option("--ruleset", default="house", show_default=True, help="Rule-set to play by.")
@click.option("--target", type=click.IntRange(1), help="Game points that win the match [as the rule-set says].")
@click.option("--conduct", type=click.Choice(["adjudicate", "enforce"]), default="adjudicate", show_default=True)
@click.option("--seed", type=Seed(), default="random", help="Where the packs come from [drawn].")
@DATA
@JSON
def match(
    bots: tuple[str, ...],
    ruleset: str,
    target: int | None,
    conduct: str,
    seed: str,
    data: Path | None,
    as_json: bool,
) -> int:
    """Play one match: name samples, give paths of programs, or URLs of push bots, one for each seat of the rule-set.

    Where partners play, the first and the third play together. The referee runs for the length of the match only.
    """
    require_one_a_seat(bots, ruleset)
    console = showing.console(stderr=True)
    terms = {"ruleset": ruleset, "conduct": conduct, "seed": seed}
    overrides = {"target": target} if target is not None else {}
    with stopping.orderly(), showing.teller(console) as teller:
        played, log = friendly.play(
            settled(data, "match"), bots, {**terms, "overrides": overrides}, teller, pause=tell_secret
        )
    if as_json:
        click.echo(json.dumps({"match": played, "log": str(log)}, indent=2))
        return 0
    names = {seat: held["name"] for seat, held in played["seats"].items()}
    score = " : ".join(f"{names[seat]} {played['score'][seat]}" for seat in sorted(names))
    side = next((side for side in played["sides"] if played["winner"] in side), ())
    winner = " and ".join(names[seat] for seat in side) or "nobody"
    click.echo(f"{winner} {'win' if len(side) > 1 else 'wins'} ({played['cause']}); {score}\nlog: {log}")
    return 0


match.help = f"{match.help}\n\nSample bots: {', '.join(SAMPLES)}."


def require_one_a_seat(bots: tuple[str, ...], ruleset: str) -> None:
    """Refuse a number of bots that is not that of the seats, or a rule-set that does not come with the game."""
    try:
        seats = rulesets.named(ruleset).options["seats"]
    except rulesets.RuleSetError as error:
        raise click.BadParameter(str(error), param_hint="--ruleset") from None
    if len(bots) != seats:
        raise click.BadParameter(f"{ruleset} is played by {seats}, and {len(bots)} given", param_hint="BOT")


def tell_secret(name: str, secret: str) -> None:
    """Give the secret of a remote push bot, and time to hand it on, before anything is sent to it."""
    click.echo(f"{name} is called with signatures made with the secret {secret}", err=True)
    click.pause("give it to the bot if it checks signatures, then press any key", err=True)


def settled(data: Path | None, kind: str) -> Settings:
    """Read the settings for a referee of one's own: a new data directory, embedded Valkey and SQLite.

    REFEREE_REDIS_URL is used only where nothing can be embedded, for a service may be at work there.
    """
    if data is not None and data.exists() and any(data.iterdir()):
        raise click.BadParameter(f"{data} is not empty; name a new directory", param_hint="--data")
    chosen = environment.read()
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    place = data or unused(chosen.data / kind, stamp)
    redis_url = "" if valkey.is_embeddable() else chosen.redis_url
    return replace(chosen, data=place.resolve(), redis_url=redis_url, database_url="", registration="open")


def unused(folder: Path, stamp: str) -> Path:
    """Name a directory in `folder` that does not exist yet."""
    place, number = folder / stamp, 1
    while place.exists():
        number += 1
        place = folder / f"{stamp}-{number}"
    return place
