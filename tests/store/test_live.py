"""The live store with made-up lines: one writer at a time gets through, and writes all or nothing."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import redis

from referee.store import connecting, packing
from referee.store.live import LiveStore
from referee.store.writings import Append, Change, Delivery, Handed, Refused

PREV = "0" * 64


@pytest.fixture
def live(redis_url: str) -> Any:
    opened = LiveStore(connecting.pooled(redis_url))
    yield opened
    opened.disconnect()


def change(*lines: bytes, version: int = 1, head: str = "h1", **others: Any) -> Change:
    fields = {"version": version, "head": head, **others.pop("fields", {})}
    usual: dict[str, Any] = {
        "due": {"a": 5000, "b": None},
        "turns": {"bot_a": True, "bot_b": False},
        "wake": "mat_1 1 0 ",
    }
    return Change(lines=lines, fields=fields, **{**usual, **others})


def opened(live: LiveStore) -> None:
    made = live.create("mat_1", change(b"one", fields={"asked:a": 1000, "asked:b": ""}), packed=b"", pushed=False)
    assert made


def second(**others: Any) -> Append:
    new = change(b"two", version=2, head="h2", fields={"asked:a": "", "asked:b": 2000})
    return Append(**{"version": 1, "head": "h1", "new_head": "h2", "change": new, **others})


def delivered(live: LiveStore, **delivery: Any) -> int | None:
    return live.deliver_each([("mat_1", Delivery(**delivery))])[0]


def everything(live: LiveStore) -> dict[bytes, Any]:
    """All that lies in the store, but the functions."""
    found: dict[bytes, Any] = {}
    for key in live.client.keys("*"):
        found[key] = live.client.dump(key)
    return found


def test_a_match_is_opened_once(live: LiveStore) -> None:
    opened(live)
    before = everything(live)
    assert not live.create("mat_1", change(b"other", version=9), packed=b"", pushed=True)
    assert everything(live) == before
    assert live.turns("bot_a") == ["mat_1"]
    assert live.turns("bot_b") == []
    assert live.overdue(5000) == [("mat_1", "a")]
    assert live.overdue(4999) == []
    assert live.members("live") == ["mat_1"]


def test_an_append_on_what_it_expects_writes_all_of_it(live: LiveStore) -> None:
    opened(live)
    assert live.append("mat_1", second()) == "taken"
    stored = live.read("mat_1")
    assert stored is not None
    assert (stored.fields["version"], stored.lines) == (b"2", (b"one", b"two"))


@pytest.mark.parametrize(
    ("others", "outcome"),
    [
        ({"version": 2}, "moved"),
        ({"head": "other"}, "moved"),
        ({"token": "7"}, "fenced"),
    ],
)
def test_an_append_on_anything_else_writes_nothing(live: LiveStore, others: dict[str, Any], outcome: str) -> None:
    opened(live)
    before = everything(live)
    assert live.append("mat_1", second(**others)) == outcome
    assert everything(live) == before
    assert live.append("mat_none", second()) == "gone"


def test_an_append_whose_answer_was_lost_is_taken_once(live: LiveStore) -> None:
    opened(live)
    assert live.append("mat_1", second()) == "taken"
    before = everything(live)
    assert live.append("mat_1", second()) == "taken"
    assert everything(live) == before


def test_a_repeated_key_is_noticed(live: LiveStore) -> None:
    opened(live)
    new = change(b"two", version=2, head="h2", fields={"key:a": "k1"})
    assert live.append("mat_1", second(change=new, key=("key:a", "k1"))) == "taken"
    third = change(b"three", version=3, head="h3", fields={"key:a": "k1"})
    again = Append(version=2, head="h2", new_head="h3", change=third, key=("key:a", "k1"))
    assert live.append("mat_1", again) == "repeated"


def test_the_same_append_under_another_key_is_not_the_one_that_was_taken(live: LiveStore) -> None:
    opened(live)
    new = change(b"two", version=2, head="h2", fields={"key:a": "k1"})
    assert live.append("mat_1", second(change=new, key=("key:a", "k1"))) == "taken"
    assert live.append("mat_1", second(key=("key:a", "k2"))) == "moved"


@pytest.mark.parametrize(
    ("relied_on", "outcome"),
    [
        ({"asked:a": 1000, "delivered:a": ""}, "taken"),
        ({"asked:a": b"1000", "key:a": ""}, "taken"),
        ({"asked:a": 1001}, "moved"),
        ({"asked:a": 1000, "delivered:a": 1500}, "moved"),
        ({"asked:a": ""}, "moved"),
    ],
)
def test_an_append_is_taken_only_where_what_it_relies_on_holds(
    live: LiveStore, relied_on: dict[str, Any], outcome: str
) -> None:
    opened(live)
    assert live.append("mat_1", second(relied_on=relied_on)) == outcome
    assert live.some("mat_1", ["version"])["version"] == (b"2" if outcome == "taken" else b"1")


def test_nothing_is_appended_to_a_match_that_was_taken_off(live: LiveStore) -> None:
    opened(live)
    live.close("mat_1", bots=["bot_a", "bot_b"], seats="ab")
    before = everything(live)
    assert live.append("mat_1", second()) == "gone"
    assert {**everything(live), b"m:mat_1": b""} == {**before, b"m:mat_1": b""}


def test_nothing_is_appended_to_a_match_that_is_halted_until_it_goes_on(live: LiveStore) -> None:
    opened(live)
    assert live.halt_each(["mat_1", "mat_0"], now=1500) == [False, False]
    assert live.append("mat_1", second()) == "gone"
    assert live.lines("mat_1")
    assert not live.go_on("mat_1", halted=1400, now=1700, seats="ab"), "somebody else has halted it again"
    assert live.go_on("mat_1", halted=1500, now=1700, seats="ab")
    assert live.some("mat_1", ["asked:a", "asked:b"]) == {"asked:a": b"1200", "asked:b": b""}
    assert live.overdue(9999) == [("mat_1", "a")] != live.overdue(5199)
    assert live.append("mat_1", second()) == "taken"
    assert live.halt_each([], now=1500) == []


def test_of_many_racing_appends_one_is_taken(live: LiveStore) -> None:
    opened(live)
    outcomes: list[str] = []
    start = threading.Barrier(8)

    def race(number: int) -> None:
        new = change(b"line %d" % number, version=2, head=f"head {number}")
        start.wait()
        outcomes.append(live.append("mat_1", second(new_head=f"head {number}", change=new)))

    threads = [threading.Thread(target=race, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["moved"] * 7 + ["taken"]
    assert len(live.lines("mat_1")) == 2


def test_several_matches_are_written_in_one_trip_each_for_itself_and_one_message_wakes_for_all(
    live: LiveStore, redis_url: str
) -> None:
    for name in ("mat_1", "mat_2", "mat_3"):
        assert live.create(name, change(b"one"), packed=b"", pushed=False)
    before = live.read_each(["mat_2"])
    with redis.Redis.from_url(redis_url) as client, client.pubsub() as heard:
        heard.subscribe("wake")
        assert heard.get_message(timeout=10)["type"] == "subscribe"  # type: ignore[index]
        outcomes = live.write_each(
            [
                ("mat_1", second(change=change(b"two", version=2, head="h2", wake="mat_1 2 0 "))),
                ("mat_none", Refused("a", True, {})),
                ("mat_2", second(head="other")),
                ("mat_4", second()),
                ("mat_2", Refused("a", True, {"key:a": "k1"})),
                ("mat_3", second(change=change(b"two", version=2, head="h2", wake="mat_3 2 0 "), ends=True)),
            ]
        )
        assert outcomes == ["taken", -1, "moved", "gone", 1, "taken"]
        assert heard.get_message(timeout=10)["data"] == b"mat_1 2 0 \nmat_3 2 0 "  # type: ignore[index]
    assert live.some_of_each(["mat_1", "mat_2", "mat_none"], ["version", "refused:a"]) == [
        {"version": b"2"},
        {"version": b"1", "refused:a": b"1"},
        {},
    ]
    found = live.read_each(["mat_3", "mat_none", "mat_2"])
    assert [each and each.lines for each in found] == [(b"one", b"two"), None, before[0] and before[0].lines]
    assert live.ended(seconds=1, most=5) == ["mat_3"]
    assert live.read_each([]) == live.some_of_each([], ["version"]) == live.write_each([]) == []


def test_what_several_matches_change_beside_themselves_is_all_written(live: LiveStore) -> None:
    names = [f"mat_{number:03}" for number in range(300)]
    for name in names:
        assert live.create(name, change(b"one"), packed=b"", pushed=False)
    to_b = {"due": {"a": None, "b": 7000}, "turns": {"bot_a": False, "bot_b": True}}
    stays = {"due": {"a": 6000}, "turns": {}}
    writings = [
        (name, second(change=change(b"two", version=2, head="h2", **(stays if place % 3 else to_b))))
        for place, name in enumerate(names)
    ]
    moved = writings[0][1]._replace(head="other")
    assert live.write_each([(names[0], moved), *writings[1:]]) == ["moved", *["taken"] * 299]
    now_b = names[3::3]
    assert live.turns("bot_b") == now_b
    assert live.turns("bot_a") == [name for name in names if name not in now_b]
    assert live.overdue(5999) == [(names[0], "a")]
    assert live.overdue(9999) == [
        (names[0], "a"),
        *((name, "a") for place, name in enumerate(names) if place % 3),
        *((name, "b") for name in now_b),
    ]


def test_of_a_running_deal_that_is_known_only_what_is_new_is_read(live: LiveStore) -> None:
    for name in ("mat_1", "mat_2"):
        assert live.create(name, change(b"three", b"four", version=4, head="h1"), packed=b"", pushed=False)
    assert live.append("mat_1", second(version=4, change=change(b"five", version=5, head="h2"))) == "taken"

    def read(*known: tuple[int, int]) -> list[tuple[tuple[bytes, ...], int]]:
        listed = dict(zip(("mat_1", "mat_2"), known, strict=False))
        found = live.read_each(["mat_1", "mat_none", "mat_2"], known={**listed, "mat_none": (0, 1)})
        assert found[1] is None
        return [(each.lines, each.known) for each in found if each is not None]

    def fields(known: tuple[int, int]) -> set[str]:
        (found,) = live.read_each(["mat_1"], known={"mat_1": known}, names=("version", "closed"))
        return set() if found is None else set(found.fields)

    assert (fields((2, 2)), fields((1, 2))) == ({"version"}, {"version", "head"})
    assert read((2, 2), (2, 2)) == [((b"five",), 2), ((), 2)]
    assert read((2, 1)) == [((b"four", b"five"), 1), ((b"three", b"four"), 0)]
    assert read((1, 2), (2, 3)) == [
        ((b"three", b"four", b"five"), 0),
        ((b"three", b"four"), 0),
    ]  # another deal; too many


def test_a_server_that_lost_its_functions_is_given_them_again(live: LiveStore) -> None:
    opened(live)
    live.client.function_flush()
    assert live.write_each([("mat_1", second()), ("mat_2", second()), ("mat_1", Refused("b", True, {}))]) == [
        "taken",
        "gone",
        1,
    ]


def test_a_new_stream_of_a_bot_has_a_number_of_its_own_and_the_notes_of_those_before(live: LiveStore) -> None:
    assert live.newest_stream("bot_a") == 0
    first = live.new_stream("bot_a", wake="stream 0 0 bot_a")
    assert (first.line, first.noted_by, first.sent) == (0, "", {})
    assert first.server == live.server()
    fields = {"server": first.server, "line": 2, "mat_1/a": "1 4 None", "mat_2/a": "2 9 None"}
    assert live.note_sent("bot_a", first.number, fields=fields, gone=[])
    assert live.note_sent("bot_a", first.number, fields={"line": 3, "mat_3/b": "3 7 1"}, gone=["mat_1/a", "mat_9/a"])
    second_ = live.new_stream("bot_a", wake="stream 0 0 bot_a")
    assert second_.number != first.number
    assert live.newest_stream("bot_a") == second_.number
    assert (second_.line, second_.noted_by) == (3, first.server)
    assert second_.sent == {"mat_2/a": "2 9 None", "mat_3/b": "3 7 1"}
    assert live.new_stream("bot_b", wake="stream 0 0 bot_b").number == live.newest_stream("bot_b")


def test_a_stream_that_is_not_the_newest_notes_nothing(live: LiveStore) -> None:
    first, second_ = (live.new_stream("bot_a", wake="stream 0 0 bot_a") for _ in range(2))
    assert not live.note_sent("bot_a", first.number, fields={"line": 1, "mat_1/a": "1 4 None"}, gone=[])
    many = {f"mat_{number}/a": f"{number} 1 None" for number in range(3000)}
    assert live.note_sent("bot_a", second_.number, fields=many, gone=[])
    assert live.note_sent("bot_a", second_.number, fields={"line": 3000}, gone=[*many][5:] * 3)
    assert len(live.new_stream("bot_a", wake="stream 0 0 bot_a").sent) == 5


def test_a_finished_deal_is_packed_and_read_as_it_was(live: LiveStore) -> None:
    lines = (b'{"n":1,"prev":"%s"}' % PREV.encode(),)
    packed = packing.pack(lines)
    assert live.create("mat_1", change(b"two"), packed=packed, pushed=False)
    assert live.lines("mat_1") == (*lines, b"two")
    assert live.append("mat_1", second(change=change(b"three", version=2, head="h2"), packed=packed)) == "taken"
    assert live.lines("mat_1") == (*lines, *lines, b"three")


def test_a_prompt_is_delivered_once_for_a_version(live: LiveStore) -> None:
    opened(live)
    assert delivered(live, version=1, seat="a", now=1500, deadline=9000) == 1500
    assert delivered(live, version=1, seat="a", now=1700, deadline=9999) == 1500
    assert live.overdue(9000) == [("mat_1", "a")]
    assert live.overdue(8999) == []
    assert live.some("mat_1", ["seen:a", "prompts:a"]) == {"seen:a": b"1", "prompts:a": b"1"}
    assert delivered(live, version=2, seat="a", now=1500, deadline=9000) is None
    assert delivered(live, version=1, seat="b", now=1500, deadline=9000) is None


def test_a_prompt_delivered_without_a_deadline_leaves_the_one_that_is_noted(live: LiveStore) -> None:
    opened(live)
    assert delivered(live, version=1, seat="a", now=1500, deadline=None) == 1500
    assert live.overdue(5000) == [("mat_1", "a")] != live.overdue(4999)
    assert (
        live.append("mat_1", second(change=change(b"two", version=2, head="h2", fields={"delivered:a": ""}))) == "taken"
    )
    assert delivered(live, version=2, seat="a", now=1600, deadline=None) == 1600
    assert live.some("mat_1", ["seen:a", "prompts:a"]) == {"seen:a": b"1", "prompts:a": b"2"}


def test_a_time_that_is_no_more_what_it_was_said_to_be_is_not_moved(live: LiveStore) -> None:
    opened(live)
    assert delivered(live, version=1, seat="a", now=1500, deadline=9000) == 1500
    asked = {"version": 1, "seat": "a", "now": 1900}
    live.hand_each([("mat_1", Handed(**{**asked, "then": 1400})), ("mat_2", Handed(**{**asked, "then": 1500}))])
    assert live.some("mat_1", ["delivered:a"]) == {"delivered:a": b"1500"}
    live.hand_each([("mat_2", Handed(**{**asked, "then": 1500})), ("mat_1", Handed(**{**asked, "then": 1500}))])
    assert live.some("mat_1", ["delivered:a"]) == {"delivered:a": b"1900"}
    assert live.overdue(9000) == [("mat_1", "a")] != live.overdue(8999)


def test_a_lease_is_held_by_one_and_its_token_grows(live: LiveStore) -> None:
    opened(live)
    assert live.lease("mat_1", now=0, until=100) == "1"
    assert live.lease("mat_1", now=50, until=150) == ""
    assert live.renew({"mat_1": "1"}, until=200) == {"mat_1": True}
    assert live.lease("mat_1", now=150, until=300) == ""
    assert live.lease("mat_1", now=201, until=300) == "2"
    assert live.renew({"mat_1": "1"}, until=900) == {"mat_1": False}
    assert live.append("mat_1", second(token="1")) == "fenced"
    assert live.append("mat_1", second(token="2")) == "taken"
    assert live.lease("mat_none", now=0, until=1) == ""


def test_what_is_taken_off_leaves_only_the_last_replies(live: LiveStore) -> None:
    opened(live)
    live.close("mat_1", bots=["bot_a", "bot_b"], seats="ab")
    assert set(live.client.keys("*")) == {b"m:mat_1"}
    assert live.some("mat_1", ["closed"]) == {"closed": b"1"}
    live.close("mat_1", bots=[], seats="ab", keep=False)
    assert live.client.keys("*") == []


def test_every_write_wakes_who_waits(live: LiveStore, redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client, client.pubsub() as heard:
        heard.subscribe("wake")
        assert heard.get_message(timeout=10)["type"] == "subscribe"  # type: ignore[index]
        opened(live)
        assert heard.get_message(timeout=10)["data"] == b"mat_1 1 0 "  # type: ignore[index]
        live.append("mat_1", second(version=9))
        live.append("mat_1", second())
        assert heard.get_message(timeout=10)["data"] == b"mat_1 1 0 "  # type: ignore[index]
        assert heard.get_message(timeout=0.01) is None
