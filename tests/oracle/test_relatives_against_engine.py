"""The engine and the slow models of tests/perft play the same random deals of the relatives.

`REFEREE_SOAK_DEALS` says how many deals a rule-set (100 unless told). A failure prints the seed
and the deal so far, in the words of tests/perft.
"""

import os
import random
from dataclasses import asdict

import pytest

from referee.rules import cards, play, rulesets
from tests.perft import cruce, engine, four_handed, schnapsen
from tests.perft.models import MODELS, RELATIVES

DEALS = int(os.environ.get("REFEREE_SOAK_DEALS", "100"))
pytestmark = pytest.mark.timeout(max(300, DEALS))
BUILT = [name for name in RELATIVES if name in rulesets.names()]
ENOUGH, GOING_OUT = 66, 0.3  # how often a seat that has enough says so; one that has not, a hundredth of that
CHOICES = {
    "schnapsen": {"min_stock_to_close": (2, 3, 4), "false_declaration": ("2_3_now", "as_claimed")},
    "four_handed": {
        "deal_style": ("three_two_three", "cross_twos"),
        "undertrump": (True, False),
        "schneider_basis": ("bands", "under_33"),
        "ten_of_trumps": ("none", "game_point"),
    },
    "cruce": {
        "all_pass": ("void", "dealer_forced_1"),
        "moon_goal": ("all_tricks", "points_165"),
        "set_costs": ("bid", "twice_bid"),
    },
}
OPTIONS = {"schnapsen": schnapsen.Options, "four_handed": four_handed.Options, "cruce": cruce.Options}
KINDS = {
    "schnapsen": {"play", "marry", "exchange", "close", "draw", "declare"},
    "three_handed": {"play", "marry", "exchange", "close", "draw", "declare"},
    "four_handed": {"play"},
    "cruce": {"play", "marry", "bid", "pass"},
}


class Duel:
    """One deal on two tables: the engine's and the model's."""

    def __init__(self, name: str, seed: str, *, mixed: bool = False) -> None:
        self.rng = random.Random(seed)
        self.model = MODELS[name]
        changed = {option: self.rng.choice(values) for option, values in CHOICES[name].items()} if mixed else {}
        self.pack = self.rng.sample(self.model.PACK, len(self.model.PACK))
        self.dealer = self.rng.choice(self.model.SEATS)
        self.about = f"seed {seed!r}, {changed or 'as named'}\npack   {' '.join(self.pack)}\ndealer {self.dealer}"
        more = {"options": OPTIONS[name](**changed)} if mixed else {}
        self.state = self.model.deal(self.pack, self.dealer, **more)
        self.position = engine.game(name, changed).deal(self.pack, self.dealer)
        self.partners = self.position.frame.rule_set.options["partners"]
        self.declares = "declare" in KINDS[name]
        self.played: list[str] = []

    def play_out(self) -> list[str]:
        """Plays to the end, compares at every step, and gives the acts."""
        self.compare()
        while not self.model.is_over(self.state):
            act = self.choose()
            self.played.append(act)
            self.state = self.model.after(self.state, act)
            self.position = engine.after(self.position, act)
            self.compare()
        return self.played

    def choose(self) -> str:
        """A lawful act, or a declaration; closing and high bids are rare, so that deals grow long."""
        if self.model.may_declare(self.state):
            good = self.model.counts(self.state)[self.leader()] >= ENOUGH
            if self.rng.random() < (GOING_OUT if good else GOING_OUT / 100):
                return "declare"
        acts = sorted(self.model.lawful(self.state))
        bold = [act for act in acts if act.split()[0] in ("marry", "exchange")]
        if bold and self.rng.random() < 0.4:
            return self.rng.choice(bold)
        act = self.rng.choice(acts)
        rare = act == "close" or act.startswith("bid")
        return self.rng.choice(acts) if rare and self.rng.random() < 0.7 else act

    def leader(self) -> str:
        """The seat that leads, or has led, to the trick."""
        return table_of(self.state).leader

    def same(self, what: str, ours: object, models: object) -> None:
        """Fails with the seed, the deal so far and both answers."""
        __tracebackhide__ = True
        if ours != models:
            pytest.fail(
                f"{what} differ\n  engine: {ours}\n  model:  {models}\n"
                f"{self.about}\nplayed {', '.join(self.played)}\n{self.state}"
            )

    def compare(self) -> None:
        """Everything that can be said of the table now."""
        self._compare_cards()
        self._compare_counts()
        over = self.model.is_over(self.state)
        self.same("whether the deal is over", engine.is_over(self.position), over)
        lawful = engine.lawful(self.position)
        self.same("lawful acts", sorted(lawful), sorted(self.model.lawful(self.state)))
        self.same("acts listed twice", [act for act in lawful if lawful.count(act) > 1], [])
        if over:
            self.same("game points", engine.game_points(self.position), self.model.game_points(self.state))
            return
        self.same("seats on turn", engine.turn(self.position), self.model.turn(self.state))
        self._compare_declaring()

    def _compare_declaring(self) -> None:
        """Whether the seat on turn may declare; before the first trick it may be listed, to no avail."""
        table = table_of(self.state)
        if table.tricks or not self.declares:
            on_lead = self.model.turn(self.state) == table.leader
            listed = [act.kind for act in play.own_risk(self.position) if act.kind != "show"]
            due = ["declare"] if on_lead and self.model.may_declare(self.state) else []
            self.same("acts at own risk", listed, due)

    def _compare_cards(self) -> None:
        position, table = self.position, table_of(self.state)
        for seat in self.model.SEATS:
            held = cards.names_of(position.hands[engine.place(seat)])
            self.same(f"hands of {seat}", sorted(held), sorted(table.hands.get(seat, [])))
        self.same("cards on the table", names(position.table), table.table)
        tricks = [(cards.SEATS[winner], names(played)) for _, winner, played in position.tricks]
        self.same("tricks", tricks, table.tricks)
        stock = names(position.stock) + (names([position.turn_up]) if position.turn_up >= 0 else [])
        self.same("stocks", stock, getattr(table, "stock", []))
        self.same("trumps", cards.SUITS[position.trump] if position.trump >= 0 else "", table.trump)
        if table.leader and not self.model.is_over(self.state):
            self.same("leaders", cards.SEATS[position.leader], table.leader)

    def _compare_counts(self) -> None:
        for what, ours, models in (
            ("card points", engine.card_points(self.position), self.model.card_points(self.state)),
            ("marriages", engine.marriage_points(self.position), self.model.marriage_points(self.state)),
        ):
            self.same(what, ours, {seat: self.of_side(models, seat) for seat in self.model.SEATS})

    def of_side(self, points: dict[str, int], seat: str) -> int:
        """Points of a seat and of its partner, if it has one: the engine keeps them for the side."""
        partner = engine.place(seat) + 2
        return points[seat] + (points[self.model.SEATS[partner % 4]] if self.partners else 0)


def table_of(state):
    """The table of the seats that play."""
    return getattr(state, "two", state)


def names(numbers) -> list[str]:
    """The names of the engine's cards."""
    return [cards.CARD_NAMES[card] for card in numbers]


@pytest.mark.parametrize("name", BUILT)
def test_engine_and_model_agree_on_every_act(name):
    seen: set[str] = set()
    for number in range(DEALS):
        seen |= {act.split()[0] for act in Duel(name, f"relatives/{name}/{number}").play_out()}
    assert seen == KINDS[name]


@pytest.mark.parametrize("name", [name for name in BUILT if name in CHOICES])
def test_engine_and_model_agree_under_options_drawn_at_random(name):
    for number in range(DEALS):
        Duel(name, f"mixed/{name}/{number}", mixed=True).play_out()


@pytest.mark.parametrize("name", [name for name in BUILT if name in CHOICES])
def test_a_model_left_alone_plays_the_named_rule_set(name):
    options = rulesets.named(name).options
    assert asdict(OPTIONS[name]()) == {option: options[option] for option in CHOICES[name]}
