"""The law book to read: it is what the code says, covers the four texts, and names real acts for every law."""

from pathlib import Path

import pytest

from referee.laws import book, lawbook, reading
from referee.match.terms import CHORES
from referee.rules import rulesets
from referee.rules.notation import read_move

COMMITTED = Path(book.__file__).parent / "LAWBOOK.md"
TEXTS = {"000", "002", "003", "004"}
IDS = [law.id for law in book.laws()]
WAYS = [way for law in IDS for way in book.ways(law)]
CASES = [(law, case) for law in IDS for case in book.cases(law)]


def test_the_committed_book_is_what_the_code_says():
    assert COMMITTED.read_text("utf-8") == lawbook.render(), (
        f"LAWBOOK.md is not what the laws and cases say: run {lawbook.COMMAND}, and say in the commit why it changed"
    )


def test_every_law_stands_in_the_book_once_with_all_its_cases():
    text = COMMITTED.read_text("utf-8")
    for law in book.laws():
        assert text.count(f"\n### {law.id} {law.title}\n") == 1
        for case in book.cases(law.id):
            assert case["name"] in text


def test_every_law_says_on_which_place_of_which_edition_it_rests():
    chapters = COMMITTED.read_text("utf-8").split("\n### ")
    for law in book.laws():
        [chapter] = [each for each in chapters if each.startswith(f"{law.id} ")]
        for citation in law.citations:
            source = book.sources()[citation.source]
            assert f"{source['title']} ({source['edition']}), {citation.place}" in chapter


def test_the_links_of_the_contents_lead_somewhere():
    text = COMMITTED.read_text("utf-8")
    links = [part.split(")")[0] for part in text.split("](#")[1:]]
    assert len(links) == len(IDS)
    headings = {
        "".join(each for each in line[4:].lower() if each.isalnum() or each in " -").replace(" ", "-")
        for line in text.splitlines()
        if line.startswith("### ")
    }
    assert set(links) == headings


def test_the_thirteen_numbered_rules_are_covered_one_by_one():
    numbered = [says["rule"] for says in book.coverage() if says["source"] == "002" and "rule" in says]
    assert numbered == list(range(1, 14))
    assert {says["source"] for says in book.coverage()} == TEXTS


@pytest.mark.parametrize("says", book.coverage(), ids=lambda says: f"{says['source']}, {says['place']}")
def test_what_a_text_says_is_carried_by_something_that_exists(says):
    assert set(says) <= {"source", "place", "rule", "says", "laws", "options", "why"}
    assert says.get("laws") or says.get("options") or says.get("why")
    assert set(says.get("laws", ())) <= set(IDS)
    assert set(says.get("options", ())) <= set(rulesets.OPTIONS)
    assert says["says"].endswith(".")


def test_a_law_that_rests_on_a_numbered_rule_is_named_beside_it():
    carried = {says["rule"]: says.get("laws", []) for says in book.coverage() if "rule" in says}
    for law in book.laws():
        for citation in law.citations:
            number = citation.place.partition("rule ")[2].partition(",")[0]
            if citation.source == "002" and number:
                assert law.id in carried[int(number)], f"{law.id} cites rule {number}, coverage.toml does not say so"


def test_every_law_that_can_come_about_says_by_which_acts():
    told = [way["law"] for way in WAYS]
    assert sorted(told) == [law.id for law in book.laws() if not law.online]
    assert all(len(law.online.split()) >= 5 for law in book.laws() if law.online)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way["law"])
def test_a_way_can_be_tried_and_foretells_what_its_law_can_rule(way):
    law = book.find(way["law"])
    assert law is not None
    for move in [*way.get("lead_up", []), *way["acts"], *way.get("referee", []), *way.get("players", [])]:
        if not move.endswith((" time-out", " impossible")):
            read_move(move)
    assert {chore for own in way.get("chores", {}).values() for chore in own} <= set(CHORES)
    for ruling in [way["ruling"], *([way["claimed"]] if "claimed" in way else [])]:
        assert law.id in ruling["laws"]
        assert set(ruling["laws"]) <= set(IDS)
        assert ruling["offender"] in "abcd"
        assert bool(ruling.get("elector")) == (ruling["kind"] == "CHOICE")
        assert bool(ruling.get("award")) == (ruling["option"] == "end_deal")
    assert "claimed" in way or way["ruling"]["kind"] == law.kind


@pytest.mark.parametrize(("law", "case"), CASES, ids=[f"{law}-{case['name'][:50]}" for law, case in CASES])
def test_a_case_can_be_put_into_words_and_drawn(law, case):
    said = " ".join([*reading.moves_words(case["acts"]), *reading.circumstances(case), *reading.outcome(case)])
    for word in ("None", "{", "act/", "claim/"):
        assert word not in said, said
    assert all(each.endswith((".", "?", "!")) for each in reading.outcome(case))
    seen = reading.picture(case)
    if "pack" in seen:
        assert len(seen["pack"]) == len({*seen["pack"]}) > 0
    else:
        shown = [card for hand in seen["hands"].values() for card in hand]
        shown += seen["table"] + [card for trick in seen["tricks"] for card in trick["cards"]]
        assert len(shown) + seen["stock"] + (seen["turn_up"] is not None) == size_of_pack(case)
        assert seen["next_to_act"][0] in "abcd"


def size_of_pack(case):
    return rulesets.named(case.get("rules", "house")).override(case.get("overrides", {})).options["pack"]
