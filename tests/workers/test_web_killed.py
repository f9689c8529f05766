"""The web process killed in the middle of a tournament: bots that ask again find everything as it was."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from typing import Any

from referee.launcher.valkey import free_port
from referee.service import Service
from referee.settings import Settings
from tests.service.playing_along import Bot, matches_of, register, tournament
from tests.workers.crew import environment, killed, until, working
from tests.workers.test_workers import is_finished, results_are_whole


def web(settings: Settings, port: int) -> subprocess.Popen[bytes]:
    """Starts a web process as the launcher does."""
    command = [sys.executable, "-m", "gunicorn", "referee.web.app:create_app()", "--bind", f"127.0.0.1:{port}"]
    flags = ["--worker-class", "gevent", "--workers", "1", "--log-level", "warning", "--no-control-socket"]
    return subprocess.Popen([*command, *flags], env=environment(settings), start_new_session=True)


class Player(threading.Thread):
    """A bot over HTTP that asks again, with the same key, whatever becomes of a request."""

    def __init__(self, bot: Bot, port: int) -> None:
        super().__init__()
        self.bot, self.base, self.stop = bot, f"http://127.0.0.1:{port}/v1", False
        self.repeated = self.acts = 0

    def run(self) -> None:
        while not self.stop:
            for prompt in self.call("GET", "/turns?wait=1").get("prompts", []):
                body = {"version": prompt["version"], **prompt["lawful"][0]}
                key = f"{prompt['match']}-{prompt['version']}"
                self.acts += bool(self.call("POST", f"/matches/{prompt['match']}/acts", body, key))

    def call(self, method: str, path: str, body: Any = None, key: str = "") -> dict[str, Any]:
        """Makes a request until somebody answers; a refusal is nothing to act on."""
        headers = {"Authorization": f"Bearer {self.bot.token}", "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": key} if key else {}
        data = None if body is None else json.dumps(body).encode()
        while not self.stop:
            request = urllib.request.Request(self.base + path, data, headers, method=method)
            try:
                with urllib.request.urlopen(request, timeout=10) as response:
                    return dict(json.load(response))
            except urllib.error.HTTPError as refusal:
                with refusal:
                    if refusal.code < 500:
                        return {}
            except (OSError, ValueError, http.client.HTTPException):  # nobody there, or gone in the middle of an answer
                self.repeated += 1
            time.sleep(0.05)
        return {}


def test_acceptance_8_the_web_process_killed_in_a_tournament(service: Service, settings: Settings) -> None:
    port = free_port()
    seated = [register(service, name) for name in ("Ada", "Bea", "Cyd")]
    cup = tournament(service, seated, cycles=2, overrides={"target": 2})
    players = [Player(bot, port) for bot in seated]
    serving = web(settings, port)
    try:
        with working(settings):
            for player in players:
                player.start()
            for deaths in range(1, 3):

                def one_more(wanted: int = deaths) -> bool:
                    return sum(row["state"] == "done" for row in matches_of(service, cup)) >= wanted

                until(one_more, "another match played")
                killed(serving)
                until(lambda: any(player.repeated for player in players), "bots that notice")
                serving = web(settings, port)
            until(lambda: is_finished(service, cup), "the end")
    finally:
        for player in players:
            player.stop = True
        killed(serving)
        for player in players:
            player.join()
    results_are_whole(service, cup, 6)
    assert not [row["cause"] for row in matches_of(service, cup) if row["cause"] in ("time", "no_show", "conduct")]
