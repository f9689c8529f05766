"""`referee rule` answers as the desk does, from arguments, a file or standard input, with no server."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from referee import cli
from referee.match import desk
from tests.match.playing import play
from tests.match.test_desk import LEAD, PACK

Capture = pytest.CaptureFixture[str]
OUT_OF_TURN = ["a JC", "b KD", "b draw"]


def ruled(capsys: Capture, *arguments: str) -> dict[str, Any]:
    assert cli.main(["rule", *arguments, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_the_answer_is_the_desks(capsys: Capture) -> None:
    asked = {"start": LEAD, "acts": OUT_OF_TURN, "ruleset": "pagat", "overrides": {"target": 3}}
    assert ruled(
        capsys, "--start", LEAD, "--ruleset", "pagat", "--set", "target=3", *OUT_OF_TURN
    ) == desk.adjudicate_body(asked)


def test_people_read_the_ruling_its_options_and_the_position(capsys: Capture) -> None:
    assert cli.main(["rule", "--start", LEAD, *OUT_OF_TURN]) == 0
    text = capsys.readouterr().out
    assert text.startswith("ruled: IR-20")
    assert "Ruling on act 3 (b draw), CHOICE; offender b" in text
    assert "a chooses:" in text
    assert "- accept (the default)" in text
    assert "a +1" in text
    assert "position: a:" in text
    assert max(map(len, text.splitlines())) <= 104


def test_people_read_that_the_highest_cut_chooses_who_deals(capsys: Capture) -> None:
    asked = ["--start", "stock:* | a cuts for deal", "--set", "first_dealer=highest_cut_chooses", "a cut 20", "b cut 2"]
    assert cli.main(["rule", *asked]) == 0
    text = capsys.readouterr().out
    assert text.startswith("ruled: a has cut the highest card and chooses who deals first (R-02).")
    assert "Ruling on act 2 (b cut 2), CHOICE\n" in text
    assert "- deal:a (the default): seat a deals first" in text
    assert "None" not in text


def test_people_read_what_sides_score(capsys: Capture) -> None:
    start = "a:AS TS KS QS AH 9H | b:JS TH KH AD TD 9C | c:9S QH JH KD AC TC | d:9D QD JD KC QC JC"
    asked = ["--ruleset", "cruce", "--start", f"{start} | bids:a:2 b:- c:- d:- | a leads"]
    assert cli.main(["rule", *asked, "a AS", "b JS", "c TC", "d JC", "a KS"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("ruled: IR-9A")
    assert "the deal: remedy, a -2, c -2" in text


def test_the_last_seat_deals_where_nothing_is_said(capsys: Capture) -> None:
    answer = ruled(capsys, "--ruleset", "three_handed", "--deal", PACK, "c shuffle", "a cut 9", "c deal a 3")
    assert answer["verdict"] == "lawful", answer["why"]
    assert cli.main(["rule", "--ruleset", "three_handed", "--deal", PACK, "--dealer", "d", "c shuffle"]) == 1
    assert "must be one of a, b, c" in capsys.readouterr().err


def test_a_claim_and_what_it_comes_to(capsys: Capture) -> None:
    answer = ruled(capsys, "--start", LEAD, "--claim", "a 1 IR-31", "b AH", "a JC")
    assert answer["verdict"] == "waived"
    assert cli.main(["rule", "--start", LEAD, "--claim", "b 1", "a KS"]) == 0
    assert "Ruling on the claim" in capsys.readouterr().out


def test_a_question_in_a_file_or_on_standard_input(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = json.dumps({"start": LEAD, "acts": OUT_OF_TURN})
    (tmp_path / "question.json").write_text(text)
    from_file = ruled(capsys, "--question", str(tmp_path / "question.json"))
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert ruled(capsys, "--question", "-") == from_file == desk.adjudicate_body(json.loads(text))


def test_a_deal_and_a_log(capsys: Capture, tmp_path: Path) -> None:
    assert (
        ruled(capsys, "--deal", PACK, "--dealer", "a", "a shuffle", "b cut 1")["rulings"][0]["laws"][0]["id"] == "IR-01"
    )
    log = tmp_path / "match.ndjson"
    log.write_bytes(play(3, overrides={"target": 1}).log)
    assert ruled(capsys, "--log", str(log), "--until", "5")["verdict"] == "lawful"


@pytest.mark.parametrize(
    ("arguments", "complaint", "code"),
    [
        (["a KS"], "/start: give one of", 1),
        (["--start", LEAD.replace("b:AH", "b:KS"), "a KS"], "/start: position: found 'KS'", 1),
        (["--start", LEAD, "a dance"], "/acts/0: move: found 'a dance'", 1),
        (["--start", LEAD, "--claim", "b 3", "a KS"], "/claim/number: found 3; 1 acts are given", 1),
        (["--start", LEAD, "--set", "tarjet=3"], "/overrides/tarjet", 1),
        (
            ["--start", LEAD, "--set", "points_plain=3", "--set", "points_schneider=2"],
            "/overrides/points_plain and /overrides/points_schneider",
            1,
        ),
        (["--start", LEAD, "--set", "target"], "OPTION=VALUE", 2),
        (["--start", LEAD, "--claim", "b"], "SEAT NUMBER", 2),
        (["--dealer", "a"], "belongs to --deal", 2),
        (["--question", "nowhere.json"], "does not exist", 2),
    ],
)
def test_a_bad_question_is_a_sentence(arguments: list[str], complaint: str, code: int, capsys: Capture) -> None:
    assert cli.main(["rule", *arguments]) == code
    assert complaint in capsys.readouterr().err


def test_a_file_that_is_no_question(capsys: Capture, tmp_path: Path) -> None:
    for text, complaint in (("{", "is not JSON"), ("[]", "not a JSON object"), ('{"moves":[]}', "/moves")):
        (tmp_path / "q.json").write_text(text)
        assert cli.main(["rule", "--question", str(tmp_path / "q.json")]) == 1
        assert complaint in capsys.readouterr().err
    assert cli.main(["rule", "--question", str(tmp_path / "q.json"), "a KS"]) == 2
