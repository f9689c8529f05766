"""`LAWBOOK.md`, made from the laws, their cases and tables: `python -m referee.laws.lawbook`.

A test holds the committed file equal, so that the two cannot part.
"""

import sys
from collections.abc import Iterator, Mapping
from typing import Any, Final

from referee.laws import book, reading
from referee.laws.law import Law
from referee.laws.words import card_sign

COMMAND: Final = "make lawbook"
_HEAD: Final = """# The law book of Sixty-Six

Edition {edition}. Made by `{command}`: edit the laws, their cases and tables, not this file.

Rules say what may be played; a law says what follows when something else was. Each law says what happened, when it is
heard, whose choice it is and what may be chosen, and its cases show it at work. The seats are a, b, and c and d where
more than two sit; of four, a and c are partners, and b and d. The *pone* is dealt to first and leads first, where nobody
bids for the lead. Where several laws speak of one act there is one choice among all they offer.

The laws say *the other* for who is offended. Of three seats that is the other player, and of a dealer who rests both; of
a side either partner, each for both: any of them claims, and who acts on an irregular act lets it pass for both. What is
to be chosen the opponent next in turn chooses, where a law names nobody else.

A match says who calls. Where the referee calls, it rules in the moment of the act, a revoke when its trick is quitted.
Where the seats claim, an act stands until a seat claims it by its number, and a law hears that until its window closes;
who acts on an irregular act has let it pass.
"""
_COLUMNS: Final = ("Text", "Place", "What it says", "Carried by")


def render() -> str:
    """Return the whole book as Markdown: coverage first, then the laws by parts, each with its cases."""
    parts = [_HEAD.format(edition=book.EDITION, command=COMMAND), *_contents(), *_coverage()]
    for letter, (title, _) in book.PARTS.items():
        parts.append(f"## {letter}. {title}\n")
        for law in _laws_of(letter):
            parts += _law(law)
    return "\n".join(parts).rstrip() + "\n"


def _laws_of(letter: str) -> list[Law]:
    return [law for law in book.laws() if book.part_of(law.id) == letter]


def _contents() -> Iterator[str]:
    yield "## Contents\n"
    for letter, (title, _) in book.PARTS.items():
        laws = ", ".join(f"[{law.id}](#{_anchor(law)}) {law.title}" for law in _laws_of(letter))
        yield f"- **{letter}. {title}:** {laws}"
    yield ""


def _anchor(law: Law) -> str:
    kept = "".join(each for each in f"{law.id} {law.title}".lower() if each.isalnum() or each in " -")
    return kept.replace(" ", "-")


def _coverage() -> Iterator[str]:
    yield "## What the texts say of irregularities, and what carries it\n"
    yield "Every numbered rule of 002, and every sentence on irregularities, forfeits and lost privileges in 000, 002,"
    yield "003 and 004, in our own words. Names in `code` are options of rule-sets.\n"
    yield _row(_COLUMNS)
    yield _row(("---",) * len(_COLUMNS))
    for says in book.coverage():
        yield _row((says["source"], says["place"], says["says"], carriers(says)))
    yield ""


def carriers(says: Mapping[str, Any]) -> str:
    """Return what carries a sentence of the texts: laws, options, or why none does."""
    found = [", ".join([*says.get("laws", ()), *(f"`{each}`" for each in says.get("options", ()))])]
    return ". ".join(each.rstrip(".") for each in [*found, says.get("why", "")] if each)


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"


def _law(law: Law) -> Iterator[str]:
    yield f"### {law.id} {law.title}\n"
    yield f"{law.text}\n"
    yield f"- **Heard:** {reading.heard_words(law)}."
    yield f"- **Ruling:** {reading.ruling_words(law)}."
    yield "- **Remedies:**"
    yield from (f"  - {each}" for each in reading.remedies_words(law))
    if law.scope != "every rule-set":
        yield f"- **Where:** {law.scope}."
    if law.yields_to:
        yield f"- **Gives way to:** {reading.listed(law.yields_to)}."
    rests_on = (reading.citation_words(book.citation_json(each)) for each in law.citations)
    yield f"- **Rests on:** {'; '.join(rests_on)}."
    if law.online:
        yield f"- **No act at this table brings it about:** {law.online}."
    for way in book.ways(law.id):
        yield f"- **Comes about so:** {' '.join(way_sentences(way))}"
    yield ""
    for number, case in enumerate(book.cases(law.id), start=1):
        yield from _case(number, case)


def way_sentences(way: Mapping[str, Any]) -> list[str]:
    """Return by which acts a law comes about: what happens, what is needed for it, the acts, what follows."""
    words = reading.way_words(way, card_sign)
    said = [words["how"]]
    if words["needs"]:
        said.append(f"Needs: {reading.listed(words['needs'])}.")
    after = f" (after: {', '.join(words['after'])})" if words["after"] else ""
    said.append(f"The acts{after}: {', then '.join(words['acts'])}.")
    for calls, heading in (("referee", "Where the referee calls"), ("players", "Where the seats claim")):
        if words[calls]:
            said.append(f"{heading}: {', then '.join(words[calls])}.")
    return said


def _case(number: int, case: Mapping[str, Any]) -> Iterator[str]:
    yield f"**{number}. {case['name']}** ({reading.case_kind_words(case).lower()})\n"
    around = [reading.sentence(each) for each in reading.circumstances(case)]
    yield " ".join([*_position(reading.picture(case)), *around]) + "\\"
    yield f"*Moves:* {', '.join(reading.moves_words(case['acts'], card_sign))}.\\"
    yield f"*Ruling:* {' '.join(reading.outcome(case, card_sign))}\n"


def _position(seen: Mapping[str, Any]) -> list[str]:
    if "pack" in seen:
        return [f"{seen['dealer']} deals; the pack from the top: {_cards(seen['pack'])}."]
    said = [f"{seat} {_cards(cards) or 'no card'}" for seat, cards in seen["hands"].items()]
    if seen["stock"] or seen["turn_up"]:
        up = f", {card_sign(seen['turn_up'])} turned up" if seen["turn_up"] else ""
        top = f" (on top {_cards(seen['next'])})" if seen["next"] else ""
        said.append(f"stock {seen['stock']}{top}{up}")
    if seen["trump"] and not seen["turn_up"]:
        said.append(f"trump {card_sign('A' + seen['trump'])[1:]}")
    said += [f"{each['winner']} took {_cards(each['cards'])}" for each in seen["tricks"]]
    if seen["table"]:
        said.append(f"on the table {_cards(seen['table'])}")
    said += [f"{seat} has played {card_sign(card)} before his turn" for seat, card in seen["early"].items()]
    return ["; ".join([*said, *seen["notes"], seen["next_to_act"]]) + "."]


def _cards(names: list[str]) -> str:
    return " ".join(card_sign(each) for each in names)


if __name__ == "__main__":
    sys.stdout.write(render())
