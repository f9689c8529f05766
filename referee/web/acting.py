"""What a bot asks all day, and what is answered: without Flask, so that `play` gives it an address and `hot` a short way."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Final, NamedTuple

import orjson

from referee.service import Caller, Service, ServiceProblem, strict_json
from referee.service import acts as use_acts
from referee.service import batches as use_batches
from referee.service import prompts as use_prompts
from referee.service import turns as use_turns
from referee.service.batches import MOST_ACTS, Batch
from referee.service.prompts import Delivered
from referee.service.taking import Taken
from referee.service.turns import MOST_PROMPTS
from referee.web import bodies
from referee.web.answers import JSON_HEADERS, Answer
from referee.web.keys import answer_of
from referee.web.problems import STORE_AWAY, Problem
from referee.web.schemas.acts import LONGEST_WAIT

OF_BATCH: Final = ("acts", "wait", "most")
_log: Final = logging.getLogger(__name__)


class Asked(NamedTuple):
    """Of which service something is asked, by whom, and what holds a request that may wait for so many seconds.

    Of a request that acts also its Idempotency-Key, and the ms for which it lay in a queue of ours (`arrivals`).
    """

    service: Service
    caller: Caller
    held: Callable[[float], AbstractContextManager[None]]
    key: str | None = None
    lay: int = 0


def get_turns(asked: Asked, *, wait: float, most: int) -> Answer:
    """Answer with the prompts that wait for the bot."""
    with asked.held(wait), _noting(asked.service) as going_out:
        found = use_turns.get_turns(asked.service, caller=asked.caller, wait=wait, most=most)
        return going_out(200, orjson.dumps(found))


def post_act(asked: Asked, match_id: str, raw: bytes, *, wait: int | None) -> Answer:
    """Answer an act, with the next prompt if it is waited for."""
    body = bodies.parse_object(raw, code="act/unreadable")
    act: dict[str, Any] = {"caller": asked.caller, "body": body, "raw": raw, "key": asked.key, "lay": asked.lay}
    if wait is None:
        return answer_of(use_acts.act(asked.service, match_id, **act))
    with asked.held(wait), _noting(asked.service) as going_out:
        reply = use_batches.act_and_wait(asked.service, match_id, **act, wait=float(wait))
        return going_out(reply.status, reply.body)


def post_acts(asked: Asked, raw: bytes) -> Answer:
    """Answer a batch of acts."""
    acts, told = _envelope(bodies.parse_object(raw))
    with asked.held(told["wait"] or 0), _noting(asked.service) as going_out:
        batch = use_batches.act_all(asked.service, acts, caller=asked.caller, key=asked.key, lay=asked.lay, **told)
        return going_out(200, batch_body(batch))


@contextmanager
def _noting(service: Service) -> Iterator[Callable[[int, bytes], Answer]]:
    """Give what makes the answer, from whose going out the clocks run of the prompts that are in it for the first time."""

    def going_out(status: int, body: bytes) -> Answer:
        return Answer(status, body, JSON_HEADERS, _handing_over(service, delivered) if delivered else None)

    with use_prompts.noting() as delivered:
        yield going_out


def _handing_over(service: Service, delivered: Sequence[Delivered]) -> Callable[[], None]:
    at = service.clock.now_ms()

    def hand_over() -> None:
        with suppress(*STORE_AWAY):  # the bot has its prompts, and the clock is as it was marked
            use_prompts.handed_over(service, delivered, at=at)

    return hand_over


def _envelope(body: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return the acts of a batch, and its `wait` and `most`; raises `Problem` 422 naming what does not fit."""
    acts, wait, most = body.get("acts"), body.get("wait"), body.get("most", MOST_PROMPTS)
    errors = [(strict_json.pointer(name), "is not a member of a batch") for name in body if name not in OF_BATCH]
    if not isinstance(acts, list) or len(acts) > MOST_ACTS:
        errors.append(("/acts", f"must be a list of at most {MOST_ACTS} acts"))
    if "wait" in body and not (type(wait) is int and 0 <= wait <= LONGEST_WAIT):
        errors.append(("/wait", f"must be a whole number of seconds from 0 to {LONGEST_WAIT}"))
    if not (type(most) is int and 1 <= most <= MOST_PROMPTS):
        errors.append(("/most", f"must be a whole number from 1 to {MOST_PROMPTS}"))
    if errors:
        detail = "; ".join(f"{pointer}: {what}" for pointer, what in errors)
        raise Problem(
            "request/invalid", detail=detail, errors=[{"pointer": place, "detail": what} for place, what in errors]
        )
    return list(acts or []), {"wait": None if wait is None else float(wait), "most": most}


def batch_body(batch: Batch) -> bytes:
    """Return the answer to a batch; the replies to acts are written as they were kept."""
    verdicts = b",".join(_verdict(place, *each) for place, each in enumerate(batch.taken))
    prompts = b"" if batch.prompts is None else b',"prompts":' + orjson.dumps(batch.prompts)
    return b'{"verdicts":[%s]%s}' % (verdicts, prompts)


def _verdict(place: int, match: str | None, taken: Taken) -> bytes:
    status, body = _answered(place, match, taken)
    return b'{"match":%s,"status":%d,"body":%s}' % (orjson.dumps(match), status, body)


def _answered(place: int, match: str | None, taken: Taken) -> tuple[int, bytes]:
    if not isinstance(taken.answer, Exception):
        return taken.answer.status, taken.answer.body
    if isinstance(taken.answer, ServiceProblem):
        members = taken.answer.body()
    else:
        _log.error("an act on %s failed", match, exc_info=taken.answer)
        members = Problem(
            "service/error", detail="The referee failed on this act; nothing is known to be done."
        ).members()
    if match:
        members["instance"] = f"/v1/matches/{match}/acts"
    if "errors" in members:
        members["errors"] = [_placed(error, strict_json.pointer("acts", place)) for error in members["errors"]]
    return members["status"], orjson.dumps(members)


def _placed(error: dict[str, str], act: str) -> dict[str, str]:
    return {**error, "pointer": act + error["pointer"]} if "pointer" in error else error
