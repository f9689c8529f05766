"""Why a claim at the desk comes to nothing: it came too late, or its law does not speak here."""

from referee.laws import adjudicate, book
from referee.match import claiming, windows
from referee.match.state import Match, Past
from referee.rules import play, rulesets
from referee.rules.notation import write_move
from referee.rules.positions import frame_for, fresh


def late(m: Match, past: Past) -> tuple[str, str]:
    """Say how the right to a remedy for an act was lost: by acting on it, or by what happened since."""
    judgement = adjudicate.judge(claiming.case_of(m, past))
    laws = [each.law for each in judgement.cited] if judgement else []
    for law in laws:
        shut = windows.closing(m, law, past)
        if shut is not None and shut.seat in windows.opponents(past) and not shut.attendant:
            done = write_move(shut.seat, shut.act)
            return (
                "waived",
                f"{law.id}: who acts on an irregular act ({done}) waives it. Heard until: {law.window.closes}.",
            )
    heard = "; ".join(f"{law.id} is heard until: {law.window.closes}" for law in laws)
    return "window_closed", f"The window has closed. {heard}."


def elsewhere(m: Match, past: Past, law_id: str) -> str:
    """Say why the law that a claim names cannot speak of an act here, where it is the law and not the act; else nothing."""
    law = book.find(law_id) if law_id else None
    if law is None:
        return ""
    if law.online:
        return f"{law.id} ({law.title}) cannot come about at this table: {law.online}."
    here = m.terms.ruleset.name
    found = [name for name in rulesets.names() if name != here and law_id in _laws_under(name, past)]
    if not found:
        return ""
    return f"{law.id} ({law.title}) does not speak of it in the rule-set {here}; it would in {', '.join(found)} ({law.scope})."


def _laws_under(name: str, past: Past) -> set[str]:
    """Return the laws against an act if the deal were played by another rule-set of that name."""
    frame, rules = past.before.frame, rulesets.named(name)
    if rules.options["seats"] != frame.players:
        return set()
    p = fresh(past.before)
    p.frame = frame_for(rules, dealer=frame.dealer, out=frame.out)
    if (p.frame.pack, p.frame.active) != (frame.pack, frame.active) or not play.is_possible(p, past.seat, past.act):
        return set()
    return {each.law for each in play.objections(p, past.seat, past.act)}
