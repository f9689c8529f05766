"""`referee rule`: the desk without a server."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from referee.cli.showing import plain
from referee.laws.words import gain_words

WIDTH = 100


@click.command()
@click.argument("acts", nargs=-1)
@click.option("--start", help="The whole position in the notation, ended by who does what: 'a:AS TS ... | a leads'.")
@click.option("--deal", help="In place of --start: the pack, top first; acts then shuffle, cut and deal it.")
@click.option("--dealer", type=click.Choice(["a", "b", "c", "d"]), help="Who deals --deal; the last seat if left out.")
@click.option(
    "--log",
    type=click.Path(exists=True, path_type=Path, dir_okay=False),
    help="In place of --start: the log of a match.",
)
@click.option("--until", type=int, help="The event of --log after which the acts begin.")
@click.option("--ruleset", help="A name out of `referee rulesets`; house if left out.")
@click.option(
    "--set", "changes", multiple=True, metavar="OPTION=VALUE", help="An option that differs; may be repeated."
)
@click.option("--conduct", type=click.Choice(["adjudicate", "enforce"]))
@click.option("--calls", type=click.Choice(["referee", "players"]))
@click.option(
    "--claim", metavar="'SEAT NUMBER [LAW]'", help="A claim on the act of that number, counted from 1: 'b 2 IR-20'."
)
@click.option(
    "--question",
    type=click.Path(exists=True, path_type=Path, dir_okay=False, allow_dash=True),
    help="The whole question as JSON, as POST /v1/adjudications takes it; - for standard input.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, as the service answers.")
def rule(acts: tuple[str, ...], question: Path | None, as_json: bool, **given: Any) -> int:
    """Ask the desk what follows from ACTS, such as 'a KS' 'b draw 2': the rulings, or why there is none."""
    from referee.match import desk  # here, for most verbs need no rules
    from referee.match.questions import QuestionError

    said = {name: value for name, value in given.items() if value not in (None, ())}
    if question is not None and (said or acts):
        raise click.UsageError("--question holds the whole question; leave out ACTS and the other options")
    asked = from_json(question) if question is not None else from_arguments(acts, said)
    try:
        answer = desk.adjudicate_body(asked)
    except QuestionError as problem:
        raise click.ClickException(
            f"{' and '.join(filter(None, problem.pointers)) or 'question'}: {problem.detail}"
        ) from None
    click.echo(json.dumps(answer, indent=2) if as_json else "\n".join(lines_of(answer)))
    return 0


def from_json(question: Path) -> dict[str, Any]:
    """Read a question from a file, or from standard input for `-`."""
    text = sys.stdin.read() if str(question) == "-" else question.read_text("utf-8")
    try:
        found = json.loads(text)
    except ValueError as problem:
        raise click.ClickException(f"{question} is not JSON: {problem}") from None
    if not isinstance(found, dict):
        raise click.ClickException(f'{question} is not a JSON object such as {{"start":"...","acts":["a KS"]}}')
    return found


def from_arguments(acts: tuple[str, ...], said: dict[str, Any]) -> dict[str, Any]:
    """Make a question of the command's arguments."""
    asked: dict[str, Any] = {"acts": list(acts)}
    asked |= {name: said[name] for name in ("start", "until", "ruleset", "conduct", "calls") if name in said}
    if "deal" in said:
        asked["deal"] = {"pack": said["deal"], **({"dealer": said["dealer"]} if "dealer" in said else {})}
    elif "dealer" in said:
        raise click.UsageError("--dealer belongs to --deal")
    if "log" in said:
        asked["log"] = said["log"].read_text("utf-8")
    if "changes" in said:
        asked["overrides"] = dict(map(changed, said["changes"]))
    if "claim" in said:
        asked["claim"] = claimed(said["claim"])
    return asked


def changed(text: str) -> tuple[str, Any]:
    """Read OPTION=VALUE.

    >>> changed("target=3"), changed("look_back=last")
    (('target', 3), ('look_back', 'last'))
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"found {text!r}; write OPTION=VALUE, such as target=3", param_hint="--set")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def claimed(text: str) -> dict[str, Any]:
    """Read a claim.

    >>> claimed("b 2 IR-20")
    {'by': 'b', 'number': 2, 'law': 'IR-20'}
    """
    words = text.split()
    if len(words) not in (2, 3) or not words[1].isdecimal():
        raise click.BadParameter(f"found {text!r}; write SEAT NUMBER [LAW], such as 'b 2 IR-20'", param_hint="--claim")
    law = {"law": words[2]} if words[2:] else {}
    return {"by": words[0], "number": int(words[1]), **law}


def lines_of(answer: Mapping[str, Any]) -> Iterator[str]:
    """Yield an answer in readable lines: the verdict, each ruling with its options, the position."""
    yield from wrapped(f"{answer['verdict'].replace('_', ' ')}: {answer['why']}", "")
    moves = {each["number"]: each["move"] for each in answer["acts"]}
    for ruling in answer["rulings"]:
        yield ""
        yield from ruling_lines(ruling, moves)
    yield ""
    if answer["result"]:
        result = answer["result"]
        who = gain_words(result["winner"], result["game_points"], result.get("scores"))
        who = "drawn" if who == "nobody" else who
        yield f"the deal: {result['cause'].replace('_', ' ')}, {who}; card points {plain(result['counts'])}"
    yield from wrapped(f"position: {answer['position'] or 'dealt afresh by the same dealer'}", "")


def ruling_lines(ruling: Mapping[str, Any], moves: Mapping[int, str]) -> Iterator[str]:
    """Yield a ruling in lines: what it is on, each law with its sources, who chooses, and the options."""
    act = f"act {ruling['act']} ({moves[ruling['act']]})" if ruling["act"] in moves else "the claim"
    if ruling["event"] is not None and ruling["act"] is None:
        act = f"event {ruling['event']}"
    offender = f"; offender {ruling['offender']}" if ruling["offender"] else ""
    yield f"Ruling on {act}, {ruling['kind']}{offender}"
    for law in ruling["laws"]:
        sources = "; ".join(f"{each['title']} ({each['edition']}), {each['place']}" for each in law["citations"])
        yield from wrapped(f"{law['id']}  {law['title']} ({sources})", "  ")
    if ruling["facts"]:
        yield from wrapped(f"facts: {plain(ruling['facts'])}", "  ")
    if ruling["elector"] and not ruling["option"]:
        yield f"  {ruling['elector']} chooses:"
    for option in ruling["options"]:
        yield from option_lines(option, taken=option["option"] == ruling["option"])


def option_lines(option: Mapping[str, Any], *, taken: bool, indent: str = "  ") -> Iterator[str]:
    """Yield an option in lines: its word and effect, the award, the position it leads to, what is to be chosen then."""
    award = option.get("award")
    gain = f"; {gain_words(award['seat'], award['game_points'], award.get('scores'))}" if award else ""
    usual = " (the default)" if option.get("default") and not taken else ""
    yield from wrapped(f"{'=' if taken else '-'} {option['option']}{usual}: {option['effect']}{gain}", indent)
    if option["after"]:
        yield from wrapped(option["after"], indent + "    ")
    for further in option.get("further", ()):
        yield from option_lines(further, taken=False, indent=indent + "  ")


def wrapped(text: str, indent: str) -> list[str]:
    """Break a text into lines of the usual width."""
    return click.wrap_text(text, WIDTH, indent, indent + "  ").splitlines()
