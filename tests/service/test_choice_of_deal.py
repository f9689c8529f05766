"""A friendly in which the highest cut chooses who deals first: asked, answered, shown, appealed."""

from __future__ import annotations

import html
from typing import Any

from referee.match import verify
from referee.service import Service, advancing, appeals, matches, turns
from referee.web.app import create_app
from tests.service.playing_along import act, play_on, register


def test_the_highest_cut_is_asked_first_of_all_and_the_page_tells_what_it_chose(service: Service) -> None:
    seated = [register(service, name) for name in ("Ada", "Bea")]
    body: dict[str, Any] = {
        "bots": [bot.id for bot in seated],
        "overrides": {"target": 1, "first_dealer": "highest_cut_chooses"},
    }
    made = matches.create_friendly(service, body, caller=seated[0].caller)["id"]
    advancing.advance(service)
    asked = [(bot, prompt) for bot in seated for prompt in turns.get_turns(service, caller=bot.caller)["prompts"]]
    [(elector, prompt)] = asked
    own = prompt["seat"]
    other = "b" if own == "a" else "a"
    assert [each["option"] for each in prompt["lawful"]] == [f"deal:{own}", f"deal:{other}"]
    assert prompt["laws"] == []
    answer = act(service, elector, prompt, {"act": "elect", "case": prompt["case"], "option": f"deal:{other}"})
    assert [each["option"] for each in answer["rulings"]] == [f"deal:{other}"]
    view = matches.get_view(service, made, caller=elector.caller)["view"]
    assert (view["deal"], view["dealer"], view["phase"]) == (1, other, "lead")
    play_on(service, seated)
    assert verify(matches.get_log(service, made)).ok
    first = matches.get_rulings(service, made)["rulings"][0]
    assert (first["laws"], first["offender"], first["chosen_by"]) == ([], None, own)
    appealed = appeals.appeal(service, made, case=first["case"], caller=elector.caller)
    assert (appealed["agree"], appealed["laws"], appealed["log_holds"]) == (True, [], True)
    page = html.unescape(create_app(service).test_client().get(f"/matches/{made}").text)
    assert "<h3>Who deals first</h3>" in page
    assert f"Whoever has cut the highest card chooses: {other} deals first." in page
    assert f"{other} deals first or {own} deals first" in page or f"{own} deals first or {other} deals first" in page
