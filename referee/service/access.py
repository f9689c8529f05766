"""Who may do what: the questions every use case asks of its caller first."""

from __future__ import annotations

from collections.abc import Sequence

from referee.service.base import Caller
from referee.service.problems import ServiceProblem

MISSING = "Send the header `Authorization: Bearer TOKEN`."
ORGANISER = "organiser"


def bot_of(caller: Caller) -> str:
    """Is the bot that calls. 401 `auth/token_missing`, 403 `auth/bot_only`."""
    if caller.kind == "bot" and caller.bot is not None:
        return caller.bot
    if caller.kind == "organiser":
        raise ServiceProblem(
            403,
            "auth/bot_only",
            title="A bot's own affair",
            detail="This needs the token of a bot, not the organiser's.",
        )
    raise ServiceProblem(
        401, "auth/token_missing", title="No token", detail=f"This needs the token of a bot. {MISSING}"
    )


def require_organiser(caller: Caller) -> None:
    """Lets the organiser pass. 401 `auth/token_missing`, 403 `auth/organiser_only`."""
    if caller.kind == "organiser":
        return
    if caller.kind == "anyone":
        detail = f"This needs the organiser's token. {MISSING}"
        raise ServiceProblem(401, "auth/token_missing", title="No token", detail=detail)
    detail = "This needs the organiser's token; a bot's does not do."
    raise ServiceProblem(403, "auth/organiser_only", title="The organiser's affair", detail=detail)


def require_owner(caller: Caller, bot_id: str) -> None:
    """Lets the bot itself and the organiser pass. 401 `auth/token_missing`, 403 `auth/not_yours`."""
    if caller.kind == "organiser" or owns(caller, bot_id):
        return
    if caller.kind == "anyone":
        detail = f"This needs the token of {bot_id} or the organiser's. {MISSING}"
        raise ServiceProblem(401, "auth/token_missing", title="No token", detail=detail)
    detail = f"This needs the token of {bot_id} or the organiser's, and yours is another bot's."
    raise ServiceProblem(403, "auth/not_yours", title="Not yours", detail=detail)


def require_one_of(caller: Caller, bots: Sequence[str]) -> None:
    """Lets any of the bots and the organiser pass. 401 `auth/token_missing`, 403 `auth/not_yours`."""
    if caller.kind == "organiser" or any(owns(caller, bot) for bot in bots):
        return
    wanted = f"This needs the token of one of {', '.join(dict.fromkeys(bots))}, or the organiser's"
    if caller.kind == "anyone":
        raise ServiceProblem(401, "auth/token_missing", title="No token", detail=f"{wanted}. {MISSING}")
    raise ServiceProblem(403, "auth/not_yours", title="Not yours", detail=f"{wanted}, and yours is another bot's.")


def name_of(caller: Caller) -> str:
    """Is what is kept of who did something: the id of a bot, or `organiser`. 401 `auth/token_missing`."""
    if caller.kind == "organiser":
        return ORGANISER
    if caller.kind == "bot" and caller.bot is not None:
        return caller.bot
    detail = f"This needs the token of a bot or the organiser's. {MISSING}"
    raise ServiceProblem(401, "auth/token_missing", title="No token", detail=detail)


def owns(caller: Caller, bot_id: str) -> bool:
    """Tells whether the caller is that bot."""
    return caller.kind == "bot" and caller.bot == bot_id
