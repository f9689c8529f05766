"""Does all its chores and slips: one irregularity after another, until each has been ruled on.

It keeps a list of laws it has not been ruled under yet and commits the first slip the moment
allows, at most two a deal and ten a match and one more of the rare ones, so that neither the
referee's patience nor the limit of conduct is reached. Between the slips it plays lawfully and
greedily, and of remedies it takes the default. Some slips need the other to be due: after its
own act it looks at the table again and acts out of turn if the other has not acted yet.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import slips
from cardplay import elected
from command import arguments, play, sixtysix
from counting import Memory
from greedy_play import greedy_act
from scene import Scene

if TYPE_CHECKING:
    from sixtysix import Act, Prompt, Ruling, Session, Taken

A_DEAL = 2
A_MATCH = 10
# Kept back beyond these for the slips whose moments are few.
SPARE = 1
# A slip that came to nothing this often in one match (it was refused, or it was too late) rests.
TRIES_A_MATCH = 3
AFTER_OWN = {
    "play": ("IR-20", "IR-31", "IR-96", "IR-38"),
    "bid": ("IR-98", "IR-99"),
    "pass": ("IR-98", "IR-99"),
    "draw": ("IR-31",),
    "turn_up": ("IR-31",),
    "shuffle": ("IR-04",),
}


@dataclass(slots=True)
class Table:
    """Remembers one match: its tricks, what was slipped in which deal, what awaits a ruling."""

    memory: Memory = field(default_factory=Memory)
    deal: int = 0
    in_deal: int = 0
    in_match: int = 0
    tries: dict[str, int] = field(default_factory=dict)
    awaited: set[str] = field(default_factory=set)
    begun: str = ""
    shown: str = ""
    taken: int = 0

    def may_slip(self, law: str) -> bool:
        """Tells whether patience and conduct leave room for one more slip of this kind."""
        spare = SPARE if law in slips.OFF_TURN or law in slips.LEADS_TO.values() else 0
        room = self.in_deal < A_DEAL + spare and self.in_match < A_MATCH + spare
        return room and self.tries.get(law, 0) < TRIES_A_MATCH

    def slipped(self, law: str) -> None:
        """Counts a slip."""
        self.in_deal += 1
        self.in_match += 1
        self.tries[law] = self.tries.get(law, 0) + 1
        self.awaited.add(law)


@dataclass(slots=True)
class Clumsy:
    """Knows which laws it has been ruled under, over all its matches."""

    ruled: set[str] = field(default_factory=set)
    tables: dict[tuple[str, str], Table] = field(default_factory=dict)
    slip: str = ""

    def choose(self, prompt: Prompt) -> Act:
        """Finishes a slip begun, or begins the next one possible, or plays lawfully."""
        table = self.tables.setdefault((prompt["match"], prompt["seat"]), Table())
        self._look(table, prompt)
        self.slip = ""
        remedy = elected(prompt)
        if remedy is not None:
            return remedy
        scene = Scene(
            prompt,
            table.memory,
            shown=table.shown,
            taken=table.taken,
            revoked=table.begun == "IR-35",
        )
        return self._second_half(table, scene) or self._slip(table, scene) or self._lawful(prompt)

    def after(self, session: Session, prompt: Prompt, act: Act, outcome: Taken | sixtysix.Refused) -> None:
        """Learns what was ruled, then looks at the table for a chance to act out of turn."""
        table = self.tables[prompt["match"], prompt["seat"]]
        if isinstance(outcome, sixtysix.Refused):
            if self.slip:
                table.tries[self.slip] = TRIES_A_MATCH
            return
        table.taken = outcome["taken"]
        self._learn(prompt["seat"], outcome["rulings"])
        self._off_turn(session, table, prompt, act=act, taken=outcome)
        if table.awaited - self.ruled:
            self._learn(prompt["seat"], session.rulings(prompt["match"]))
        table.awaited -= self.ruled

    def _look(self, table: Table, prompt: Prompt) -> None:
        table.memory.look(prompt["view"])
        if table.deal != prompt["view"]["deal"]:
            table.deal, table.in_deal = prompt["view"]["deal"], 0
            table.begun, table.shown = "", ""

    def _second_half(self, table: Table, scene: Scene) -> Act | None:
        law, table.begun = table.begun, ""
        act = slips.SECOND_HALVES[law](scene) if law else None
        table.shown = ""
        return act

    def _slip(self, table: Table, scene: Scene) -> Act | None:
        for law, slip in slips.SLIPS.items():
            if not self._wants(law, scene) or law in table.awaited or not table.may_slip(law):
                continue
            act = slip(scene)
            if act is not None:
                self._commit(table, law, act)
                return act
        return None

    def _wants(self, law: str, scene: Scene) -> bool:
        """Tells whether a slip is wanted yet, or what it leads to; with a partner nothing is closed, so nothing is led to."""
        leads_to = law if "partner" in scene.view else slips.LEADS_TO.get(law, law)
        return not {law, leads_to} <= self.ruled

    def _lawful(self, prompt: Prompt) -> Act:
        """Plays greedily, but keeps the nine as long as it may yet be exchanged wrongly."""
        kept = [act for act in prompt["lawful"] if act["act"] != "exchange"]
        return greedy_act(prompt if "IR-52" in self.ruled else {**prompt, "lawful": kept or prompt["lawful"]})

    def _commit(self, table: Table, law: str, act: Act) -> None:
        self.slip = law
        table.slipped(law)
        table.begun = law if law in slips.SECOND_HALVES else ""
        table.shown = act["suit"] if act["act"] == "show" else ""

    def _off_turn(self, session: Session, table: Table, prompt: Prompt, *, act: Act, taken: Taken) -> None:
        wanted = [law for law in AFTER_OWN.get(act["act"], ()) if law not in self.ruled and table.may_slip(law)]
        if not wanted or taken["over"]:
            return
        seen = session.view(prompt["match"])
        for law in wanted:
            slip = slips.OFF_TURN[law](seen["view"])
            if slip is None:
                continue
            try:
                reply = session.act(prompt["match"], slip, version=seen["version"])
            except sixtysix.Stale:
                return  # the other was faster
            except sixtysix.ActRefused:
                table.tries[law] = TRIES_A_MATCH
                return
            table.slipped(law)
            self._learn(prompt["seat"], reply["rulings"])
            return

    def _learn(self, seat: str, rulings: list[Ruling]) -> None:
        for ruling in rulings:
            if ruling.get("offender") == seat:
                self.ruled.update(ruling.get("laws", []))


def main() -> None:
    """Runs the bot with every chore but watching."""
    clumsy = Clumsy()
    play(
        clumsy.choose,
        arguments("clumsy"),
        chores=("shuffle", "cut", "deal", "draw"),
        after=clumsy.after,
    )


if __name__ == "__main__":
    main()
