"""The use cases, one function each; the only package that knows both the game and the store.

Every function takes the open `Service` first and answers plain JSON-able values; what cannot be
done is a `ServiceProblem`, whose fields are the body of an RFC 9457 problem.
"""

from referee.service.base import Caller, Page, Reply, Service
from referee.service.opening import close, open, organiser_token  # noqa: A004 - `service.open` reads best
from referee.service.problems import ServiceProblem

__all__ = ["Caller", "Page", "Reply", "Service", "ServiceProblem", "close", "open", "organiser_token"]
