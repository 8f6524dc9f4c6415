"""An observer that keeps all that it hears, with the loop time of each event."""

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple

from saurodrome.server.observer import Observer


class Event(NamedTuple):
    """One event: when it was heard in loop time, the observer's method, its arguments."""

    when: float
    name: str
    args: tuple[Any, ...]


class Heard(Observer):
    """Keeps every event in the order in which it came."""

    def __init__(self) -> None:
        """Begin with nothing heard."""
        self.events: list[Event] = []

    def keep(self, event: Event) -> None:
        """Keep an event."""
        self.events.append(event)

    def all(self, name: str) -> list[tuple[Any, ...]]:
        """Return the arguments of all events of a name."""
        return [event.args for event in self.events if event.name == name]


def _keep(name: str) -> Callable[..., None]:
    def keep(self: Heard, *args: Any, **kwargs: Any) -> None:
        now = asyncio.get_running_loop().time()
        self.keep(Event(now, name, (*args, *kwargs.values())))

    return keep


for _name in vars(Observer):
    if not _name.startswith("_"):
        setattr(Heard, _name, _keep(_name))
