"""A second, slow Sixty-Six for two, to hold beside the engine.

Written from the rules dossier alone and as unlike the engine as it can be: cards are
strings, hands are lists, the table is changed in place and every question is answered by
going through what lies there. It knows lawful play, the two announcements at one's own
risk, the late call, and conceding; it does not know what an irregularity leads to.
"""

from collections.abc import Mapping
from typing import Any

from tests.oracle.around_the_deal import OTHER, lay_out
from tests.oracle.scored import Act, Scored

RANKS = "ATKQJ9"
MATE = {"K": "Q", "Q": "K"}


class Table(Scored):
    """One deal at the table, from the pone's opening lead until it is scored."""

    def __init__(self, options: Mapping[str, Any], pack: list[str], dealer: str = "a") -> None:
        """Deals `pack` (24 names, first dealt first) under `options`."""
        pone = OTHER[dealer]
        first, second, self.stock = lay_out(options, list(pack))
        self.options = options
        self.dealer = dealer
        self.hands = {pone: first, dealer: second}
        self.trump = self.stock[-1][1]
        self.leader = pone
        self.on_table: list[str] = []
        self.tricks: list[dict[str, str]] = []
        self.marriages: list[dict[str, Any]] = []
        self.to_draw: list[str] = []
        self.closer: str | None = None
        self.other_had_trick = False
        self.closed_at_opening = False
        self.other_at_close: tuple[int, int] = (0, 0)
        self.non_closer_has_played = False
        self.shown = ""  # the suit shown unled at this lead
        self.called_now = False
        self.demanded = ""  # "", "asked", "answered"
        self.result: dict[str, Any] | None = None

    # ---- who, and what stands on the table

    @property
    def phase(self) -> str:
        """Says draw, answer, lead, follow or scored."""
        if self.result is not None:
            return "scored"
        if self.to_draw:
            return "draw"
        if self.demanded == "asked":
            return "answer"
        return "follow" if self.on_table else "lead"

    @property
    def turn(self) -> str:
        """The seat that is to act."""
        if self.phase == "draw":
            return self.to_draw[0]
        return OTHER[self.leader] if self.phase == "follow" else self.leader

    @property
    def exhausted(self) -> bool:
        """True once the stock has been drawn to its last card."""
        return not self.stock

    @property
    def strict(self) -> bool:
        """True when following has become a duty."""
        return self.closer is not None or self.exhausted

    # ---- what is in order

    def legal(self) -> list[Act]:
        """Every lawful act of the seat on turn; declare and the unled show are at its own risk."""
        if self.result is not None:
            return []
        seat = self.turn
        ideas: list[Act] = [{"act": "play", "card": c} for c in self.hands[seat]]
        ideas += [{"act": "marry", "card": c} for c in self.hands[seat] if c[0] in MATE]
        ideas += [{"act": word} for word in ("exchange", "close", "draw", "demand")]
        if self.phase == "answer":
            ideas += [{"act": "show", "suit": suit} for suit in "SHDC"] + [{"act": "pass"}]
        return [idea for idea in ideas if self.in_order(seat, idea)]

    def own_risk(self) -> list[Act]:
        """The announcements that are in time for the seat on turn, good or not."""
        if self.phase in ("answer", "scored"):
            return []
        ideas: list[Act] = [{"act": "declare"}] + [{"act": "show", "suit": s} for s in "SHDC"]
        return [idea for idea in ideas if self.in_order(self.turn, idea)]

    def in_order(self, seat: str, act: Act) -> bool:
        """True when `seat` breaks no rule by `act` now (for declare: it is in time)."""
        if self.result is not None:
            return False
        return bool(getattr(self, "_may_" + act["act"])(seat, act))

    def _may_draw(self, seat: str, act: Act) -> bool:
        return self.phase == "draw" and seat == self.turn

    def _may_demand(self, seat: str, act: Act) -> bool:
        on_demand = self.options["marriage_proof"] == "on_demand"
        if not on_demand or self.phase != "follow" or seat != self.turn:
            return False
        return self.called_now and self.demanded == "" and not self.marriages[-1]["shown"]

    def _may_pass(self, seat: str, act: Act) -> bool:
        return False  # he who announced lawfully holds the mate and shows it

    def _may_concede(self, seat: str, act: Act) -> bool:
        return True

    def _may_play(self, seat: str, act: Act) -> bool:
        card = act["card"]
        if seat != self.turn or card not in self.hands[seat]:
            return False
        if self.phase == "lead":
            return not self.shown or (card[1] == self.shown and card[0] in MATE)
        return self.phase == "follow" and card in self._answers(seat)

    def _answers(self, seat: str) -> list[str]:
        """Cards the follower may play: R-10 and R-40 to R-42."""
        hand, led = self.hands[seat], self.on_table[0]
        if not self.strict:
            return hand
        suited = [card for card in hand if card[1] == led[1]]
        trumps = [card for card in hand if card[1] == self.trump]
        if self.options["strict_play"] == "follow_only":
            return suited or hand
        better = [card for card in suited if RANKS.index(card[0]) < RANKS.index(led[0])]
        return better or suited or trumps or hand

    def _may_marry(self, seat: str, act: Act) -> bool:
        card = act["card"]
        if seat != self.leader or card[0] not in MATE or self.called_now:
            return False
        mate = MATE[card[0]] + card[1]
        if mate not in self.hands[seat] or not self._marriages_allowed():
            return False
        if any(m["seat"] == seat and m["suit"] == card[1] for m in self.marriages):
            return False
        if self.shown and self.shown != card[1]:
            return False
        if self.phase == "lead":
            return card in self.hands[seat]
        late = self.options["late_marriage_call"] == "until_adversary_plays"
        return self.phase == "follow" and late and self.on_table == [card]

    def _marriages_allowed(self) -> bool:
        """R-32, R-36, R-37."""
        if not self.tricks and self.options["marriage_opening_lead"] != "pending":
            return False
        if self.closer is not None:
            return bool(self.options["marriage_after_close"])
        return not self.exhausted or bool(self.options["marriage_after_stock"])

    def _may_show(self, seat: str, act: Act) -> bool:
        suit = act["suit"]
        if self.phase == "answer":
            return seat == self.leader and self.marriages[-1]["suit"] == suit
        on_lead = seat == self.turn == self.leader and self.phase in ("draw", "lead")
        if not on_lead or not self.options["show_unled_to_66"]:
            return False
        held = all(rank + suit in self.hands[seat] for rank in MATE)
        had = any(m["seat"] == seat and m["suit"] == suit for m in self.marriages)
        won = bool(self.tricks_of(seat))
        return held and won and not had and not self.shown and self._marriages_allowed()

    def _may_close(self, seat: str, act: Act) -> bool:
        """R-50 to R-53; the turn-up counts as a card of the stock."""
        if seat != self.leader or seat != self.turn or self.closer is not None or self.exhausted:
            return False
        if len(self.stock) < self.options["min_stock_to_close"]:
            return False
        if self.phase == "draw":
            return self.to_draw[0] == seat and bool(self.options["close_before_draw"])
        opening = not self.tricks
        return self.phase == "lead" and (not opening or self.options["close_before_first_lead"])

    def _may_exchange(self, seat: str, act: Act) -> bool:
        """R-20 to R-23."""
        if "9" + self.trump not in self.hands[seat] or not self.stock:
            return False
        if self._freed_by_opening_close(seat):
            return True
        if self.closer is not None and self.options["nine_after_close"] == "opponent_at_close_free":
            in_play = self.phase in ("lead", "follow")
            return in_play and seat != self.closer and not self.non_closer_has_played
        if self.closer is None and len(self.stock) == 1:
            return False
        if self.closer is not None and self.options["nine_after_close"] == "none":
            return False
        if self.options["nine_needs_trick"] and not self.tricks_of(seat):
            return False
        return self._nine_window(seat)

    def _freed_by_opening_close(self, seat: str) -> bool:
        """A-09, where the option allows it: the pone who has just closed on the opening lead."""
        if not self.options["nine_after_opening_close"] or self.closer != seat:
            return False
        return self.closed_at_opening and not self.tricks and not self.on_table

    def _nine_window(self, seat: str) -> bool:
        window = self.options["nine_window"]
        if seat != self.turn or self.phase == "answer":
            return False
        if window == "on_lead_drawn":
            return self.phase == "lead"
        before_drawing = self.phase == "draw" and seat == self.leader
        if window == "on_lead":
            return self.phase == "lead" or before_drawing
        return self.phase in ("lead", "follow") or before_drawing

    def _may_declare(self, seat: str, act: Act) -> bool:
        """R-61 and the option `declare_window`."""
        window = self.options["declare_window"]
        if self.phase == "answer":
            return False
        if window == "any_time":
            return True
        if window == "any_own_turn" and seat == self.turn:
            return True
        if seat != self.leader:
            return False
        return not self.on_table or self.called_now

    # ---- what an act does

    def apply(self, seat: str, act: Act) -> None:
        """Does `act`; declare and concede at any moment, all else only when in order."""
        if act["act"] not in ("declare", "concede") and not self.in_order(seat, act):
            raise ValueError(f"{seat} {act} is not in order: {self.phase}, {self.turn} to act")
        getattr(self, "_do_" + act["act"])(seat, act)

    def _do_draw(self, seat: str, act: Act) -> None:
        self.hands[seat].append(self.stock.pop(0))
        self.to_draw.pop(0)

    def _do_exchange(self, seat: str, act: Act) -> None:
        nine = "9" + self.trump
        self.hands[seat].remove(nine)
        self.hands[seat].append(self.stock[-1])
        self.stock[-1] = nine

    def _do_close(self, seat: str, act: Act) -> None:
        self.closer = seat
        self.other_had_trick = bool(self.tricks_of(OTHER[seat]))
        self.closed_at_opening = not self.tricks
        self.other_at_close = (len(self.tricks_of(OTHER[seat])), self.count(OTHER[seat]))
        self.to_draw = []

    def _do_demand(self, seat: str, act: Act) -> None:
        self.demanded = "asked"

    def _do_show(self, seat: str, act: Act) -> None:
        if self.phase == "answer":
            self.demanded = "answered"
            return
        self.shown = act["suit"]

    def _call(self, seat: str, suit: str) -> None:
        shown = self.shown == suit or self.options["marriage_proof"] == "both_shown"
        self.marriages.append({"seat": seat, "suit": suit, "amount": self._amount(suit), "shown": shown})
        self.called_now = True

    def _do_marry(self, seat: str, act: Act) -> None:
        called = bool(self.shown)
        if self.phase == "lead":
            self._do_play(seat, act)
        if not called:
            self._call(seat, act["card"][1])

    def _do_play(self, seat: str, act: Act) -> None:
        self.hands[seat].remove(act["card"])
        self.on_table.append(act["card"])
        if self.closer == OTHER[seat]:
            self.non_closer_has_played = True
        if self.shown:
            if self._marriages_allowed():
                self._call(seat, self.shown)
            self.shown = ""
        if len(self.on_table) == 2:
            self._turn_trick()

    def _turn_trick(self) -> None:
        led, followed = self.on_table
        beaten = followed[1] == self.trump != led[1]
        if followed[1] == led[1]:
            beaten = RANKS.index(followed[0]) < RANKS.index(led[0])
        winner = OTHER[self.leader] if beaten else self.leader
        trick = {"leader": self.leader, "led": led, "followed": followed, "winner": winner}
        self.tricks.append(trick)
        self.leader, self.on_table = winner, []
        self.called_now, self.demanded = False, ""
        if self.closer is None and self.stock:
            self.to_draw = [winner, OTHER[winner]]
        elif not self.hands["a"] and not self.hands["b"]:
            self._played_out()
