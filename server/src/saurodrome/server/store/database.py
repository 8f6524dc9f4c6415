"""What the SQL store asks of a database: transactions, whole or not at all."""

from collections.abc import Callable
from typing import Protocol, TypeVar

import sqlalchemy as sa

T = TypeVar("T")
Work = Callable[[sa.Connection], T]
"""What is done inside one transaction. It may block: it runs off the event loop, in one piece,
since a hand-over between threads for every statement costs many times the statement."""


class Database(Protocol):
    """A database that the SQL store stands on.

    A caller that is cancelled stops waiting, no more: its transaction runs to its end.
    """

    async def open(self) -> None:
        """Opens or creates it and brings its schema up to date; see `Store.open`."""
        ...

    async def close(self) -> None:
        """Waits for what runs and closes it; twice is once."""
        ...

    async def read(self, work: Work[T]) -> T:
        """Runs a transaction that only reads.

        Raises:
            StoreTrouble: The database cannot do it now.
        """
        ...

    async def write(self, work: Work[T]) -> T:
        """Runs a transaction that may write and sees no other one's half-done work.

        Raises:
            BadBatch: A constraint refuses it.
            StoreTrouble: The database cannot do it now.
        """
        ...
