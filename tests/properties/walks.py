"""A walk through a match: any act of either seat at any moment, in order or odd, and what must hold after it."""

import json
import random
from collections import Counter

import orjson

from referee import match
from referee.rules import acts, play, rulesets, scoring
from referee.rules.cards import SEATS
from referee.rules.positions import SCORED
from tests.properties.deals import assert_conserved, show

CHORES = ("shuffle", "cut", "deal", "draw", "watch")
ACTS = tuple(act for act in dict.fromkeys(acts.finite_acts()) if act.kind not in acts.PROCEDURE)
#: Not acts at all, or acts that can hardly ever be taken; none of them may raise.
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
EVERYWHERE = (
    {"look_back": "none"}, {"patience": 3}, {"win_by": 2}, {"first_dealer": "highest_cut_chooses"},
    {"false_accusation": "same_penalty"},
)  # fmt: skip
WITH_A_STOCK = (
    {"trump_method": "turn_7th"}, {"trump_method": "pone_draws", "trump_position": "middle"},
    {"late_marriage_call": "none"}, {"declare_window": "any_own_turn"}, {"fail_penalty": "by_closer_count"},
    {"marriage_proof": "on_demand"}, {"revoke_penalty": "flat_3"}, {"two_turned": "choose"},
    {"other_card_led": "loses_3"},
)  # fmt: skip
#: Those of section 4, game by game; four seats know nothing of the stock.
VARIED: dict[str, tuple[dict, ...]] = dict.fromkeys(rulesets.names(), EVERYWHERE + WITH_A_STOCK)
VARIED["schnapsen"] += (
    {"marriage_opening_lead": "none"}, {"min_stock_to_close": 3}, {"false_declaration": "as_claimed"},
    {"look_back": "last_trick"},
)  # fmt: skip
VARIED["three_handed"] += (
    {"play_on": True}, {"play_on": True, "settlement": "per_point"}, {"rest_share": 0}, {"rest_share": 2},
    {"both_66_undeclared": "higher_total"},
)  # fmt: skip
VARIED["four_handed"] = EVERYWHERE + (
    {"ten_of_trumps": "game_point"}, {"schneider_basis": "under_33"}, {"deal_style": "cross_twos"},
    {"undertrump": False}, {"ten_of_trumps": "game_point", "carry_step": 2},
)  # fmt: skip
VARIED["cruce"] = EVERYWHERE + (
    {"all_pass": "dealer_forced_1"}, {"moon_goal": "points_165"}, {"set_costs": "twice_bid"}, {"deal_style": "cross_twos"},
    {"marriage_proof": "on_demand"}, {"late_marriage_call": "until_adversary_plays"}, {"undertrump": False},
)  # fmt: skip
TARGETS = {"cruce": (1, 3, 10, 11)}
#: A match of random bids would go on for ever, set after set, so that the limit of deals ends it.
MOST_DEALS = 40
#: Laws on acts that are judged even where irregular acts are refused, and laws whose remedy is the usual award.
JUDGED_ANYWAY = {"IR-61", "IR-62", "IR-85", "IR-91", "IR-92"}
WORTH_AN_AWARD = {"IR-20", "IR-21", "IR-22", "IR-43", "IR-80"}


class Walk:
    """One match, walked through; every method takes its chances from a `random.Random`."""

    def __init__(self, profile: str, rng: random.Random, *, changed: dict | None = None) -> None:
        if changed is None:
            changed = rng.choice(VARIED[profile]) if rng.random() < 0.15 else {}
        target = rng.choice(TARGETS.get(profile, (1, 3, 7)))
        rules = rulesets.named(profile).override({"target": target, "most_deals": MOST_DEALS, **changed})
        some = (frozenset(), frozenset(CHORES), frozenset({rng.choice(CHORES)}))
        self.letters = SEATS[: rules.options["seats"]]
        seats = tuple(match.Seating(f"bot_{x}", x, rng.choice(some)) for x in self.letters)
        self.terms = match.Terms(
            "mat_walk", rules, seats, conduct=rng.choice(("adjudicate", "adjudicate", "enforce")),
            first_dealer=rng.choice((None, *range(len(seats)))), opened_at="2026-01-01T00:00:00Z",
        )  # fmt: skip
        self.seed = rng.randbytes(32)
        self.lines: list[bytes] = []
        self.running: list[bytes] = []
        self.taken = 0
        self.seen: Counter = Counter()
        self.moves: list[str] = []
        self.last_act = [1] * len(seats)
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
                self.last_act[SEATS.index(event["seat"])] = event["n"]
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
            assert event["elector"] in self.letters
            assert [bool(option.get("default")) for option in event["options"]].count(True) == 1
            assert event["options"][0]["default"]
            return
        assert event["option"] in event["options"]
        award = event["award"]
        if event["option"] != "end_deal":
            return
        frame = self.m.position.frame
        assert SEATS.index(award["seat"]) not in frame.sides[SEATS.index(event["offender"])], event
        if frame.options.score_by == "ticks":
            return
        if laws <= WORTH_AN_AWARD:
            assert award["game_points"] == frame.options.remedy_award, event
        if laws & {"IR-36", "IR-92", "IR-95"}:
            assert award["game_points"] in scores_of(frame.options), event

    # ---- what may come

    def try_act(self, seat: int, body) -> bool:
        """Posts a body; tells whether it was taken. A refusal leaves everything as it was."""
        before = (self.m.version, self.m.head, self.m.asked)
        told = [orjson.dumps(match.prompt(self.m, each)) for each in self.m.asked]
        done = match.act(self.m, seat, body, ms=11)
        self.moves.append(f"{SEATS[seat]} {body}")
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
        enough = scoring.count(self.m.position, seat) >= self.m.position.frame.options.declare_at
        if prompt["own_risk"] and rng.random() < (0.4 if enough else 0.01):
            listed = prompt["own_risk"]
        body = rng.choice(listed)
        if body["act"] == "close" and rng.random() < 0.7:
            body = rng.choice(listed)
        if body["act"] == "bid" and rng.random() < 0.7:
            body = listed[0]  # a pass, or the lowest there is: who always bids high is always set
        assert self.try_act(seat, body), f"a lawful act was refused: {body}\n{self.story()}"

    def wild(self, rng: random.Random) -> None:
        """Any seat does anything: mostly what is possible, at times what is not an act at all."""
        seat, draw = rng.randrange(len(self.letters)), rng.random()
        if self.m.revokes and rng.random() < 0.3:
            revoked = self.m.revokes[-1]
            self.try_act(revoked.seat, {"act": "take_back", "number": revoked.number})
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
        for seat in range(len(self.letters)):
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
        self.moves.append(f"{SEATS[seat]} runs out of time")
        self._accept(match.time_out(self.m, seat, elapsed_ms=70_000))

    def leave(self, rng: random.Random) -> None:
        """A seat is out of the match: withdrawn, never there, or refused too often."""
        seat = rng.randrange(len(self.letters))
        others = [each for each in range(len(self.letters)) if each not in self.m.position.frame.sides[seat]]
        best = max(self.m.score[each] for each in others)
        step = rng.choice(
            (
                lambda: match.withdraw(self.m, seat),
                lambda: match.no_show(self.m, seat, waited_ms=60_001),
                lambda: match.conduct_reached(self.m, seat, refused=20),
            )
        )()
        assert step.match.is_over
        level = len(self.letters) == 3 and [self.m.score[each] for each in others].count(best) > 1
        first = next(each for each in others if self.m.score[each] == best)
        assert step.match.outcome.winner == (None if level else first)
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
        assert_scores_add_up(self.terms, self.m, events)
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


def assert_scores_add_up(terms, m, events: list[dict]) -> None:
    """Every deal scores for one reason, and a resting dealer stops a point short of the target (4.2, B-02)."""
    options, score, dealer = terms.ruleset.options, dict.fromkeys(SEATS[: len(m.score)], 0), ""
    for event in events:
        dealer = event["dealer"] if event["type"] == "deal_begun" else dealer
        if event["type"] != "scored":
            continue
        winner = event["winner"]
        plain = {seat: event["game_points"] if seat == winner else 0 for seat in score}
        gained = event.get("scores", plain)
        side = [SEATS[each] for each in m.position.frame.sides[SEATS.index(winner)]] if winner else []
        one_is_out = options["play_on"] and max(score.values()) >= options["target"]
        before = dict(score)
        for seat in score:
            score[seat] += gained[seat] + (event["carried"] if seat in side else 0)
        if dealer is None:  # cutting for deal: somebody ran out of time before it was known who would rest
            assert all(event["score"][seat] <= score[seat] for seat in score), event
            score.update(event["score"])
        elif options["dealer_rests"] and not one_is_out:
            score[dealer] = min(score[dealer], max(options["target"] - 1, before[dealer]))
        assert event["score"] == score, event
        if options["score_by"] != "ticks" and event["cause"] != "ten_of_trumps":
            assert (winner is None) == (event["game_points"] == 0), event
    assert m.score == tuple(score.values())


COMMON = [
    acts.read_act({"act": word}) for word in ("exchange", "close", "declare", "draw", "demand", "pass", "concede")
]
COMMON += [acts.read_act({"act": "look", "trick": trick}) for trick in (1, 2, 3)]
COMMON += [acts.read_act({"act": "draw", "cards": 2}), acts.read_act({"act": "shuffle"})]
COMMON += [acts.read_act({"act": "show", "suit": suit}) for suit in "SHDC"]
COMMON += [acts.read_act({"act": "play", "card": rank + suit}) for suit in "SHDC" for rank in "ATKQJ987"]
COMMON += [acts.read_act({"act": "bid", "ticks": ticks}) for ticks in range(1, 6)]
COMMON += [acts.read_act({"act": "marry", "card": rank + suit}) for suit in "SHDC" for rank in "KQ"]


def assert_sound(m) -> None:
    """Cards are all there, somebody is asked and has something lawful, and the deal can be scored."""
    position = m.position
    if m.is_over:
        assert m.asked == ()
        nobody = m.outcome.winner is None and (len(m.score) == 3 or m.outcome.cause == "deal_limit")
        assert nobody or m.outcome.winner in range(len(m.score))
        return
    assert m.asked
    assert position.phase != SCORED or m.electing, "a scored deal goes on without a choice to make"
    for seat in m.asked:
        prompt = match.prompt(m, seat)
        assert prompt["lawful"], f"seat {seat} is asked and has nothing lawful: {show(position)}"
        orjson.dumps(prompt)
    if position.phase != "cut_for_deal" and not position.aside.cuts:  # what was lifted in cutting lies apart
        assert_conserved(position)
    if position.phase not in ("cut_for_deal", SCORED):
        assert_scorable(position)


def scores_of(options) -> set[int]:
    """What a deal can be worth that is not scored by ticks: one, two or three, under the names they have."""
    won = {options.points_plain, options.points_schneider, options.points_schwarz}
    revoked = {options.revoke_points, options.revoke_points_no_points}
    failed = {options.fail_points, options.fail_points_no_trick}
    return won | revoked | failed | {options.false_points, options.false_points_no_trick}


def assert_scorable(position) -> None:
    """Count, concession, time-out, announcement and the score of a deal played out are defined."""
    assert position.phase in ("shuffle", "cut", "deal", "turn_up", "bid", "draw", "lead", "follow", "answer")
    frame = position.frame
    options = frame.options
    by_ticks = options.score_by == "ticks"
    most = 120 + options.last_trick_bonus + 3 * options.marriage_plain + options.marriage_royal
    for seat in range(frame.players):
        assert 0 <= scoring.count(position, seat) <= most
        for judged in (scoring.concession, scoring.time_out):
            result = judged(position, seat)
            assert result.winner not in frame.sides[seat]
            assert by_ticks or result.game_points in scores_of(options)
        if seat in frame.active and options.declare_window != "never":
            declared = scoring.declaration(position, seat)
            assert declared.winner in frame.active
            assert declared.game_points in scores_of(options)
        assert scoring.time_out(position, seat).game_points >= scoring.concession(position, seat).game_points
    ended = scoring.played_out(position)
    assert by_ticks or (ended.winner in frame.active) == (ended.game_points > 0)
