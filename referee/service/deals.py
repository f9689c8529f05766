"""The lines of a match as they lie in the live store: those of the running deal one by one, those of finished deals packed."""

from __future__ import annotations

from referee import match as matches
from referee.store import packing


def running(lines: tuple[bytes, ...], step: matches.Step) -> tuple[bytes, ...]:
    """Are the lines of the deal that runs after a step, `lines` being those before it."""
    if step.boundary is None:
        return lines + tuple(step.lines)
    return tuple(step.lines[step.boundary :])


def packed(lines: tuple[bytes, ...], step: matches.Step) -> bytes:
    """Is the deal that a step finishes, packed; empty where it finishes none."""
    if step.boundary is None:
        return b""
    finished = lines + tuple(step.lines[: step.boundary])
    return packing.pack(finished) if finished else b""
