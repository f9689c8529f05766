"""The law book as a whole, and how several laws meet in one case."""

import re
from dataclasses import FrozenInstanceError, replace

import pytest

from referee.laws import adjudicate, book
from referee.laws.adjudicate import Settled
from referee.laws.law import Case, Citation, Finding, Kind, Window, law, registered_laws
from referee.match.casework import play_case
from referee.rules import notation, play, rulesets
from referee.rules.cards import CARD_NAMES

#: Every irregularity of the dossier: titles A to J.
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
    "J": "95 96 97 98 99 9A 9B 9C",
}


def test_the_book_has_every_law_of_the_dossier():
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
    for citation in body["citations"]:
        assert [*citation] == ["source", "title", "edition", "place"]
        assert all(citation.values())
    assert each.name == each.name.lower()


@pytest.mark.parametrize("short", book.sources())
def test_a_source_has_its_edition_apart_from_its_title(short):
    source = book.sources()[short]
    assert {"title", "edition", "kind"} <= {*source} <= {"title", "author", "edition", "kind"}
    assert all(source.values())
    assert not re.search("[0-9]{4}", source["title"]), "the year is the edition"


def test_the_reading_of_the_house_is_that_of_this_edition_of_the_book():
    assert book.sources()["house"]["edition"] == book.EDITION


def test_an_unknown_law_is_none():
    assert book.find("IR-00") is None
    assert book.law_json("nonsense") is None


def test_an_id_is_used_once():
    with pytest.raises(ValueError, match="IR-20"):
        law("IR-20", "Again", kind=Kind.NONE, cites=(), window=("", ""), options=("accept",))(lambda case: None)


def test_no_law_leaves_anything_to_discretion():
    assert all(each.kind != Kind.DISCRETION for each in book.laws())


DRAW_BOTH = "a:KS QS TD 9D JC | b:AH TH KD QD AC | stock:TS JS * | turn-up:JH | dealer:b | tricks:a:AS+9S | to-draw:a b | a draws"


def case_of(start, *moves, rules="house"):
    """The case of the last of the moves."""
    q = notation.read_position(start, rulesets.named(rules))
    for move in moves:
        p = q
        seat, act = notation.read_move(move)
        assert play.is_possible(p, seat, act), move
        q = play.apply(p, seat, act)
    return Case(1, seat, p, q, act, play.objections(p, seat, act))


def judged(start, *moves, rules="house"):
    return adjudicate.judge(case_of(start, *moves, rules=rules))


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


def test_what_the_book_is_made_of_is_read_once_and_never_changed():
    assert book.laws() is book.laws()
    assert book.sources() is book.sources()
    assert book.cases("IR-20") is book.cases("IR-20")
    case = case_of(DRAW_BOTH, "b draw")
    judgement = adjudicate.judge(case)
    for value in (
        *(case, judgement, judgement.cited[0], judgement.cited[0].finding, Settled(None)),
        *(book.find("IR-20"), Citation("000", "drawing"), Window("always", "never")),
    ):
        assert not hasattr(value, "__dict__"), f"{type(value).__name__} takes attributes of any name"
        name = next(iter(type(value).__dataclass_fields__))
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, None)
    assert len({*book.laws()}) == len(book.laws())


@pytest.fixture
def one_law_more():
    """A law that is registered for one test."""

    def register(**parts):
        described = {"kind": Kind.NONE, "cites": (("000", "drawing"),), "window": ("", ""), "options": ("accept",)}
        condition = parts.pop("condition", lambda case: None)
        law("IR-0X", "One more", **(described | parts))(condition)
        book.laws.cache_clear()

    yield register
    registered_laws().pop("IR-0X", None)
    book.laws.cache_clear()


def test_a_law_yields_only_to_laws_of_the_book(one_law_more):
    one_law_more(yields_to=("IR-20", "IR-00"))
    with pytest.raises(ValueError, match="IR-0X yields to IR-00, which is no law"):
        book.laws()


def test_a_law_cites_only_known_sources(one_law_more):
    one_law_more(cites=(("000", "drawing"), ("hearsay", "somewhere")))
    with pytest.raises(ValueError, match="IR-0X cites 'hearsay'"):
        book.find("IR-20")


def test_what_is_not_said_of_a_law_is_the_usual(one_law_more):
    one_law_more()
    found = book.find("IR-0X")
    assert book.laws()[0].id == "IR-01" and found in book.laws()
    assert (found.scope, found.elector, found.online, found.until) == ("every rule-set", "non_offender", "", ())
    assert (found.effects, found.yields_to, found.consequence_of) == ({}, (), frozenset())


def test_a_law_alone_keeps_the_order_of_its_own_options(one_law_more):
    one_law_more(
        kind=Kind.CHOICE,
        options=("accept", "mend", "undo"),
        condition=lambda case: Finding(case.seat) if case.seat == 0 else None,
    )
    assert judged(DRAW_BOTH, "a draw").options == ("accept", "mend", "undo")
    judgement = judged(DRAW_BOTH, "a draw bottom")
    assert (judgement.laws, judgement.kind, judgement.options) == (
        ("IR-0X", "IR-25"),
        Kind.CHOICE,
        ("accept", "mend", "undo"),
    )


def test_what_is_taken_back_is_not_mended_as_well(one_law_more):
    one_law_more(
        kind=Kind.CHOICE,
        options=("undo", "accept"),
        condition=lambda case: Finding(case.seat) if case.objected("IR-21") else None,
    )
    case = case_of(DRAW_BOTH, "a KS")
    judgement = adjudicate.judge(case)
    assert judgement.laws == ("IR-0X", "IR-21")
    back = adjudicate.settle(case, judgement, "undo").position
    assert (back.hands, back.stock, back.table) == (case.before.hands, case.before.stock, ())


def test_each_way_of_breaking_a_law_is_listed_with_that_law():
    for each in book.laws():
        assert {row["law"] for row in book.ways(each.id)} <= {each.id}
    assert sum(len(book.ways(each.id)) for each in book.laws()) >= len(book.laws()) / 2


def test_the_part_of_a_law_and_who_chooses_are_told():
    assert book.law_json("IR-20")["elector"] == "non_offender"
    assert book.law_json("IR-61")["elector"] is None
    assert book.law_json("IR-61")["online"] is None
    assert book.law_json("IR-63")["online"] == book.find("IR-63").online
    assert [book.part_of(number) for number in ("IR-15", "IR-29", "IR-54", "IR-55", "IR-93", "IR-9B")] == [*"ABEFIJ"]


LEADS = "a:KS QS KC QC KD QD | b:AH TH KH QH AC 9H | stock:* | turn-up:JH | dealer:b | tricks:a:AS+9S | a leads"


def facts(*moves, start=LEADS, rules="house"):
    return judged(start, *moves, rules=rules).facts


def test_of_a_case_the_usual_is_so_unless_it_is_said():
    p = notation.read_position(LEADS, rulesets.named("house"))
    case = Case(1, 0, p, p)
    assert (case.happening, case.established, case.repeated, case.unseen) == ("act", False, False, True)
    assert not case.claimed
    assert case.present is p
    assert Settled(p) == Settled(p, then=None, fresh_deal=False, match_lost=False, further=())


def test_the_first_marriage_shown_is_the_one_that_counts_and_is_to_be_led():
    assert facts("a show S", "a show C", "a show D") == {"counts": "S"}
    assert facts("a show C", "a show S", "a show D") == {"counts": "C"}
    assert facts("a show C", "a show S", "a QD") == {"shown": "C", "led": "QD"}


@pytest.mark.parametrize("led", ["AS", "TS", "9D"])
def test_the_card_led_instead_of_a_marriage_is_named_whichever_it_is(led):
    start = f"a:KS QS KC QC {led} JD | b:AH TH KH QH AC 9H | stock:* | turn-up:JH | dealer:b | tricks:a:AD+9C | a leads"
    judgement = judged(start, "a show S", f"a marry KC lead {led}")
    assert {"IR-32", "IR-46"} <= {*judgement.laws}
    assert judgement.facts["led"] == led
    assert judgement.facts["shown"] == "S"


def test_playing_the_card_just_drawn_is_not_showing_it():
    assert judged(DRAW_BOTH, "a draw", "a TS").laws == ("IR-27",)
    assert judged(DRAW_BOTH, "a draw", "a expose TS").laws == ("IR-28",)
    assert judged(DRAW_BOTH, "a draw", "a expose KS").laws == ("IR-83",)


def test_a_draw_from_the_wrong_place_stands_once_the_other_has_drawn():
    case = case_of(DRAW_BOTH, "a draw bottom")
    claimed = adjudicate.judge(replace(case, now=case.after))
    assert (claimed.kind, claimed.options) == (Kind.CHOICE, ("accept", "face"))
    late = adjudicate.judge(replace(case, now=case_of(DRAW_BOTH, "a draw bottom", "b draw").after))
    assert (late.kind, late.options) == (Kind.NONE, ("accept",))


# Closing when the other has drawn (IR-58)

DRAWN = ("b draw", "a close")


def test_closing_before_drawing_is_a_case_only_if_the_other_has_drawn():
    judgement = judged(DRAW_BOTH, *DRAWN)
    assert (judgement.laws, judgement.offender, judgement.elector) == (("IR-58",), 1, 0)
    assert judgement.options == ("undo", "mend")
    assert judged(DRAW_BOTH, "a close") is None
    assert judged(DRAW_BOTH, "b draw", "a draw") is None


@pytest.mark.parametrize("top", ["TS", "AC", "AS"])
def test_any_card_the_other_drew_makes_it_one(top):
    tricks = "tricks:a:9C+9S | to-draw:a b | a draws"
    start = f"a:KS QS TD 9D JC | b:AH TH KD QD KC | stock:{top} JS * | turn-up:JH | dealer:b | {tricks}"
    assert judged(start, *DRAWN).laws == ("IR-58",)


def test_a_draw_of_which_the_card_is_not_known_cannot_be_put_back():
    start = DRAW_BOTH.replace("b:AH", "b:9H AH").replace("to-draw:a b", "to-draw:a | drawn:b")
    assert judged(start, "a close") is None


def test_who_may_not_close_at_all_is_not_asked_how():
    start = DRAW_BOTH.replace("to-draw", "barred:a | to-draw")
    assert judged(start, *DRAWN).laws == ("IR-57",)


# What is offered, and how a deal ends by it


def offers(start, *moves, rules="house"):
    case = case_of(start, *moves, rules=rules)
    judgement = adjudicate.judge(case)
    return adjudicate.offered(case, judgement, judgement.options)


def test_an_offer_tells_the_default_the_award_and_what_each_option_does():
    assert offers(DRAW_BOTH, "b draw") == [
        {"option": "accept", "effect": "you draw the next card and play goes on", "default": True},
        {
            "option": "end_deal",
            "effect": "the deal ends with the award",
            "award": {"seat": "a", "game_points": 1},
        },
    ]
    assert offers(DRAW_BOTH, "a draw 2") == [
        {"option": "accept", "effect": "the offender keeps the top card, the other goes back", "default": True},
        {"option": "face", "effect": "both cards are faced, then you say which the offender takes"},
    ]


def test_what_a_further_choice_does_is_told_card_by_card():
    case = case_of(DRAW_BOTH, "a draw 2")
    judgement = adjudicate.judge(case)
    settled = adjudicate.settle(case, judgement, "face")
    assert settled.further == ("give:TS", "give:JS")
    told = [each["effect"] for each in adjudicate.offered(case, judgement, settled.further)]
    assert told == ["the offender takes TS", "the offender takes JS"]
    case = case_of(LEADS, "a look stock")
    judgement = adjudicate.judge(case)
    settled = adjudicate.settle(case, judgement, "face")
    names = [CARD_NAMES[each] for each in case.before.stock[:2]]
    assert [*settled.further] == [f"top:{name}" for name in names]
    told = [each["effect"] for each in adjudicate.offered(case, judgement, settled.further)]
    assert told == [f"{name} lies on top of the stock" for name in names]
    told = [each["effect"] for each in offers(LEADS, "a KS also QS")]
    assert told == ["KS stays, the other card is taken up", "QS stays, the other card is taken up"]


def test_a_choice_to_end_the_deal_gives_its_award_even_after_the_deal_has_ended():
    case = case_of(DRAW_BOTH, "b draw")
    judgement = adjudicate.judge(case)
    over = replace(case, now=case_of(DRAW_BOTH, "b draw", "a concede").after)
    result = adjudicate.result_of(over, judgement)
    assert (result.cause, result.winner, result.game_points, result.law) == ("remedy", 0, 1, "IR-20")


STRICT = (
    "a:KS AH KH QH TD KC | b:QS TH JH 9H JD QC | trump:H | dealer:b"
    " | tricks:a:AS+9S a:TS+JS a:9D+KD b:AC+9C b:QD+AD a:TC+JC | a leads"
)


@pytest.mark.parametrize(
    ("winner", "scored", "points"),
    [(0, 1, 2), (0, 2, 2), (0, 3, 3), (0, 4, 4), (1, 1, 2), (1, 3, 2), (None, 0, 2)],
)
def test_a_revoke_replaces_a_result_unless_the_same_seat_has_won_more(winner, scored, points):
    case = replace(case_of(STRICT, "a KS", "b JD"), established=True)
    judgement = adjudicate.judge(case)
    assert judgement.laws == ("IR-36",)
    if winner is None:
        now = case.after
    else:
        other = case_of(STRICT, "b concede" if winner == 0 else "a concede").after
        now = play.end(case.after, replace(other.result, game_points=scored))
    result = adjudicate.result_of(replace(case, now=now), judgement)
    assert (result.winner, result.game_points, result.law) == (0, points, "IR-36")
