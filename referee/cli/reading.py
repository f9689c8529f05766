"""`referee rulesets` and `referee laws`: the book, read without a server."""

import json
from typing import Any

import click

from referee.cli.showing import plain

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.argument("name", required=False)
@JSON
def rulesets(name: str | None, as_json: bool) -> int:
    """List the rule-sets, or every option of the rule-set NAME with its value and source."""
    from referee.rules import rulesets as known

    if name is None:
        listed = [known.named(each) for each in known.names()]
        if as_json:
            click.echo(json.dumps([{"name": r.name, "title": r.title, "digest": r.digest} for r in listed], indent=2))
        else:
            for each in listed:
                click.echo(f"{each.name:<12} {each.title}")
        return 0
    try:
        chosen = known.named(name)
    except known.RuleSetError as problem:
        raise click.BadParameter(str(problem), param_hint="NAME") from problem
    rows = [
        {
            "option": option.name,
            "value": chosen.options[option.name],
            "allowed": option.allowed_text(),
            "rule": option.rule,
            "meaning": option.meaning,
            "source": chosen.sources[option.name],
        }
        for option in known.OPTIONS.values()
    ]
    if as_json:
        document = {"name": chosen.name, "title": chosen.title, "digest": chosen.digest, "options": rows}
        click.echo(json.dumps(document, indent=2))
        return 0
    show_options(chosen.title, rows)
    return 0


def show_options(title: str, rows: list[dict[str, Any]]) -> None:
    """Print a rule-set's options, one a line: name, value, rule point, source."""
    click.echo(title)
    longest = max(len(json.dumps(row["value"])) for row in rows)
    for row in rows:
        value = json.dumps(row["value"]).strip('"')
        click.echo(f"  {row['option']:<26} {value:<{longest}} {row['rule']:<14} {row['source']}".rstrip())


@click.command()
@click.argument("law", required=False, metavar="[ID]")
@JSON
def laws(law: str | None, as_json: bool) -> int:
    """List the laws of the book, or one law with its text, sources, window, remedies and worked cases."""
    from referee.laws import book

    if law is None:
        listed = [{"id": each.id, "name": each.name, "title": each.title} for each in book.laws()]
        if as_json:
            click.echo(json.dumps({"edition": book.EDITION, "laws": listed}, indent=2))
        else:
            click.echo("\n".join(f"{each['id']}  {each['title']}" for each in listed))
        return 0
    shown: dict[str, Any] | None = book.law_json(law)
    if shown is None:
        known = ", ".join(each.id for each in book.laws())
        raise click.BadParameter(f"no law {law!r} in edition {book.EDITION}; there are {known}", param_hint="ID")
    if as_json:
        click.echo(json.dumps(shown, indent=2))
    else:
        show_law(shown)
    return 0


def show_law(law: dict[str, Any]) -> None:
    """Print a law: its heading, its text, and the rest as name and value."""
    click.echo(f"{law['id']}  {law['title']}\n")
    click.echo(click.wrap_text(law["text"], 100, "  ", "  ", preserve_paragraphs=True) + "\n")
    for name in ("scope", "window", "kind", "remedies", "citations", "yields_to", "online"):
        if law.get(name):
            click.echo(f"  {name.replace('_', ' ')}: {plain(law[name])}")
    click.echo("\n  worked cases:")
    for case in law["cases"]:
        click.echo(f"    {case.get('kind', ''):<13} {case['name']}")
