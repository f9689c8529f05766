"""A bot for the Sixty-Six referee is one function from prompt to act.

Needs nothing but Python 3.11: `run` plays for the function over long polls, `serve` behind a
signed webhook. The package shares no code with the referee; what it knows is the contract.

    import random
    import sixtysix

    sixtysix.run(lambda prompt: random.choice(prompt["lawful"]), name="first-bot")

Errors (see `sixtysix.errors`):

SixtySixError
├── Unreachable          no answer for as long as the caller was ready to wait
├── NotUnderstood        an answer that is not what the contract says
├── BadSignature         a pushed prompt that was not signed with our secret
└── Refused              the referee answered with a problem (RFC 9457)
    ├── NotAuthorised    401 or 403
    └── ActRefused       409 or 422 on an act: it was not taken
        └── Stale        the table has moved on since the prompt: poll again
"""

from sixtysix.connection import Connection
from sixtysix.errors import (
    ActRefused,
    BadSignature,
    NotAuthorised,
    NotUnderstood,
    Refused,
    SixtySixError,
    Stale,
    Unreachable,
)
from sixtysix.push import PushBot, serve
from sixtysix.running import After, Choose, run
from sixtysix.session import Decision, Session, new_key
from sixtysix.signatures import sign, verify
from sixtysix.wire import (
    Act,
    Bid,
    Card,
    Chore,
    Option,
    Placed,
    Prompt,
    Ruling,
    Seat,
    Seen,
    Suit,
    Taken,
    Trick,
    Verdict,
    View,
)

__all__ = [
    "Act",
    "ActRefused",
    "After",
    "BadSignature",
    "Bid",
    "Card",
    "Choose",
    "Chore",
    "Connection",
    "Decision",
    "NotAuthorised",
    "NotUnderstood",
    "Option",
    "Placed",
    "Prompt",
    "PushBot",
    "Refused",
    "Ruling",
    "Seat",
    "Seen",
    "Session",
    "SixtySixError",
    "Stale",
    "Suit",
    "Taken",
    "Trick",
    "Unreachable",
    "Verdict",
    "View",
    "new_key",
    "run",
    "serve",
    "sign",
    "verify",
]
