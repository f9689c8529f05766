"""The law book as a whole, and how several laws meet in one case."""

import pytest

from referee.laws import adjudicate, book
from referee.laws.law import Case, Kind, law
from referee.match.casework import play_case
from referee.rules import notation, play, rulesets

#: Every irregularity of the two-handed game: titles A to I of the dossier.
TITLES = {
    "A": "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15",
    "B": "20 21 22 23 24 25 26 27 28 29",
    "C": "31 32 33 34 35 36 37 38 39",
    "D": "41 42 43 44 45 46 47 48",
    "E": "51 52 53 54",
    "F": "55 56 57 58 59 5A",
    "G": "61 62 63 64 65",
    "H": "80 81 82 83 84 85",
    "I": "90 91 92 93",
}


def test_the_book_has_every_law_of_the_two_handed_game():
    assert {each.id for each in book.laws()} == {
        f"IR-{number}" for title in TITLES.values() for number in title.split()
    }


@pytest.mark.parametrize("each", book.laws(), ids=lambda each: each.id)
def test_a_law_has_all_its_parts(each):
    body = book.law_json(each.id)
    assert body is not None
    for part in ("title", "text", "citations", "scope", "window", "kind", "remedies", "cases"):
        assert body[part], f"{each.id} lacks {part}"
    assert len(each.text.split()) > 12
    shown = {"carried_out", "outside"} if each.online else {"breached", "not_breached", "outside"}
    assert {case["kind"] for case in body["cases"]} == shown
    assert all(citation["title"] for citation in body["citations"])
    assert each.name == each.name.lower()


def test_an_unknown_law_is_none():
    assert book.find("IR-00") is None
    assert book.law_json("nonsense") is None


def test_an_id_is_used_once():
    with pytest.raises(ValueError, match="IR-20"):
        law("IR-20", "Again", kind=Kind.NONE, cites=(), window=("", ""), options=("accept",))(lambda case: None)


def test_no_law_leaves_anything_to_discretion():
    assert all(each.kind != Kind.DISCRETION for each in book.laws())


DRAW_BOTH = "a:KS QS TD 9D JC | b:AH TH KD QD AC | stock:TS JS * | turn-up:JH | dealer:b | tricks:a:AS+9S | to-draw:a b | a draws"


def judged(start, move):
    p = notation.read_position(start, rulesets.named("house"))
    seat, act = notation.read_move(move)
    assert play.is_possible(p, seat, act)
    case = Case(1, seat, p, play.apply(p, seat, act), act, play.objections(p, seat, act))
    return adjudicate.judge(case)


def test_one_act_against_two_laws_gives_one_choice_among_the_union():
    judgement = judged(DRAW_BOTH, "b draw 2")
    assert judgement.laws == ("IR-20", "IR-23")
    assert judgement.options[0] == "accept"
    assert set(judgement.options) == {"accept", "end_deal", "face"}


def test_the_default_of_a_union_is_undo_before_mend_before_accept():
    judgement = judged(DRAW_BOTH, "b AH")
    assert judgement.laws == ("IR-21", "IR-31")
    assert judgement.options == ("undo", "mend", "end_deal", "accept")


@pytest.mark.parametrize(
    ("option", "sizes", "table"),
    [("undo", (5, 5), 0), ("mend", (5, 5), 0), ("accept", (6, 5), 1)],
)
def test_who_takes_one_laws_option_takes_the_default_of_the_others(option, sizes, table):
    worked = play_case({"start": DRAW_BOTH, "acts": ["b AH", f"a elect {option}"]})
    assert worked.option == option
    assert (worked.after["sizes_a"], worked.after["sizes_b"]) == sizes
    assert worked.after["stock"] == 11 - (sizes[0] - 5) * 2


def test_a_remedy_that_ends_the_deal_leaves_no_choice():
    judgement = judged(
        "a:KS QS TD 9D JC AS | b:AH TH KD QD AC 9C | stock:* | turn-up:JH | dealer:b | a leads", "b declare"
    )
    assert judgement.laws == ("IR-61", "IR-62")
    assert (judgement.elector, judgement.options, judgement.kind) == (-1, ("end_deal",), Kind.PRESCRIBED)
