"""Writing positions in the text notation, see `notation`."""

from typing import Final

from referee.rules.cards import CARD_NAMES, SEATS, SUIT_OF, SUITS, names_of
from referee.rules.cutting import ALL_CUT
from referee.rules.play import draws_due
from referee.rules.positions import DRAW, LEAD, NOBODY, SCORED, Position, in_strict_play
from referee.rules.reading import (
    COUNTS,
    PHASES,
    default_called,
    default_closing,
    default_drawn,
    default_seen,
    first_leader,
)

_SAYS: Final = {phase: words for words, phase in PHASES.items()}
_MARKS: Final = {counts: mark for mark, counts in COUNTS.items()}


def write_position(p: Position) -> str:
    """Return the position in the notation; reading it again gives the same facts."""
    parts = [f"{SEATS[seat]}:{' '.join(names_of(hand))}" for seat, hand in enumerate(p.hands)]
    parts += [f"stock:{' '.join(CARD_NAMES[card] for card in p.stock)}"] if p.stock else []
    if p.turn_up >= 0:
        parts.append(f"turn-up:{CARD_NAMES[p.turn_up]}")
    if p.trump >= 0 and (p.turn_up < 0 or SUIT_OF[p.turn_up] != p.trump):
        parts.append(f"trump:{SUITS[p.trump]}")
    parts.append(f"dealer:{SEATS[p.frame.dealer]}")
    parts += _write_stakes(p)
    parts += _write_tricks(p) + _write_announced(p) + _write_closing(p) + _write_aside(p)
    return " | ".join(parts + _write_turn(p))


def _write_stakes(p: Position) -> list[str]:
    stakes = p.stakes
    parts = [f"out:{SEATS[p.frame.out]}"] if p.frame.out != NOBODY else []
    for name, said in (("bids", stakes.bids), ("cancelled", stakes.cancelled)):
        if said:
            parts.append(f"{name}:" + " ".join(f"{SEATS[seat]}:{ticks or '-'}" for seat, ticks in said))
    return parts + ([f"tens:{'/'.join(str(each) for each in stakes.tens)}"] if stakes.tens else [])


def _write_tricks(p: Position) -> list[str]:
    parts = []
    if p.tricks:
        row = (f"{SEATS[leader]}:{'+'.join(CARD_NAMES[card] for card in cards)}" for leader, _, cards in p.tricks)
        parts.append("tricks:" + " ".join(row))
    if p.table:
        names = " ".join(CARD_NAMES[card] for card in p.table)
        parts.append(f"table:{SEATS[p.leader]}:{names}")
    elif p.phase != LEAD and p.leader != (p.tricks[-1][1] if p.tricks else first_leader(p)):
        parts.append(f"leader:{SEATS[p.leader]}")
    return parts


def _write_announced(p: Position) -> list[str]:
    parts = []
    if p.marriages.announced:
        row = (
            f"{SEATS[each.seat]}:{SUITS[each.suit]}{_MARKS[each.counts]}{'' if each.shown else '~'}"
            for each in p.marriages.announced
        )
        parts.append("marriages:" + " ".join(row))
    if p.called != default_called(p):
        parts.append(f"called:{SUITS[p.called] if p.called >= 0 else '-'}")
    if p.seen != default_seen(p):
        parts.append("seen:" + " ".join(names_of(p.seen)))
    return parts


def _write_closing(p: Position) -> list[str]:
    if p.closing is None:
        return []
    closing = p.closing
    usual = default_closing(p, closing.closer, closing.at)
    points = f"+{closing.points}" if closing.points != usual.points else ""
    return [f"closed-by:{SEATS[closing.closer]}/{closing.tricks}@{closing.at}{points}"]


def _write_aside(p: Position) -> list[str]:
    aside = p.aside
    parts = []
    if aside.lifted is not None:
        names = " ".join(CARD_NAMES[card] for card in aside.lifted[1])
        parts.append(f"lifted:{SEATS[aside.lifted[0]]}:{names}")
    if aside.shown:
        parts.append("shown:" + " ".join(SUITS[suit] for suit in aside.shown))
    if aside.barred:
        parts.append("barred:" + " ".join(SEATS[seat] for seat in sorted(aside.barred)))
    if aside.looks:
        parts.append("looked:" + " ".join(f"{SEATS[who]}:{_looked(what)}" for who, what in aside.looks))
    if aside.cuts:
        parts.append("cuts:" + " ".join(f"{SEATS[w]}:{CARD_NAMES[card]}" for w, card in aside.cuts))
    if aside.faced:
        parts.append("faced:" + " ".join(names_of(aside.faced)))
    if aside.dealing != NOBODY:
        parts.append(f"dealing:{SEATS[aside.dealing]}")
    if p.received:
        rows = ("+".join(CARD_NAMES[card] for card in row) for row in p.received)
        parts.append("received:" + " ".join(f"{SEATS[seat]}:{row}" for seat, row in enumerate(rows)))
    if aside.laid_open:
        parts.append("laid-open:" + " ".join(SEATS[seat] for seat in sorted(aside.laid_open)))
    if aside.early:
        parts.append("early:" + " ".join(f"{SEATS[seat]}:{CARD_NAMES[card]}" for seat, card in aside.early))
    if aside.exposed:
        parts.append("exposed:" + " ".join(names_of(aside.exposed)))
    parts += ["asked:yes"] if aside.asked else []
    return parts + (["led-early:yes"] if aside.led_early else [])


def _looked(what: int) -> str:
    return str(what) if what > 0 else CARD_NAMES[~what]


def _write_turn(p: Position) -> list[str]:
    if p.phase == SCORED:
        result = p.result
        if result is None:
            return [ALL_CUT]
        winner = "-" if result.winner == NOBODY else SEATS[result.winner]
        seat = "-" if result.seat == NOBODY else SEATS[result.seat]
        totals = "-".join(str(total) for total in result.counts)
        law = result.law or "-"
        scores = f" {'/'.join(str(each) for each in result.scores)}" if result.scores else ""
        return [f"scored:{result.cause} {winner} {result.game_points} {totals} {law} {seat}{scores}"]
    parts = []
    if p.strict != (bool(p.table) and in_strict_play(p)):
        parts.append(f"strict:{'yes' if p.strict else 'no'}")
    if p.to_draw != (draws_due(p) if p.phase == DRAW else ()):
        parts.append("to-draw:" + " ".join(SEATS[seat] for seat in p.to_draw))
    if p.drawn != default_drawn(p):
        row = " ".join(_drawn(*each) for each in p.drawn)
        parts.append(f"drawn:{row or '-'}")
    return [*parts, f"{SEATS[p.turn]} {_SAYS[p.phase]}"]


def _drawn(seat: int, place: str, card: int) -> str:
    where = "" if place == "top" else f"{place}:"
    return f"{SEATS[seat]}:{where}{CARD_NAMES[card] if card >= 0 else ''}"
