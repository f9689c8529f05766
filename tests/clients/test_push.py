"""Push bots, in Python and in Node, answer what the referee has signed and nothing else."""

import contextlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import sixtysix

from tests.clients.fake_referee import FakeReferee, steps

ROOT = Path(__file__).resolve().parents[2]
# The example of the Standard Webhooks specification.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
EXAMPLE = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
BODY = b'{"test": 2432232314}'
PROMPT = steps("two_matches")[0]["reply"]["prompts"][0]
BOTS = {
    "python": [sys.executable, "clients/python/bots/random_bot.py", "--name", "pushed", "--push", "0"],
    "node": ["node", "clients/node/bot.mjs", "--name", "pushed", "--push", "0"],
}


def signed(body, *, message="msg_1", now=None, secret=SECRET):
    sent = int(time.time() if now is None else now)
    signature = sixtysix.sign(secret, message=message, timestamp=sent, body=body)
    return {"webhook-id": message, "webhook-timestamp": str(sent), "webhook-signature": signature}


def test_the_specifications_own_example_verifies():
    assert sixtysix.verify(SECRET, EXAMPLE, BODY, now=1614265330) == EXAMPLE["webhook-id"]


def test_one_good_signature_among_several_is_enough():
    headers = {**EXAMPLE, "webhook-signature": "v1,bm90aGluZw== v2,x " + EXAMPLE["webhook-signature"]}
    assert sixtysix.verify(SECRET, headers, BODY, now=1614265330) == EXAMPLE["webhook-id"]


@pytest.mark.parametrize(
    ("change", "body", "now"),
    [
        ({"webhook-id": "msg_other"}, BODY, 1614265330),
        ({"webhook-timestamp": "1614265331"}, BODY, 1614265330),
        ({"webhook-signature": "v1,bm90aGluZw=="}, BODY, 1614265330),
        ({"webhook-signature": ""}, BODY, 1614265330),
        ({"webhook-timestamp": "soon"}, BODY, 1614265330),
        ({}, BODY + b" ", 1614265330),
        ({}, BODY, 1614265330 + 301),
        ({}, BODY, 1614265330 - 301),
    ],
)
def test_a_call_changed_or_out_of_its_time_is_no_call_of_the_referee(change, body, now):
    with pytest.raises(sixtysix.BadSignature):
        sixtysix.verify(SECRET, {**EXAMPLE, **change}, body, now=now)


def test_a_prompt_pushed_twice_is_chosen_for_once():
    chosen = []

    def choose(prompt):
        chosen.append(prompt["version"])
        return prompt["lawful"][0]

    bot, body = sixtysix.PushBot(choose, SECRET), json.dumps(PROMPT).encode()
    replies = {bot.reply(signed(body), body), bot.reply(signed(body, now=time.time() - 5), body)}
    assert replies == {(200, json.dumps(PROMPT["lawful"][0], separators=(",", ":")).encode())}
    assert chosen == [PROMPT["version"]]


def test_an_unreadable_push_is_answered_400_though_signed():
    bot = sixtysix.PushBot(lambda prompt: prompt["lawful"][0], SECRET)
    assert bot.reply(signed(b"[]"), b"[]")[0] == 400


def test_a_token_without_a_secret_is_refused_before_anything_is_served(monkeypatch):
    monkeypatch.setenv("REFEREE_TOKEN", "token")
    monkeypatch.delenv("REFEREE_WEBHOOK_SECRET", raising=False)
    with pytest.raises(sixtysix.SixtySixError, match="REFEREE_WEBHOOK_SECRET"):
        sixtysix.serve(lambda prompt: prompt["lawful"][0], name="x", port=0)


@contextlib.contextmanager
def pushed_bot(kind):
    """Starts a push bot against a referee that registers it; gives the process and its address."""
    command = BOTS[kind]
    if shutil.which(command[0]) is None:
        pytest.skip(f"NOT TESTED: the {kind} push bot, because {command[0]} is missing here")
    reply = {"bot": {"id": "bot_1", "name": "pushed"}, "token": "t", "webhook_secret": SECRET}
    fake = FakeReferee([{"method": "POST", "path": "/v1/bots", "status": 201, "reply": reply}])
    environment = {name: text for name, text in os.environ.items() if not name.startswith("REFEREE_")}
    process = subprocess.Popen(
        command, cwd=ROOT, env={**environment, "REFEREE_URL": fake.url}, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "bot_1 pushed\n"
        yield process, fake.asked[0]["body"]
    finally:
        process.kill()
        process.communicate()
        fake.close()


def call(url, headers, body):
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    try:
        connection.request("POST", urlsplit(url).path, body, {**headers, "content-type": "application/json"})
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


@pytest.mark.parametrize("kind", BOTS)
def test_a_push_bot_registers_and_answers_signed_prompts_only(kind):
    body = json.dumps(PROMPT).encode()
    with pushed_bot(kind) as (process, registered):
        assert registered["transport"] == "push"
        assert call(registered["url"], signed(body), body) == (200, PROMPT["lawful"][0])
        forged = signed(body, message="msg_2", secret="whsec_" + "A" * 32)
        status, problem = call(registered["url"], forged, body)
        assert (status, problem["code"]) == (401, "push/bad_signature")
        old = signed(body, message="msg_3", now=time.time() - 1000)
        assert call(registered["url"], old, body)[0] == 401
        assert call(registered["url"], signed(b"[]", message="msg_4"), b"[]")[0] == 400
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
