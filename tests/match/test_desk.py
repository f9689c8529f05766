"""The desk: every verdict, every bad question with its place and cure, logs, and whatever may be thrown at it."""

import random
import re
from pathlib import Path

import orjson
import pytest

from referee import match
from referee.match import desk
from referee.match.questions import MOST_ACTS, QuestionError
from referee.rules import rulesets
from referee.rules.cards import pack_cards
from referee.rules.notation import read_position, write_position
from referee.rules.play import apply, deal_position, lawful_acts
from referee.rules.positions import SCORED
from tests.match.playing import ALL_CHORES, play

LEAD = "a:KS QS TD 9D JC QC | b:AH KH TH KD AC 9H | stock:* | turn-up:JH | dealer:b | tricks:a:AS+9S | a leads"
OPENING = "a:AS TS KD QD 9C JC | b:KS QS AH TH AD JD | stock:* | turn-up:KC | dealer:b | a leads"
PACK = " ".join(rank + suit for suit in "SHDC" for rank in "ATKQJ9")


def ask(**members):
    return desk.adjudicate_body({"start": LEAD, **members})


def refused(body):
    with pytest.raises(QuestionError) as caught:
        desk.adjudicate_body(body)
    return caught.value


def test_what_is_in_order_is_lawful_and_the_position_goes_on():
    answer = ask(acts=["a KS", "b KD"])
    assert (answer["verdict"], answer["rulings"]) == ("lawful", [])
    assert answer["position"].endswith("a draws")
    assert [each["standing"] for each in answer["acts"]] == ["lawful", "lawful"]


def test_a_choice_shows_each_option_with_award_and_the_position_afterwards():
    answer = ask(acts=["a JC", "b KD", "b draw"])
    assert answer["verdict"] == "ruled", answer["why"]
    [ruled] = answer["rulings"]
    assert [law["id"] for law in ruled["laws"]] == ["IR-20"]
    assert (ruled["kind"], ruled["offender"], ruled["elector"], ruled["act"]) == ("CHOICE", "b", "a", 3)
    assert answer["pending"] == {"case": 1, "elector": "a"}
    by_name = {each["option"]: each for each in ruled["options"]}
    assert by_name["end_deal"]["award"] == {"seat": "a", "game_points": 1}
    assert by_name["end_deal"]["after"].split("scored:")[1].startswith("remedy a 1")
    assert by_name["accept"]["default"]
    read_position(by_name["accept"]["after"], rulesets.named("house"))


def test_a_claim_is_heard_and_names_the_act_by_its_place():
    answer = ask(acts=["b AH"], claim={"by": "a", "number": 1})
    assert (answer["verdict"], answer["calls"]) == ("ruled", "players")
    assert answer["rulings"][0]["act"] == 1
    assert answer["rulings"][0]["laws"][0]["title"]


def test_what_is_played_to_is_waived():
    answer = ask(acts=["b AH", "a JC"], claim={"by": "a", "number": 1})
    assert answer["verdict"] == "waived"
    assert "a JC" in answer["why"]
    assert answer["rulings"][0]["option"] == "forfeited"


def test_a_window_that_events_have_closed_is_closed():
    answer = desk.adjudicate_body(
        {
            "deal": {"pack": PACK, "dealer": "b"},
            "acts": ["b shuffle", "a cut 12", "b shuffle", "b deal a 3"],
            "claim": {"by": "a", "number": 3},
            "chores": {"a": ["cut"], "b": ["shuffle", "deal"]},
        }
    )
    assert answer["verdict"] in ("window_closed", "ruled")
    again = ask(acts=["a declare"], claim={"by": "b", "number": 1})
    assert again["verdict"] == "window_closed"
    assert "ruled on act 1 already" in again["why"]


def test_a_claim_on_what_was_in_order_is_unfounded():
    answer = ask(acts=["a KS"], claim={"by": "b", "number": 1, "law": "IR-31"})
    assert answer["verdict"] == "unfounded"
    assert answer["rulings"][0]["laws"][0]["id"] == "IR-37"


def test_a_law_that_the_rule_set_silences_is_out_of_scope_and_the_answer_says_where_it_speaks():
    speaks = {}
    for name in rulesets.names():
        if (rulesets.named(name).options["seats"], rulesets.named(name).options["pack"]) != (2, 24):
            continue  # another table
        found = desk.validate_body({"ruleset": name, "position": OPENING, "act": "a marry KD"})
        speaks[name] = "IR-42" in [each["law"] for each in found["objections"]]
    assert len(set(speaks.values())) == 2, speaks
    silent = next(name for name in speaks if not speaks[name])
    answer = desk.adjudicate_body(
        {"ruleset": silent, "start": OPENING, "acts": ["a marry KD"], "claim": {"by": "b", "number": 1, "law": "IR-42"}}
    )
    assert answer["verdict"] == "out_of_scope"
    assert all(name in answer["why"] for name in speaks if speaks[name])
    never = ask(acts=["a KS"], claim={"by": "b", "number": 1, "law": "IR-39"})
    assert never["verdict"] == "out_of_scope"
    assert "cannot come about" in never["why"]


def test_a_claim_waits_behind_an_open_choice():
    acts = ["b KD", "a look stock", "a claim 1"]
    answer = ask(acts=acts, claim={"by": "b", "number": 2})
    assert (answer["verdict"], answer["pending"]) == ("stands", {"case": 1, "elector": "a"})
    assert "waits" in answer["why"]
    then = ask(acts=[*acts, "a elect undo"], claim={"by": "b", "number": 2})
    assert (then["verdict"], then["pending"]["elector"]) == ("ruled", "b")
    assert [law["id"] for law in then["rulings"][-1]["laws"]] == ["IR-29"]


def test_what_nobody_has_claimed_stands():
    answer = ask(acts=["b AH"], calls="players")
    assert (answer["verdict"], answer["acts"][0]["laws"]) == ("stands", ["IR-31"])
    assert "nobody has claimed it" in answer["why"]


def test_an_impossible_act_is_named_with_its_reason():
    answer = ask(acts=["a KS", "b AS", "a TD"])
    assert (answer["verdict"], answer["refusal"]["act"]) == ("impossible", 2)
    assert "AS is not in the hand of seat b" in answer["why"]


def test_enforce_refuses_with_objections():
    answer = ask(acts=["b AH"], conduct="enforce")
    assert (answer["verdict"], answer["refusal"]["objections"][0]["law"]) == ("refused", "IR-31")


def test_an_act_may_be_given_as_on_the_wire():
    assert ask(acts=[{"seat": "a", "act": "play", "card": "KS"}])["acts"][0]["move"] == "a KS"


def test_an_election_made_is_told_with_its_outcome():
    answer = ask(acts=["b AH", "a elect undo"])
    assert answer["rulings"][0]["option"] == "undo"
    assert answer["pending"] is None
    assert answer["position"].endswith("a leads")


def test_a_deal_that_ends_is_told_with_its_result():
    answer = ask(acts=["a declare"])
    assert answer["result"]["cause"] == "false_declaration"
    assert answer["position"].split("scored:")[1].startswith("false_declaration b")
    assert answer["rulings"][0]["award"] == {"seat": "b", "game_points": 3}


CUTTING = "stock:* | a cuts for deal"
ONE_CUT = "stock:KC QC JC 9C | cuts:a:TC | b cuts for deal"


BAD = {
    "cut and dealt": ({"start": CUTTING.replace("stock", "a:AS | stock")}, "desk/position", "/start", "left out"),
    "cut card in stock": ({"start": ONE_CUT.replace("KC", "TC")}, "desk/position", "/start", "one place only"),
    "a cut of what is unknown": ({"start": ONE_CUT.replace("KC QC JC 9C", "*")}, "desk/position", "/start", "card by card"),
    "too few left to cut": ({"start": ONE_CUT.replace("KC", "")}, "desk/position", "/start", "fewer than 4"),
    "cuts twice": ({"start": ONE_CUT.replace("b cuts", "a cuts")}, "desk/position", "/start", "not cut yet"),
    "two cards cut": ({"start": ONE_CUT.replace("a:TC", "a:TC a:AS")}, "desk/position", "/start", "one card a seat"),
    "cut, then played": (
        {"start": LEAD.replace("*", "JS QH AD QD JD TC KC 9C | cuts:b:TS")}, "desk/position", "/start", "cutting for deal",
    ),
    "cut already": (
        {"start": ONE_CUT.replace("TC | b cuts for deal", "TC b:AS | all have cut")}, "desk/position", "/start", "last cut",
    ),
    "not all have cut": ({"start": ONE_CUT.replace("b cuts for deal", "all have cut")}, "desk/position", "/start", "each seat"),
    "25 cards": ({"start": LEAD.replace("a:KS", "a:KS AS")}, "desk/position", "/start", "AS"),
    "a card twice": ({"start": LEAD.replace("b:AH", "b:KS")}, "desk/position", "/start", "KS"),
    "a card missing": ({"start": LEAD.replace("stock:*", "stock:AD")}, "desk/position", "/start", "missing"),
    "no such card": ({"start": LEAD.replace("KS", "1Z")}, "desk/position", "/start", "1Z"),
    "unknown section": ({"start": "talon:* | " + LEAD}, "desk/position", "/start", "talon"),
    "no last section": ({"start": LEAD.removesuffix("| a leads")}, "desk/position", "/start", "who does what"),
    "follows nothing": ({"start": LEAD.replace("a leads", "b follows")}, "desk/position", "/start", "card on the table"),
    "a third seat": ({"start": LEAD.replace("a leads", "c leads")}, "desk/position", "/start", "'c'"),
    "no text": ({"start": 7}, "desk/position", "/start", "notation"),
    "nothing": ({"acts": []}, "desk/unfit", "/start", "`log`"),
    "two starts": ({"start": LEAD, "deal": {"pack": PACK}}, "desk/unfit", "/deal", "one of"),
    "23 cards": ({"deal": {"pack": PACK[3:]}}, "desk/position", "/deal/pack", "23 cards"),
    "25 in a pack": ({"deal": {"pack": PACK + " AS"}}, "desk/position", "/deal/pack", "twice AS"),
    "unknown rule-set": ({"start": LEAD, "ruleset": "hoose"}, "ruleset/unknown", "/ruleset", "house"),
    "unknown option": ({"start": LEAD, "overrides": {"tarjet": 3}}, "ruleset/unknown_option", "/overrides/tarjet", "target"),
    "unknown value": ({"start": LEAD, "overrides": {"target": 0}}, "ruleset/unknown_option", "/overrides/target", "allowed"),
    "contradiction": (
        {"start": LEAD, "overrides": {"points_plain": 3, "points_schneider": 2}},
        "ruleset/contradiction",
        "/overrides/points_plain",
        "points_schneider",
    ),
    "malformed move": ({"start": LEAD, "acts": ["a KS", "a dance"]}, "desk/act", "/acts/1", "dance"),
    "an act without seat": ({"start": LEAD, "acts": [{"act": "close"}]}, "desk/act", "/acts/0/seat", "a or b"),
    "an act unread": (
        {"start": LEAD, "acts": [{"seat": "a", "act": "play", "card": "1Z"}]}, "desk/act", "/acts/0/card", "1Z",
    ),
    "too many acts": ({"start": LEAD, "acts": ["a KS"] * (MOST_ACTS + 1)}, "desk/act", "/acts", "200"),
    "claim on nothing": (
        {"start": LEAD, "acts": ["a KS"], "claim": {"by": "b", "number": 2}}, "desk/no_such_act", "/claim/number", "1 acts",
    ),
    "claim on one's own": (
        {"start": LEAD, "acts": ["a KS"], "claim": {"by": "a", "number": 1}}, "desk/no_such_act", "/claim/number", "own",
    ),
    "claim on no act": (
        {"start": LEAD, "acts": ["a resign"], "claim": {"by": "b", "number": 1}}, "desk/no_such_act", "/claim/number", "no act",
    ),
    "claim by nobody": ({"start": LEAD, "acts": ["a KS"], "claim": {"number": 1}}, "desk/act", "/claim/by", "a or b"),
    "claim under no law": (
        {"start": LEAD, "acts": ["a KS"], "claim": {"by": "b", "number": 1, "law": "IR-00"}}, "desk/unfit", "/claim/law", "IR-00",
    ),
    "claim, referee calls": (
        {"start": LEAD, "acts": ["a KS"], "calls": "referee", "claim": {"by": "b", "number": 1}}, "desk/unfit", "/claim", "calls",
    ),
    "unknown member": ({"start": LEAD, "moves": []}, "desk/unfit", "/moves", "acts"),
    "score": ({"start": LEAD, "score": {"a": -1}}, "desk/unfit", "/score/a", "0 to"),
    "chores": ({"start": LEAD, "chores": {"a": ["sweep"]}}, "desk/unfit", "/chores/a", "watch"),
    "conduct": ({"start": LEAD, "conduct": "good"}, "desk/unfit", "/conduct", "enforce"),
    "until without a log": ({"start": LEAD, "until": 3}, "desk/unfit", "/until", "log"),
    "no log": ({"log": 3}, "desk/log", "/log", "NDJSON"),
    "an empty log": ({"log": ""}, "desk/log", "/log", "match_opened"),
    "a broken log": ({"log": "{}\n{}", "seed": "0" * 64}, "desk/log", "/log", "event"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_question_is_told_its_place_and_cure(name):
    body, code, pointer, cure = BAD[name]
    problem = refused(body)
    assert (problem.code, problem.pointers[0]) == (code, pointer), problem
    assert cure in problem.detail


def test_a_contradiction_names_both():
    problem = refused(BAD["contradiction"][0])
    assert problem.pointers == ("/overrides/points_plain", "/overrides/points_schneider")


def log_with_ruling():
    for seed in range(50):
        played = play(seed, irregular=0.1, chores=(ALL_CHORES, ALL_CHORES), overrides={"target": 2})
        lines = [orjson.loads(line) for line in played.lines]
        for at, event in enumerate(lines):
            if event["type"] == "ruled" and event["kind"] == "PRESCRIBED" and lines[at - 1]["type"] == "acted":
                return played, lines[at - 1]
    raise AssertionError("no ruling in fifty matches")


def test_a_log_is_stood_at_an_event_and_played_on_from_there():
    played, acted = log_with_ruling()
    text = played.log.decode()
    answer = desk.adjudicate_body(
        {"log": text, "until": acted["n"] - 1, "acts": [{"seat": acted["seat"], **acted["act"]}]}
    )
    assert answer["verdict"] == "ruled"
    [ruled] = [
        event for event in map(orjson.loads, played.lines) if event["type"] == "ruled" and event["number"] == acted["n"]
    ]
    assert [law["id"] for law in answer["rulings"][0]["laws"]] == ruled["laws"]
    assert answer["rulings"][0]["facts"] == ruled["facts"]
    part = played.lines[: acted["n"] - 1]
    begun = {"log": [line.decode() for line in part], "acts": [{"seat": acted["seat"], **acted["act"]}]}
    assert refused(begun).code == "desk/log"
    assert desk.adjudicate_body({**begun, "seed": played.seed.hex()})["rulings"] == answer["rulings"]


def test_an_act_of_a_log_is_claimed_by_its_event():
    played, acted = log_with_ruling()
    other = "ab".replace(acted["seat"], "")
    asked = {"log": played.log.decode(), "claim": {"by": other, "event": acted["n"]}}
    assert desk.adjudicate_body(asked)["verdict"] in ("ruled", "window_closed", "waived", "unfounded")
    assert refused({**asked, "claim": {"by": other, "event": 1}}).pointers == ("/claim/event",)
    late = refused({**asked, "until": played.match.version + 5})
    assert "has" in late.detail
    assert refused({**asked, "start": LEAD}).pointers == ("/start", "/log")


def test_a_validation_classifies_one_act():
    def verdict(act, **more):
        return desk.validate_body({"position": LEAD, "act": act, **more})

    assert verdict("a KS")["verdict"] == "lawful"
    assert verdict("a KS")["position"].endswith("b follows")
    irregular = verdict({"seat": "b", "act": "play", "card": "AH"})
    assert (irregular["verdict"], irregular["objections"][0]["law"]) == ("irregular", "IR-31")
    assert verdict("a AS")["verdict"] == "impossible"
    for act, pointer in (("a claim 1", "/act"), ("a time-out", "/act"), ("a dance", "/act"), (None, "/act")):
        with pytest.raises(QuestionError) as caught:
            verdict(act)
        assert caught.value.pointers == (pointer,)
    with pytest.raises(QuestionError, match="is no member"):
        verdict("a KS", start=LEAD)


SECTIONS = """a: | b: | c: | stock:* | tricks: | a:AS+9S | table: | marriages:a:S? | closed-by:a/1@4 | to-draw: | b
    | drawn:b:bottom:AS | lifted:a:AS | cuts:a:AS | scored: | barred:b | looked:a:1 | led-early:x | called:S | trump:S | turn-up:
    | leader:b | leads | follows | draws | deals | answers | AS | 9 | - | strict:yes | asked:yes | faced:AS | shown:S
    | laid-open:a | @ | cuts for deal | turns up | shuffles | seen:AS | bids | d: | out:b | bids:a:1 | bids:a:5 b:- c:- d:-
    | cancelled:b:1 | tens:1/0/1/0 | early:c:KS | exposed:KS | dealer:c | c"""
WORDS = ["|", *SECTIONS.split(" | ")]
LINES = """a AS, b bid 2, c pass, d bid 5, c AS also KS, d confirm, c claim 2, a claim 1, d elect mend, b elect undo,
    b draw 2, a declare, b close, a show S, b exchange, a look 1, b look stock, a expose AS, b concede, a deal a 3,
    b turn-up 2, a cut 3 faced, b shuffle faced 3, a marry KS lead 9S, b demand, a pass, b take-back 1, a elect undo,
    a elect accept, b elect end_deal, a confirm, b resign, a time-out, b impossible, b claim 1"""
MOVES = [move.strip() for move in LINES.split(",")]


def some_start(dice, name):
    """A position of a deal that was played some way, in the notation."""
    rules = rulesets.named(name)
    pack = list(pack_cards(rules.options["pack"]))
    dice.shuffle(pack)
    p = deal_position(rules, pack, dealer=dice.randrange(rules.options["seats"]))
    for _ in range(dice.randrange(30)):
        after = apply(p, p.turn, dice.choice(lawful_acts(p)))
        if after.phase == SCORED:
            break
        p = after
    return write_position(p)


def test_whatever_is_asked_is_answered_or_refused_with_a_place():
    dice = random.Random(66)
    answered = dict.fromkeys(rulesets.names(), 0)
    for _ in range(2000):
        name = dice.choice(rulesets.names())
        words = some_start(dice, name).split(" ")
        for _ in range(dice.randrange(4)):
            at = dice.randrange(len(words))
            words[at : at + dice.randrange(2)] = [dice.choice(WORDS)]
        seats = "abcd"[: rulesets.named(name).options["seats"]]
        plays = [f"{seat} {word}" for word in words if len(word) == 2 for seat in seats]
        body = {
            "start": " ".join(words),
            "ruleset": name,
            "acts": [dice.choice((*MOVES, *plays)) for _ in range(dice.randrange(7))],
            "calls": dice.choice(("referee", "players")),
        }
        try:
            answer = desk.adjudicate_body(body)
        except QuestionError as problem:
            assert problem.detail and problem.pointers
            continue
        answered[name] += 1
        assert answer["verdict"] in desk.VERDICTS
        assert answer["why"]
        orjson.dumps(answer)
    assert min(answered.values()) > 15, answered


def test_whatever_log_is_given_is_followed_or_refused():
    dice = random.Random(3)
    log = play(4, irregular=0.2, overrides={"target": 1}).log.decode()
    for _ in range(60):
        at = dice.randrange(len(log))
        broken = log[:at] + dice.choice('0a"}{,:[]\n') + log[at + dice.randrange(3) :]
        try:
            desk.adjudicate_body({"log": broken})
        except QuestionError as problem:
            assert problem.code in ("desk/log",)
    opening = orjson.loads(log.split("\n")[0])
    for name in opening:
        for value in (None, 7, "c", [], {}, [{}], {"name": []}):
            body = orjson.dumps({**opening, name: value}).decode() + "\n" + log.split("\n", 1)[1]
            try:
                desk.adjudicate_body({"log": body})
            except QuestionError as problem:
                assert problem.code == "desk/log"
    assert match.verify(log.encode()).ok


def test_the_question_in_the_clients_readme_is_answered():
    text = (Path(__file__).parents[2] / "clients" / "README.md").read_text(encoding="utf-8")
    [question] = [block for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL) if '"claim"' in block]
    assert desk.adjudicate_body(orjson.loads(question))["verdict"] == "waived"
    assert all(f"`{verdict}`" in text for verdict in desk.VERDICTS)
