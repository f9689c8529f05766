"""Bodies are read strictly: what a lenient reader would bend is refused, with its place."""

import json

import pytest
from flask import Flask, request

from referee.web import bodies, fields
from referee.web.problems import Problem


def refused(raw: bytes) -> Problem:
    with pytest.raises(Problem) as caught:
        bodies.parse_object(raw)
    assert caught.value.status == 400
    return caught.value


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b'{"act":"play","card":"AS","card":"TS"}', "'card' stands twice"),
        (b'{"clock":{"act_ms":1,"act_ms":2}}', "'act_ms' stands twice"),
        (b'{"version":NaN}', "NaN is not JSON"),
        (b'{"version":-Infinity}', "-Infinity is not JSON"),
        (b'{"version":9007199254740992}', "beyond"),
        (b'{"version":' + b"9" * 5000 + b"}", "beyond"),
        (b'{"a\\ud800":1}', "half a surrogate"),
        (b'{"a\\u0000":1}', "control character"),
        (b'{"act":', "Not JSON at line 1, column 8"),
        (b"[1]", "not a JSON object"),
        (b'"act"', "not a JSON object"),
        (b"", "Not JSON"),
        (b'{"name":"\xff"}', "Byte 9 is not UTF-8"),
        (b'\xef\xbb\xbf{"a":1}', "Not JSON"),
        ("{}".encode("utf-16"), "not UTF-8"),
        (b'{"a":' * 9 + b"1" + b"}" * 9, "deeper than 8"),
        (b'{"a":' + b"[" * 8 + b"]" * 8 + b"}", "deeper than 8"),
        (b'{"a":' + b"[" * 30000, "deeper than 8"),
    ],
)
def test_a_body_outside_the_contract_is_refused_and_says_why(raw: bytes, said: str) -> None:
    assert said in refused(raw).detail


def test_a_body_as_deep_as_allowed_is_read() -> None:
    assert bodies.parse_object(b'{"a":' * 8 + b"1" + b"}" * 8)


def test_the_place_of_a_double_key_is_a_json_pointer() -> None:
    assert refused(b'{"a/b":1,"a/b":2}').errors[0]["pointer"] == "/a~1b"


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        (b'{"name":"x","overrides":{"target":1,"target":2}}', "/overrides/target"),
        (b'{"list":[{"a":1},{"b":{"c":1,"c":1}}]}', "/list/1/b/c"),
        (b'{"a":{"x":1},"a":{"y":1,"y":1}}', "/a/y"),
        ('{"\u00e9":{"\u00e9":1,"\u00e9":2}}'.encode(), "/\\xe9/\\xe9"),
    ],
)
def test_the_place_of_a_double_key_is_the_whole_way_to_it(raw: bytes, place: str) -> None:
    assert refused(raw).errors == [{"pointer": place, "detail": refused(raw).detail}]


def test_a_double_key_before_broken_text_is_named_without_a_place() -> None:
    problem = refused(b'{"o":{"a":1,"a":2}, oops')
    assert "'a' stands twice" in problem.detail
    assert problem.errors == []


def test_the_largest_whole_number_is_read_exactly() -> None:
    assert bodies.parse_object(b'{"n":9007199254740991,"m":-9007199254740991}')["n"] == 2**53 - 1


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonp",
        "application/json; charset=utf-16",
        "application/json; charset=latin-1",
    ],
)
def test_another_content_type_is_415(content_type: str | None) -> None:
    with (
        Flask("t").test_request_context("/", method="POST", data=b"{}", content_type=content_type),
        pytest.raises(Problem) as caught,
    ):
        bodies.read_object(request)
    assert caught.value.status == 415


@pytest.mark.parametrize("content_type", ["application/json; charset=UTF-8", "application/json;charset=utf8"])
def test_a_charset_that_is_utf_8_may_be_named(content_type: str) -> None:
    with Flask("t").test_request_context("/", method="POST", data=b"{}", content_type=content_type):
        assert bodies.read_object(request) == {}


def test_an_absent_body_is_empty_only_where_that_is_allowed() -> None:
    with Flask("t").test_request_context("/", method="POST"):
        assert bodies.read_object(request, optional=True) == {}
        with pytest.raises(Problem):
            bodies.read_object(request)


@pytest.mark.parametrize("value", [1.0, 1.9, "7", True, None, [], {}, 1e3])
def test_a_whole_number_is_nothing_but_a_whole_number(value: object) -> None:
    with pytest.raises(fields.ValidationError):
        fields.Whole(0).deserialize(value)


@pytest.mark.parametrize("value", [-1, 11])
def test_a_whole_number_keeps_its_range(value: int) -> None:
    with pytest.raises(fields.ValidationError):
        fields.Whole(0, 10).deserialize(value)
    assert fields.Whole(0, 10).deserialize(10) == 10


@pytest.mark.parametrize("value", ["", "+1", "01", "1.0", " 1", "1_0", "٣", "1e3", "-0", 1])
def test_a_number_in_an_address_is_decimal_digits(value: object) -> None:
    with pytest.raises(fields.ValidationError):
        fields.QueryWhole(0).deserialize(value)
    assert fields.QueryWhole(0).deserialize("10") == 10


@pytest.mark.parametrize("value", [0, 1, "true", "yes", None, "1"])
def test_a_flag_is_true_or_false(value: object) -> None:
    with pytest.raises(fields.ValidationError):
        fields.Flag().deserialize(value)
    assert fields.Flag().deserialize(False) is False


@pytest.mark.parametrize("value", ["a\x00b", "line\nbreak", "\ud800", 7, None, ""])
def test_a_text_is_printable(value: object) -> None:
    with pytest.raises(fields.ValidationError):
        fields.Text(1, 10).deserialize(value)
    assert fields.Text(1, 10).deserialize("Ünï ♠") == "Ünï ♠"


def test_a_text_that_fits_no_pattern_is_told_the_pattern() -> None:
    with pytest.raises(fields.ValidationError, match=r"\^bot_\[a\]\{1,64\}\$"):
        fields.Text(1, 80, pattern="^bot_[a]{1,64}$").deserialize("mat_1")


def test_words_come_from_a_closed_list() -> None:
    with pytest.raises(fields.ValidationError, match="pull, push"):
        fields.Word(("pull", "push")).deserialize("poll")
    assert json.dumps(fields.Word(("pull", "push")).deserialize("pull")) == '"pull"'
