"""The rule-sets, their options and sources, and what is said of a file that is none."""

import re
import tomllib
from pathlib import Path

import pytest

from referee.rules import rulesets
from referee.rules.rulesets import OPTIONS, RuleSet, RuleSetError

HERE = Path(__file__).parent
DATA = Path(rulesets.__file__).parent
BAD = sorted((HERE / "bad_rulesets").glob("*.toml"))
TWO_HANDED = ("house", "foster", "uspc", "hobby", "wikipedia", "pagat", "schnapsen")
OF_THREE_AND_FOUR = ("three_handed", "four_handed", "cruce")
ALL = (*TWO_HANDED, *OF_THREE_AND_FOUR)

# The decision table of the rules dossier, its seven columns, all of them two-handed, written out
# a second time; a dot stands for the value to the left of it.
TABLE = """
trump_method            turn_13th . . . . . turn_after_3
next_dealer             alternate . . . . winner alternate
look_back               last_trick . none . . last_until_lead none
nine_needs_trick        true . . . . . false
nine_window             own_turn . . . on_lead on_lead_drawn .
nine_after_close        either_with_trick . . . none opponent_at_close_free none
marriage_opening_lead   pending . . . . none pending
marriage_after_stock    true . . . false . true
marriage_after_close    true . . . false . true
show_unled_to_66        true . . . false true .
marriage_proof          both_shown on_demand both_shown . . . .
late_marriage_call      until_adversary_plays . . . . . none
strict_play             follow_only . follow_head_trump follow_only . follow_head_trump .
last_trick              ten . . . . . wins_hand_1
close_before_first_lead true . . . . false true
close_before_draw       true . . . . . false
min_stock_to_close      2 . . . . 3 2
fail_penalty            2_3_at_close . . . flat_2 2_3_at_close .
success_level_frozen    false . . . . . true
closer_66_undeclared    succeeds . . . . if_won_last_trick .
non_closer_declares     as_fail_penalty . . . . flat_2 as_fail_penalty
declare_window          on_lead . any_time . . on_lead .
false_declaration       2_3_now . flat_2 2_3_now flat_2 . 2_3_now
both_66_undeclared      draw_carry . . . . higher_total last_trick
carry_on_draw           cumulative_1 . . . . none .
revoke_penalty          2_3_no_points . . . . . flat_3
target                  7 . . . . . .
first_dealer            highest_cut . . . . . .
settlement              none . . . . . .
nine_after_opening_close false . . . . . .
two_turned              fresh_deal . . . . . .
false_accusation        conduct . . . . . .
pack                    24 . . . . . 20
hand_size               6 . . . . . 5
packet                  3 . . . . . .
cut_least               2 . . . . . .
trump_position          top . . . . . .
declare_at              66 . . . . . .
schneider_below         33 . . . . . .
last_trick_bonus        10 . . . . . 0
marriage_plain          20 . . . . . .
marriage_royal          40 . . . . . .
points_plain            1 . . . . . .
points_schneider        2 . . . . . .
points_schwarz          3 . . . . . .
remedy_award            1 . . . . . .
fail_points             2 . . . . . .
fail_points_no_trick    3 . . . . . .
revoke_points           2 . . . . . .
revoke_points_no_points 3 . . . . . .
false_points            2 . . . . . .
false_points_no_trick   3 . . . . . .
carry_step              1 . . . . . .
patience                12 . . . . . .
conduct_limit           20 . . . . . .
seats                   2 . . . . . .
partners                false . . . . . .
dealer_rests            false . . . . . .
rest_share              1 . . . . . .
play_on                 false . . . . . .
deal_style              packets . . . . . .
undertrump              true . . . . . .
bidding                 none . . . . . .
all_pass                void . . . . . .
tick                    33 . . . . . .
moon_bid                5 . . . . . .
moon_goal               all_tricks . . . . . .
set_costs               bid . . . . . .
score_by                loser . . . . . .
schneider_basis         under_33 . . . . . .
schneider_from          100 . . . . . .
ten_of_trumps           none . . . . . .
win_by                  1 . . . . . .
other_card_led          retracted . . . . . loses_3
most_deals              500 . . . . . .
"""

# What section 4 of the dossier says of the others where it is not what the house plays, a second time too.
THREE_HANDED: dict[str, object] = {"seats": 3, "dealer_rests": True, "carry_on_draw": "none"}
FOUR = {"seats": 4, "partners": True, "strict_play": "follow_head_trump", "declare_window": "never"}
FOUR |= {"show_unled_to_66": False, "late_marriage_call": "none", "schneider_basis": "bands"}
FOUR_HANDED = {
    **FOUR, "pack": 32, "hand_size": 8, "deal_style": "three_two_three", "trump_method": "last_card", "score_by": "bands",
    "marriage_opening_lead": "none", "marriage_after_stock": False, "marriage_after_close": False,
}  # fmt: skip
CRUCE = {
    **FOUR, "trump_method": "first_lead", "bidding": "ticks", "score_by": "ticks", "target": 15, "last_trick": "none",
    "carry_on_draw": "none",
}  # fmt: skip

SHORT_NAMES = (
    "000", "002", "003", "004", "1895", "Foster-4h", "Pagat-66", "Pagat-Sn", "AT-kr", "AT-team", "Tompa", "silent; house",
)  # fmt: skip
#: What a source may say where no text is followed: who would, why nobody does, whose option it is.
IN_WORDS = (
    "common to the texts", "the deal is a two-handed one by the house rules: ", "no text of the two-handed game has ",
    "no text sets a limit: ", "a figure of ", "a choice of ", "a duty where ", "there is no stock in this game; ",
    "no marriages are announced in this game; ", "silent; our reading: ", "a breach costs the bid or makes it (IR-9A); ",
)  # fmt: skip
RULE_POINT = re.compile(
    r"(R-(0[1-8]|1[0-3]|2[0-4]|3[0-8]|4[0-3]|5[0-9B]|6[0-9A]|7[0-4])|A-(0[1-9]|1[0-9]|2[0-2])|B-0[1-8]|C-(0[1-9]|1[0-3])"
    r"|D-(0[1-9]|1[0-9]|2[01])|E-(0[1-9]|10)|F-(0[1-9]|1[0-9]|2[0-3])|4\.[1-5]|IR-[0-9][0-9A-C])\Z"
)
#: The section of each game in the dossier, and the points decided there.
OWN_POINTS = {"schnapsen": "4.5 E-", "three_handed": "4.2 B-", "four_handed": "4.3 C-", "cruce": "4.4 D-"}


def points_in(text: str) -> list[str]:
    """The rule points that a source or an option cites, each found to be one."""
    points = re.split(r", | to ", text)
    for point in points:
        assert RULE_POINT.match(point), f"{point!r} is no rule point"
    return points


def columns() -> dict[str, list[object]]:
    plain = {"true": True, "false": False}
    table: dict[str, list[object]] = {}
    for line in TABLE.split("\n"):
        if line:
            name, *words = line.split()
            row: list[object] = []
            for word in words:
                row.append(row[-1] if word == "." else plain.get(word, int(word) if word.isdigit() else word))
            table[name] = row
    return table


def read_bad(path: Path) -> RuleSet:
    """What a bad file says, put into the house file in the place of the lines that say otherwise."""
    text = path.read_text(encoding="utf-8")
    if "# whole file" in text:
        return rulesets.read(text, file=path.name)
    top, _, options = text.partition("[options]\n")
    gone = re.search(r"^# without: (.*)$", text, flags=re.M)
    names = {*re.findall(r"^(\w+) *=", text, flags=re.M), *(gone[1].split(", ") if gone else ())}
    house = (DATA / "house.toml").read_text(encoding="utf-8").splitlines()
    kept = [line for line in house if line.split("=")[0].strip() not in names]
    at = kept.index("[options]") + 1
    return rulesets.read("\n".join([top, *kept[:at], options, *kept[at:]]), file=path.name)


def test_they_come_in_order_with_the_default_first():
    assert rulesets.names() == ALL
    assert [rulesets.named(name).name for name in ALL] == list(ALL)
    assert len({rulesets.named(name).digest for name in ALL}) == len(ALL)
    assert {path.stem for path in DATA.glob("*.toml")} - {"options"} == set(ALL), "a file that nobody asks for"


def test_the_two_handed_files_hold_what_the_decision_table_says():
    table = columns()
    assert set(table) == set(OPTIONS)
    for position, name in enumerate(TWO_HANDED):
        options = rulesets.named(name).options
        found = {key: options[key] for key in table}
        assert found == {key: row[position] for key, row in table.items()}, name
        assert [type(value) for value in found.values()] == [type(row[position]) for row in table.values()]


@pytest.mark.parametrize(
    ("name", "differs"), [("three_handed", THREE_HANDED), ("four_handed", FOUR_HANDED), ("cruce", CRUCE)]
)
def test_the_others_are_the_house_but_for_what_makes_them_what_they_are(name, differs):
    house = {key: row[0] for key, row in columns().items()}
    assert dict(rulesets.named(name).options) == house | differs
    assert all(house[key] != value for key, value in differs.items())


@pytest.mark.parametrize("name", ALL)
def test_every_option_names_its_source_and_its_rule_point(name):
    ruleset = rulesets.named(name)
    own = ("4.1", *OWN_POINTS.get(name, "A-").split())
    assert list(ruleset.sources) == list(ruleset.options) == list(OPTIONS)
    for option, source in ruleset.sources.items():
        text, _, cited = source.rpartition("; ")
        assert text.startswith((*SHORT_NAMES, *IN_WORDS)), (
            f"{name}.{option}: {source!r} begins with no text's short name"
        )
        rule, found = OPTIONS[option].rule, points_in(cited)
        about = set(points_in(rule)).intersection(found) or [point for point in found if point.startswith(own)]
        assert about, f"{name}.{option}: {source!r} names another rule point than {rule}"
        if name not in OWN_POINTS and all(point[0] in "RAI" for point in points_in(rule)):
            assert f"; {rule}" in source, f"{name}.{option}: {source!r} leaves out some of {rule}"


def test_a_source_cites_only_the_text_of_its_own_rule_set_or_another_in_words():
    own = {"foster": "000", "uspc": "002", "hobby": "003", "wikipedia": "004", "pagat": "Pagat-66"}
    for name, text in own.items():
        for option, source in rulesets.named(name).sources.items():
            assert source.startswith((text, "silent; house", *IN_WORDS)), f"{name}.{option}: {source!r}"


@pytest.mark.parametrize("option", OPTIONS.values(), ids=OPTIONS)
def test_every_option_is_explained_value_by_value(option):
    assert option.meaning.endswith(".")
    assert points_in(option.rule)
    if not isinstance(option.allowed, range):
        words = [str(value).lower() for value in option.allowed]
        assert list(option.values) == words
        assert all(option.values.values())


def test_a_named_rule_set_is_one_object_and_cannot_be_changed():
    house = rulesets.named("house")
    assert rulesets.named("house") is house
    assert {house: 1}[rulesets.named("house")] == 1
    with pytest.raises(TypeError):
        house.options["target"] = 3
    with pytest.raises(AttributeError):
        house.name = "club"


def test_the_digest_is_that_of_name_and_options_and_stays_the_same():
    text = (DATA / "house.toml").read_text(encoding="utf-8")
    again = rulesets.read(text, file="again.toml")
    assert again is not rulesets.named("house")
    assert again.digest == rulesets.named("house").digest
    assert rulesets.read(text.replace('"house"', '"club"', 1), file="club.toml").digest != again.digest
    assert re.fullmatch("[0-9a-f]{64}", again.digest)


def test_a_file_is_read_from_its_path():
    assert rulesets.from_toml(DATA / "pagat.toml").digest == rulesets.named("pagat").digest


def test_an_override_changes_the_option_and_says_so():
    house = rulesets.named("house")
    short = house.override({"target": 3, "look_back": "none"})
    assert (short.name, short.options["target"], short.options["look_back"]) == ("house", 3, "none")
    assert dict(short.overrides) == {"target": 3, "look_back": "none"}
    assert short.sources["target"] == "override"
    assert short.digest != house.digest
    assert house.options["target"] == 7
    assert not house.overrides


def test_overrides_add_up_and_equal_ones_give_one_object():
    house = rulesets.named("house")
    assert house.override({}) is house
    assert house.override({"target": 3}) is house.override({"target": 3})
    twice = house.override({"target": 3}).override({"patience": 5})
    assert dict(twice.overrides) == {"target": 3, "patience": 5}
    assert twice.digest == house.override({"patience": 5, "target": 3}).digest


def test_a_derived_set_is_its_base_under_another_name_but_for_the_changes():
    foster = rulesets.named("foster")
    club = foster.derive("club", {"target": 3, "look_back": foster.options["look_back"]}, title="The club's")
    assert (club.name, club.base, club.title, club.about) == ("club", "foster", "The club's", "")
    assert dict(club.overrides) == {"target": 3}
    assert club.options == {**foster.options, "target": 3}
    assert club.sources == {**foster.sources, "target": "override"}
    assert foster.derive("club", {}, title="").digest != foster.digest
    assert club is foster.derive("club", {"target": 3}, title="The club's")
    assert (foster.base, foster.override({"target": 3}).base) == ("foster", "foster")


def test_what_is_derived_from_a_derived_set_has_the_first_for_its_base():
    club = rulesets.named("foster").derive("club", {"target": 3}, title="The club's")
    quick = club.override({"patience": 5}).derive("quick", {"target": 2}, title="Quick")
    assert (quick.name, quick.base, dict(quick.overrides)) == ("quick", "foster", {"target": 2, "patience": 5})


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({"targt": 3}, "unknown_option", "options of club, targt: there is no such option;"),
        ({"target": 0}, "out_of_range", "options of club, target: found 0"),
        ({"hand_size": 2}, "contradiction", "options of club: packet = 3 contradicts hand_size = 2"),
        (None, "wrong_type", "options of club: found null, which is not a table"),
    ],
)
def test_a_set_that_cannot_be_derived_is_refused_by_name(changes, code, message):
    with pytest.raises(RuleSetError) as refusal:
        rulesets.named("house").derive("club", changes, title="The club's")
    assert message in str(refusal.value)
    assert refusal.value.code == f"ruleset/{code}"
    assert len(refusal.value.options) == 2 * (code == "contradiction")


def test_foster_allows_the_other_two_ways_of_making_trump_by_override():
    foster = rulesets.named("foster")
    for changes in ({"trump_method": "turn_7th"}, {"trump_method": "pone_draws", "trump_position": "bottom"}):
        assert changes.items() <= foster.override(changes).options.items()


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({"targt": 3}, "unknown_option", "overrides of house, targt: there is no such option;"),
        ({"target": True}, "wrong_type", "target: found true, which is not a whole number"),
        (
            {"target": 100},
            "out_of_range",
            "target: found 100, which is out of range; allowed: a whole number from 1 to 99",
        ),
        ({"nine_needs_trick": 0}, "wrong_type", "nine_needs_trick: found 0, which is not true or false"),
        (
            {"last_trick": "wins_hand"},
            "unknown_value",
            'found "wins_hand", which is no value of it; allowed: "ten", "none", "wins_hand_1" (nearest: wins_hand_1)',
        ),
        (
            {"hand_size": 2},
            "contradiction",
            "overrides of house: packet = 3 contradicts hand_size = 2; a packet would overfill",
        ),
        (
            {"close_before_first_lead": None},
            "wrong_type",
            "close_before_first_lead: found null, which is not true or false",
        ),
        ({7: 7}, "unknown_option", "overrides of house, 7: there is no such option"),
        ([("target", 3)], "wrong_type", 'overrides of house: found [["target", 3]], which is not a table'),
    ],
)
def test_an_override_that_cannot_be_is_refused_by_name(changes, code, message):
    with pytest.raises(RuleSetError) as refusal:
        rulesets.named("house").override(changes)
    assert message in str(refusal.value)
    assert refusal.value.code == f"ruleset/{code}"


@pytest.mark.parametrize("name", ["hous", "", "House", None, 7, ["house"]])
def test_an_unknown_name_is_refused_with_the_names_there_are(name):
    with pytest.raises(RuleSetError, match="there are: house, foster, uspc, hobby, wikipedia, pagat"):
        rulesets.named(name)


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(RuleSetError, match=r'rule-set "fostr": there is no such rule-set; .* \(nearest: foster\)\Z'):
        rulesets.named("fostr")


@pytest.mark.parametrize("path", BAD, ids=[path.stem for path in BAD])
def test_a_bad_file_is_refused_in_the_words_it_states(path):
    expected = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# expect: ")
    with pytest.raises(RuleSetError) as refusal:
        read_bad(path)
    assert expected in str(refusal.value)
    assert refusal.value.where == path.name


def test_there_is_a_bad_file_for_every_code_a_file_can_earn():
    codes = set()
    for path in BAD:
        with pytest.raises(RuleSetError) as refusal:
            read_bad(path)
        codes.add(refusal.value.code.removeprefix("ruleset/"))
    assert codes == {
        *("unreadable", "unknown_key", "unknown_option", "missing_key", "missing_option"),
        *("wrong_type", "unknown_value", "out_of_range", "contradiction"),
    }


def test_the_house_file_itself_passes_the_reader_of_bad_files(tmp_path):
    good = tmp_path / "good.toml"
    good.write_text('# expect: nothing\n[options]\ntarget = { value = 7, source = "the club" }\n', encoding="utf-8")
    assert read_bad(good).options == rulesets.named("house").options


def test_nothing_is_said_of_an_option_that_is_not_read():
    said = tomllib.loads((DATA / "options.toml").read_text(encoding="utf-8"))
    known = {"kind", "rule", "meaning", "values", "least", "most"}
    assert {key for entry in said.values() for key in entry} == known
