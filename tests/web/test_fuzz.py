"""Bytes that no author of a bot would send, on every operation of the contract: refused with code, place and cure, and no
failure. schemathesis sends what fits the schemas or nearly does; here it is what does not even come so far.
"""

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Response

from referee import service as services
from referee.service import rates, streaming
from referee.service.problems import MOST_TOLD, unfit
from referee.web.app import create_app
from referee.web.codes import CODES
from tests.conftest import settings_for
from tests.web.populated import Populated, populated

CONTRACT = yaml.safe_load((Path(__file__).parents[2] / "openapi.yaml").read_text("utf-8"))
METHODS = ("get", "post", "put", "patch", "delete")
OPERATIONS = [(method, path) for path, item in CONTRACT["paths"].items() for method in item if method in METHODS]
ENDING = ("delete", "token", "cancel")
JSON = "application/json"
DEEP = 5000

#: What is no body of ours, by what is wrong with it; all are at least well-formed HTTP.
BODIES = {
    "nothing": b"",
    "a brace": b"{",
    "null": b"null",
    "a list": b"[]",
    "a word": b'"act"',
    "two values": b"{}{}",
    "a tail": b"{} x",
    "no UTF-8": b'{"name":"\xff\xfe"}',
    "UTF-16": '{"name":"x"}'.encode("utf-16"),
    "a mark before it": b'\xef\xbb\xbf{"name":"x"}',
    "NUL": b'{"name":"a\x00b"}',
    "NUL escaped": b'{"name":"a\\u0000b"}',
    "half a pair": b'{"name":"\\ud800"}',
    "half a pair for a key": b'{"\\udfff":1}',
    "a key twice": b'{"name":"a","name":"b"}',
    "a key twice below": b'{"clock":{"act_ms":1,"act_ms":2}}',
    "not a number": b'{"version":NaN}',
    "beyond all": b'{"version":1e999}',
    "a huge number": b'{"version":' + b"9" * 5000 + b"}",
    "a long fraction": b'{"version":0.' + b"1" * 5000 + b"}",
    "minus nothing": b'{"version":-0}',
    "nested lists": b'{"acts":' + b"[" * DEEP + b"]" * DEEP + b"}",
    "nested objects": b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    "an open nest": b'{"a":[' * DEEP,
    "many keys": json.dumps({f"k{number}": number for number in range(4000)}).encode(),
    "a long text": json.dumps({"name": "x" * 60_000}).encode(),
    "too much": b'{"name":"' + b"x" * 70_000 + b'"}',
    "the names of the language": b'{"__class__":{"__init__":1},"constructor":null,"$ref":"#/"}',
}
TYPES = (
    *("", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml"),
    *(
        "application/json; charset=utf-16",
        "application/json; charset=\xff",
        "application/json, text/plain",
        "json",
        "*/*",
    ),
)
QUERIES = (
    *[
        "%",
        "%ff",
        "%00",
        "limit=%ff",
        "limit=%00",
        "limit=99999999999999999999",
        "limit=-1",
        "limit=1&limit=2",
        "cursor=%f0%28",
        "cursor=../..",
    ],
    *[
        "wait=-1",
        "wait=1e9",
        "wait=31",
        "after=%D9%A3",
        "seat=z",
        "seat=",
        "state=%0d%0a",
        "bot=bot_%00",
        "&&==&",
        "x[]=1",
        "%u0041",
    ],
    "a" * 3000,
)
PLACES = (
    *["%00", "%ff", "%", "%zz", "..%2f..%2fetc", "%2e%2e", "mat_%0a", "١", "0", "-1", "99999999999", "'", "${x}"],
    *("a" * 3000, "bot_" + "a" * 65),
)
HEADERS = {
    "Authorization": ("Bearer " + "x" * 5000, "Bearer", "Basic eDp5", "Bearer a b", "Bearer \xff", ""),
    "Idempotency-Key": ("x" * 300, "", "\xff", "short"),
    "Accept": ("text/\xff;q=zz", "," * 500, "application/json;q=-1"),
    "Last-Event-ID": ("9" * 99, "\xff"),
    "Content-Encoding": ("gzip",),
    "Range": ("bytes=0-",),
    "Host": ("[::1",),
    "X-Forwarded-For": ("\xff",),
    "Content-Length": ("-1", "1_0", "9" * 30),
}


@pytest.fixture(scope="module")
def there(launched_valkey: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FlaskClient, Populated]]:
    """A client of a service that knows a bit of everything and counts nobody's requests."""
    opened = services.open(
        settings_for(launched_valkey.replace("/0", "/2"), tmp_path_factory.mktemp("fuzz")), sweep=False
    )
    with pytest.MonkeyPatch.context() as patched:
        for bound in ("DESK", "KEYED", "FRIENDLIES", "CHECKS", "APPEALS"):
            patched.setattr(rates, bound, rates.Policy(bound.lower(), 10**6, 60))
        patched.setattr(streaming, "LONGEST_SECONDS", 0.0)
        patched.setattr(rates, "registrations", lambda _settings: (rates.Policy("registrations", 10**6, 60),))
        with create_app(opened).test_client() as client:
            yield client, populated(client, opened)
    services.close(opened)


class Fuzz:
    """Asks one operation all sorts of things, and holds every answer to what a refusal has to be."""

    def __init__(self, client: FlaskClient, known: Populated, method: str, path: str) -> None:
        self.client, self.method, self.known = client, method.upper(), known
        ids = {**known.known, **known.spare} if any(word in f"{method} {path}" for word in ENDING) else known.known
        self.ids = {name: str(values[0]) for name, values in ids.items()}
        self.path, self.tokens, self.seen = path, itertools.cycle(known.tokens), Counter[int]()

    def ask(
        self,
        what: str,
        *,
        path: str = "",
        query: str = "",
        method: str = "",
        body: bytes = b"",
        kind: str = "",
        most: int = 0,
        **headers: str,
    ) -> None:
        """Send it with the next of the tokens, unless it brings an Authorization of its own."""
        raw = path or self.path.format(**self.ids)
        environ = EnvironBuilder(method=method or self.method, data=body).get_environ()
        environ["PATH_INFO"] = _unquoted(raw)
        environ["QUERY_STRING"] = query
        if kind:
            environ["CONTENT_TYPE"] = kind
        for name, value in {**next(self.tokens), **headers}.items():
            key = name.upper().replace("-", "_")
            environ[key if key.startswith("CONTENT_L") else f"HTTP_{key}"] = value
        answer = Response.from_app(self.client.application.wsgi_app, environ, buffered=True)
        self._hold(what, answer)
        if most:
            length = len(answer.get_data())
            assert length <= most, f"{self.method} {self.path}, {what}: {length} bytes {answer.get_data()[:300]!r}"

    def _hold(self, what: str, answer: Any) -> None:
        self.seen[answer.status_code] += 1
        told = f"{self.method} {self.path}, {what}: {answer.status_code} {answer.get_data()[:600]!r}"
        assert answer.status_code < 500, told
        if answer.status_code < 400:
            return
        assert answer.mimetype == "application/problem+json", told
        body = answer.get_json()
        assert body["status"] == answer.status_code, told
        assert body["detail"], told
        assert CODES[body["code"]].remedy, told
        for place in body.get("errors", ()):
            assert set(place) & {"pointer", "parameter", "header"}, told
            assert place["detail"], told
        if body["code"] == "request/invalid":
            assert body["errors"], told


def _unquoted(path: str) -> str:
    """The path as a WSGI server hands it on: bytes, read as Latin-1."""
    from urllib.parse import unquote_to_bytes

    return unquote_to_bytes(path).decode("latin-1")


def example(method: str, path: str) -> bytes:
    """A body that fits the operation, as the contract gives it."""
    content = CONTRACT["paths"][path][method].get("requestBody", {}).get("content", {}).get(JSON, {})
    found = content.get("example") or next((each["value"] for each in content.get("examples", {}).values()), {})
    return json.dumps(found).encode()


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=lambda value: value)
def test_whatever_bytes_come_there_is_an_answer_with_code_place_and_cure(
    there: tuple[FlaskClient, Populated], method: str, path: str
) -> None:
    fuzz, choose, fits = Fuzz(*there, method, path), random.Random(f"{method} {path}"), example(method, path)
    for name, value in ((name, value) for name, values in HEADERS.items() for value in values):
        fuzz.ask(f"{name}: {value[:20]!r}", body=fits, kind=JSON, **{name: value})
    for query in QUERIES:
        fuzz.ask(f"?{query[:30]}", query=query, body=fits if method != "get" else b"", kind=JSON)
    for name in self_named(path):
        for place in PLACES:
            filled = {**fuzz.ids, name: place}
            fuzz.ask(f"{name} is {place[:20]}", path=path.format(**filled), body=fits, kind=JSON)
    for verb in ("TRACE", "FOO", "PROPFIND", "PATCH" if method == "put" else "PUT", "get"):
        fuzz.ask(verb, method=verb, body=b"{}", kind=JSON)
    if method == "get":
        fuzz.ask("a body where none is read", body=b"{", kind=JSON)
        return
    for what, body in BODIES.items():
        fuzz.ask(what, body=body, kind=JSON)
    for kind in TYPES:
        fuzz.ask(f"as {kind}", body=fits, kind=kind)
    for _ in range(12):
        at = choose.randrange(len(fits))
        fuzz.ask(f"cut off at {at}", body=fits[:at], kind=JSON)
        flipped = bytearray(fits)
        flipped[at] ^= 1 << choose.randrange(8)
        fuzz.ask(f"{bytes(flipped)!r}", body=bytes(flipped), kind=JSON)
    refused = sum(number for status, number in fuzz.seen.items() if status >= 400)
    assert refused > 60, fuzz.seen


#: What is wide: as much as a body may hold of one wrong thing. Each is put in the place of each member of the body.
WIDE = {
    "numbers": b"[" + b"1," * 32_000 + b"1]",
    "lists": b"[" + b"[]," * 20_000 + b"[]]",
    "texts": b"[" + b'"",' * 20_000 + b'""]',
    "lists of many": b"[" + b",".join([b"[" + b"1," * 800 + b"1]"] * 38) + b"]",
    "members": b"{" + b",".join(b'"%x":1' % number for number in range(7000)) + b"}",
    "members as many as may be": b"{" + b",".join(b'"%x":[[]]' % number for number in range(200)) + b"}",
    "a long key": b'{"' + b"x" * 60_000 + b'":1}',
    "a long key of signs": b'{"' + b"~" * 60_000 + b'":1}',
    "a long text": b'"' + b"~" * 60_000 + b'"',
}
#: A refusal is a few KB. A batch of acts has a verdict for each, and no more than 200 acts.
MOST_BYTES = 16_000


@pytest.mark.parametrize(("method", "path"), [each for each in OPERATIONS if each[0] != "get"], ids=lambda value: value)
def test_no_body_is_answered_with_more_than_a_few_kilobytes(
    there: tuple[FlaskClient, Populated], method: str, path: str
) -> None:
    fuzz = Fuzz(*there, method, path)
    whole = json.loads(example(method, path)) or {"name": "x"}
    names = {*whole, "chores", "bots", "acts", "entrants", "teams", "overrides", "options", "log", "act"}
    for name, (what, wide) in itertools.product(sorted(names), WIDE.items()):
        rest = json.dumps({each: value for each, value in whole.items() if each != name}).encode()
        body = b'{"%s":%s%s%s' % (name.encode(), wide, b"," if rest != b"{}" else b"", rest[1:])
        fuzz.ask(f"{name} is {what}", body=body, kind=JSON, most=MOST_BYTES)
    for what, wide in WIDE.items():
        if wide.startswith(b"{"):
            fuzz.ask(f"all is {what}", body=wide, kind=JSON, most=MOST_BYTES)


def test_of_a_body_with_more_misfits_than_are_told_the_first_are_and_how_many_more() -> None:
    errors = [(f"/{number}", "x" * 5000) for number in range(50)]
    body = unfit("match/unfit", errors).body()
    assert [place["pointer"] for place in body["errors"]] == [f"/{number}" for number in range(MOST_TOLD)]
    assert body["detail"].endswith(f"(and {50 - MOST_TOLD} more)")
    assert len(json.dumps(body)) < MOST_BYTES


def self_named(path: str) -> list[str]:
    """The parameters of a path."""
    return [part.strip("{}") for part in path.split("/") if part.startswith("{")]


def test_every_operation_is_fuzzed_and_known_to_schemathesis() -> None:
    assert len(OPERATIONS) == len(set(OPERATIONS)) >= 44
    # A parameter nobody fills in would be asked for as `{name}`, and only ever be 404.
    named = {name for _, path in OPERATIONS for name in self_named(path)}
    assert named == {"bot_id", "tournament_id", "match_id", "number", "case", "name", "law_id"}
