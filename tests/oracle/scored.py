"""The oracle's counting and scoring: what lies before each seat, and what a deal ends in."""

from collections.abc import Mapping
from typing import Any

from tests.oracle.around_the_deal import OTHER

Act = dict[str, Any]

WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}


class Scored:
    """Tricks, marriages and closing of one deal, and the result they come to."""

    options: Mapping[str, Any]
    trump: str
    leader: str
    tricks: list[dict[str, str]]
    marriages: list[dict[str, Any]]
    closer: str | None
    other_had_trick: bool
    other_at_close: tuple[int, int]
    shown: str
    result: dict[str, Any] | None

    def in_order(self, seat: str, act: Act) -> bool:
        """True when `seat` breaks no rule by `act` now."""
        raise NotImplementedError

    def tricks_of(self, seat: str) -> list[dict[str, str]]:
        """The tricks `seat` has completed."""
        return [trick for trick in self.tricks if trick["winner"] == seat]

    def card_points(self, seat: str) -> int:
        """Card points of completed tricks, with ten for the twelfth of an unclosed deal (R-43)."""
        total = sum(WORTH[t["led"][0]] + WORTH[t["followed"][0]] for t in self.tricks_of(seat))
        twelfth = self.closer is None and len(self.tricks) == 12
        if twelfth and self.tricks[-1]["winner"] == seat and self.options["last_trick"] == "ten":
            total += 10
        return total

    def effective(self, seat: str) -> int:
        """Marriage points of `seat` that count now: none before it has a trick (R-32)."""
        if not self.tricks_of(seat):
            return 0
        return sum(m["amount"] for m in self.marriages if m["seat"] == seat)

    def pending(self, seat: str) -> int:
        """Marriage points of `seat` that wait for a trick."""
        if self.tricks_of(seat):
            return 0
        return sum(m["amount"] for m in self.marriages if m["seat"] == seat)

    def count(self, seat: str) -> int:
        """What `seat` has toward 66."""
        return self.card_points(seat) + self.effective(seat)

    def announced(self, seat: str) -> int:
        """What an announcement by `seat` rests on: its count, and a marriage it has just shown (R-34)."""
        extra = self._amount(self.shown) if self.shown and seat == self.leader else 0
        return self.count(seat) + extra

    def _amount(self, suit: str) -> int:
        return 40 if suit == self.trump else 20

    def _do_declare(self, seat: str, act: Act) -> None:
        good = self.announced(seat) >= 66
        if good and not self.in_order(seat, act):
            return  # IR-62: out of time and good, no effect
        if not good:
            self._declared_falsely(seat)
        else:
            self._score(seat, self._good_announcement(seat), "declared")

    def _declared_falsely(self, seat: str) -> None:
        """R-64; a closer has failed his close in every profile (section 3.5, no. 7)."""
        other = OTHER[seat]
        if self.closer == seat:
            self._score(other, self._failed_close(), "false")
            return
        if self.options["false_declaration"] == "as_claimed":  # E-05
            self._score(other, self._good_announcement(seat), "false")
            return
        flat = self.options["false_declaration"] == "flat_2"
        self._score(other, 2 if flat or self.tricks_of(other) else 3, "false")

    def _do_concede(self, seat: str, act: Act) -> None:
        """IR-91: as if the other had announced correctly; a closer has failed (3.5, no. 8)."""
        points = self._good_announcement(OTHER[seat])
        if self.closer == seat:
            points = max(points, self._failed_close())
        self._score(OTHER[seat], points, "conceded")

    def _good_announcement(self, seat: str) -> int:
        """R-70, or R-56 where the other had closed."""
        if self.closer != OTHER[seat]:
            return self._level(seat)
        return 2 if self.options["non_closer_declares"] == "flat_2" else self._failed_close()

    def _level(self, winner: str) -> int:
        """R-70: 1, 2 or 3 by what the loser has; R-57 may freeze that at the close."""
        loser = OTHER[winner]
        tricks, count = len(self.tricks_of(loser)), self.count(loser)
        if winner == self.closer and self.options["success_level_frozen"]:
            tricks, count = self.other_at_close
        if not tricks:
            return 3
        return 1 if count >= 33 else 2

    def _failed_close(self) -> int:
        """R-55: what a failed close pays the other."""
        rule = self.options["fail_penalty"]
        if rule == "flat_2":
            return 2
        if not self.other_had_trick:
            return 3
        if rule == "by_closer_count":
            return 1 if self.count(str(self.closer)) >= 33 else 2
        return 2

    def _played_out(self) -> None:
        """Scoring when every card is out and nobody announced: R-58, R-66 to R-68, E-03."""
        if self.closer is None and self.options["last_trick"] == "wins_hand_1":
            self._score(self.tricks[-1]["winner"], 1, "played_out")
            return
        have = [seat for seat in "ab" if self.count(seat) >= 66]
        if self.closer is not None and not self._closer_made_it(have):
            self._score(OTHER[self.closer], self._failed_close(), "closer_failed")
        elif self.closer is not None and self._last_trick_decides():
            self._score(self.closer, self._level(self.closer), "played_out")
        elif len(have) == 1:
            self._score(have[0], self._level(have[0]), "played_out")
        else:
            self._both_or_neither()

    def _last_trick_decides(self) -> bool:
        return bool(self.options["closer_66_undeclared"] == "if_won_last_trick")

    def _closer_made_it(self, have: list[str]) -> bool:
        """R-58: he has 66; in some profiles he must also have been able to go out on the last trick."""
        won_last = self.tricks[-1]["winner"] == self.closer
        return self.closer in have and (won_last or not self._last_trick_decides())

    def _both_or_neither(self) -> None:
        """R-67, R-68."""
        ours, theirs = self.count("a"), self.count("b")
        neither = max(ours, theirs) < 66
        if not neither and self.options["both_66_undeclared"] == "last_trick":
            self._score(self.tricks[-1]["winner"], self._level(self.tricks[-1]["winner"]), "played_out")
            return
        if neither or ours == theirs or self.options["both_66_undeclared"] == "draw_carry":
            self._score(None, 0, "played_out")
            return
        winner = "a" if ours > theirs else "b"
        self._score(winner, self._level(winner), "played_out")

    def _score(self, winner: str | None, points: int, cause: str) -> None:
        self.result = {"winner": winner, "points": points, "cause": cause}
