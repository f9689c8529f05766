"""Logs: the chain, folding back, verifying, and finding out whatever was changed in them."""

import hashlib
import random
from dataclasses import fields

import orjson
import pytest
import rfc8785

from referee import match
from referee.rules import rulesets
from tests.match.playing import ALL_CHORES, play

PROFILES = rulesets.names()


@pytest.mark.parametrize("name", PROFILES)
def test_a_finished_log_verifies(name):
    seats = rulesets.named(name).options["seats"]
    for seed in range(3):
        chores = (ALL_CHORES, ("draw",), ("deal", "watch"), ())[:seats]
        played = play(
            seed, name=name, irregular=0.4 * (seed % 2), chores=chores, overrides={"target": 3, "most_deals": 20}
        )
        assert match.verify(played.log) == match.Verdict(True, played.match.version)


def test_every_line_is_canonical_json_and_holds_the_hash_of_the_one_before():
    played = play(1, irregular=0.3, chores=(ALL_CHORES, ALL_CHORES))
    before = "0" * 64
    for number, line in enumerate(played.lines, start=1):
        event = orjson.loads(line)
        assert (event["n"], event["prev"]) == (number, before)
        assert rfc8785.dumps(event) == line
        before = hashlib.sha256(line).hexdigest()
    assert before == played.match.head


def test_any_changed_byte_is_found_and_its_event_named():
    played = play(5, irregular=0.2, chores=(ALL_CHORES, ("draw",)), overrides={"target": 1})
    log = played.log
    dice = random.Random(7)
    ends, number_at = [], {}
    for number, line in enumerate(log.split(b"\n")[:-1], start=1):
        start = ends[-1] if ends else 0
        ends.append(start + len(line) + 1)
        number_at.update(dict.fromkeys(range(start, ends[-1]), number))
    places = {dice.randrange(start, end) for start, end in zip([0, *ends], ends, strict=False) for _ in range(4)}
    for place in sorted(places | {len(log) - 1, 0}):
        other = dice.choice([byte for byte in (*range(32, 127), 10) if byte != log[place]])
        changed = log[:place] + bytes([other]) + log[place + 1 :]
        verdict = match.verify(changed)
        assert not verdict.ok, f"byte {place} of event {number_at[place]} changed to {other}: not found"
        named = int(verdict.problem.split(":")[0].removeprefix("event "))
        exact = number_at[place] > 1 and 10 not in (other, log[place])
        assert named == number_at[place] or not exact, (
            f"byte {place} of event {number_at[place]} changed to {chr(other)!r}, but it says: {verdict.problem}"
        )


@pytest.mark.parametrize("cut", [1, 2, 5, 30])
def test_a_log_with_lines_missing_does_not_verify(cut):
    played = play(3)
    lines = played.log.split(b"\n")
    del lines[cut - 1]
    verdict = match.verify(b"\n".join(lines))
    assert not verdict.ok
    assert verdict.problem.startswith("event ")


@pytest.mark.parametrize("log", [b"", b"\n", b"{}\n{}\n", b"[]\n[]\n[]\n", b"\xff\xfe\n\n\n", b'{"seed":"00"}\n' * 3])
def test_what_is_no_log_is_refused_in_words(log):
    verdict = match.verify(log)
    assert not verdict.ok
    assert verdict.problem


def test_a_log_whose_seed_is_another_does_not_verify():
    played = play(2)
    log = played.log.replace(played.seed.hex().encode(), bytes(32).hex().encode())
    verdict = match.verify(log)
    assert not verdict.ok
    assert "committed" in verdict.problem


@pytest.mark.parametrize("irregular", [0.0, 0.5])
def test_a_running_deal_folds_to_the_same_match_at_every_step(irregular):
    played = play(11, irregular=irregular, chores=(ALL_CHORES, ("draw",)))
    running = []
    compared = 0
    for step in played.steps:
        running = list(step.lines[step.boundary :]) if step.boundary is not None else running + list(step.lines)
        m = step.match
        if m.is_over:
            break
        folded = match.resume(played.terms, played.seed, m.header(), running)
        assert (folded.version, folded.head, folded.firm) == (m.version, m.head, m.firm)
        assert folded.position.same_as(m.position)
        for seat in (0, 1):
            assert match.view(folded, seat) == match.view(m, seat)
        for name in ("score", "carry", "bank", "slips", "conduct", "overruns", "cases", "asked"):
            assert getattr(folded, name) == getattr(m, name), name
        compared += 1
    assert compared > 20


@pytest.mark.parametrize("irregular", [0.0, 0.5])
def test_who_knows_a_running_deal_from_before_catches_up_with_what_has_come_since(irregular):
    played = play(11, irregular=irregular, chores=(ALL_CHORES, ("draw",)))
    compared = 0
    for at, step in enumerate(played.steps):
        lines = []
        for later in played.steps[at + 1 : at + 6]:
            if later.boundary is not None:
                break
            lines += later.lines
            caught_up = match.catch_up(step.match, lines)
            for each in fields(caught_up):
                if each.name not in ("position", "case", "revokes", "last", "lines", "boundary", "docket"):
                    assert getattr(caught_up, each.name) == getattr(later.match, each.name), each.name
            assert caught_up.position.same_as(later.match.position)
            assert [each.number for each in caught_up.revokes] == [each.number for each in later.match.revokes]
            asked = later.match.asked
            assert [match.prompt(caught_up, seat) for seat in asked] == [
                match.prompt(later.match, seat) for seat in asked
            ]
            assert [match.view(caught_up, seat) for seat in (0, 1)] == [
                match.view(later.match, seat) for seat in (0, 1)
            ]
            compared += 1
    assert compared > 60


def test_nobody_catches_up_with_lines_that_do_not_follow():
    played = play(11)
    steps = [step for step in played.steps if step.boundary is None]
    with pytest.raises(match.LogError, match="does not follow"):
        match.catch_up(steps[2].match, [line.replace(b'"prev":"', b'"prev":"0') for line in steps[3].lines])


def test_terms_survive_json():
    agreed = play(1, name="pagat", overrides={"target": 2}).terms
    body = orjson.loads(orjson.dumps(match.terms_json(agreed)))
    again = match.terms_from(body)
    assert match.terms_json(again) == match.terms_json(agreed)
    assert again.ruleset is agreed.ruleset


def test_a_derived_rule_set_is_told_by_the_log_whole():
    changes = {"target": 2, "patience": 9}
    club = rulesets.named("foster").derive("club", changes, title="The club's")
    played = play(3, name=club, overrides={"points_schwarz": 4})
    assert match.verify(played.log) == match.Verdict(True, played.match.version)
    opening = orjson.loads(played.lines[0])
    assert (opening["ruleset"]["name"], opening["ruleset"]["base"]) == ("club", "foster")
    again = match.terms_from(opening).ruleset
    assert (again.digest, again.title, again.sources) == (
        played.terms.ruleset.digest,
        "The club's",
        played.terms.ruleset.sources,
    )
    assert dict(again.overrides) == {**changes, "points_schwarz": 4}
    assert "rule-set club (after foster), law book" in match.transcript(played.lines)
    for said, other in ((b'"base":"foster"', b'"base":"house"'), (b'"patience":9', b'"patience":8'), (b"The", b"the")):
        assert said in played.lines[0]
        assert not match.verify(played.log.replace(said, other, 1)).ok
    nameless = {**opening, "ruleset": {**opening["ruleset"], "base": "club"}}
    with pytest.raises(ValueError, match="there is no such rule-set"):
        match.terms_from(nameless)


def test_the_transcript_names_every_act_and_ruling():
    played = play(5, irregular=0.4, chores=(ALL_CHORES, ALL_CHORES))
    text = match.transcript([*played.log.split(b"\n")[:-1]])
    acted = sum(b'"type":"acted"' in line for line in played.lines)
    assert len(text.splitlines()) >= acted
    assert "Match ended" in text
    assert f"Sealed: {played.match.version} events" in text


def test_no_line_of_a_live_match_names_a_card_nobody_has_played_or_shown():
    played = play(4)
    shown = set()
    for line in played.lines:
        event = orjson.loads(line)
        if event["type"] == "acted" and event["act"]["act"] in ("draw", "deal", "turn_up", "cut", "shuffle"):
            assert "card" not in event["act"]
        if event["type"] == "acted" and "card" in event["act"]:
            shown.add(event["act"]["card"])
    assert shown


def test_a_line_that_does_not_follow_is_shown_where_it_differs():
    played = play(5)
    lines = played.log.split(b"\n")
    at = next(number for number, line in enumerate(lines) if b'"type":"scored"' in line)
    place = lines[at].rindex(b'"score":{"a":') + len(b'"score":{"a":')
    right, wrong = lines[at][place : place + 1], b"9"
    lines[at] = lines[at][:place] + wrong + lines[at][place + 1 :]
    problem = match.verify(b"\n".join(lines)).problem
    assert problem.startswith(f"event {at + 1}: does not follow: at byte {place + 1} it has ")
    found, said = problem.partition(" it has ")[2].split(" and should have ")
    assert f'"score":{{"a":{wrong.decode()},' in found
    assert f'"score":{{"a":{right.decode()},' in said
    assert found.startswith("...")
    assert len(problem) < 320


def test_a_wrong_seal_is_shown_where_it_differs():
    played = play(2)
    head = played.match.head.encode()
    changed = head[:-1] + (b"0" if head[-1:] != b"0" else b"1")
    problem = match.verify(played.log.replace(b'"head":"' + head, b'"head":"' + changed)).problem
    assert problem.startswith(f"event {played.match.version + 1}: the seal is wrong: at byte ")
    assert changed[-8:].decode() in problem.partition(" and should have ")[0]
    assert head[-8:].decode() in problem.partition(" and should have ")[2]
