"""Reading what is odd about a position in the text notation, see `notation`.

Errors: `NotationError` says which section, what was found and what is right.
"""

from dataclasses import replace

from referee.rules.cards import mask_of
from referee.rules.cutting import read_cuts
from referee.rules.positions import QUIET, Aside
from referee.rules.tokens import read_card, read_cards, read_pairs, read_seat, read_suit


def read_aside(sections: dict[str, str], players: int) -> Aside:
    """Return what lawful play hardly ever touches, as the sections of a position at a table of so many say it."""
    aside = QUIET
    if "lifted" in sections:
        seat, _, names = sections["lifted"].partition(":")
        aside = replace(aside, lifted=(read_seat("lifted", seat, players), read_cards("lifted", names)))
    if "shown" in sections:
        suits = tuple(read_suit("shown", name) for name in sections["shown"].split())
        aside = replace(aside, shown=suits)
    if "barred" in sections:
        barred = frozenset(read_seat("barred", name, players) for name in sections["barred"].split())
        aside = replace(aside, barred=barred)
    if "looked" in sections:
        looks = tuple((seat, _looked_at(rest)) for seat, rest in read_pairs("looked", sections["looked"], players))
        aside = replace(aside, looks=looks)
    if "cuts" in sections:
        aside = replace(aside, cuts=read_cuts(sections["cuts"], players))
    if "faced" in sections:
        aside = replace(aside, faced=mask_of(read_cards("faced", sections["faced"])))
    if "dealing" in sections:
        aside = replace(aside, dealing=read_seat("dealing", sections["dealing"], players))
    if "laid-open" in sections:
        laid = frozenset(read_seat("laid-open", name, players) for name in sections["laid-open"].split())
        aside = replace(aside, laid_open=laid)
    if "early" in sections or "exposed" in sections:
        early = tuple(
            (seat, read_card("early", name)) for seat, name in read_pairs("early", sections.get("early", ""), players)
        )
        exposed = mask_of(read_cards("exposed", sections.get("exposed", "")))
        aside = replace(aside, early=early, exposed=exposed)
    if "asked" in sections or "led-early" in sections:
        aside = replace(aside, asked="asked" in sections, led_early="led-early" in sections)
    return aside


def read_received(text: str, players: int) -> tuple[tuple[int, ...], ...]:
    """Read each hand's cards in the order they were dealt."""
    rows = dict(read_pairs("received", text, players))
    row = (rows.get(seat, "") for seat in range(players))
    return tuple(read_cards("received", names.replace("+", " ")) for names in row)


def _looked_at(text: str) -> int:
    """Read what was looked at: the number of a trick, or the card of the stock."""
    if text.isdigit() and int(text):
        return int(text)
    return ~read_card("looked", text)
