"""The files of worked cases say what a case can say, with whole packs, and each law has its kinds."""

import re
import tomllib
from pathlib import Path

import pytest

from referee.laws import book, cases
from referee.rules import rulesets
from referee.rules.cards import CARD_NAMES, SEATS, pack_cards

FILES = sorted(Path(cases.__file__).parent.glob("*.toml"))
WORKED = Path(__file__).parents[1] / "worked" / "examples.toml"
KINDS = ("breached", "not_breached", "outside")
#: What cannot come about at the table is shown as it is carried out, or as it cannot be.
APART_KINDS = ("carried_out", "outside")
LEAST = 4
#: What is claimed after the window of the one is the case of the other.
STAGES = {"IR-06": "IR-07", "IR-35": "IR-36"}

CASE_KEYS = {
    "name",
    "kind",
    "rules",
    "overrides",
    "conduct",
    "calls",
    "start",
    "deal",
    "chores",
    "score",
    "carry",
    "acts",
    "expect",
}
EXPECT_KEYS = {
    *("laws", "kind", "offender", "elector", "options", "option"),
    *("award", "facts", "result", "refused", "after"),
}
AFTER_KEYS = {
    *("phase", "turn", "stock", "turn_up", "closed_by", "barred", "score", "carry"),
    *("dealer", "deal", "attempt"),
    *(f"{what}_{seat}" for what in ("hand", "sizes", "count") for seat in SEATS),
}
CHORES = {"shuffle", "cut", "deal", "draw", "watch"}
PHASES = {
    *("cut_for_deal", "shuffle", "cut", "deal", "turn_up", "bid"),
    *("draw", "lead", "follow", "answer", "scored", "over"),
}
CAUSES = {
    *("declared", "false_declaration", "played_out", "closer_failed", "remedy", "conceded", "time"),
    *("passed_out", "set", "ten_of_trumps"),
}
OPTION = re.compile(r"(undo|mend|accept|face|end_deal|fresh_deal|(give|top|keep|trump):[ATKQJ987][SHDC]|deal:[abcd])\Z")
CARD = re.compile(r"[ATKQJ987][SHDC]\Z")
SECTIONS = {
    *(*SEATS, "stock", "turn-up", "trump", "dealer", "tricks", "table"),
    *("marriages", "closed-by", "to-draw", "led-early", "faced", "cuts", "bids", "out", "tens"),
}
LAST = re.compile(r"[abcd] (leads|follows|draws|shuffles|cuts|cuts for deal|deals|turns up|answers|bids)\Z")
MOVES = (
    *("CARD( also CARD)?", "marry [KQ][SHDC]( NUMBER)?( lead CARD)?", "exchange( CARD)?"),
    *(
        "close",
        "declare",
        "demand",
        "pass",
        "bid NUMBER",
        "concede",
        "show [SHDC]",
        "draw( 2)?( bottom| middle| turn_up)?",
    ),
    *("cut NUMBER( faced)?", "shuffle( faced NUMBER)?", "deal [abcd] NUMBER( faced NUMBER)?", "turn-up( 2)?"),
    *("look (NUMBER|stock)", "expose (CARD|NUMBER)", "take-back NUMBER", "claim NUMBER( LAW)?", "confirm"),
    *(
        "elect (undo|mend|accept|face|end_deal|fresh_deal|(give|top|keep|trump):CARD|deal:[abcd])",
        "time-out",
        "impossible",
    ),
)
MOVE = re.compile(
    "[abcd] ("
    + "|".join(MOVES).replace("CARD", "[ATKQJ987][SHDC]").replace("NUMBER", "[0-9]+").replace("LAW", "IR-[0-9][0-9ABC]")
    + r")\Z",
)
REFUSALS = {
    *("act/irregular", "act/impossible", "act/election_pending", "act/match_over"),
    *("claim/referee_calls", "claim/own_act", "claim/no_part", "claim/no_such_act"),
}


def cases_of(path: Path) -> list[dict]:
    return tomllib.loads(path.read_text(encoding="utf-8"))["case"]


ALL = [(path.stem, case) for path in [*FILES, WORKED] for case in cases_of(path)]
IDS = [f"{stem}-{case['name'][:60]}" for stem, case in ALL]


def pack_of(case: dict) -> set[str]:
    """The pack of the game a case is played by."""
    return {CARD_NAMES[card] for card in pack_cards(rules_of(case).options["pack"])}


def rules_of(case: dict) -> rulesets.RuleSet:
    return rulesets.named(case.get("rules", "house")).override(case.get("overrides", {}))


def seats_of(case: dict) -> str:
    return SEATS[: rules_of(case).options["seats"]]


def cards_of(start: str, pack: set[str]) -> list[str]:
    """Every card a position names, the star in the stock replaced by the cards named nowhere."""
    sections = [section.strip() for section in start.split("|")]
    assert LAST.match(sections[-1]), f"the last section says whose turn it is, found {sections[-1]!r}"
    named: list[str] = []
    star = False
    for section in sections[:-1]:
        key, _, rest = section.partition(":")
        assert key in SECTIONS, key
        star |= key == "stock" and "*" in rest.split()
        if key in ("tricks", "table", "cuts"):
            rest = " ".join(word.split(":")[1] for word in rest.split()).replace("+", " ")
        if key in (*SEATS, "stock", "turn-up", "tricks", "table", "cuts"):
            named += [word for word in rest.split() if word != "*"]
    return named + sorted(pack - set(named)) if star else named


def kinds_for(law_id: str) -> tuple[str, ...]:
    """The kinds of case that a law must have, and may have no other."""
    law = book.find(law_id)
    assert law is not None, f"{law_id} is no law of the book"
    return APART_KINDS if law.online else KINDS


def test_there_is_a_file_for_every_law_of_the_book_and_no_other():
    assert [path.stem for path in FILES] == [law.id for law in book.laws()]


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_law_has_at_least_four_cases_and_one_of_each_kind(path):
    kinds = [case["kind"] for case in cases_of(path)]
    assert len(kinds) >= LEAST
    assert {*kinds} == {*kinds_for(path.stem)}
    names = [case["name"] for case in cases_of(path)]
    assert len({*names}) == len(names)


@pytest.mark.parametrize("law", [law for law in book.laws() if law.until], ids=lambda law: law.id)
def test_a_law_with_a_window_is_claimed_in_time_and_too_late(law):
    claimed = [case for case in book.cases(law.id) if case.get("calls") == "players"]
    assert any(case["kind"] == "breached" for case in claimed)
    heard_as = STAGES.get(law.id, law.id)
    late = [case["expect"] for case in claimed if case["kind"] == "outside"]
    assert any(heard_as in expect["laws"] and expect.get("option") == "forfeited" for expect in late) or (
        heard_as != law.id and any(heard_as in expect["laws"] for expect in late)
    )


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_kind_of_a_case_agrees_with_the_law_it_expects(path):
    for case in cases_of(path):
        cited = path.stem in case["expect"]["laws"]
        if case["kind"] in ("not_breached", "carried_out"):
            assert not cited, case["name"]
        if path.stem != "IR-85" and case["kind"] == "breached":
            assert cited, case["name"]


@pytest.mark.parametrize(("stem", "case"), ALL, ids=IDS)
def test_a_case_has_known_keys_and_values(stem, case):
    assert {*case} <= CASE_KEYS | {"id"}
    assert ("start" in case) != ("deal" in case)
    assert case["name"].strip().endswith((".", "?"))
    assert case.get("kind", "breached") in {*KINDS, *APART_KINDS}
    seats = seats_of(case)
    assert case.get("conduct", "adjudicate") in {"adjudicate", "enforce"}
    assert case.get("calls", "referee") in {"referee", "players"}
    for seat, chores in case.get("chores", {}).items():
        assert seat in seats
        assert {*chores} <= CHORES
    assert len(case.get("score", seats)) == len(seats)
    assert all(isinstance(points, int) for points in [*case.get("score", [0, 0]), case.get("carry", 0)])
    for move in case["acts"]:
        assert MOVE.match(move), f"{move!r} is no move of the notation"
        assert move[0] in seats


@pytest.mark.parametrize(("stem", "case"), ALL, ids=IDS)
def test_what_a_case_expects_is_sayable(stem, case):
    expect = case["expect"]
    assert "laws" in expect
    assert {*expect} <= EXPECT_KEYS
    assert all(re.match(r"IR-[0-9][0-9ABC]\Z", law) for law in expect["laws"])
    assert bool(expect["laws"]) == ("kind" in expect), "a ruling has a kind, no ruling has none"
    assert expect.get("kind", "NONE") in {"NONE", "PRESCRIBED", "CHOICE"}
    assert (expect.get("kind") == "CHOICE") == ("options" in expect)
    of_his_own_accord = any(" take-back " in move for move in case["acts"])
    assert "elector" not in expect or "options" in expect
    assert "elector" in expect or "options" not in expect or of_his_own_accord, "a choice has somebody who makes it"
    assert all(OPTION.match(option) for option in expect.get("options", []))
    assert "option" not in expect or expect["option"] in expect.get("options", ["forfeited"])
    assert {*expect.get("award", {})} in (set(), {"seat", "game_points"}, {"seat", "game_points", "scores"})
    if "result" in expect:
        assert {*expect["result"]} <= {"winner", "game_points", "cause"}
        assert expect["result"]["cause"] in CAUSES
    assert expect["laws"] or not expect.get("facts"), "facts are those of a ruling"
    assert expect.get("refused", "act/irregular") in REFUSALS
    after = expect.get("after", {})
    assert {*after} <= AFTER_KEYS
    assert after.get("phase", "lead") in PHASES
    for seat in SEATS:
        assert all(CARD.match(card) for card in after.get(f"hand_{seat}", "").split())


@pytest.mark.parametrize(("stem", "case"), ALL, ids=IDS)
def test_a_case_accounts_for_every_card_once(stem, case):
    pack = pack_of(case)
    cards = case["deal"]["pack"].split() if "deal" in case else cards_of(case["start"], pack)
    assert len(cards) == len(pack)
    assert {*cards} == pack
