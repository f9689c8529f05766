"""The short look at plain objects says what the long look says, whatever the bytes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.service import strict_json
from referee.service.strict_json import MAX_INTEGER, NotStrict

PARTS = (
    *(
        '{"act":"play","card":"AS"}',
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        '"',
        "\\",
        "\\u0061",
        "\\ud800",
        "\x7f",
        "\x1f",
        "\n",
        " ",
        "é",
    ),
    *(
        '"act"',
        '"card"',
        '"a b"',
        '"act":',
        '"act":"play"',
        '"version":',
        '""',
        '"":1',
        "0",
        "1",
        "-0",
        "-1",
        "01",
        "1.0",
        "1e2",
    ),
    *(
        str(MAX_INTEGER),
        str(MAX_INTEGER + 1),
        str(2**64),
        "true",
        "false",
        "null",
        "NaN",
        "\ufeff",
        '"' + "k" * 101 + '"',
    ),
)


def looked_at(look: object, raw: bytes) -> object:
    try:
        return look(raw)  # type: ignore[operator]
    except NotStrict as problem:
        return problem.detail, problem.errors


@settings(max_examples=2000, deadline=None)
@given(
    st.one_of(
        st.lists(st.sampled_from(PARTS), max_size=9).map(lambda parts: "".join(parts).encode()),
        st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from(PARTS)), max_size=3).map(
            lambda pairs: ("{" + ",".join(f'"{key}":{value}' for key, value in pairs) + "}").encode()
        ),
        st.binary(max_size=12),
    )
)
def test_both_looks_say_the_same(raw: bytes) -> None:
    found = strict_json._plain(raw)
    assert found is None or [*found.items()] == [*strict_json._checked(raw).items()]
    assert looked_at(strict_json.read, raw) == looked_at(strict_json._checked, raw)


def test_an_act_is_plain_and_what_stands_twice_is_not() -> None:
    assert strict_json._plain(b'{"act":"play","card":"AS","version":17}') == {
        "act": "play",
        "card": "AS",
        "version": 17,
    }
    assert strict_json._plain(b'{"act":"play","act":"play"}') is None
    assert strict_json._plain(b'{"act":"play","version":1,"version":1}') is None
