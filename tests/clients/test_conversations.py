"""Every client is held to the same recorded conversations with the referee, the Python one as they go in batches."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.fake_referee import FakeReferee, steps

ROOT = Path(__file__).resolve().parents[2]
# However slow the machine, the answers to all prompts in hand go in one request.
TOGETHER = "import sys\nsys.path.insert(0, 'clients/python')\nimport sixtysix.outbox\nsixtysix.outbox.HOLD_S = 600\n"
FIRST_LAWFUL_PYTHON = f"""
{TOGETHER}
import sixtysix
sixtysix.run(lambda prompt: prompt["lawful"][0], name="first")
"""
FIRST_LAWFUL_NODE = """
import { run } from "./clients/node/sixtysix.mjs";
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
await run((prompt) => prompt.lawful[0], { name: "first", signal: stop.signal });
"""
README = (ROOT / "clients" / "python" / "README.md").read_text()
FROM_README = TOGETHER + README.partition("```python\n")[2].partition("```")[0]
CLIENTS = {
    "python": [sys.executable, "-c", FIRST_LAWFUL_PYTHON],
    "node": ["node", "--input-type=module", "-e", FIRST_LAWFUL_NODE],
    "shell": ["bash", "clients/shell/bot.sh", "first"],
}
NEEDS = {"python": [], "node": ["node"], "shell": ["bash", "curl"]}
CONVERSATIONS = ("one_match", "two_matches", "match_over")
IN_BATCHES = {"python": "_in_batches"}
SPEAKS = [(client, told + IN_BATCHES.get(client, "")) for client in CLIENTS for told in CONVERSATIONS]


def started(client, url, *, token=None):
    for tool in NEEDS[client]:
        if shutil.which(tool) is None:
            pytest.skip(f"NOT TESTED: the {client} client, because {tool} is missing here")
    environment = {name: text for name, text in os.environ.items() if not name.startswith("REFEREE_")}
    environment["REFEREE_URL"] = url
    if token:
        environment["REFEREE_TOKEN"] = token
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A run in the background may have Ctrl-C ignored, and a shell cannot trap what it inherits as ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return subprocess.Popen(
        CLIENTS[client],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def referee(request):
    fake = FakeReferee(steps(request.param))
    yield fake
    fake.close()


def converse(client, referee, *, ending=signal.SIGTERM):
    registers = referee.steps[0]["path"] == "/v1/bots"
    process = started(client, referee.url, token=None if registers else "secret-token")
    with process:
        try:
            referee.wait_until_over(process)
            process.send_signal(ending)
            printed, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0, errors
    assert referee.faults == [], errors
    return printed, errors


@pytest.mark.parametrize(("client", "referee"), SPEAKS, indirect=["referee"])
def test_a_client_speaks_as_recorded(client, referee):
    printed, errors = converse(client, referee)
    keys = {}
    for step, asked in zip(referee.steps, referee.asked, strict=True):
        if "keys" in step:
            for name, act in zip(step["keys"], asked["body"]["acts"], strict=True):
                key = act.pop("key")
                assert keys.setdefault(name, key) == key, f"another key for {name!r}"
            asked["body"].pop("most", None)  # as many as it can answer in time, which is for the clock to say
        if "body" in step:
            assert asked["body"] == step["body"], asked
        if "key" in step:
            assert asked["key"], f"no Idempotency-Key in {asked}"
            assert keys.setdefault(step["key"], asked["key"]) == asked["key"], f"another key for {step['key']!r}"
        if step["path"] != "/v1/bots":
            assert asked["token"] == "secret-token"
        if step["path"] == "/v1/turns":
            assert asked["query"].partition("&")[0] == "wait=25"
    assert len(set(keys.values())) == len(keys), "one key stood for two different requests"
    registered = referee.steps[0]["path"] == "/v1/bots"
    assert printed == ("bot_1 first\n" if registered else "")
    assert "secret-token" not in errors


@pytest.mark.parametrize(
    ("client", "referee"), [each for each in SPEAKS if "match_over" in each[1]], indirect=["referee"]
)
def test_ctrl_c_ends_a_client_in_a_held_poll(client, referee):
    converse(client, referee, ending=signal.SIGINT)


@pytest.mark.parametrize("client", CLIENTS)
def test_an_unknown_token_ends_a_client_with_a_message(client):
    problem = {"code": "auth/token_unknown", "title": "The token is not known"}
    fake = FakeReferee([{"method": "GET", "path": "/v1/turns", "status": 401, "reply": problem}])
    try:
        process = started(client, fake.url, token="wrong")
        _, errors = process.communicate(timeout=60)
    finally:
        fake.close()
    assert process.returncode != 0
    assert "auth/token_unknown" in errors


@pytest.mark.parametrize("client", CLIENTS)
def test_an_act_refused_three_times_ends_a_client_with_a_message(client):
    poll = steps("one_match")[18]
    refusal = next(step for step in steps("one_match") if step.get("status") == 409 and "lawful" in step["reply"])
    in_batch = next(step for step in steps("one_match_in_batches") if "irregular" in str(step.get("reply")))
    fake = FakeReferee([poll, *[in_batch] * 3] if client in IN_BATCHES else [poll, refusal] * 3)
    try:
        process = started(client, fake.url, token="secret-token")
        _, errors = process.communicate(timeout=60)
    finally:
        fake.close()
    assert process.returncode != 0
    assert "act/irregular" in errors
    assert fake.faults == []


@pytest.mark.parametrize("client", ["python"])
@pytest.mark.parametrize("referee", ["match_over_in_batches"], indirect=True)
def test_the_python_client_keeps_one_connection(client, referee):
    converse(client, referee)
    assert len({asked["client"] for asked in referee.asked}) == 1


@pytest.mark.parametrize("referee", ["two_matches_in_batches"], indirect=True)
def test_the_bot_in_the_readme_plays(referee, monkeypatch):
    monkeypatch.setitem(CLIENTS, "python", [sys.executable, "-c", FROM_README])
    converse("python", referee)
    assert len(referee.asked) == len(referee.steps)
