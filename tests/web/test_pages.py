"""The pages show what the API shows, escape every name, and carry a policy that lets no foreign script run."""

import html
import re
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.laws import book as law_book
from referee.laws import reading
from referee.laws.law import Law
from referee.rules import rulesets
from referee.service import Page, ServiceProblem
from referee.service import matches as use_matches
from referee.service import rulesets as use_rulesets
from referee.service import tournaments as use_tournaments
from referee.web import steps
from tests.web.asking import check

EVIL = "<script>alert('x')</script>\"&"
CLOCK = {"act_ms": 1, "bank_ms": 1, "grace_ms": 1, "absence_ms": 1}
TOURNAMENT = {
    "id": "trn_1", "name": EVIL, "state": "running", "ruleset": "house", "overrides": {"target": EVIL},
    "format": "round_robin", "cycles": 1, "conduct": "adjudicate", "calls": "referee", "clock": CLOCK,
    "standings": "wins", "balance": None,
    "entrants": [], "played": 1, "planned": 2, "void": 0, "commitment": "c0ffee", "seed": None,
}  # fmt: skip
MATCH = {
    "id": "mat_1", "tournament": "trn_1", "state": "live", "seats": {"a": {"name": EVIL}, "b": {"name": "b"}},
    "sides": [["a"], ["b"]], "withheld": False,
    "ruleset": "house", "conduct": "adjudicate", "calls": "referee", "commitment": "c0ffee", "version": 2,
    "score": {"a": 1, "b": 0}, "winner": None, "cause": None, "seed": None,
}  # fmt: skip
VIEW = {
    "seat": None, "deal": 1, "attempt": 1, "phase": "lead", "turn": "a", "dealer": "b", "trump": "S", "turn_up": "9S",
    "sizes": {"a": 6, "b": 6}, "stock": 12, "table": [{"seat": "a", "card": "KH"}], "tricks": {"a": 0, "b": 0},
    "last_trick": {"leader": "a", "cards": ["AS", "TD"], "winner": "a"}, "score": {"a": 1, "b": 0}, "target": 7, "carry": 0,
    "marriages": [{"seat": "a", "suit": "H", "amount": 20, "counts": "now"}], "closed_by": None,
}  # fmt: skip
EVENTS = (
    (
        b'{"n":1,"prev":"","type":"match_opened","match":"mat_1","law_book":"1","ruleset":{"name":"house"},'
        b'"seats":[{"seat":"a","name":"<script>alert(1)</script>"}]}'
    ),
    b'{"n":2,"prev":"","type":"acted","seat":"a","act":{"act":"play","card":"KH"},"ms":3}',
)
RULESET = {"name": "club", "title": EVIL, "digest": "c0ffee", "base": "house", "stored_by": "bot_1", "stored_at": "now"}
STANDING = {
    "rank": 1, "bot": "bot_1", "name": EVIL, "played": 1, "wins": 1, "losses": 0, "game_points_for": 7,
    "game_points_against": 3,
}  # fmt: skip
CELL = {"wins": 1, "losses": 0, "game_points_for": 7, "game_points_against": 3, "matches": ["mat_1"]}
CROSSTABLE = {
    "bots": [{"bot": "bot_1", "name": EVIL}, {"bot": "bot_2", "name": "b"}],
    "rows": [{"bot": "bot_1", "cells": [None, CELL]}, {"bot": "bot_2", "cells": [CELL, None]}],
}
RULING = {"n": 2, "type": "ruled", "laws": ["IR-20"], "facts": {"said": EVIL}, "options": [{"option": "accept"}]}


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, hollow: FlaskClient) -> FlaskClient:
    """A client of an application that knows one tournament and one live match, both with a name that bites."""

    def answers(module: Any, **by_name: Any) -> None:
        for name, value in by_name.items():
            monkeypatch.setattr(module, name, lambda *_args, _value=value, **_kwargs: _value)

    answers(
        use_tournaments,
        list_tournaments=Page((TOURNAMENT,), "next_1"),
        get_tournament=TOURNAMENT,
        standings={"standings": [STANDING]},
        crosstable=CROSSTABLE,
        list_matches=Page((MATCH,), None),
    )
    answers(use_rulesets, list_rulesets=Page((RULESET,), "next_1"))
    answers(
        use_matches,
        list_matches=Page((MATCH,), None),
        get_match=MATCH,
        get_view={"view": VIEW, "version": 2, "over": False},
        get_events=(EVENTS, False),
        get_rulings={"rulings": [RULING]},
    )
    return hollow


PAGES = ("/", "/tournaments", "/tournaments/trn_1", "/matches", "/matches/mat_1", "/rulesets")


@pytest.mark.parametrize("path", PAGES)
def test_a_name_that_bites_is_escaped(shown: FlaskClient, path: str) -> None:
    page = shown.get(path)
    assert page.status_code == 200
    assert "<script>alert" not in page.text
    assert "&lt;script&gt;alert" in page.text


@pytest.mark.parametrize("path", [*PAGES, "/laws", "/rulesets/house", "/problems"])
def test_a_page_carries_its_security_headers(shown: FlaskClient, path: str) -> None:
    headers = shown.get(path).headers
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_the_live_table_comes_as_escaped_html_and_events_as_words(shown: FlaskClient) -> None:
    news = shown.get("/matches/mat_1/table").get_json()
    assert "<script>" not in news["table"]
    assert 'aria-label="king of hearts"' in news["table"]
    assert news["events"][1] == {"n": 2, "words": "a plays king of hearts"}


def test_a_list_goes_on_over_the_next_link(shown: FlaskClient) -> None:
    for path in ("/tournaments", "/rulesets"):
        assert f'href="{path}?cursor=next_1"' in shown.get(path).text


def test_every_rule_set_has_a_page_and_a_document(hollow: FlaskClient) -> None:
    for name in rulesets.names():
        document = hollow.get(f"/v1/rulesets/{name}").get_json()
        page = hollow.get(f"/rulesets/{name}").text
        assert {one["option"] for one in document["options"]} == set(rulesets.named(name).options)
        for one in document["options"]:
            assert one["source"]
            assert one["meaning"]
            assert f"<code>{one['option']}</code>" in page


def test_a_rule_set_explains_its_sources(hollow: FlaskClient) -> None:
    for name in rulesets.names():
        page = html.unescape(hollow.get(f"/rulesets/{name}").text)
        cited = {short for short in ("000", "002", "003", "004", "1895", "Pagat-66") if f"{short} " in page}
        for short in cited:
            assert f'<dt class="as-is">{short}</dt><dd>{law_book.sources()[short]["title"]}' in page
        assert "R-01 and the like" in page
        assert "Bridge 2017" not in page, "a source that is not cited is not explained"


@pytest.mark.parametrize("path", ["/", "/matches", "/tournaments", "/problems", "/rulesets/house"])
def test_on_a_narrow_screen_each_cell_names_its_column(shown: FlaskClient, path: str) -> None:
    page = shown.get(path).text
    body = page.split('class="stack"')[1].split("<tbody>")[1].split("</tbody>")[0]
    assert body.count("<td") == body.count("<td data-label=") > 0


def test_the_winner_of_a_match_is_named(shown: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    won = {**MATCH, "state": "void", "winner": "b", "seats": {"a": {"name": "Ada"}, "b": {"name": "Bea"}}}
    monkeypatch.setattr(use_matches, "list_matches", lambda *_args, **_kwargs: Page((won,), None))
    assert "Bea won" in shown.get("/matches").text


def test_a_void_match_shows_what_was_played(shown: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    void = {**MATCH, "state": "void", "reason": "the tournament was cancelled"}
    monkeypatch.setattr(use_matches, "get_match", lambda *_args, **_kwargs: void)
    page = shown.get("/matches/mat_1").text
    assert "the tournament was cancelled" in page
    assert "a plays king of hearts" in page


def test_every_law_has_a_page_and_a_document(hollow: FlaskClient) -> None:
    listed = hollow.get("/v1/laws").get_json()
    assert listed["edition"] == law_book.EDITION
    assert [law["id"] for law in listed["laws"]] == [law.id for law in law_book.laws()]
    for law in listed["laws"]:
        assert hollow.get(f"/v1/laws/{law['id']}").get_json() == law
        for part in ("text", "citations", "window", "kind", "remedies", "cases"):
            assert law[part], f"{law['id']} lacks {part}"
        assert "yields_to" in law
        assert law["ways"] or law["online"]
        assert law["part"] in listed["parts"]
    check(hollow.get("/v1/laws/IR-00"), 404, "law/unknown")
    assert hollow.get("/laws/IR-00", headers={"Accept": "text/html"}).status_code == 404


@pytest.mark.parametrize("law", law_book.laws(), ids=lambda law: law.id)
def test_a_law_can_be_read_on_its_page_with_every_case_drawn(hollow: FlaskClient, law: Law) -> None:
    page = unescape(hollow.get(f"/laws/{law.id}").text)
    for said in (law.title, law.text, law.window.opens, law.window.closes, *reading.remedies_words(law)):
        assert said.lower() in page.lower() or said in ("always", "never")
    for citation in law.citations:
        source = law_book.sources()[citation.source]
        assert f"{source['title']} ({source['edition']}), {citation.place}" in page
    cases = law_book.cases(law.id)
    assert page.count('<section class="case">') == page.count('<div class="position">') == len(cases)
    for case in cases:
        assert case["name"] in page
        for move in reading.moves_words(case["acts"]):
            assert move.rpartition(") ")[2] in page
    assert ("No act at this table brings it about" in page) == bool(law.online)
    assert ("How it comes about at this table" in page) == bool(law_book.ways(law.id))


def test_the_law_book_leads_to_every_law_and_says_what_carries_the_texts(hollow: FlaskClient) -> None:
    page = unescape(hollow.get("/laws").text)
    for law in law_book.laws():
        assert f'href="/laws/{law.id}"' in page
        assert law.text in page
    for letter, (title, _) in law_book.PARTS.items():
        assert f'<h2 id="{letter}">{letter}. {title}</h2>' in page
        assert f'href="#{letter}"' in page
    for says in law_book.coverage():
        assert says["says"] in page
        assert says.get("why", "") in page


def test_a_page_of_nothing_is_a_problem_page(hollow: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_args: Any, **_kwargs: Any) -> None:
        raise ServiceProblem(404, "match/unknown", title="No such match", detail="There is no match mat_x.")

    monkeypatch.setattr(use_matches, "get_match", unknown)
    answer = hollow.get("/matches/mat_x", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "There is no match mat_x." in answer.text


def test_a_match_of_many_rulings_shows_some_at_a_time_and_leads_to_the_others(
    shown: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [{**RULING, "n": number} for number in range(1, 121)]
    monkeypatch.setattr(use_matches, "get_rulings", lambda *_args, **_kwargs: {"rulings": many})
    path, seen = "/matches/mat_1", []
    while path:
        page = html.unescape(shown.get(path).text)
        seen.append([int(number) for number in re.findall(r"<p>Event (\d+)\.", page)])
        path = next(iter(re.findall(r'href="([^"]+)">rulings after', page)), "")
    assert [len(each) for each in seen] == [50, 50, 20]
    assert [each for page_of in seen for each in page_of] == [ruling["n"] for ruling in many]
    assert "rulings before</a>" in page
    for odd in ("0", "-1", "999", "x"):
        assert shown.get(f"/matches/mat_1?ruling={odd}").status_code == 200


def test_of_many_deals_those_about_the_one_shown_are_named_and_the_first_and_the_last() -> None:
    deals = [(f"deal {number}", number) for number in range(1, 1001)]
    assert steps._near(deals[:5], 2) == deals[:5]
    for about in (0, 1, 26, 500, 973, 998, 999):
        near = steps._near(deals, about)
        assert near == sorted(set(near), key=deals.index)
        assert {deals[0], deals[about], deals[-1]} <= set(near)
        assert len(near) <= 2 * steps._DEALS + 3
