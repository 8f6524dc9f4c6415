"""The knockout: who loses a series is out; the bracket keeps the best seeds apart."""

from collections.abc import Iterable, Iterator

from saurodrome.server.schedule.errors import ScheduleError
from saurodrome.server.schedule.format import Enter, Form, Match
from saurodrome.server.schedule.placing import KnockoutPlacing
from saurodrome.server.schedule.rounds import Rounds
from saurodrome.server.schedule.series import Series
from saurodrome.server.schedule.shuffle import keyed_order

BEST_OF = 3
"""Games of a series, unless it is said."""
Slot = tuple[int, int]
"""A round and a pairing; round 0 are the seats of the bracket."""


class Knockout(Rounds):
    """Each pairing of a round sends its winner to the next; the best seeds have the byes.

    A pairing is due as soon as both of its bots are known, so one slow series holds up only
    those that wait for its winner. A series goes on, two games at a time, while it is level.
    """

    def __init__(self, form: Form, seed: int) -> None:
        """Begin with nobody.

        Raises:
            ScheduleError: there is no such knockout.
        """
        super().__init__(form, seed)
        if form.same_owner == "apart":
            raise ScheduleError(
                "OWNERS_MEET",
                "In a knockout bots of one owner meet sooner or later.",
                "same_owner",
                "let them meet, or use another format",
            )
        self.games = form.games or BEST_OF
        self._depth = 0
        self._order: list[str] = []
        self._winners: dict[Slot, str | None] = {}

    def begin(self) -> None:
        """Draw the bracket."""
        self._order = self.seeded(self.roster.present())
        if len(self._order) < 2:
            raise ScheduleError(
                "TOO_FEW_ENTRANTS",
                f"{len(self._order)} bots cannot play a knockout.",
                "entrants",
                "enter 2 or more",
            )
        self._depth = (len(self._order) - 1).bit_length()
        for position, place in enumerate(bracket(self._depth), start=1):
            known = place <= len(self._order)
            self._winners[0, position] = self._order[place - 1] if known else None

    def further(self) -> Iterator[Series]:
        """Yield the series whose bots are both known by now."""
        for number in range(1, self._depth + 1):
            for pairing in range(1, (1 << (self._depth - number)) + 1):
                if (number, pairing) not in self._winners:
                    yield from self._settle((number, pairing))

    def enter_late(self, entry: Enter) -> None:
        """Refuse a late entry."""
        raise ScheduleError(
            "ENTRY_CLOSED",
            f"The bracket is drawn, {entry.bot} is too late.",
            "entrants",
            "enter bots before the start of a knockout",
        )

    def come_back(self, bot: str) -> None:
        """Nothing to do: it plays on where the bracket still has it."""

    def reopen(self, match: Match) -> None:
        """Refuse to take back a result once its winner's next pairing is drawn."""
        above = _next((match.round, match.pairing))
        if above in self.series or above in self._winners:
            raise ScheduleError(
                "NEXT_ROUND_DRAWN",
                f"The winner of {match.round}/{match.pairing} is in the next round already.",
                "match",
                "void the later match, or let the result stand",
            )
        self._winners.pop((match.round, match.pairing), None)

    @property
    def to_come(self) -> int:
        """At the least: as many games of each series to come as surely decide it."""
        byes = sum(slot[0] > 0 and slot not in self.series for slot in self._winners)
        return ((1 << self._depth) - 1 - len(self.series) - byes) * (self.games // 2 + 1)

    @property
    def complete(self) -> bool:
        """The final has its winner."""
        return (self._depth, 1) in self._winners

    def ranking(self) -> tuple[tuple[str, ...], ...]:
        """Bots by the round that they reached; those that went out in one round are level."""
        if not self.started:
            return ()
        reached = {bot: number for bot, (number, _) in self._last_passed().items()}
        levels = sorted(set(reached.values()), reverse=True)
        return tuple(tuple(b for b in self._order if reached[b] == level) for level in levels)

    def placings(self) -> dict[str, KnockoutPlacing]:
        """Return what the ranks follow from."""
        if not self.started:
            return {}
        return {
            bot: KnockoutPlacing(
                number, number + 1 if _next((number, pairing)) in self._winners else 0, self._depth
            )
            for bot, (number, pairing) in self._last_passed().items()
        }

    def _last_passed(self) -> dict[str, Slot]:
        """Return for each bot the last pairing that it went on from; its seat, if none."""
        slots = {bot: slot for slot, bot in sorted(self._winners.items()) if bot is not None}
        return {bot: slots[bot] for bot in self._order}

    def _settle(self, slot: Slot) -> Iterable[Series]:
        """Look at one pairing; return its series if it is due now."""
        series = self.series.get(slot)
        if series is not None:
            if series.over:
                self._winners[slot] = series.winner()
            return ()
        number, pairing = slot
        below = [(number - 1, 2 * pairing - 1), (number - 1, 2 * pairing)]
        if any(one not in self._winners for one in below):
            return ()
        bots = [bot for bot in map(self._winners.get, below) if bot is not None]
        if len(bots) < 2:
            self._winners[slot] = bots[0] if bots else None
            return ()
        better, other = sorted(bots, key=self._order.index)
        first = keyed_order(self.seed, f"seats {number}/{pairing}", 2)[0]
        return [Series(slot, (better, other), first, self.games, best_of=True)]


def _next(slot: Slot) -> Slot:
    """Return where the winner of a pairing goes."""
    number, pairing = slot
    return number + 1, (pairing + 1) // 2


def bracket(depth: int) -> list[int]:
    """Return places of seeding, from 1, in the order of a bracket of ``2**depth``.

    Seed 1 meets seed 2 in the final at the soonest, both meet 3 and 4 in the semifinals, and so
    on; of each round's pairings the places add up to the same number.
    """
    order = [1]
    for _ in range(depth):
        sum_of_pair = 2 * len(order) + 1
        order = [place for seed in order for place in (seed, sum_of_pair - seed)]
    return order
