"""The journal: a JSON object a line whatever is said, with the ids it is about and without what nobody may read."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest

from referee import journal
from referee.rules.cards import CARD_NAMES
from referee.service import Service, ids, sweeping
from tests.service.playing_along import drawn, matches_of, play_on, register, tournament

TOKEN, SECRET = ids.new_token(), ids.new_webhook_secret()


class Heard:
    """What was written to a journal of the test's own."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    @property
    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]


@pytest.fixture
def heard() -> Iterator[Heard]:
    """Everything the referee says in this process, at the lowest level."""
    found = Heard()
    journal.begin_about()
    handler = logging.StreamHandler(found.stream)
    handler.setFormatter(journal.Lines("test"))
    ours = logging.getLogger("referee")
    level = ours.level
    ours.addHandler(handler)
    ours.setLevel(logging.DEBUG)
    yield found
    ours.removeHandler(handler)
    ours.setLevel(level)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (f"no bot has {TOKEN}", "no bot has [hidden]"),
        (f"signed with {SECRET}", "signed with [hidden]"),
        ("Authorization: Bearer abc", "Authorization: Bearer [hidden]"),
        ("authorization: basic YTpi", "authorization: basic [hidden]"),
        ("bearer a.b-c", "bearer [hidden]"),
        ("at redis://:word@10.0.0.1:6379/0", "at redis://[hidden]@10.0.0.1:6379/0"),
        ("at postgresql://referee:word@db/referee", "at postgresql://[hidden]@db/referee"),
        (f"seed {'5e' * 32}", "seed [hidden]"),
        ("a played KS on TD", "a played [card] on [card]"),
        ("9H, JC and 7S", "[card], [card] and [card]"),
        ("mat_01k8mm569sfklr6ovpst5bcf2g of bot_01k8mm564te41rg256kmb42l4r", None),
        ("/v1/matches/<match_id>/acts took 35 ms", None),
    ],
    ids=range(12),
)
def test_what_nobody_may_read_is_struck_out_and_nothing_else(said: str, kept: str | None) -> None:
    assert journal.clean(said) == (kept or said)


def test_a_secret_at_the_cut_is_struck_out_first() -> None:
    long = "word " * 398 + "5e" * 32  # the seed lies across the place where a long text is cut
    assert "5e5e" not in journal.clean(long)
    assert len(journal.clean("x " * 9999)) == journal.LONGEST


def test_a_line_bears_what_it_is_about_and_nothing_a_client_could_forge(heard: Heard) -> None:
    log = logging.getLogger("referee.test")
    with journal.about(match="mat_1", bot="bot_1"):
        log.warning(
            "a name: %s", 'evil"}\n{"level":"critical","said":"forged', extra={"code": "act/impossible", "odd": 1}
        )
    log.warning("nothing around")
    first, second = heard.lines
    assert first["said"] == 'a name: evil"}\n{"level":"critical","said":"forged'
    assert (first["match"], first["bot"], first["code"], first["level"]) == (
        "mat_1",
        "bot_1",
        "act/impossible",
        "warning",
    )
    assert "odd" not in first
    assert set(second) == {"at", "level", "process", "pid", "from", "said"}


def test_an_error_tells_its_kind_and_place_and_no_values(heard: Heard) -> None:
    def failing(hand: str) -> None:
        raise KeyError(f"{hand} with {TOKEN}")

    try:
        failing("AS TH 9D")
    except KeyError:
        logging.getLogger("referee.test").exception("it failed at %s")
    [line] = heard.lines
    assert line["said"] == "it failed at %s"
    assert line["error"] == "KeyError: '[card] [card] [card] with [hidden]'"
    assert [str(place).rpartition(" ")[2] for place in line["where"]] == [  # type: ignore[attr-defined]
        "test_an_error_tells_its_kind_and_place_and_no_values",
        "failing",
    ]
    assert TOKEN not in heard.stream.getvalue()


def test_what_is_said_of_a_tournament_has_ids_and_no_secret_card_or_seed(service: Service, heard: Heard) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd")]
    cup = tournament(service, seated, overrides={"target": 2})
    play_on(service, seated, drawn(1), acts_at_most=20)
    live = next(row for row in matches_of(service, cup) if row["state"] == "live")
    service.live.client.lset(f"e:{live['id']}", -1, b'{"act":{"act":"play","card":"AS"}}')  # damaged: it is void
    service.memory.forget(live["id"])
    sweeping.recover(service)
    play_on(service, seated, drawn(1))
    rows = matches_of(service, cup)
    said = heard.stream.getvalue()
    opened = {line["match"] for line in heard.lines if line["said"] == "a match is open"}
    over = {line["match"]: line["cause"] for line in heard.lines if line["said"] == "a match is over"}
    assert opened == {row["id"] for row in rows}
    assert over == {row["id"]: row["cause"] for row in rows if row["state"] == "done"}
    assert [line["match"] for line in heard.lines if str(line["said"]).startswith("a match is void")] == [live["id"]]
    assert [line["bot"] for line in heard.lines if line["said"] == "a bot is registered"] == [bot.id for bot in seated]
    assert "a tournament is over" in said
    secrets = [bot.token for bot in seated] + [row["seed"] for row in rows] + ["5" * 64]
    assert not [secret for secret in secrets if secret in said]
    words = {word for line in heard.lines for value in line.values() for word in str(value).replace("'", " ").split()}
    assert not words & set(CARD_NAMES)
