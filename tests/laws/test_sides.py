"""The laws of three and four players: who is asked, what lies exposed, what a cancelled bid leaves, what is awarded."""

import pytest

from referee.laws import adjudicate, remedies
from referee.laws.law import Case
from referee.match.casework import play_case
from referee.rules import notation, play, rulesets
from referee.rules.cards import SEATS, names_of
from referee.rules.positions import BIDDING, LEAD, NOBODY, Position, fresh

FOUR = (
    "a:AH TH KH 9S 8S AC KC 7D | b:QH JH 9H AS JS TC QC AD | c:8H 7H TS KS JC 9C 8C TD | d:QS 7S 7C KD QD JD 9D 8D"
    " | trump:S"
)
HANDS = "a:AS TS KS QS AH 9H | b:JS TH KH AD TD 9C | c:9S QH JH KD AC TC | d:9D QD JD KC QC JC"
CRUCE = f"{HANDS} | bids:a:2 b:- c:- d:- | a leads"
MOON = f"{HANDS} | bids:a:5 b:- c:- d:- | out:c | a leads"
THREE = "a:KS QS TS TD 9D JC | b:JS AH TH KD QD AC | stock:* | turn-up:JH | dealer:c | tricks:a:AS+9S | a leads"


def at(name: str, start: str, *moves: str) -> Position:
    """The position after moves that are all possible."""
    p = notation.read_position(start, rulesets.named(name))
    for move in moves:
        seat, act = notation.read_move(move)
        assert play.is_possible(p, seat, act), move
        p = play.apply(p, seat, act)
    return p


def case_of(p: Position, move: str, *since: str) -> Case:
    """The case of a move, with the moves made since."""
    seat, act = notation.read_move(move)
    after = now = play.apply(p, seat, act)
    for each in since:
        who, one = notation.read_move(each)
        assert play.is_possible(now, who, one), each
        now = play.apply(now, who, one)
    return Case(1, seat, p, after, act, play.objections(p, seat, act), now=now if since else None)


def hand(p: Position, seat: str) -> set[str]:
    return {*names_of(p.hands[SEATS.index(seat)])}


@pytest.mark.parametrize(
    ("name", "start", "moves", "offender", "asked"),
    [
        ("four_handed", f"{FOUR} | a leads", [], "c", "b"),
        ("four_handed", f"{FOUR} | a leads", [], "b", "a"),
        ("four_handed", f"{FOUR} | a leads", [], "d", "a"),
        ("four_handed", f"{FOUR} | a leads", ["a AH"], "d", "c"),
        ("four_handed", f"{FOUR} | a leads", ["a AH"], "a", "b"),
        ("four_handed", f"{FOUR} | a leads", ["a AH", "b 9H", "c 8H"], "b", "a"),
        ("cruce", MOON, ["a AS"], "d", "a"),
        ("cruce", MOON, ["a AS", "b JS"], "a", "d"),
        ("three_handed", THREE, [], "b", "a"),
        ("three_handed", THREE, [], "a", "b"),
        ("three_handed", THREE, [], "c", "a"),
        ("house", THREE.replace("dealer:c", "dealer:b"), [], "a", "b"),
    ],
)
def test_the_opponent_next_in_turn_is_asked(name, start, moves, offender, asked):
    assert SEATS[adjudicate.next_opponent(at(name, start, *moves), SEATS.index(offender))] == asked


def test_a_card_that_waits_for_its_turn_is_taken_up_alone():
    p = at("four_handed", f"{FOUR} | d leads", "d KD")
    case = case_of(p, "c TD", "a 7D")
    back = remedies.lay_exposed(case, case.present)
    assert names_of(back.aside.exposed) == ["TD"]
    assert back.aside.early == ()
    assert "TD" in hand(back, "c")
    assert names_of(1 << back.table[1]) == ["7D"], "what the partner has played since stays"
    assert "7D" not in hand(back, "a")


def test_a_lead_is_taken_up_with_what_was_played_to_it():
    case = case_of(at("four_handed", f"{FOUR} | a leads"), "c 8C", "d 7C")
    back = remedies.lay_exposed(case, case.present)
    assert (back.phase, SEATS[back.turn], back.table) == (LEAD, "a", ())
    assert "8C" in hand(back, "c") and "7C" in hand(back, "d")
    assert names_of(back.aside.exposed) == ["8C"]
    assert {*names_of(back.seen)} >= {"8C", "7C"}


def test_an_exposed_card_is_the_only_lawful_one_while_it_can_be_played():
    p = at("four_handed", FOUR + " | exposed:8C | a leads", "a AC", "b TC")
    assert [notation.write_move(p.turn, act) for act in play.lawful_acts(p)] == ["c 8C"]
    q = at("four_handed", FOUR + " | exposed:8C | a leads", "a AH", "b 9H")
    assert {notation.write_move(q.turn, act) for act in play.lawful_acts(q)} == {"c 8H", "c 7H"}
    played = at("four_handed", FOUR + " | exposed:8C | a leads", "a AC", "b TC", "c 8C")
    assert not played.aside.exposed


def test_a_call_that_went_with_a_card_out_of_turn_leaves_the_marriage_to_be_called():
    start = HANDS.replace("c:9S QH", "c:9S QD").replace("9D QD", "9D QH") + " | bids:a:2 b:- c:- d:- | a leads"
    p = at("cruce", start, "a AS")
    case = case_of(p, "c marry KD")
    assert {each.law for each in case.objections} == {"IR-42", "IR-96"}
    back = remedies.lay_exposed(case, case.after)
    assert back.marriages.announced == ()
    assert names_of(back.aside.exposed) == ["KD"]


def test_a_cancelled_bid_leaves_what_was_bid_since():
    case = case_of(at("cruce", f"{HANDS} | a bids", "a bid 1"), "d bid 2", "b pass")
    back = remedies.cancel_bid(case, case.present)
    assert back.stakes.bids == ((0, 1), (1, 0))
    assert back.stakes.cancelled == ((3, 2),)
    assert (back.phase, SEATS[back.turn]) == (BIDDING, "c")


def test_a_cancelled_moon_brings_the_partners_hand_back():
    p = at("cruce", f"{HANDS} | bids:a:5 b:- c:- | d bids")
    case = case_of(p, "d bid 5")
    assert case.after.frame.out != NOBODY
    back = remedies.cancel_bid(case, case.after)
    assert (back.frame.out, back.phase, SEATS[back.turn], SEATS[back.leader]) == (NOBODY, BIDDING, "d", "a")


def test_a_pass_that_ended_the_deal_is_cancelled_and_the_deal_goes_on():
    rules = rulesets.named("cruce").override({"all_pass": "dealer_forced_1"})
    p = notation.read_position(f"{HANDS} | bids:a:- b:- c:- | d bids", rules)
    case = case_of(p, "d pass")
    assert case.after.result is not None
    back = remedies.cancel_bid(case, case.after)
    assert (back.result, back.phase, SEATS[back.turn]) == (None, BIDDING, "d")
    assert [notation.write_move(3, act) for act in play.lawful_acts(back)][:2] == ["d bid 1", "d bid 2"]


def test_a_claimed_revoke_never_costs_less_than_the_deal_as_it_was_played():
    start = (
        "a:AC KC | b:TC QC | c:9C 8C | d:7C QD | trump:S | tricks:a:7D+JD+TD+KD a:AS+TS+QS+9S a:JS+KS+7S+8S"
        " c:8H+AD+AH+9H a:TH+QH+7H+9D a:KH+JH+JC+8D | a leads"
    )
    watch = {seat: ["watch"] for seat in "abcd"}
    moves = ["a AC", "b TC", "c 9C", "d QD", "a KC", "b QC", "c 8C", "d 7C"]
    done = ["a confirm", "b confirm", "c confirm", "d confirm"]
    asked = {"rules": "four_handed", "start": start, "calls": "players", "chores": watch}
    few = {"overrides": {"revoke_points": 1, "revoke_points_no_points": 1}}
    played = play_case({**asked, "acts": [*moves, *done]})
    claimed = play_case({**asked, **few, "acts": [*moves, "c claim 4", *done]})
    assert played.result["winner"] in "ac" and played.result["game_points"] > 1
    assert claimed.laws == ["IR-95"]
    assert claimed.result == {**played.result, "winner": "a", "cause": "remedy"}
    assert claimed.after["score"] == played.after["score"]


def test_of_several_laws_that_prescribe_the_one_with_a_remedy_is_named():
    case = case_of(at("cruce", CRUCE.replace("c:9S QH", "c:9S QD").replace("9D QD", "9D QH")), "c marry KD")
    judgement = adjudicate.judge(case)
    assert (judgement.laws, judgement.options, judgement.kind) == (("IR-42", "IR-99"), ("undo",), "PRESCRIBED")


@pytest.mark.parametrize("name", ["four_handed", "cruce"])
def test_where_all_cards_are_dealt_a_look_bars_nobody_from_anything(name):
    tricks = "tricks:a:7D+AD+TD+KD" if name == "four_handed" else "tricks:a:AS+JS+9S+9D"
    hands = FOUR.replace(" 7D", "").replace(" AD", "").replace(" TD", "").replace(" KD", "")
    if name == "cruce":
        hands = HANDS.replace("AS ", "").replace("JS ", "").replace("9S ", "").replace("d:9D ", "d:")
        hands += " | bids:a:2 b:- c:- d:- | trump:S"
    p = at(name, f"{hands} | {tricks} | a leads" if name == "cruce" else f"{hands} | {tricks} | b leads")
    later = fresh(p)
    later.tricks = p.tricks * 2  # the trick looked at is not the last
    case = case_of(later, f"{SEATS[p.tricks[0][1]]} look 1")
    judgement = adjudicate.judge(case)
    assert (judgement.laws, judgement.kind, judgement.options) == (("IR-80",), "NONE", ("accept",))
    others = case_of(later, f"{SEATS[(p.tricks[0][1] + 1) % 4]} look 1")  # a trick of the other side
    judgement = adjudicate.judge(others)
    assert (judgement.laws, judgement.options) == (("IR-81",), ("accept",))
