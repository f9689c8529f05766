"""The objections to acting out of turn and to what is odd about an act, by name.

Code, law, rule point, and what is wrong in a few words; `irregular` says when each is raised.
"""

from typing import Final

from referee.rules.objections import Objection

OUT_OF_TURN_LEAD: Final = Objection("lead_out_of_turn", "IR-31", "R-10", "it is the other seat's lead")
SECOND_LEAD: Final = Objection(
    "second_card_to_a_trick", "IR-38", "R-10", "the other has not played to the first card yet"
)
UNDRAWN_PLAY: Final = Objection("plays_without_drawing", "IR-21", "R-11", "a draw of one's own is due first")
EARLY_LEAD: Final = Objection("leads_before_other_has_drawn", "IR-27", "R-11", "both draw before the next lead")
OUT_OF_TURN_DRAW: Final = Objection("draws_out_of_turn", "IR-20", "R-11", "the trick's winner draws first")
UNDUE_DRAW: Final = Objection("draw_not_due", "IR-22", "R-11", "no draw is due to this seat")
DRAW_AFTER_CLOSE: Final = Objection("draw_after_close", "IR-26", "R-54", "nobody draws once the stock is closed")
TWO_LIFTED_FIRST: Final = Objection("lifts_two_cards", "IR-23", "R-11", "one card is drawn at a time")
TWO_LIFTED_SECOND: Final = Objection("second_drawer_lifts_two", "IR-24", "R-11", "one card is drawn at a time")
WRONG_PLACE: Final = Objection("draw_from_wrong_place", "IR-25", "R-11", "cards are drawn from the top of the stock")
TURN_UP_TAKEN: Final = Objection("turn_up_taken", "IR-54", "R-20", "the turn-up is taken for the exchange card only")
MARRIAGE_OFF_LEAD: Final = Objection("marriage_off_lead", "IR-42", "R-31", "a marriage is announced on lead")
LATE_CALL: Final = Objection("marriage_called_late", "IR-41", "R-35", "this rule-set knows no late call")
CALLED_TWICE: Final = Objection("marriage_called_twice", "IR-42", "R-38", "one marriage is announced a lead")
NO_MATE: Final = Objection("mate_not_held", "IR-43", "R-31", "the other card of the marriage is not in hand")
OTHER_CARD_LED: Final = Objection("other_card_led", "IR-32", "R-31", "king or queen of the marriage must be led")
WRONG_AMOUNT: Final = Objection("wrong_amount", "IR-44", "R-30", "the marriage does not count that much")
TWO_PLAYED: Final = Objection("two_cards_played", "IR-33", "R-10", "one card is played at a time")
EXCHANGE_OFF_TURN: Final = Objection("exchange_off_turn", "IR-52", "R-21", "the exchange is made at one's own turn")
WRONG_EXCHANGE: Final = Objection(
    "wrong_card_left", "IR-53", "R-20", "only the lowest trump is exchanged for the turn-up"
)
CLOSE_OFF_LEAD: Final = Objection("close_off_lead", "IR-55", "R-50", "closing needs the lead")
NOTHING_TO_CLOSE: Final = Objection("nothing_to_close", "IR-56", "R-53", "no open stock is left to close")
BARRED: Final = Objection("privilege_of_closing_lost", "IR-57", "R-5B", "who looked at a quitted trick may not close")
COUNT_SHORT: Final = Objection("count_short", "IR-61", "R-64", "the count is short of what is announced")
NOT_IN_TIME: Final = Objection("declared_out_of_window", "IR-62", "R-61", "this is not the moment to declare")
SECOND_SHOWN: Final = Objection("second_marriage_shown", "IR-45", "R-34", "only one marriage may be shown unled")
SHOWN_OFF_LEAD: Final = Objection("marriage_shown_off_lead", "IR-42", "R-34", "a marriage is shown on lead")
CUT_TOO_SMALL: Final = Objection("cut_too_small", "IR-01", "R-03", "a cut lifts two cards and leaves two at least")
CUT_SHOWN: Final = Objection("card_shown_in_cut", "IR-02", "R-03", "no card is shown in the cut")
SHUFFLED_AFTER_CUT: Final = Objection("shuffled_after_cut", "IR-03", "R-08", "after the cut nobody shuffles")
SHUFFLED_AGAIN: Final = Objection("shuffled_again", "", "R-08", "the dealer has shuffled last; the cut is due")
FACED_IN_PACK: Final = Objection("card_left_face_up", "IR-05", "R-08", "every card of the pack lies face down")
NOT_YOUR_CHORE: Final = Objection("not_this_seats_chore", "", "R-08", "the other seat does this")
NOT_CUT: Final = Objection("dealt_without_cut", "IR-04", "R-08", "the pack has not been cut")
TOO_MANY_DEALT: Final = Objection("wrong_number_dealt", "IR-06", "R-04", "no hand gets more than its cards")
HAND_SHORT: Final = Objection("hand_short_at_turn_up", "IR-07", "R-04", "trump is turned when both hands are complete")
TWO_TURNED: Final = Objection("two_cards_turned", "IR-09", "R-05", "one card is turned for trump")
CARD_EXPOSED_IN_DEAL: Final = Objection("card_exposed_in_deal", "IR-10", "R-04", "the cards are dealt face down")
EXPOSED_WHILE_DEALT: Final = Objection(
    "card_exposed_while_dealing", "IR-11", "R-04", "hands are taken up when the deal is complete"
)
DEALT_OUT_OF_TURN: Final = Objection("dealt_out_of_turn", "IR-12", "R-07", "it is the other seat's deal")
WRONG_PACKET: Final = Objection("wrong_packet", "IR-14", "R-04", "this packet is not the one that is due")
LOOKED_AT_TRICK: Final = Objection("looked_at_quitted_trick", "IR-80", "R-12", "this trick is turned and quitted")
LOOKED_AT_OTHERS: Final = Objection("looked_at_others_trick", "IR-81", "R-12", "this trick is the other seat's")
PEEKED: Final = Objection("looked_at_stock", "IR-29", "R-11", "the stock is not looked at")
EXPOSED: Final = Objection("card_exposed", "IR-83", "R-10", "a hand is kept to oneself")
PLAYED_OUT_OF_TURN: Final = Objection("played_out_of_turn", "IR-96", "4.3", "it is another seat's turn")
FIRST_LEAD: Final = Objection("first_lead_of_another", "IR-99", "4.4", "the highest bidder leads and makes trump")
BID_OUT_OF_TURN: Final = Objection("bid_out_of_turn", "IR-98", "4.4", "each seat bids once, in turn")
BID_TOO_LOW: Final = Objection("bid_not_higher", "IR-98", "D-16", "a bid is higher than any before")
DEALER_MUST_BID: Final = Objection("dealer_must_bid", "IR-98", "D-04", "nobody has bid, so the dealer does")
MATE_WITHHELD: Final = Objection("mate_withheld", "IR-47", "R-33", "the mate is shown when asked")
