"""Time-outs, absence, conduct and giving up at every table: who has lost, and who has won (RULES 3.4 I, D-21)."""

import orjson
import pytest

from referee import match
from referee.match.casework import play_case
from referee.rules import rulesets
from referee.rules.cards import SEATS
from tests.match.playing import terms

GAMES = rulesets.names()
ENDS = {
    "withdrawn": match.withdraw,
    "no show": lambda m, seat: match.no_show(m, seat, waited_ms=60_001),
    "conduct": lambda m, seat: match.conduct_reached(m, seat, refused=20),
    "resigned": lambda m, seat: match.act(m, seat, {"act": "resign"}, ms=0),
}


def opened(name, *, chores=None, first_dealer=None, **more):
    return match.open_match(terms(name, chores=chores, first_dealer=first_dealer, **more), bytes(range(32))).match


def last(step):
    return orjson.loads(step.lines[-1])


def sides(m):
    return m.position.frame.sides


@pytest.mark.parametrize("name", GAMES)
def test_the_clock_costs_the_deal_and_then_the_match(name):
    m = opened(name, first_dealer=0)
    seat = m.asked[0]
    step = match.time_out(m, seat, elapsed_ms=70_000)
    events = [orjson.loads(line) for line in step.lines]
    [ruled] = [event for event in events if event["type"] == "ruled"]
    [scored] = [event for event in events if event["type"] == "scored"]
    assert ruled["laws"] == ["IR-92"] and ruled["offender"] == SEATS[seat]
    assert scored["cause"] == "time"
    own = [SEATS[each] for each in sides(m)[seat]]
    assert all(scored["score"][each] <= 0 for each in own)
    if m.position.frame.options.score_by != "ticks":
        assert scored["winner"] not in own and scored["game_points"] >= 2
    assert not step.match.is_over
    again = match.time_out(step.match, seat, elapsed_ms=70_000)
    assert again.match.is_over
    assert (last(again)["type"], last(again)["cause"]) == ("match_ended", "time")
    assert again.match.outcome.winner not in sides(m)[seat]


@pytest.mark.parametrize("ending", ENDS)
@pytest.mark.parametrize("name", GAMES)
def test_who_leaves_has_lost_with_its_side_and_the_best_of_the_others_has_won(name, ending):
    m = opened(name)
    seats = len(m.score)
    for seat in range(seats):
        step = ENDS[ending](m, seat)
        ended = last(step)
        assert ended["type"] == "match_ended"
        winner = step.match.outcome.winner
        if seats == 3:
            assert winner is None, "the two others are level"
        else:
            assert winner is not None and winner not in sides(m)[seat]
        assert ended.get("lost_by") == (SEATS[seat] if seats > 2 else None)


def test_a_side_that_bids_is_set_by_an_absence_and_the_other_pays_the_bid():
    hands = "a:AS TS KS QS AH 9H | b:JS TH KH AD TD 9C | c:9S QH JH KD AC TC | d:9D QD JD KC QC JC"
    for absent, score in (("a", [-3, 0, -3, 0]), ("b", [3, 0, 3, 0]), ("c", [-3, 0, -3, 0]), ("d", [3, 0, 3, 0])):
        worked = play_case(
            {"rules": "cruce", "start": f"{hands} | bids:a:3 b:- c:- d:- | a leads", "acts": [f"{absent} time-out"]}
        )
        assert worked.after["score"] == score, absent


def test_a_dealer_who_rests_and_is_absent_gives_both_players_the_fine():
    m = opened("three_handed", chores=((), (), ("shuffle", "deal")), first_dealer=2)
    assert m.asked == (2,)
    step = match.time_out(m, 2, elapsed_ms=70_000)
    [scored] = [event for event in map(orjson.loads, step.lines) if event["type"] == "scored"]
    assert scored["scores"] == scored["score"] == {"a": 3, "b": 3, "c": 0}
    [ruled] = [event for event in map(orjson.loads, step.lines) if event["type"] == "ruled"]
    assert ruled["award"] == {"seat": "a", "game_points": 3, "scores": scored["scores"]}


def test_an_election_of_a_side_is_that_of_the_opponent_next_in_turn_alone():
    m = opened("four_handed", first_dealer=3)
    card = match.prompt(m, 0)["view"]["hand"]
    partner = match.view(m, 2)["hand"][0]
    assert card
    step = match.act(m, 2, {"act": "play", "card": partner}, ms=1)
    asked = step.match
    assert asked.asked == (1,)
    refused = match.act(asked, 3, {"act": "elect", "case": asked.case.number, "option": "undo"}, ms=1)
    assert isinstance(refused, match.Refusal)
    prompt = match.prompt(asked, 1)
    assert [each["option"] for each in prompt["options"]] == ["undo", "accept"]
    assert prompt["options"][0]["default"]
