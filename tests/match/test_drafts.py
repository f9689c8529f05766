"""A draft is a copy of its match, apart from what each decision begins anew."""

from dataclasses import fields

from referee.match.state import Match, draft
from tests.match.playing import play

BEGUN_ANEW = {"lines": (), "boundary": None, "docket": ()}


def test_a_draft_has_every_field_of_its_match_and_begins_its_own_record():
    for step in play(5, irregular=0.3).steps:
        d = draft(step.match)
        for each in fields(Match):
            expected = BEGUN_ANEW[each.name] if each.name in BEGUN_ANEW else getattr(step.match, each.name)
            assert getattr(d, each.name) == expected, each.name


def test_the_acts_of_a_deal_are_told_oldest_first():
    told = [each.number for each in play(5, irregular=0.3).steps[40].match.past]
    assert told == sorted(told)
    assert len(told) > 1
