"""The slow models by themselves: worked examples of RULES section 5, and what always holds."""

import random

import pytest

from referee.rules import rulesets
from tests.oracle.random_play import DECLARE, next_act
from tests.oracle.two_handed import Table
from tests.perft import cruce, four_handed, schnapsen, sixty_six, three_handed
from tests.perft.engine import text_of
from tests.perft.models import MODELS
from tests.perft.tricks import worth


def shuffled(model, rng: random.Random) -> list[str]:
    """The model's pack in random order."""
    return rng.sample(model.PACK, len(model.PACK))


def played_out(model, seed: str):
    """A whole deal of random lawful acts."""
    rng = random.Random(seed)
    state = model.deal(shuffled(model, rng), rng.choice(model.SEATS))
    while not model.is_over(state):
        state = model.after(state, rng.choice(model.lawful(state)))
    return state


def four_state(tricks, **options):
    """The end of a four-handed deal with these tricks: (winner, cards)."""
    return four_handed.State(four_handed.Options(**options), "d", {seat: [] for seat in "abcd"}, "S", "a", [], tricks)


@pytest.mark.parametrize("name", MODELS)
def test_the_pack_is_worth_120_and_only_a_last_trick_adds_to_it(name):
    model = MODELS[name]
    for number in range(50):
        state = played_out(model, f"sum/{name}/{number}")
        table = state.two if name == "three_handed" else state
        left = [card for hand in table.hands.values() for card in hand] + getattr(table, "stock", [])
        played = [card for _, cards in table.tricks for card in cards]
        assert sorted(left + played) == sorted(model.PACK)
        last = {"house": 12, "three_handed": 12, "four_handed": 8}.get(name, 0)
        extra = 10 if len(table.tricks) == last else 0
        assert sum(model.card_points(state).values()) + worth(left) == 120 + extra


@pytest.mark.parametrize(("ours", "bands", "under_33"), [(99, 1, 2), (100, 2, 2), (98, 1, 2), (66, 1, 1), (65, 0, 0)])
def test_w36_the_bands_of_four_handed(monkeypatch, ours, bands, under_33):
    points = {"a": ours, "b": 130 - ours, "c": 0, "d": 0}
    monkeypatch.setattr(four_handed, "card_points", lambda state: points)
    tricks = [("a", ["AS"]), ("b", ["9S"])]
    assert four_handed.level(four_state(tricks), "ac") == bands
    assert four_handed.level(four_state(tricks, schneider_basis="under_33"), "ac") == under_33


def test_w37_the_ace_is_compulsory_although_the_partner_is_winning():
    state = four_handed.deal(four_handed.PACK, "d")
    state.table, state.trump = ["KC", "9C"], "H"
    assert four_handed.answers(state, ["AC", "7C", "8S"]) == ["AC"]


@pytest.mark.parametrize("model", [four_handed, cruce], ids=["four_handed", "cruce"])
def test_c06_c07_d09_d10_what_is_owed_to_a_trick_that_was_trumped(model):
    state = model.deal(model.PACK, "d")
    state.table, state.trump = ["9H", "QS"], "S"
    assert model.answers(state, ["AH", "TH", "AS"]) == ["AH", "TH"]
    assert model.answers(state, ["AC", "9S", "KS"]) == ["KS"]
    assert model.answers(state, ["AC", "9S", "JS"]) == ["9S", "JS"]
    assert model.answers(state, ["AC", "9D"]) == ["AC", "9D"]


def cruce_state(bid, tricks, marriages=()):
    """The end of a Cruce deal: (seat, ticks), tricks (winner, cards), marriages (seat, amount)."""
    bids = [bid, *((seat, 0) for seat in "abcd" if seat != bid[0])]
    rest = [("d", [])] * (6 - len(tricks))
    return cruce.State(
        cruce.Options(), "d", {seat: [] for seat in "abcd"}, bids, "S", "a", [], tricks + rest, list(marriages)
    )


def test_w38_w39_w40_bids_made_and_set():
    made = [("a", ["AS", "TS", "AH", "TH", "AD", "KD", "JD"]), ("d", ["TD"])]
    assert sum(cruce.card_points(cruce_state(("a", 3), made[:1])).values()) == 59
    others = [("b", ["AC", "TC", "KC", "QC", "JC", "KS", "QS", "JS", "KH", "QH", "JH", "QD", "TD"])]
    state = cruce_state(("a", 3), made[:1] + others, [("a", 40)])
    assert cruce.counts(state) == {"a": 99, "b": 61, "c": 99, "d": 61}
    assert cruce.game_points(state) == {"a": 3, "b": 1, "c": 3, "d": 1}
    short = cruce_state(("a", 2), [("a", ["AS", "TS", "AH", "TH", "AD", "TD", "JS"]), ("b", ["AC", "TC"])])
    assert cruce.counts(short)["c"] == 65
    assert cruce.game_points(short) == {"a": -2, "b": 0, "c": -2, "d": 0}
    lost = cruce_state(("b", 1), [("b", ["AS", "TS", "AH", "TH"])], [("a", 40), ("c", 20)])
    assert cruce.counts(lost) == {"a": 0, "b": 42, "c": 0, "d": 42}


def test_w41_the_last_trick_wins_schnapsen_whatever_the_counts():
    state = schnapsen.deal(schnapsen.PACK)
    state.stock, state.hands = [], {"a": ["AC"], "b": ["JC"]}
    state.tricks = [("b", ["AS", "TS", "AH", "TH", "AD", "TD", "KS", "JS"])]
    state.trump, state.leader = "S", "a"
    over = schnapsen.after(schnapsen.after(state, "play AC"), "play JC")
    assert schnapsen.counts(over) == {"a": 13, "b": 69}
    assert schnapsen.game_points(over) == {"a": 1, "b": 0}


def test_w34_w35_the_resting_dealer_shares_and_stops_at_six():
    state = three_handed.deal(three_handed.PACK, "c")
    assert (state.two.pone, state.two.dealer, three_handed.turn(state)) == ("a", "b", "a")
    state.two.outcome = ("a", 2)
    assert three_handed.scores_after(state, {"a": 0, "b": 0, "c": 5}) == {"a": 2, "b": 0, "c": 6}
    state.two.outcome = ("", 0)
    assert three_handed.scores_after(state, {"a": 0, "b": 0, "c": 6}) == {"a": 0, "b": 0, "c": 6}
    assert three_handed.game_points(state) == {"a": 0, "b": 0, "c": 1}


def test_the_new_model_of_house_and_the_old_oracle_are_the_same_game():
    """Written apart, from the same dossier: every lawful act, every count and the result."""
    rules = rulesets.named("house")
    for number in range(100):
        rng = random.Random(f"two models/{number}")
        pack, dealer = shuffled(sixty_six, rng), rng.choice("ab")
        table, state = Table(rules.options, list(pack), dealer), sixty_six.deal(pack, dealer)
        while table.result is None:
            where = (number, table.phase, state)
            assert sixty_six.turn(state) == table.turn, where
            assert sorted(sixty_six.lawful(state)) == sorted(map(text_of, table.legal())), where
            assert sixty_six.may_declare(state) == table.in_order(state.leader, DECLARE), where
            assert sixty_six.counts(state) == {seat: table.count(seat) for seat in "ab"}, where
            seat, act = next_act(table, rng)
            is_known = act in table.legal() and seat == table.turn
            if act == DECLARE:
                is_known = seat == state.leader and sixty_six.may_declare(state)
            if is_known:
                table.apply(seat, act)
                state = sixty_six.after(state, text_of(act))
        assert state.outcome == (table.result["winner"] or "", table.result["points"])
