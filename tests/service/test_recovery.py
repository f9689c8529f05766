"""What was lost is brought back: matches off the live store, results not archived, jobs never run, two schedulers."""

from __future__ import annotations

import json
import threading

import pytest

from referee import match as play
from referee.service import Service, advancing, archiving, matches, sweeping, table, tournaments, turns, voiding
from referee.store import tournament_rows
from tests.service.playing_along import Bot, act, first, matches_of, play_on, register, tournament


@pytest.fixture
def seated(service: Service) -> list[Bot]:
    return [register(service, name) for name in ("Ada", "Bea", "Cyd", "Dan")]


def states(service: Service, cup: str) -> list[str]:
    return [row["state"] for row in matches_of(service, cup)]


def test_scenario_44_schedulers_at_the_same_moment_open_each_pairing_once(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated, cycles=2)
    opened: list[str] = []
    start = threading.Barrier(4)

    def scheduler() -> None:
        start.wait()
        opened.extend(advancing.advance(service))

    threads = [threading.Thread(target=scheduler) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == len(set(opened)) == 2
    assert states(service, cup).count("live") == 2


def test_scenario_11_concurrency_bounds_the_live_matches_of_a_bot_over_all_tournaments(service: Service) -> None:
    wide = register(service, "Wide", concurrency=3)
    narrow = [register(service, f"narrow {n}") for n in range(5)]
    cups = [tournament(service, [wide, *narrow]) for _ in range(2)]
    while any(tournaments.get_tournament(service, cup)["state"] == "running" for cup in cups):
        advancing.advance(service)
        live = [row for cup in cups for row in matches_of(service, cup) if row["state"] == "live"]
        for bot in (wide, *narrow):
            assert sum(bot.id in row["bots"] for row in live) <= (3 if bot is wide else 1)
        assert live
        play_on(service, [wide, *narrow], acts_at_most=40)


def test_a_match_lost_from_the_live_store_is_opened_again_from_the_same_terms(
    service: Service, seated: list[Bot]
) -> None:
    cup = tournament(service, seated[:2])
    play_on(service, seated[:2], acts_at_most=5)
    [row] = matches_of(service, cup)
    opening = matches.get_events(service, row["id"])[0][0]
    service.live.client.flushall()
    sweeping.recover(service)
    assert matches.get_events(service, row["id"])[0][0] == opening
    play_on(service, seated)
    assert states(service, cup) == ["done"]
    assert play.verify(matches.get_log(service, row["id"])).ok


def test_an_ended_match_nobody_archived_is_archived_by_the_sweeper(
    service: Service, seated: list[Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = tournament(service, seated[:2])
    with monkeypatch.context() as broken:

        def dies(*_: object) -> bool:
            raise OSError("the record cannot be reached")

        broken.setattr(archiving, "archive", dies)
        while states(service, cup) != ["live"] or not service.live.client.llen("archive"):
            play_on(service, seated[:2], acts_at_most=1)
    assert states(service, cup) == ["live"]
    sweeping.recover(service)
    assert states(service, cup) == ["done"]
    assert service.live.members("live") == []


def test_a_result_on_record_outlives_a_live_store_that_forgot_the_end(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated[:2])
    play_on(service, seated[:2], acts_at_most=6)
    [row] = matches_of(service, cup)
    keys = (f"m:{row['id']}", f"e:{row['id']}", f"z:{row['id']}")
    client = service.live.client
    lost = {key: client.dump(key) for key in keys}
    play_on(service, seated[:2])
    log = matches.get_log(service, row["id"])
    for key in keys:  # the live store comes back as it was two seconds ago
        client.delete(key)
        if lost[key] is not None:
            client.restore(key, 0, lost[key])
    client.sadd("live", row["id"])
    service.memory.forget(row["id"])
    while table.load(service, row["id"]).match.is_over is False:
        now = table.load(service, row["id"])
        seat = now.match.asked[0]
        bot = next(bot for bot in seated if bot.id == now.standing.bots[seat])
        shown = matches.get_view(service, row["id"], caller=bot.caller)
        reply = act(service, bot, shown["prompt"], shown["prompt"]["lawful"][-1])
        if reply["over"]:
            break
    sweeping.recover(service)
    assert matches.get_log(service, row["id"]) == log
    assert service.live.members("live") == []
    assert states(service, cup) == ["done"]


def test_a_job_that_was_never_run_is_made_up_for(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated[:2])
    service.live.client.delete("rq:queue:referee")
    sweeping.recover(service)
    assert states(service, cup) == ["live"]


def test_scenario_29_a_tournament_ends_once_however_many_see_it(service: Service, seated: list[Bot]) -> None:
    from referee.service import concluding

    cup = tournament(service, seated[:2])
    play_on(service, seated[:2])
    with service.record.writing() as connection:
        assert not concluding.conclude(connection, cup)
        assert tournament_rows.notice(connection, concluding.FINISHED, subject=cup) is not None
        assert not tournament_rows.note_once(connection, concluding.FINISHED, subject=cup, facts={}, at="")


def test_scenario_29_fifty_last_results_at_once_make_one_finished_event(service: Service) -> None:
    seated = [register(service, f"bot {n}", concurrency=9) for n in range(8)]
    cup = tournament(service, seated)
    while True:
        waiting = [(bot, p) for bot in seated for p in turns.get_turns(service, caller=bot.caller)["prompts"]]
        if not waiting and not advancing.advance(service):
            break
        threads = [threading.Thread(target=act, args=(service, bot, p, first(p))) for bot, p in waiting]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    shown = tournaments.get_tournament(service, cup)
    assert (shown["state"], shown["played"]) == ("finished", 28)


def test_scenario_22_a_match_the_referee_fails_on_is_void_replayed_and_charged_to_nobody(
    service: Service, seated: list[Bot]
) -> None:
    cup = tournament(service, seated[:2])
    play_on(service, seated[:2], acts_at_most=5)
    [row] = matches_of(service, cup)
    service.live.client.lset(f"e:{row['id']}", -1, b'{"n":1}')  # the store has damaged a line
    service.memory.forget(row["id"])
    sweeping.recover(service)
    voided, anew = matches_of(service, cup)
    assert (voided["state"], voided["winner"], voided["score"]) == ("void", None, None)
    assert "referee" in voided["reason"]
    kept, over = matches.get_events(service, voided["id"])
    assert over
    assert len(kept) == voided["events"] > 3  # all before the damaged line
    assert (anew["number"], anew["replay"], anew["state"]) == (voided["number"], 1, "live")
    assert anew["seed"] != voided["seed"]
    play_on(service, seated[:2])
    shown = tournaments.get_tournament(service, cup)
    assert (shown["state"], shown["played"], shown["planned"], shown["void"]) == ("finished", 1, 1, 1)
    assert sum(line["played"] for line in tournaments.standings(service, cup)["standings"]) == 2


def test_a_match_that_fails_again_and_again_is_given_up(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated[:2])
    for _ in range(10):
        advancing.advance(service)
        for row in matches_of(service, cup):
            voiding.void_and_replay(service, row["id"], reason="a test")
    assert states(service, cup) == ["void"] * (voiding.MOST_REPLAYS + 1)
    advancing.advance(service)
    assert tournaments.get_tournament(service, cup)["state"] == "finished"


def test_a_deadline_that_was_lost_is_set_again(service: Service, seated: list[Bot]) -> None:
    tournament(service, seated[:2])
    [match_id] = advancing.advance(service)
    [due] = service.live.client.zrange("due", 0, -1, withscores=True)
    service.live.client.delete("due")
    sweeping.recover(service)
    assert service.live.client.zrange("due", 0, -1, withscores=True) == [due]
    assert due[0].decode().startswith(match_id)


def test_of_more_matches_than_one_recovery_looks_after_all_have_their_turn(
    service: Service, seated: list[Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament(service, [register(service, f"bot {n}", concurrency=20) for n in range(5)])
    while advancing.advance(service):
        pass
    live = service.live.members("live")
    assert len(live) == 10
    monkeypatch.setattr(sweeping, "LOOKED_AFTER", 4)
    for match_id in live:
        for seat in "ab":
            service.live.set_due(match_id, seat=seat, at=None)
    found = []
    for _ in range(3):
        sweeping.recover(service)
        found.append({member.decode().split("/")[0] for member in service.live.client.zrange("due", 0, -1)})
    assert [len(each) for each in found] == [4, 8, 10]
    assert found[0] < found[1] < found[2] == set(live)


def test_a_live_store_without_its_functions_gets_them_again(service: Service, seated: list[Bot]) -> None:
    cup = tournament(service, seated[:2])
    play_on(service, seated[:2], acts_at_most=4)
    service.live.client.function_flush("SYNC")
    play_on(service, seated[:2])
    assert states(service, cup) == ["done"]


def test_every_line_of_a_log_is_chained_to_the_one_before(service: Service, seated: list[Bot]) -> None:
    import hashlib

    cup = tournament(service, seated[:2], overrides={"target": 3})
    play_on(service, seated[:2])
    [row] = matches_of(service, cup)
    *lines, seal = matches.get_log(service, row["id"]).splitlines()
    head = "0" * 64
    for line in lines:
        assert json.loads(line)["prev"] == head
        head = hashlib.sha256(line).hexdigest()
    assert json.loads(seal)["head"] == head
