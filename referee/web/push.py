"""The push protocol in the API's description: the service posts a prompt, and the reply is the act."""

from typing import Any, Final

from referee.web.api import Api
from referee.web.schemas.acts import ACT
from referee.web.schemas.views import Prompt

PROMPT: Final = {
    "match": "mat_01j9",
    "version": 41,
    "seat": "a",
    "view": {
        "seat": "a", "ruleset": "house", "deal": 1, "attempt": 1, "phase": "lead", "turn": "a", "dealer": "b",
        "leader": "a", "trump": "S", "turn_up": "9S", "hand": ["AS", "TS", "KH", "QH", "JD", "9C"],
        "sizes": {"a": 6, "b": 6}, "stock": 12, "table": [], "tricks": {"a": 0, "b": 0}, "last_trick": None,
        "to_draw": [], "drawn": [], "lifted": None, "marriages": [], "open": {"9S": "turn_up"}, "closed_by": None,
        "called": None, "shown": [], "looked": [], "seen_tricks": [], "barred": [], "score": {"a": 0, "b": 0},
        "target": 7, "carry": 0,
    },
    "lawful": [{"act": "play", "card": "AS"}, {"act": "play", "card": "TS"}, {"act": "marry", "card": "KH"}],
    "own_risk": [{"act": "declare"}],
    "clock": {"act_ms": 10000, "bank_ms": 60000, "left_ms": 70000, "charged_ms": 12, "round_trip_ms": 3},
}  # fmt: skip


def _header(name: str, about: str) -> dict[str, Any]:
    return {"in": "header", "name": name, "required": True, "description": about, "schema": {"type": "string"}}


def describe_push(api: Api) -> None:
    """Add the webhook `prompt` to the document: Standard Webhooks, version 1 signatures."""
    operation = {
        "summary": "A prompt for a push bot",
        "description": (
            "Posted to the bot's url whenever one of its seats is asked. The reply's JSON is the act, without "
            "`version`. Check the signature: HMAC-SHA256 with the webhook secret over id.timestamp.body. The id stays "
            "the same when a prompt is posted again."
        ),
        "operationId": "prompt",
        "tags": ["play"],
        "parameters": [
            _header("webhook-id", "the same for every delivery of one prompt"),
            _header("webhook-timestamp", "seconds since 1970"),
            _header("webhook-signature", "v1,BASE64; several, separated by spaces, while a secret is rotated"),
        ],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": Prompt, "example": PROMPT}},
        },
        "responses": {
            "200": {
                "description": "The act",
                "content": {"application/json": {"schema": ACT, "example": {"act": "play", "card": "AS"}}},
            }
        },
    }
    api.ma_plugin.resolver.resolve_operations({"post": operation})
    api.spec.options.setdefault("webhooks", {})["prompt"] = {"post": operation}
