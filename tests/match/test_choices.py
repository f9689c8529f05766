"""Choices that a rule-set adds: who deals first (R-02), and which of two cards turned is trump (IR-09)."""

import orjson
import pytest

from referee import match
from referee.match.desk import adjudicate_body
from referee.rules.cards import CARD_NAMES
from tests.match.playing import ALL_CHORES, play, terms

CHOOSES = {"first_dealer": "highest_cut_chooses"}
CHORES = pytest.mark.parametrize("chores", [((), ()), (("cut",), ("cut",)), (("cut",), ()), (ALL_CHORES, ("draw",))])
UNCUT = "stock:* | a cuts for deal"


def opened(seed=1, *, chores=((), ()), **more):
    """A match at the choice of the deal, and every line so far; seats that cut lift five cards each."""
    agreed = {"chores": chores, "overrides": CHOOSES, **more}
    step = match.open_match(terms(**agreed), bytes([seed]) * 32)
    lines = list(step.lines)
    while step.match.case is None:
        step = match.act(step.match, step.match.asked[0], {"act": "cut", "at": 5}, ms=3)
        lines += step.lines
    return step.match, lines


def events(lines):
    return [orjson.loads(line) for line in lines]


@CHORES
def test_the_highest_cut_is_asked_who_deals_and_nobody_else(chores):
    m, lines = opened(chores=chores)
    *_, offered = events(lines)
    cut = {each["seat"]: each["card"] for each in match.view(m, None)["cuts"]}
    [elector] = m.asked
    prompt = match.prompt(m, elector)
    own, other = ("a", "b") if elector == 0 else ("b", "a")
    assert offered["type"] == "case_opened"
    assert (offered["laws"], offered["offender"], offered["elector"]) == ([], None, own)
    assert offered["facts"] == {"rule": "R-02", "cut": cut}
    assert "ATKQJ9".index(cut[own][0]) < "ATKQJ9".index(cut[other][0])
    assert prompt["lawful"] == [{"act": "elect", "case": 1, "option": f"deal:{seat}"} for seat in (own, other)]
    assert [each.get("default", False) for each in prompt["options"]] == [True, False]
    assert prompt["laws"] == prompt["own_risk"] == []
    view = prompt["view"]
    assert (view["phase"], view["deal"], view["dealer"], view["leader"], view["hand"]) == (
        "cut_for_deal",
        0,
        None,
        None,
        [],
    )
    with pytest.raises(ValueError, match="not asked"):
        match.prompt(m, 1 - elector)


@CHORES
@pytest.mark.parametrize("dealer", ["a", "b"])
def test_who_is_chosen_deals_the_first_deal(chores, dealer):
    m, _ = opened(chores=chores)
    elector = m.asked[0]
    step = match.act(m, elector, {"act": "elect", "case": 1, "option": f"deal:{dealer}"}, ms=4)
    acted, ruled, begun = events(step.lines)[:3]
    assert [acted["type"], ruled["type"], begun["type"]] == ["acted", "ruled", "deal_begun"]
    assert (ruled["laws"], ruled["offender"], ruled["award"]) == ([], None, None)
    assert (ruled["kind"], ruled["option"], ruled["chosen_by"]) == ("CHOICE", f"deal:{dealer}", "ab"[elector])
    assert (begun["deal"], begun["attempt"], begun["dealer"]) == (1, 1, dealer)
    assert step.match.position.frame.dealer == "ab".index(dealer)


def test_who_says_nothing_in_time_deals_and_has_not_overrun():
    m, _ = opened()
    elector = m.asked[0]
    step = match.time_out(m, elector, elapsed_ms=20_000)
    assert step.match.position.frame.dealer == elector
    assert step.match.overruns == (0, 0)
    assert [each["chosen_by"] for each in events(step.lines) if each["type"] == "ruled"] == ["default"]


@pytest.mark.parametrize("calls", ["referee", "players"])
def test_nothing_but_the_choice_is_taken_until_it_is_made(calls):
    m, lines = opened(chores=(("cut",), ("cut",)), calls=calls)
    elector = m.asked[0]
    for seat in (0, 1):
        for body in ({"act": "shuffle"}, {"act": "cut", "at": 9}, {"act": "look", "stock": 1}):
            assert match.act(m, seat, body, ms=0).code == "act/election_pending"
    wrong = match.act(m, 1 - elector, {"act": "elect", "case": 1, "option": "deal:a"}, ms=0)
    assert wrong.code == "act/impossible"
    assert match.act(m, elector, {"act": "elect", "case": 1, "option": "deal:c"}, ms=0).code == "act/impossible"
    cuts = [each["n"] for each in events(lines) if each["type"] == "acted" and each["seat"] == "ab"[elector]]
    claimed = match.act(m, 1 - elector, {"act": "claim", "number": cuts[0]}, ms=0)
    if calls == "referee":
        assert claimed.code == "claim/referee_calls"
        return
    assert claimed.match.case == m.case, "an unfounded claim leaves the choice where it is"
    assert claimed.match.asked == m.asked
    resigned = match.act(claimed.match, 1 - elector, {"act": "resign"}, ms=0)
    assert resigned.match.outcome.winner == elector


def test_equal_ranks_cut_again_before_anybody_chooses():
    for seed in range(200):
        m, lines = opened(seed)
        begun = [each for each in events(lines) if each["type"] == "deal_begun"]
        if len(begun) > 1:
            break
    else:
        pytest.fail("no equal cuts in two hundred matches")
    assert [(each["deal"], each["attempt"], each["dealer"]) for each in begun] == [
        (0, attempt, None) for attempt in range(1, len(begun) + 1)
    ]
    assert (m.attempt, m.case.number) == (len(begun), 1)


def test_a_schedule_that_names_the_dealer_leaves_nothing_to_choose():
    m = match.open_match(terms(overrides=CHOOSES, first_dealer=1), bytes(32)).match
    assert (m.case, m.position.frame.dealer, m.deal) == (None, 1, 1)


def test_without_the_option_nobody_cuts_who_has_not_the_chore():
    assert match.open_match(terms(), bytes(32)).match.deal == 1


@CHORES
def test_a_match_with_the_choice_is_played_verified_and_folded_at_every_step(chores):
    for seed in range(4):
        played = play(seed, irregular=0.2 * (seed % 2), chores=chores, overrides={**CHOOSES, "target": 1})
        assert match.verify(played.log) == match.Verdict(True, played.match.version)
        running = []
        for step in played.steps:
            if step.boundary is not None:
                running = []
            running += step.lines[step.boundary or 0 :]
            if step.match.is_over:
                break
            again = match.resume(played.terms, played.seed, step.match.header(), running)
            assert (again.version, again.head, again.asked) == (step.match.version, step.match.head, step.match.asked)
            assert [match.prompt(again, seat) for seat in again.asked] == [
                match.prompt(step.match, seat) for seat in step.match.asked
            ]
        [first] = [each for each in events(played.lines) if each["type"] == "ruled" and not each["laws"]]
        told = match.transcript(played.lines)
        assert f"{first['option'].removeprefix('deal:')} deals first, chosen by" in told
        assert "has cut the highest card and chooses among deal:" in told


def test_the_desk_offers_the_choice_and_stands_at_it_in_a_log():
    asked = {"start": UNCUT, "overrides": CHOOSES, "acts": ["a cut 20", "b cut 2"]}
    answer = adjudicate_body(asked)
    [ruled] = answer["rulings"]
    assert (answer["verdict"], answer["pending"]) == ("ruled", {"case": 1, "elector": "a"})
    assert answer["why"] == "a has cut the highest card and chooses who deals first (R-02)."
    assert (ruled["laws"], ruled["offender"], ruled["elector"]) == ([], None, "a")
    assert [(each["option"], each["dealer"]) for each in ruled["options"]] == [("deal:a", "a"), ("deal:b", "b")]
    chosen = adjudicate_body({**asked, "acts": [*asked["acts"], "a elect deal:b"]})
    assert (chosen["pending"], chosen["rulings"][0]["option"]) == (None, "deal:b")
    assert chosen["why"].endswith("chooses who deals first (R-02): b.")
    assert chosen["position"] == answer["position"]
    played = play(2, overrides={**CHOOSES, "target": 1})
    offered = next(each for each in events(played.lines) if each["type"] == "case_opened")
    stood = {"log": played.log.decode(), "until": offered["n"]}
    assert adjudicate_body(stood)["pending"] == {"case": 1, "elector": offered["elector"]}
    elected = adjudicate_body({**stood, "acts": [f"{offered['elector']} elect deal:a"]})
    assert (elected["verdict"], elected["rulings"][0]["option"]) == ("ruled", "deal:a")


def test_a_choice_that_is_open_where_a_log_ends_is_made_at_the_desk():
    m, lines = turned()
    text = "\n".join(line.decode() for line in lines)
    asked = {"log": text, "seed": (bytes([3]) * 32).hex()}
    assert adjudicate_body(asked)["pending"] == {"case": 1, "elector": "a"}
    for option in m.case.options:
        answer = adjudicate_body({**asked, "acts": [f"a elect {option}"]})
        assert [each["option"] for each in answer["rulings"]] == [option]
        assert (answer["position"] is None) == (option == "fresh_deal")


def turned(**more):
    """A match whose dealer b has just turned two cards, and its lines."""
    agreed = {"chores": ((), ("deal",)), "overrides": {"two_turned": "choose"}, "first_dealer": 1, **more}
    step = match.open_match(terms(**agreed), bytes([3]) * 32)
    lines = list(step.lines)
    while step.match.position.phase != "turn_up" or step.match.confirming:
        seat = step.match.asked[0]
        step = match.act(step.match, seat, match.prompt(step.match, seat)["lawful"][0], ms=0)
        lines += step.lines
    step = match.act(step.match, 1, {"act": "turn_up", "cards": 2}, ms=0)
    return step.match, [*lines, *step.lines]


def test_the_pone_chooses_the_trump_before_it_sees_its_hand():
    m, _ = turned()
    assert m.asked == (0,)
    prompt = match.prompt(m, 0)
    first, second = (
        prompt["view"]["turn_up"],
        next(name for name, at in prompt["view"]["open"].items() if at == "stock"),
    )
    assert [each["option"] for each in prompt["lawful"]] == [f"trump:{first}", f"trump:{second}", "fresh_deal"]
    assert prompt["view"]["hand"] == [] == match.view(m, 0)["hand"]
    assert prompt["laws"] == ["IR-09"]
    step = match.act(m, 0, prompt["lawful"][1], ms=0)
    after = match.view(step.match, 0)
    assert (after["turn_up"], after["trump"], len(after["hand"])) == (second, second[1], 6)
    assert after["open"] == {first: "stock", second: "turn_up"}
    assert CARD_NAMES[step.match.position.stock[0]] == first


@pytest.mark.parametrize("watch", [True, False])
def test_where_the_seats_claim_only_a_pone_who_watches_can_choose(watch):
    m, lines = turned(chores=(("watch",) if watch else (), ("deal",)), calls="players")
    assert m.stop == ("hands" if watch else "")
    number = next(each["n"] for each in events(lines) if each.get("act") == {"act": "turn_up", "cards": 2})
    assert bool(match.view(m, 0)["hand"]) == (not watch)
    step = match.act(m, 0, {"act": "claim", "number": number}, ms=0)
    if watch:
        assert match.prompt(step.match, 0)["view"]["hand"] == []
        assert [each.partition(":")[0] for each in step.match.case.options] == ["trump", "trump", "fresh_deal"]
    else:
        assert (step.match.case, step.match.attempt) == (None, 2)


def test_the_choice_needs_a_trump_that_the_dealer_turns():
    with pytest.raises(ValueError, match="the pone chooses among two cards of the stock that the dealer has turned"):
        terms(overrides={"two_turned": "choose", "trump_method": "pone_draws"})
