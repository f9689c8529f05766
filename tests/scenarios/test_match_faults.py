"""Faults of other engines that show over a whole match: 61, 66, 77, 78, 82 of the scenario list."""

import random

import orjson
import pytest

from referee import match
from referee.rules import play, rulesets


def opened(name: str = "house", seed: bytes = b"1" * 32, chores: tuple[str, ...] = (), **terms):
    """A match just opened, seat a to deal first."""
    rules = rulesets.named(name)
    seats = tuple(match.Seating(f"bot_{x}", x, frozenset(chores)) for x in "abcd"[: rules.options["seats"]])
    return match.open_match(match.Terms("mat_scenario", rules, seats, first_dealer=0, **terms), seed).match


def only_cards(m, rng: random.Random):
    """Goes on with a lawful card or draw: nobody closes, marries or declares, and the first bids one; (match, events)."""
    choice = [act for act in play.lawful_acts(m.position) if act.kind in ("play", "draw", "bid") and act.ticks < 2]
    choice = choice or [act for act in play.lawful_acts(m.position) if act.kind == "pass"]
    step = match.act(m, m.asked[0], rng.choice(choice), ms=1)
    assert isinstance(step, match.Step)
    return step.match, [orjson.loads(line) for line in step.lines]


@pytest.mark.parametrize("name", rulesets.names())
def test_61_score_and_target_are_in_every_view(name):
    rng = random.Random(name)
    m = opened(name)
    scores = set()
    while not m.is_over:
        score = dict(zip("abcd", m.score, strict=False))
        for seat in (*range(len(m.score)), None):
            seen = match.view(m, seat)
            assert seen["target"] == (15 if name == "cruce" else 7)
            assert seen["score"] == score
        for seat in m.asked:
            assert match.prompt(m, seat)["view"]["score"] == score
        scores.add(m.score)
        m, _ = only_cards(m, rng)
    assert len(scores) > 2


@pytest.mark.parametrize(("name", "dealer_stays", "carry"), [("house", False, 1), ("pagat", True, 0)])
def test_77_a_drawn_deal_scores_nothing_and_the_match_goes_on(name, dealer_stays, carry):
    for number in range(400):
        rng = random.Random(f"{name}/{number}")
        m = opened(name, seed=rng.randbytes(32))
        dealer, score, deal, carried = m.dealer, m.score, m.deal, m.carry
        while not m.is_over:
            m, events = only_cards(m, rng)
            drawn = [event for event in events if event["type"] == "scored" and event["winner"] is None]
            if drawn:
                assert drawn[0]["game_points"] == 0
                assert m.score == score
                assert m.deal == deal + 1
                assert m.carry == carried + carry
                assert (m.dealer == dealer) == dealer_stays
                assert m.asked
                return
            dealer, score, deal, carried = m.dealer, m.score, m.deal, m.carry
    pytest.fail("no drawn deal in 400 matches")


def test_78_what_is_refused_changes_nothing():
    m = opened(conduct="enforce")
    before = (m.version, m.head)
    other = 1 - m.asked[0]
    held = match.view(m, other)["hand"][0]
    not_held = next(
        card for card in ("AS", "TS", "KS", "QS", "JS", "9S", "AH") if card not in match.view(m, m.asked[0])["hand"]
    )
    assert match.act(m, m.asked[0], {"act": "play", "card": not_held}, ms=1).code == "act/impossible"
    assert match.act(m, other, {"act": "play", "card": held}, ms=1).code == "act/irregular"
    assert (m.version, m.head) == before


def test_66_an_act_is_of_the_seat_that_posts_it_whatever_its_body_says():
    m = opened()
    card = match.view(m, m.asked[0])["hand"][0]
    refused = match.act(m, m.asked[0], {"act": "play", "card": card, "seat": "a", "actor": "b"}, ms=1)
    assert refused.code == "act/unreadable"
    assert refused.status == 422
    other = match.act(m, 1 - m.asked[0], {"act": "play", "card": card}, ms=1)
    assert other.code == "act/impossible", "the card lies in the other hand"


def test_82_two_requests_at_one_version_make_one_act():
    m = opened()
    asked, version = m.asked[0], m.version
    hand = match.view(m, asked)["hand"]
    assert not m.is_stale(version)
    after = match.act(m, asked, {"act": "play", "card": hand[0]}, ms=1).match
    assert after.is_stale(version), "the second request at that version comes too late"
    assert not after.is_stale(after.version)
    assert after.is_stale(after.version + 1), "a version that is not yet there"


def test_82_dealing_twice_does_not_deal_every_card_twice():
    m = opened(chores=("shuffle", "cut", "deal"))
    for seat, body in (
        (0, {"act": "shuffle"}),
        (1, {"act": "cut", "at": 8}),
        (0, {"act": "deal", "to": "b", "cards": 3}),
    ):
        m = match.act(m, seat, body, ms=1).match
    sizes = match.view(m, 0)["sizes"]
    assert sizes == {"a": 0, "b": 3}
    again = match.act(m, 0, {"act": "deal", "to": "b", "cards": 3}, ms=1)
    if isinstance(again, match.Step):
        sizes = match.view(again.match, 0)["sizes"]
        assert sum(sizes.values()) + match.view(again.match, 0)["stock"] == 24
    else:
        assert again.code == "act/irregular"
