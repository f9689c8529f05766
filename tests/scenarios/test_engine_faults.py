"""Faults of other engines of this game, each by its number in the scenario list (57 to 61, 63 to 86).

Not tested here, and why:
  62  uploaded programs and their validation: nothing is uploaded, a bot is a URL or a client.
  84  wrong sets of legal moves in games of other families: the oracle compares ours act by act
      (tests/oracle); the follow rules of this game are in 65 below.
  79, 85, and 65 for four seats: they stand in test_faults_of_the_relatives.py.

The positions are of two who play with twenty-four cards, in whichever rule-sets that is so: of three the dealer rests.
"""

import random

import pytest

from referee.rules import acts, cards, moves, notation, play, rulesets, scoring, views
from tests.oracle.test_against_engine import Duel

NAMES = [name for name in rulesets.names() if rulesets.named(name).options["pack"] == 24 and name != "cruce"]


def at(text: str, rules: str = "house"):
    """The position that a text describes; where three sit at the table, c has dealt and rests."""
    if rulesets.named(rules).options["dealer_rests"]:
        text = text.replace("dealer:b", "dealer:c")
    return notation.read_position(text, rulesets.named(rules))


def objections(position, move: str) -> set[str]:
    """Codes of what is wrong with a move; `impossible` if it could not happen at all."""
    seat, act = moves.read_move(move)
    if not play.is_possible(position, seat, act):
        return {"impossible"}
    return {each.code for each in play.objections(position, seat, act)}


def after(position, *row: str):
    """The position after moves that are all in order."""
    for move in row:
        assert objections(position, move) == set(), move
        position = play.apply(position, *moves.read_move(move))
    return position


def lawful(position) -> set[str]:
    """The lawful moves of the seat on turn, in notation."""
    return {moves.write_move(position.turn, act) for act in play.lawful_acts(position)}


def counts(position) -> list[int]:
    """What each seat has toward 66."""
    return [scoring.count(position, seat) for seat in (0, 1)]


def result(position):
    """(winner's letter or None, game points) of a scored deal."""
    winner = position.result.winner
    return ("ab"[winner] if winner in (0, 1) else None), position.result.game_points


OPENING = "a:KS QS AH TH 9C JD | b:9S AS TD 9D QH QC | stock:* | turn-up:KC | dealer:b | a leads"
ON_LEAD = "a:KS QS AH TH KD QD | b:9H AS TD 9D QH QC | stock:* | turn-up:KC | dealer:b | tricks:a:TS+9S | a leads"


def every_way_to_announce_again(position, seat: str):
    """Announces the marriage of spades in every way that is possible, in order or not."""
    for words in ("marry KS", "marry QS", "marry KS 20", "marry KS lead QS", "show S"):
        one = moves.read_move(f"{seat} {words}")
        if play.is_possible(position, *one):
            yield f"{seat} {words}", play.apply(position, *one)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "pagat"])
def test_57_the_same_marriage_announced_twice_is_void_and_the_count_unchanged(name):
    position = after(at(OPENING, name), "a marry KS", "b AS")
    assert counts(position)[0] == 0
    position = after(position, "b draw", "a draw", "b 9D", "a JD", "a draw", "b draw")
    before = counts(position)
    assert before[0] == 2 + 20
    assert objections(position, "a marry QS"), "the queen alone is no marriage"
    again = play.apply(position, *moves.read_move("a marry QS"))
    assert counts(again) == before
    assert [each["counts"] for each in views.view(again, 1)["marriages"]] == ["now", "void"]


@pytest.mark.parametrize("name", [*NAMES, "schnapsen"])
def test_58_after_the_last_draw_hands_are_equal_and_the_turn_up_is_with_the_trick_s_loser(name):
    rules = rulesets.named(name)
    full = rules.options["hand_size"]
    for number in range(20):
        rng = random.Random(number)
        pack = list(cards.pack_cards(rules.options["pack"]))
        rng.shuffle(pack)
        position = play.deal_position(rules, pack, dealer=number % rules.options["seats"])
        turned = position.turn_up
        while len(position.tricks) < full or position.phase == "draw":
            choice = [act for act in play.lawful_acts(position) if act.kind in ("play", "draw")]
            position = play.apply(position, position.turn, rng.choice(choice))
        (loser,) = set(position.frame.active) - {position.tricks[-1][1]}
        assert [position.hands[seat].bit_count() for seat in position.frame.active] == [full, full]
        assert position.stock == ()
        assert position.turn_up == -1
        assert position.hands[loser] >> turned & 1


@pytest.mark.parametrize("name", rulesets.names())
def test_59_no_random_lawful_deal_leaves_an_empty_handed_seat_to_move(name):
    """The long run of this is tests/properties/test_lawful_play.py and `make soak`."""
    for number in range(30):
        rng = random.Random(number)
        pack = list(cards.pack_cards(rulesets.named(name).options["pack"]))
        rng.shuffle(pack)
        position = play.deal_position(rulesets.named(name), pack)
        while position.result is None:
            assert position.hands[position.turn]
            position = play.apply(position, position.turn, rng.choice(play.lawful_acts(position)))


def test_60_and_70_cards_shown_by_a_marriage_or_an_exchange_stay_open_to_the_other():
    position = after(at(OPENING), "a marry KS")
    assert views.view(position, 1)["open"]["QS"] == "a"
    position = after(position, "b 9D", "a draw", "b draw", "a exchange")
    seen = views.view(position, 1)
    assert seen["open"] == {"9C": "turn_up", "KC": "a", "QS": "a"}
    assert seen["turn_up"] == "9C"
    later = after(position, "a AH", "b QH")
    assert views.view(later, 1)["open"]["KC"] == "a"
    assert "KC" not in views.view(after(later, "a draw", "b draw", "a KC"), 1)["open"]


def test_63_marriage_declared_again_before_leading_counts_once():
    position = after(at(ON_LEAD), "a marry KS")
    once = counts(position)
    assert once == [10 + 20, 0]
    tried = list(every_way_to_announce_again(position, "a"))
    assert tried, "at least the late call of the same king is possible"
    for move, again in tried:
        assert objections(position, move), move
        assert counts(again) == once, move
        for second, third in every_way_to_announce_again(again, "a"):
            assert counts(third) == once, (move, second)


def test_63_a_marriage_shown_four_times_before_leading_counts_once_and_does_not_win():
    position = at(ON_LEAD)
    for _ in range(4):
        position = play.apply(position, *moves.read_move("a show S"))
    assert counts(position) == [10, 0]
    ended = play.apply(position, *moves.read_move("a declare"))
    assert result(ended) == ("b", 3)


def test_64_the_last_draw_gives_the_turn_up_to_the_loser_and_six_tricks_follow():
    position = at(
        "a:AS TS KS QH JH | b:AH TH KH QS JS | stock:9S | turn-up:KC | dealer:b | "
        "tricks:a:AD+TD a:KD+QD a:JD+9D a:AC+TC a:JC+9C b:9H+QC | a draws"
    )
    position = after(position, "a draw", "b draw")
    assert position.hands[1] >> cards.card("KC") & 1
    position = after(
        position, "a AS", "b QS", "a TS", "b JS", "a KS", "b KC", "b AH", "a QH", "b TH", "a JH", "b KH", "a 9S"
    )
    assert len(position.tricks) == 12
    assert position.result is not None
    assert sum(position.points) == 130


def strict(hands: str, rules: str):
    """An exhausted stock with hands as given, a on lead; what they do not hold lies in tricks."""
    held = hands.replace("|", " ").replace("a:", "").replace("b:", "").split()
    rest = [r + s for s in "SHDC" for r in "ATKQJ9" if r + s not in held]
    row = " ".join(f"a:{rest[i]}+{rest[i + 1]}" for i in range(0, len(rest), 2))
    return at(f"{hands} | trump:C | dealer:b | tricks:{row} | leader:a | a leads", rules)


def test_65_strict_play_enforces_heading_and_trumping_where_the_rule_set_asks_for_it():
    hands = "a:TH AS KS QS JS 9S | b:AH 9H TC JD 9D QD"
    assert lawful(after(strict(hands, "house"), "a TH")) == {"b AH", "b 9H"}
    assert lawful(after(strict(hands, "uspc"), "a TH")) == {"b AH"}
    assert lawful(after(strict(hands, "house"), "a AS")) == {f"b {c}" for c in ["AH", "9H", "TC", "JD", "9D", "QD"]}
    for name in ("uspc", "pagat"):
        assert lawful(after(strict(hands, name), "a AS")) == {"b TC"}
    trumps = "a:QC AS KS QS JS 9S | b:TC 9C AH 9H JD 9D"
    assert lawful(after(strict(trumps, "house"), "a QC")) == {"b TC", "b 9C"}
    assert lawful(after(strict(trumps, "pagat"), "a QC")) == {"b TC"}
    low = "a:AC AS KS QS JS 9S | b:TC 9C AH 9H JD 9D"
    assert lawful(after(strict(low, "pagat"), "a AC")) == {"b TC", "b 9C"}


@pytest.mark.parametrize("name", NAMES)
def test_65_the_same_duties_hold_after_closing(name):
    position = after(at(ON_LEAD, name), "a close", "a AH")
    assert lawful(position) == {"b 9H", "b QH"}


def test_66_only_the_seat_on_turn_acts_in_order():
    position = at(ON_LEAD)
    for move in ("b 9H", "b close", "b draw", "b marry QH"):
        assert objections(position, move), move
    assert "lead_out_of_turn" in objections(position, "b 9H")
    assert objections(after(position, "a AH"), "a TH") == {"second_card_to_a_trick"}


def test_67_marriage_points_wait_for_a_trick_and_are_lost_without_one():
    position = after(at(OPENING), "a marry KS")
    assert counts(position) == [0, 0]
    assert views.view(position, 1)["marriages"][0]["counts"] == "pending"
    won = after(position, "b 9D")
    assert counts(won) == [4 + 20, 0], "the trick to which it was led makes it count"
    lost = after(position, "b AS")
    assert counts(lost) == [0, 11 + 4]
    conceded = play.apply(lost, *moves.read_move("a concede"))
    assert result(conceded) == ("b", 3), "no trick, and a marriage that waits is no help"


def test_67_with_a_trick_a_marriage_counts_at_once():
    assert counts(after(at(ON_LEAD), "a marry QD")) == [10 + 20, 0]


def test_68_king_or_queen_is_the_player_s_choice():
    """F-20: at 40 the queen led and a jack thrown give 65, the king 66."""
    position = at(ON_LEAD)
    assert {"a marry KS", "a marry QS", "a KS", "a QS"} <= lawful(position)
    assert counts(after(position, "a marry QS", "b 9H"))[0] == 10 + 20 + 3
    assert counts(after(position, "a marry KS", "b 9H"))[0] == 10 + 20 + 4


@pytest.mark.parametrize("name", NAMES)
def test_69_the_follower_can_answer_a_marriage_lead(name):
    position = after(at(ON_LEAD, name), "a marry KD")
    assert {f"b {card}" for card in ["9H", "AS", "TD", "9D", "QH", "QC"]} <= lawful(position)
    after(position, "b TD")


NINE_OF_TRUMPS = (
    "a:9C QS AH TH KD QD | b:9H AS TD 9D QH QC | stock:* | turn-up:KC | dealer:b | tricks:a:TS+9S | a leads"
)


def test_71_exchange_before_closing_and_after_it_in_one_turn():
    position = at(NINE_OF_TRUMPS)
    assert "a KC" in lawful(after(position, "a exchange", "a close"))
    assert "a KC" in lawful(after(position, "a close", "a exchange"))
    closed = after(at(NINE_OF_TRUMPS, "wikipedia"), "a close")
    assert objections(closed, "a exchange") == {"exchange_after_close"}


def test_71_the_nine_that_is_the_turn_up_is_nobody_s_to_exchange():
    turned = "a:KC QS AH TH KD QD | b:9H AS TD 9D QH QC | stock:* | turn-up:9C | dealer:b | tricks:a:TS+9S | a leads"
    assert not any("exchange" in move for move in lawful(at(turned)))
    assert objections(at(turned), "a exchange") == {"impossible"}


def test_71_exchange_with_two_cards_left_but_not_with_the_turn_up_alone():
    spent = "tricks:a:AD+TD a:KD+QD a:JD+9D a:AC+TC a:JC+QC b:AS+9H"
    two = f"a:9C TS KS QH JH | b:AH TH KH QS JS | stock:9S | turn-up:KC | dealer:b | {spent} | b draws"
    other = f"a:AH TH KH QS JS | b:9C TS KS QH JH | stock:9S | turn-up:KC | dealer:b | {spent} | b draws"
    drawn = f"a:9S TS KS QH JH | b:AH TH KH QS JS | stock:9C | turn-up:KC | dealer:b | {spent} | b draws"
    assert "b exchange" in lawful(at(other))
    assert not any("exchange" in move for move in lawful(at(two)))
    last = after(at(drawn), "b draw")
    assert objections(last, "b exchange"), "W-22: the nine drawn as the last face-down card stays in hand"
    assert lawful(last) == {"a draw"}


def test_71_a_trick_is_needed_first():
    position = at(OPENING)
    assert objections(position, "a exchange") == {"exchange_without_trick"}
    assert "a exchange" in lawful(after(position, "a AH", "b QH", "a draw", "b draw"))


@pytest.mark.parametrize("name", NAMES)
def test_72_closing_exchanges_nothing_by_itself(name):
    other = "a:9H AS TD 9D QH QC | b:9C QS AH TH KD QD | stock:* | turn-up:KC | dealer:b | tricks:a:TS+9S | a leads"
    closed = after(at(other, name), "a close")
    assert closed.turn_up == cards.card("KC")
    assert closed.hands == at(other, name).hands
    free = objections(closed, "b exchange") == set()
    assert free == (name == "pagat"), "only under pagat may the other exchange at the close, without a trick"


def test_72_a_free_exchange_ends_with_the_next_card_of_the_other():
    other = "a:9H AS TD 9D QH QC | b:9C QS AH TH KD QD | stock:* | turn-up:KC | dealer:b | tricks:a:TS+9S | a leads"
    led = after(at(other, "pagat"), "a close", "a 9H")
    assert "b exchange" in lawful(led)
    played = after(led, "b AH")
    assert objections(played, "b exchange")


def test_73_schwarz_is_judged_by_tricks_and_not_by_points():
    spades = "a:AS TS KS QS JS KC | b:AH TH KH QH JH QC | stock:* | turn-up:TC | dealer:b"
    with_trick = at(f"{spades} | tricks:b:9S+9H b:JC+AC a:AD+TD a:JD+9D | a leads")
    assert with_trick.points[1] == 0
    assert with_trick.counts[1] == 1
    assert result(play.apply(with_trick, *moves.read_move("b concede"))) == ("a", 2)
    none = at(f"{spades} | tricks:a:9S+9H b:JC+AC a:AD+TD a:JD+9D | a leads")
    assert none.counts[1] == 0
    assert result(play.apply(none, *moves.read_move("b concede"))) == ("a", 3)


@pytest.mark.parametrize("name", NAMES)
def test_74_exactly_66_is_enough_and_65_is_not(name):
    text = (
        "a:KS JS QD JD AC KC | b:QS 9S KD 9D TC {} | stock:* | turn-up:9H | dealer:b | "
        "tricks:a:AH+TH a:AD+TD a:AS+TS a:{}+9C | a leads"
    )
    enough = at(text.format("JC", "QC"), name)
    assert counts(enough) == [66, 0]
    assert result(after(enough, "a declare")) == ("a", 3)
    short = at(text.format("QC", "JC"), name)
    assert counts(short) == [65, 0]
    points = 3 if name in ("house", "foster", "hobby", "three_handed") else 2
    assert result(play.apply(short, *moves.read_move("a declare"))) == ("b", points)


def test_75_a_failed_close_is_paid_by_the_other_s_tricks_at_the_close():
    none = "a:9H AS TD 9D QH QC | b:9C QS AH TH KD QD | stock:* | turn-up:KC | dealer:b | tricks:a:TS+9S | a leads"
    closed = after(at(none), "a close", "a 9H", "b AH")
    assert closed.counts[1] == 1, "the other has a trick by now"
    for name, points in (
        ("house", 3),
        ("foster", 3),
        ("uspc", 3),
        ("hobby", 3),
        ("pagat", 3),
        ("wikipedia", 2),
        ("three_handed", 3),
    ):
        position = after(at(none, name), "a close", "a 9H", "b AH")
        assert result(play.apply(position, *moves.read_move("a concede"))) == ("b", points), name
    one = (
        "a:9H AS TD 9D QH QC | b:9C QS AH TH KD QD | stock:* | turn-up:KC | dealer:b | tricks:b:TS+9S a:JS+KS | a leads"
    )
    for name in NAMES:
        position = after(at(one, name), "a close")
        assert result(play.apply(position, *moves.read_move("a declare"))) == ("b", 2), name


@pytest.mark.parametrize("name", NAMES)
def test_76_the_last_trick_counts_ten_only_in_an_unclosed_deal_played_out(name):
    open_deal = strict("a:AS | b:9C", name)
    ended = after(open_deal, "a AS", "b 9C")
    assert ended.points[1] - open_deal.points[1] == 11 + 10
    closed = at(
        "a:AS | b:9C | stock:9S | turn-up:9H | trump:C | dealer:b | closed-by:a/0@1 | "
        "tricks:a:AD+TD a:KD+QD a:JD+9D a:AC+TC a:KC+QC a:JC+TS a:KS+QS a:JS+JH a:AH+TH a:KH+QH | a leads",
        name,
    )
    ended = after(closed, "a AS", "b 9C")
    assert ended.points[1] == 11


def test_76_no_ten_after_a_declaration_in_the_middle_of_a_trick():
    position = after(strict("a:AS KH | b:9C QH", "uspc"), "a KH")
    assert position.phase == "follow"
    ended = play.apply(position, *moves.read_move("a declare"))
    assert sum(ended.points) == 120 - 11 - 4 - 3


def test_78_what_a_page_would_not_offer_is_not_taken_either():
    position = at(ON_LEAD)
    assert objections(position, "a AD") == {"impossible"}
    assert objections(position, "a marry KH") == {"impossible"}
    one = "a:KS AS AH TH KD QD | b:9H QS TD 9D QH QC | stock:* | turn-up:KC | dealer:b | tricks:a:TS+9S | a leads"
    assert objections(at(one), "a marry KS") == {"mate_not_held"}
    closed = after(position, "a close", "a AH")
    assert objections(closed, "b AS") == {"duty_of_strict_play"}


def test_80_game_points_are_numbers_one_two_and_three():
    text = "a:KS JS QD JD KH KC | b:QS 9S KD 9D JH QC | stock:* | turn-up:9H | dealer:b | tricks:{} | a leads"
    for tricks, points in (("b:AS+TS b:AD+TD", 1), ("b:TS+JC a:AD+TD", 2), ("a:AS+TS a:AD+TD", 3)):
        conceded = play.apply(at(text.format(tricks)), *moves.read_move("b concede"))
        assert result(conceded) == ("a", points)
        assert type(conceded.result.game_points) is int
    hand, led = "a:TH AS KS QS JS 9S | b:AH 9H TC JD 9D QD", "a TH"
    assert lawful(after(strict(hand, "pagat"), led)) == {"b AH"}, "heading compares with the card led"


def test_81_two_marriages_are_two():
    spades, diamonds = (moves.read_move(f"a marry {card}")[1] for card in ("KS", "KD"))
    assert spades is not diamonds
    assert spades != diamonds
    position = after(at(ON_LEAD), "a marry KS", "b 9H", "a draw", "b draw", "a marry KD")
    assert [each["suit"] for each in views.view(position, 1)["marriages"]] == ["S", "D"]
    assert counts(position)[0] == 10 + 4 + 20 + 20


def test_83_the_engine_is_held_beside_another_one():
    Duel(rulesets.named("house"), "scenario 83").play_out()


def test_86_a_declaration_that_rests_on_marriages_only_needs_a_trick():
    """A marriage before any trick waits, so it cannot make 66: a false declaration (A-06)."""
    position = after(at(OPENING), "a marry KS")
    assert result(play.apply(position, *moves.read_move("a declare"))) == ("b", 3)
    assert acts.read_act({"act": "declare"}) in play.own_risk(at(OPENING)), "its risk is its own"
