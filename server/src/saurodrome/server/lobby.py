"""Knows every bot's session and capacity; reserves a whole table or nothing."""

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence

from saurodrome.server.errors import Refused
from saurodrome.server.frames import Draining, Hello, Outbound
from saurodrome.server.observer import Observer
from saurodrome.server.session.decision import Clock
from saurodrome.server.session.seat import Seat
from saurodrome.server.session.session import Load, Session
from saurodrome.server.session.stalls import StallMeter


class Lobby:
    """All sessions of this process."""

    def __init__(self, stalls: StallMeter, observer: Observer) -> None:
        """Opens empty, in the running loop."""
        self._clock = Clock(asyncio.get_running_loop(), stalls)
        self._observer = observer
        self._sessions: dict[str, Session] = {}
        self._present: dict[str, Hello] = {}
        self._free: dict[str, None] = {}
        self._held: frozenset[str] = frozenset()
        self._listeners: list[Callable[[], None]] = []
        self.comings_and_goings = 0
        """Counts them: who is away changes only with this number."""

    def session(self, bot: str) -> Session:
        """The session of a bot, made when first asked for."""
        if bot not in self._sessions:
            self._sessions[bot] = Session(bot, self._clock, self._observer, self._note)
        return self._sessions[bot]

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls back whenever a bot came, went, or has a free place again."""
        self._listeners.append(listener)

    def changed(self) -> None:
        """Tells the listeners."""
        for listener in self._listeners:
            listener()

    def connected(self, bot: str) -> bool:
        """The bot is here and stays."""
        session = self._sessions.get(bot)
        return session is not None and session.connected

    def playing(self, bot: str) -> int:
        """Matches that the bot plays now."""
        session = self._sessions.get(bot)
        return session.playing if session else 0

    def away_for(self, bot: str, game: str, variant: str) -> float | None:
        """Seconds since the bot went, or since this process began; None while it is here.

        A bot that is here but does not play this game counts as away.
        """
        session = self.session(bot)
        if session.connected and session.plays(game, variant):
            return None
        return self._clock.loop.time() - session.last_here(game, variant)

    def free(self, bot: str, game: str, variant: str) -> bool:
        """The bot can take one more match of this game."""
        has_place = bot in self._free and bot not in self._held
        return has_place and self._sessions[bot].plays(game, variant)

    def able(self, bots: Collection[str], game: str, variant: str) -> list[str]:
        """Those of the bots that can take a match of this game now, or when another one ends."""
        here = (b for b in bots if b in self._free or (self.connected(b) and self.playing(b)))
        return [bot for bot in here if self._sessions[bot].plays(game, variant)]

    def hold(self, bots: Collection[str]) -> None:
        """Keeps the places of these bots, and of no others, from all who ask until the next call.

        It does not change who is `able`.
        """
        self._held = frozenset(bots)

    def all_free(self, bots: Collection[str], game: str, variant: str) -> list[str]:
        """Those of the bots that can take one more match; looks at nobody who cannot."""
        return [bot for bot in self._free if bot in bots and self.free(bot, game, variant)]

    def reserve(self, bots: Sequence[str], game: str, variant: str) -> tuple[Seat, ...] | None:
        """Takes a place of every bot, or none of any."""
        if all(self.free(bot, game, variant) for bot in bots):
            return tuple(self._sessions[bot].reserve() for bot in bots)
        return None

    def revoke(self, bot: str, refusal: Refused) -> None:
        """Ends a bot's stream."""
        if session := self._sessions.get(bot):
            session.close(refusal)

    def drain(self, remaining: float, reason: str) -> None:
        """Tells everybody that the server is about to stop."""
        self._broadcast(Draining(remaining, reason))

    def close(self, refusal: Refused) -> None:
        """Ends every stream."""
        for session in self._sessions.values():
            session.close(refusal)

    def here(self) -> Iterator[str]:
        """The bots that are connected."""
        return (bot for bot, session in self._sessions.items() if session.connected)

    def load(self) -> Load:
        """What waits, of all bots together."""
        waiting = [session.waiting for session in self._sessions.values()]
        return Load(sum(w.decisions for w in waiting), sum(w.frames for w in waiting))

    def _note(self, session: Session) -> None:
        bot, presence = session.bot, session.presence
        if presence is not self._present.get(bot):
            self.comings_and_goings += 1
            if presence is None:
                del self._present[bot]
            else:
                self._present[bot] = presence
        if session.has_place:
            self._free[bot] = None
        else:
            self._free.pop(bot, None)

    def _broadcast(self, frame: Outbound) -> None:
        for session in self._sessions.values():
            session.send(frame)
