"""Round robin at work: every group meets, and late entries meet everybody."""

from collections.abc import Sequence
from math import comb

from saurodrome.server.schedule.errors import ScheduleError
from saurodrome.server.schedule.format import Match
from saurodrome.server.schedule.groups import groups_in_order
from saurodrome.server.schedule.league import League
from saurodrome.server.schedule.round_robin import MOST_PAIRINGS, Schedule, round_robin


class AllMeet(League):
    """The planner of a round robin; the schedule of its start is `round_robin`'s."""

    def first(self) -> Schedule:
        """Return the round robin of those who are in."""
        form = self.form
        return round_robin(
            self.roster.present(),
            form.players,
            seed=self.seed,
            seating=form.seating,
            rounds=self.rounds,
            matches=form.matches or None,
        )

    def further(self, newcomer: str, first_round: int) -> Schedule:
        """Return the tables of a newcomer with all others, or as many as others have on average.

        Those that left count as others: their matches wait for their return.
        """
        names = tuple(sorted({*self.planned, newcomer}))
        at = names.index(newcomer)
        others = [index for index in range(len(names)) if index != at]
        count = self._tables(len(others))
        found = groups_with(others, self.form.players - 1, self.seed, count)
        pairings = tuple(tuple(sorted((at, *group))) for group in found)
        return part_of(names, pairings, self, first_round)

    def stand_ins(self, match: Match, seat: int) -> Sequence[str]:
        """Return all that are in."""
        return self.roster.present()

    def _tables(self, others: int) -> int:
        """Return with how many tables a newcomer catches up."""
        every = comb(others, self.form.players - 1)
        if not self.form.matches:
            return every
        return min(every, max(1, round(self.blocks_a_bot)))


def groups_with(
    others: Sequence[int], players: int, seed: int, count: int
) -> list[tuple[int, ...]]:
    """Return so many groups of others to sit with one bot, in a balanced order.

    Raises:
        ScheduleError: more than a schedule may have.
    """
    if count > MOST_PAIRINGS:
        raise ScheduleError(
            "TOO_MANY_PAIRINGS",
            f"{count:,} more groups are more than {MOST_PAIRINGS:,}.",
            "entrants",
            "play only a part, set by matches",
        )
    if players == 0:
        return [()]
    found = groups_in_order(len(others), players, seed, count)
    return [tuple(others[index] for index in group) for group in found]


def part_of(
    names: tuple[str, ...],
    pairings: tuple[tuple[int, ...], ...],
    league: League,
    first_round: int,
) -> Schedule:
    """Return a schedule of some pairings, all of it as often as the league plays everything."""
    form = league.form
    schedule = Schedule(
        names, form.players, form.seating, league.seed, league.rounds, pairings, 0, first_round
    )
    total = league.rounds * len(pairings) * schedule.block_size
    return schedule._replace(match_count=total)
