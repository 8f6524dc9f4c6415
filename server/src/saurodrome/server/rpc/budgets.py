"""How often and how many: failed logins by address, calls by token. One's excess is one's own."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from saurodrome.server.contracts import Caller
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.session.budget import Budget
from saurodrome.server.store.access import Role

MAX_FAILED_LOGINS = 30
"""Calls a minute with a wrong token, or none, from one address before the answer is to wait."""
LONGEST_WAIT = 60.0
"""Seconds to which the wait between failed logins doubles, from 1."""
MAX_CALLS_AT_ONCE = 64
"""Calls of one token at once; a bot's streams have a limit of their own below that."""
MAX_BOT_CALLS = 600
"""Calls of one bot in a minute, streams included; organisers' programs may call as they like."""
_MAX_KEPT = 4_096  # addresses and bots that are remembered

T = TypeVar("T")


class _Failures:
    """What one address has failed."""

    def __init__(self) -> None:
        self.budget = Budget(MAX_FAILED_LOGINS, 60.0)
        self.wait = 0.0
        self.until = 0.0


class Budgets:
    """Keeps count for one server; belongs to the running loop."""

    def __init__(self, now: Callable[[], float] | None = None) -> None:
        """Starts with nothing; `now` in seconds, by default the loop's time."""
        self._now = now or asyncio.get_running_loop().time
        self._failures: OrderedDict[str, _Failures] = OrderedDict()
        self._bots: OrderedDict[str, Budget] = OrderedDict()
        self._open: Counter[str] = Counter()

    def failed(self, peer: str) -> None:
        """Counts a login that failed; a right token is let in all the same.

        Args:
            peer: As gRPC names it, such as `ipv4:10.0.0.7:51234`.

        Raises:
            Refused: LOGIN_ATTEMPTS.
        """
        failures = _kept(self._failures, peer.rpartition(":")[0], _Failures)
        now = self._now()
        if now < failures.until or not failures.budget.spend(now):
            failures.wait = min(LONGEST_WAIT, failures.wait * 2 or 1.0)
            failures.until = now + failures.wait
            raise Refused(
                Kind.EXHAUSTED,
                "LOGIN_ATTEMPTS",
                f"More than {MAX_FAILED_LOGINS} calls in a minute from this address had no token"
                " that this server knows.",
                "metadata `authorization: Bearer TOKEN`",
                f"correct the token, then try again in {failures.wait:.0f} s; each further try"
                f" doubles that, up to {LONGEST_WAIT:.0f} s",
            )
        failures.wait = 0.0

    @contextmanager
    def call(self, caller: Caller, method: str) -> Iterator[None]:
        """Counts a call while it goes on.

        Raises:
            Refused: TOO_MANY_CALLS.
        """
        if caller.role is Role.BOT:
            budget = _kept(self._bots, caller.name, lambda: Budget(MAX_BOT_CALLS, 60.0))
            if not budget.spend(self._now()):
                raise _too_many(
                    f"This bot made more than {MAX_BOT_CALLS} calls in a minute", method
                )
        if self._open[caller.token_id] >= MAX_CALLS_AT_ONCE:
            raise _too_many(f"{MAX_CALLS_AT_ONCE} calls with this token are open already", method)
        self._open[caller.token_id] += 1
        try:
            yield
        finally:
            self._open[caller.token_id] -= 1
            if not self._open[caller.token_id]:
                del self._open[caller.token_id]


def _kept(kept: OrderedDict[str, T], key: str, make: Callable[[], T]) -> T:
    """The entry of a key; the one that was not asked for the longest goes when there is no room."""
    if key not in kept:
        if len(kept) >= _MAX_KEPT:
            kept.popitem(last=False)
        kept[key] = make()
    kept.move_to_end(key)
    return kept[key]


def _too_many(what: str, method: str) -> Refused:
    do = "use one stream for all matches, and wait at least 0.2 s before coming back"
    return Refused(Kind.EXHAUSTED, "TOO_MANY_CALLS", f"{what}.", method, do)
