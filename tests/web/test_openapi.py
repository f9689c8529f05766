"""openapi.yaml is valid, equal to the code, and documents every answer by name."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from referee.web import openapi
from referee.web.api import document
from referee.web.app import bare_app

COMMITTED = Path(__file__).parents[2] / "openapi.yaml"


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(openapi.render())
    return found


def operations(described: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method} {path}", operation)
        for path, item in described["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    ]


def test_the_committed_description_is_what_the_code_says() -> None:
    assert COMMITTED.read_text("utf-8") == openapi.render(), "run: python -m referee.web.openapi > openapi.yaml"


def test_it_is_valid_openapi_3_1(described: dict[str, Any]) -> None:
    assert described["openapi"].startswith("3.1")
    OpenAPIV31SpecValidator(described).validate()


def test_the_yaml_says_what_the_document_says(described: dict[str, Any]) -> None:
    assert described == _with_string_keys(document(bare_app()))


def _with_string_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _with_string_keys(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_with_string_keys(inner) for inner in value]
    return value


def test_every_operation_names_its_answers_one_by_one(described: dict[str, Any]) -> None:
    for name, operation in operations(described):
        assert "default" not in operation["responses"], name
        assert {"500", "503"} <= set(operation["responses"]), name
        assert operation["summary"], name


def test_every_refusal_is_a_problem(described: dict[str, Any]) -> None:
    for name, answer in described["components"]["responses"].items():
        assert list(answer["content"]) == ["application/problem+json"], name
    assert described["components"]["schemas"]["Problem"]["additionalProperties"] is True


def test_every_post_that_creates_or_acts_takes_an_idempotency_key(described: dict[str, Any]) -> None:
    for name, operation in operations(described):
        headers = {each["name"] for each in operation.get("parameters", []) if each["in"] == "header"}
        creates_or_acts = name.startswith("post ") and name not in ("post /v1/adjudications", "post /v1/validations")
        assert ("Idempotency-Key" in headers) == creates_or_acts, name


def test_what_needs_a_token_says_so(described: dict[str, Any]) -> None:
    for name, operation in operations(described):
        assert ("401" in operation["responses"]) == ("security" in operation), name


def test_the_push_prompt_is_a_webhook(described: dict[str, Any]) -> None:
    prompt = described["webhooks"]["prompt"]["post"]
    assert {each["name"] for each in prompt["parameters"]} == {"webhook-id", "webhook-timestamp", "webhook-signature"}


def test_what_may_be_left_out_of_a_new_bot_has_its_default_told(described: dict[str, Any]) -> None:
    members = described["components"]["schemas"]["BotNew"]["properties"]
    told = {name: member["default"] for name, member in members.items() if "default" in member}
    usual = {"transport": "pull", "chores": [], "language": "", "version": "", "concurrency": 1}
    assert told == {**usual, "accepts_friendlies": True}
    change = described["components"]["schemas"]["BotChange"]["properties"]
    assert not any("default" in member for member in change.values()), "what a change leaves out stays as it is"


def test_the_act_tells_of_the_conduct_limit(described: dict[str, Any]) -> None:
    assert "conduct_limit" in described["paths"]["/v1/matches/{match_id}/acts"]["post"]["description"]
    assert {"conduct_count", "conduct_limit", "over"} <= set(
        described["components"]["schemas"]["Problem"]["properties"]
    )


def test_operation_ids_are_unique(described: dict[str, Any]) -> None:
    ids = [operation["operationId"] for _, operation in operations(described)]
    assert len(ids) == len(set(ids))


def test_every_request_body_has_an_example_that_fits(described: dict[str, Any]) -> None:
    for name, operation in operations(described):
        if "requestBody" not in operation:
            continue
        content = operation["requestBody"]["content"]["application/json"]
        examples = (
            [content["example"]] if "example" in content else [one["value"] for one in content["examples"].values()]
        )
        schema = {**content["schema"], "components": described["components"]}
        assert examples, name
        for example in examples:
            jsonschema.validate(example, schema)
