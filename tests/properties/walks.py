"""A walk through a match: any act of either seat at any moment, in order or odd, and what must hold after it."""

import json
import random
from collections import Counter

import orjson

from referee import match
from referee.rules import acts, play, rulesets, scoring
from referee.rules.positions import SCORED
from tests.properties.deals import assert_conserved, show

CHORES = ("shuffle", "cut", "deal", "draw", "watch")
ACTS = tuple(act for act in dict.fromkeys(acts.finite_acts()) if act.kind not in acts.PROCEDURE)
#: Not acts at all, or acts that can never be taken; none of them may raise.
ODD_BODIES = (
    None, 7, "play", [], {}, {"act": None}, {"act": "fly"}, {"act": ["play"]}, {"act": {"act": "play"}},
    {"act": "play"}, {"act": "play", "card": "1Z"}, {"act": "play", "card": 1.5}, {"act": "play", "card": True},
    {"act": "play", "card": None}, {"act": "play", "card": ["AS"]}, {"act": "play", "card": "as"},
    {"act": "play", "card": "8S"}, {"act": "play", "card": "AS", "also": "AS"}, {"act": "play", "card": "AS", "version": 3},
    {"act": "draw", "cards": 3}, {"act": "draw", "cards": 0}, {"act": "draw", "cards": 1.0}, {"act": "draw", "from": "sleeve"},
    {"act": "marry", "card": "AS"}, {"act": "marry", "card": "KS", "amount": True},
    {"act": "marry", "card": "KS", "amount": 10**40},
    {"act": "look"}, {"act": "look", "trick": 1, "stock": 1}, {"act": "look", "trick": 31}, {"act": "expose"},
    {"act": "deal", "to": "e", "cards": 3}, {"act": "deal", "to": "c", "cards": 3}, {"act": "deal", "to": "a", "cards": 99},
    {"act": "cut", "at": -1}, {"act": "cut", "at": 24, "faced": 1}, {"act": "elect", "case": 1, "option": "free beer"},
    {"act": "elect", "case": 10**9, "option": "undo"}, {"act": "claim", "number": 1}, {"act": "claim", "number": 0},
    {"act": "take_back", "number": 1}, {"act": "take_back", "number": -1}, {"act": "confirm"}, {"act": "bid", "ticks": 2},
)  # fmt: skip


#: Options that no profile has, or few: a walk in seven is under one of them.
VARIED = (
    {"trump_method": "turn_7th"}, {"trump_method": "pone_draws", "trump_position": "middle"},
    {"late_marriage_call": "none"}, {"declare_window": "any_own_turn"}, {"fail_penalty": "by_closer_count"},
    {"marriage_proof": "on_demand"}, {"look_back": "none"}, {"revoke_penalty": "flat_3"}, {"patience": 3},
)  # fmt: skip
#: Laws on acts that are judged even where irregular acts are refused, and laws whose remedy is one game point.
JUDGED_ANYWAY = {"IR-61", "IR-62", "IR-85", "IR-91", "IR-92"}
WORTH_ONE = {"IR-20", "IR-21", "IR-22", "IR-43", "IR-80"}


class Walk:
    """One match, walked through; every method takes its chances from a `random.Random`."""

    def __init__(self, profile: str, rng: random.Random, *, changed: dict | None = None) -> None:
        if changed is None:
            changed = rng.choice(VARIED) if rng.random() < 0.15 else {}
        rules = rulesets.named(profile).override({"target": rng.choice((1, 3, 7)), **changed})
        some = (frozenset(), frozenset(CHORES), frozenset({rng.choice(CHORES)}))
        seats = tuple(match.Seating(f"bot_{x}", x, rng.choice(some)) for x in "ab")
        self.terms = match.Terms(
            "mat_walk", rules, seats, conduct=rng.choice(("adjudicate", "adjudicate", "enforce")),
            first_dealer=rng.choice((None, 0, 1)), opened_at="2026-01-01T00:00:00Z",
        )  # fmt: skip
        self.seed = rng.randbytes(32)
        self.lines: list[bytes] = []
        self.running: list[bytes] = []
        self.taken = 0
        self.seen: Counter = Counter()
        self.moves: list[str] = []
        self.last_act = [1, 1]
        self._accept(match.open_match(self.terms, self.seed))

    def _accept(self, step) -> None:
        self.m = step.match
        self.lines += step.lines
        if step.boundary is None:
            self.running += step.lines
        else:
            self.running = list(step.lines[step.boundary :])
            self.taken = 0
        self.taken += 1
        for line in step.lines:
            event = orjson.loads(line)
            self.seen[event["type"]] += 1
            if event["type"] == "acted":
                self.last_act["ab".index(event["seat"])] = event["n"]
            if event["type"] in ("ruled", "case_opened"):
                self.seen.update(event["laws"])
                self._assert_ruling(event)
            if event["type"] == "scored":
                self.seen[event["cause"]] += 1
        assert_sound(self.m)

    def _assert_ruling(self, event: dict) -> None:
        """Who may choose, who is paid and how much, law by law (RULES 3.4; one award, 3.5)."""
        laws = set(event["laws"])
        if self.terms.conduct == "enforce":
            assert laws <= JUDGED_ANYWAY, f"an irregular act was admitted: {event}"
        if event["type"] == "case_opened":
            assert event["elector"] in "ab"
            assert [bool(option.get("default")) for option in event["options"]].count(True) == 1
            assert event["options"][0]["default"]
            return
        assert event["option"] in event["options"]
        award = event["award"]
        if event["option"] != "end_deal":
            return
        assert award["seat"] != event["offender"], event
        if laws <= WORTH_ONE:
            assert award["game_points"] == 1, event
        if laws & {"IR-36", "IR-92"}:
            assert award["game_points"] in (2, 3), event

    # ---- what may come

    def try_act(self, seat: int, body) -> bool:
        """Posts a body; tells whether it was taken. A refusal leaves everything as it was."""
        before = (self.m.version, self.m.head, self.m.asked)
        told = [orjson.dumps(match.prompt(self.m, each)) for each in self.m.asked]
        done = match.act(self.m, seat, body, ms=11)
        self.moves.append(f"{'ab'[seat]} {body}")
        if isinstance(done, match.Refusal):
            assert done.status in (409, 422)
            assert done.code.split("/")[0] in ("act", "claim")
            assert done.title and done.detail
            assert before == (self.m.version, self.m.head, self.m.asked)
            assert told == [orjson.dumps(match.prompt(self.m, each)) for each in self.m.asked]
            self.seen[done.code] += 1
            return False
        assert before == (self.m.version, self.m.head, self.m.asked), "a decision changed the match it was made on"
        self._accept(done)
        return True

    def lawful(self, rng: random.Random) -> None:
        """The seat asked takes something from its list; that is never refused."""
        seat = rng.choice(self.m.asked)
        prompt = match.prompt(self.m, seat)
        listed = prompt["lawful"]
        enough = scoring.count(self.m.position, seat) >= 66
        if prompt["own_risk"] and rng.random() < (0.4 if enough else 0.01):
            listed = prompt["own_risk"]
        body = rng.choice(listed)
        if body["act"] == "close" and rng.random() < 0.7:
            body = rng.choice(listed)
        assert self.try_act(seat, body), f"a lawful act was refused: {body}\n{self.story()}"

    def wild(self, rng: random.Random) -> None:
        """Either seat does anything: mostly what is possible, at times what is not an act at all."""
        seat, draw = rng.randrange(2), rng.random()
        if self.m.revoke is not None and rng.random() < 0.3:
            self.try_act(self.m.revoke.seat, {"act": "take_back", "number": self.m.revoke.number})
            return
        if draw < 0.08:
            self.try_act(seat, rng.choice(ODD_BODIES))
        elif draw < 0.14:
            number = self.last_act[seat] if rng.random() < 0.7 else rng.randint(1, self.m.version)
            self.try_act(seat, {"act": "take_back", "number": number})
        elif draw < 0.4:
            self._breach(rng)
        elif draw < 0.46:
            self.try_act(seat, acts.act_json(rng.choice(ACTS)))
        else:
            self.try_act(seat, acts.act_json(self._possible(seat, rng)))

    def _breach(self, rng: random.Random) -> None:
        """Somebody breaks a law, each that can be broken now as likely as another; or prepares to."""
        ways: dict[str, list] = {}
        for seat in (0, 1):
            for act in COMMON:
                if act.kind != "concede" and play.is_possible(self.m.position, seat, act):
                    against = play.objections(self.m.position, seat, act)
                    laws = {each.law for each in against} or {act.kind}
                    for law in laws - {"play", "marry", "declare", "draw"}:
                        ways.setdefault(law, []).append((seat, act))
        if ways:
            seat, act = rng.choice(ways[rng.choice(sorted(ways))])
            self.try_act(seat, acts.act_json(act))

    def _possible(self, seat: int, rng: random.Random):
        """A possible act, each kind as likely as another; giving up is rare."""
        by_kind: dict[str, list] = {}
        for act in rng.sample(ACTS, 400) + COMMON:
            if play.is_possible(self.m.position, seat, act):
                by_kind.setdefault(act.kind, []).append(act)
        if rng.random() < 0.9:
            by_kind.pop("concede", None)
        if rng.random() < 0.7:
            by_kind.pop("declare", None)
        if not by_kind:
            return rng.choice(ACTS)
        return rng.choice(by_kind[rng.choice(sorted(by_kind))])

    def time_out(self, rng: random.Random) -> None:
        """The clock of a seat that is asked runs out."""
        seat = rng.choice(self.m.asked)
        self.moves.append(f"{'ab'[seat]} runs out of time")
        self._accept(match.time_out(self.m, seat, elapsed_ms=70_000))

    def leave(self, rng: random.Random) -> None:
        """A seat is out of the match: withdrawn, never there, or refused too often."""
        seat = rng.randrange(2)
        step = rng.choice(
            (
                lambda: match.withdraw(self.m, seat),
                lambda: match.no_show(self.m, seat, waited_ms=60_001),
                lambda: match.conduct_reached(self.m, seat, refused=20),
            )
        )()
        assert step.match.is_over
        assert step.match.outcome.winner == 1 - seat
        self._accept(step)

    # ---- what must hold

    def try_every_option(self) -> None:
        """Each option of an open election leads, on the spot, to a sound match."""
        if self.m.electing:
            seat = self.m.asked[0]
            for body in match.prompt(self.m, seat)["lawful"]:
                done = match.act(self.m, seat, body, ms=1)
                assert isinstance(done, match.Step), (body, done)
                assert_sound(done.match)

    def resume_here(self) -> None:
        """The running deal's lines and the header before them give the match as it stands."""
        header = json.loads(json.dumps(self.m.header()))
        again = match.resume(self.terms, self.seed, header, self.running)
        assert (again.version, again.head, again.asked) == (self.m.version, self.m.head, self.m.asked)
        assert again.position.same_as(self.m.position)
        assert (again.score, again.carry, again.firm) == (self.m.score, self.m.carry, self.m.firm)
        for seat in self.m.asked:
            assert match.prompt(again, seat) == match.prompt(self.m, seat)

    def verify(self) -> None:
        """The finished log verifies, and its scores add up."""
        assert self.m.is_over
        events = [orjson.loads(line) for line in self.lines]
        scores = [event for event in events if event["type"] == "scored"]
        assert [event["n"] for event in events] == list(range(1, len(events) + 1))
        assert [event["deal"] for event in scores] == sorted({event["deal"] for event in scores}), "a deal scored twice"
        for seat in "ab":
            won = sum(each["game_points"] + each["carried"] for each in scores if each["winner"] == seat)
            assert won == self.m.score["ab".index(seat)], scores
        for each in scores:
            assert (each["winner"] is None) == (each["game_points"] == 0)
        log = match.finished_log(self.m, self.lines, self.seed)
        verdict = match.verify(log)
        assert verdict.ok, verdict.problem
        assert match.transcript(self.lines)

    def story(self) -> str:
        """How it came to this, for a failure message."""
        chores = [sorted(each.chores) for each in self.terms.seats]
        at = f"{self.terms.ruleset.name}, {self.terms.conduct}, chores {chores}, deal {self.m.deal}/{self.m.attempt}"
        cutting = self.m.position.phase == "cut_for_deal"
        return "\n".join([at, *self.moves[-40:], "cutting for deal" if cutting else show(self.m.position)])


COMMON = [
    acts.read_act({"act": word}) for word in ("exchange", "close", "declare", "draw", "demand", "pass", "concede")
]
COMMON += [acts.read_act({"act": "look", "trick": trick}) for trick in (1, 2, 3)]
COMMON += [acts.read_act({"act": "draw", "cards": 2}), acts.read_act({"act": "shuffle"})]
COMMON += [acts.read_act({"act": "show", "suit": suit}) for suit in "SHDC"]
COMMON += [acts.read_act({"act": "play", "card": rank + suit}) for suit in "SHDC" for rank in "ATKQJ9"]
COMMON += [acts.read_act({"act": "marry", "card": rank + suit}) for suit in "SHDC" for rank in "KQ"]


def assert_sound(m) -> None:
    """Cards are all there, somebody is asked and has something lawful, and the deal can be scored."""
    position = m.position
    if m.is_over:
        assert m.asked == ()
        assert m.outcome.winner in (0, 1)
        return
    assert m.asked
    assert position.phase != SCORED or m.electing, "a scored deal goes on without a choice to make"
    for seat in m.asked:
        prompt = match.prompt(m, seat)
        assert prompt["lawful"], f"seat {seat} is asked and has nothing lawful: {show(position)}"
        orjson.dumps(prompt)
    if position.phase != "cut_for_deal":
        assert_conserved(position)
    if position.phase not in ("cut_for_deal", SCORED):
        assert_scorable(position)


def assert_scorable(position) -> None:
    """Count, concession, time-out, announcement and the score of a deal played out are defined."""
    assert position.phase in ("shuffle", "cut", "deal", "turn_up", "draw", "lead", "follow", "answer")
    for seat in (0, 1):
        assert 0 <= scoring.count(position, seat) <= 120 + 10 + 100
        for judged in (scoring.concession, scoring.time_out):
            result = judged(position, seat)
            assert result.winner == 1 - seat
            assert 1 <= result.game_points <= 3
        declared = scoring.declaration(position, seat)
        assert declared.winner in (0, 1)
        assert 1 <= declared.game_points <= 3
        assert scoring.time_out(position, seat).game_points >= scoring.concession(position, seat).game_points
    ended = scoring.played_out(position)
    assert (ended.winner in (0, 1)) == (ended.game_points > 0)
