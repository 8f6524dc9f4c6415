"""Who is in, who left, and who belongs together."""

from collections.abc import Iterable

from saurodrome.server.schedule.errors import ScheduleError
from saurodrome.server.schedule.format import Enter, Role


class Roster:
    """All bots that ever entered, in the order of their entry."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._entries: dict[str, Enter] = {}
        self._away: set[str] = set()

    def __contains__(self, bot: str) -> bool:
        """Whether a bot is in."""
        return bot in self._entries and bot not in self._away

    def __getitem__(self, bot: str) -> Enter:
        """Return how a bot entered."""
        return self._entries[bot]

    def all(self, *roles: Role) -> list[str]:
        """Return those that ever entered, by name, of some roles or of all."""
        return sorted(b for b, e in self._entries.items() if not roles or e.role in roles)

    def present(self, *roles: Role) -> list[str]:
        """Return those that are in, by name, of some roles or of all."""
        return [bot for bot in self.all(*roles) if bot not in self._away]

    def all_in(self, bots: Iterable[str]) -> bool:
        """Whether all of these are in."""
        return all(bot in self for bot in bots)

    def related(self, bots: Iterable[str]) -> bool:
        """Whether two of these have the same owner."""
        owners = [self._entries[bot].owner for bot in bots]
        named = [owner for owner in owners if owner]
        return len(set(named)) < len(named)

    def enter(self, entry: Enter) -> None:
        """Add a bot.

        Raises:
            ScheduleError: it is or was in.
        """
        self.check_new(entry.bot)
        self._entries[entry.bot] = entry

    def check_new(self, bot: str) -> None:
        """See that a bot has not entered before.

        Raises:
            ScheduleError: it is or was in.
        """
        if bot in self._entries:
            raise ScheduleError(
                "DUPLICATE_ENTRANT",
                f"Entered more than once: {bot}.",
                "entrants",
                "enter each bot once; one that left is readmitted",
            )

    def forget(self, bot: str) -> None:
        """Take back an entry that came to nothing."""
        del self._entries[bot]

    def withdraw(self, bot: str) -> None:
        """Let a bot leave.

        Raises:
            ScheduleError: it is not in.
        """
        if bot not in self:
            raise ScheduleError("NOT_IN", f"{bot[:40]} is not in.", "bot", "name one that is in")
        self._away.add(bot)

    def readmit(self, bot: str) -> None:
        """Let a bot return.

        Raises:
            ScheduleError: it has not left.
        """
        if bot not in self._away:
            raise ScheduleError(
                "NOT_AWAY", f"{bot[:40]} has not left.", "bot", "name one that was withdrawn"
            )
        self._away.remove(bot)
