"""Who has won a match: two at the target at once, a margin, the ten of trumps, the limit of deals, and cutting."""

import orjson
import pytest

from referee import match
from referee.match import trying
from referee.rules import notation, rulesets

#: The last trick of a deal of Cruce, trump clubs: a and c have bid one and have 60 to 45 before it.
LAST = (
    "a:AC | b:TC | c:9S | d:9D | trump:C | dealer:d | bids:a:1 b:- c:- d:- | "
    "tricks:a:KC+9C+JS+QC b:AS+TS+QS+JC b:AH+TH+9H+QH b:JH+KS+KH+QD c:AD+TD+JD+KD | leader:a | a leads"
)
#: The trick in which side a takes the ten of trumps.
TEN = (
    "a:AH KS QS JS 9S 8S 7S 9C | b:TH KC QC JC AS AC TC TS | c:KH QH JH 9H 8H 7H 8C 7C | d:AD TD KD QD JD 9D 8D 7D | trump:H"
    " | dealer:d | a leads"
)
#: The last trick of a deal in which a and c have 110 points and b has the ten of trumps left.
TEN_LAST = (
    "a:7S | b:TH | c:8S | d:9S | trump:H | dealer:d | tricks:a:AH+9H+7H+8H c:7D+KD+AD+8D a:AC+7C+KH+8C c:9D+QD+TD+JD"
    " a:TC+9C+QH+JC c:KS+QS+AS+JS a:QC+TS+JH+KC | leader:a | a leads"
)
LAST_OF_ALL = ("a 7S", "b TH", "c 8S", "d 9S")


def ended(text: str, rules, score: tuple[int, ...], *row: str):
    """The match after some moves from a position, the score being as given."""
    trial = trying.sit_down(notation.read_position(text, rules), score=score)
    for move in row:
        done = trying.make(trial, trying.read(move))
        assert isinstance(done, match.Step), done
    return trial.match


@pytest.mark.parametrize(
    ("score", "win_by", "winner"),
    [
        ((14, 14, 14, 14), 1, 0),
        ((14, 15, 14, 15), 1, 0),
        ((10, 14, 10, 14), 1, 1),
        ((14, 14, 14, 14), 2, None),
        ((14, 10, 14, 10), 2, 0),
        ((12, 10, 12, 10), 1, None),
    ],
)
def test_where_both_reach_the_target_the_bidding_side_has_won(score, win_by, winner):
    """4.4: a and c make their bid and score two, b and d one; D-01 for the margin."""
    rules = rulesets.named("cruce").override({"win_by": win_by})
    m = ended(LAST, rules, score, "a AC", "b TC", "c 9S", "d 9D")
    gained = (2, 1, 2, 1)
    assert m.score == tuple(had + more for had, more in zip(score, gained, strict=True))
    assert m.is_over == (winner is not None)
    assert winner is None or m.outcome.winner == winner


@pytest.mark.parametrize(
    ("score", "win_by", "over"),
    [((6, 6, 6, 6), 1, True), ((5, 6, 5, 6), 1, False), ((6, 5, 6, 5), 2, True), ((6, 6, 6, 6), 2, False)],
)
def test_the_ten_of_trumps_ends_a_match_at_the_trick_if_it_wins_it(score, win_by, over):
    """C-09, C-10, F-15: where a margin is asked for and not there, the deal goes on."""
    rules = rulesets.named("four_handed").override({"ten_of_trumps": "game_point", "win_by": win_by})
    m = ended(TEN, rules, score, "a AH", "b TH", "c KH", "d AD")
    assert m.is_over == over
    if over:
        assert (m.outcome.winner, m.outcome.cause) == (0, "ten_of_trumps")
        assert m.score == (score[0] + 1, score[1], score[2] + 1, score[3])
    else:
        assert len(m.position.tricks) == 1, "the deal goes on"
        assert m.score == score, "the point is entered with the deal's score"


@pytest.mark.parametrize(
    ("score", "winner", "scored"),
    [((6, 6, 6, 6), 1, (6, 7, 6, 7)), ((6, 5, 6, 5), 0, (8, 6, 8, 6)), ((0, 6, 0, 6), 1, (0, 7, 0, 7))],
)
def test_the_ten_of_trumps_counts_first_in_the_last_trick_too(score, winner, scored):
    """C-10: it is taken before the hand is counted."""
    m = ended(TEN_LAST, rulesets.named("four_handed").override({"ten_of_trumps": "game_point"}), score, *LAST_OF_ALL)
    assert (m.is_over, m.outcome.winner, m.score) == (True, winner, scored)
    assert m.outcome.cause == ("ten_of_trumps" if winner else "played_out")


@pytest.mark.parametrize(("pack", "least"), [("house", 8), ("cruce", 4), ("four_handed", 6), ("schnapsen", 6)])
def test_the_attendant_leaves_room_for_every_cut_for_deal(pack, least):
    """R-03: each cut lifts as many as the rule-set asks for, and so many are left after the last."""
    rules = rulesets.named(pack).override({"cut_least": least, "first_dealer": "highest_cut_chooses"})
    seats = tuple(match.Seating(x, x) for x in "abcd"[: rules.options["seats"]])
    for number in range(6):
        step = match.open_match(match.Terms("mat_cut", rules, seats), bytes([number]) * 32)
        acted = [event["act"] for event in map(orjson.loads, step.lines) if event["type"] == "acted"]
        left = rules.options["pack"]
        for place, act in enumerate(acted[: len(seats)]):
            assert act["act"] == "cut"
            assert act["at"] >= least
            left -= act["at"]
            assert left >= least * (len(seats) - place)
