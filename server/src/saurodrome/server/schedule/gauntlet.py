"""The gauntlet: one or several candidates, each against every group of a field."""

from collections.abc import Iterable, Sequence
from math import comb

from saurodrome.server.schedule.all_meet import groups_with, part_of
from saurodrome.server.schedule.errors import ScheduleError
from saurodrome.server.schedule.format import Match
from saurodrome.server.schedule.league import League
from saurodrome.server.schedule.round_robin import MOST_PAIRINGS, Schedule


class Gauntlet(League):
    """One candidate sits at every table, the rest of it is the field; candidates never meet.

    The field's groups come in a balanced order, and each of them meets all candidates before the
    next group comes: candidates differ by one block at most, at every moment.
    """

    _groups = 0
    """Groups of the field that a candidate of the start meets in a round."""

    def first(self) -> Schedule:
        """Return the schedule of those who are in, or a balanced part of one round."""
        candidates, field = self._sides(self.roster.present())
        _check(len(candidates), len(field), self.form.players)
        names = tuple(sorted((*candidates, *field)))
        every = comb(len(field), self.form.players - 1)
        schedule = part_of(names, (), self, 1)
        blocks = len(candidates) * every
        if self.form.matches:
            blocks = self._blocks_of_part(len(candidates), len(field), every, schedule.block_size)
        _check_count(blocks)
        self._groups = -(-blocks // len(candidates))
        rest = [names.index(bot) for bot in field]
        found = groups_with(rest, self.form.players - 1, self.seed, self._groups)
        pairings = _tables(found, [names.index(bot) for bot in candidates])[:blocks]
        whole = part_of(names, pairings, self, 1)
        return whole._replace(match_count=self.form.matches or whole.match_count)

    def further(self, newcomer: str, first_round: int) -> Schedule:
        """Return a newcomer's tables: with every group of the field, or with every candidate."""
        names = tuple(sorted({*self.planned, newcomer}))
        candidates, field = self._sides(names)
        rest = [names.index(bot) for bot in field if bot != newcomer]
        at = names.index(newcomer)
        seats = self.form.players - 1
        if newcomer in candidates:
            count = self._enough(comb(len(rest), seats), 1.0)
            tables = _tables(groups_with(rest, seats, self.seed, count), [at])
        else:
            count = self._enough(comb(len(rest), seats - 1), seats / len(rest))
            groups = groups_with(rest, seats - 1, self.seed, count)
            sides = [names.index(bot) for bot in candidates]
            tables = _tables([(at, *group) for group in groups], sides)
        _check_count(len(tables))
        return part_of(names, tables, self, first_round)

    def stand_ins(self, match: Match, seat: int) -> Sequence[str]:
        """Return the field, if the seat is one of the field; nobody stands in for a candidate."""
        _, field = self._sides(self.roster.present())
        return [] if self.roster[match.seats[seat]].role == "candidate" else field

    def _sides(self, bots: Iterable[str]) -> tuple[list[str], list[str]]:
        names = sorted(bots)
        candidates = [bot for bot in names if self.roster[bot].role == "candidate"]
        return candidates, [bot for bot in names if self.roster[bot].role != "candidate"]

    def _blocks_of_part(self, candidates: int, field: int, every: int, size: int) -> int:
        matches, most = self.form.matches, candidates * every * size
        least = candidates * -(-field // (self.form.players - 1)) * size
        if least <= matches <= most:
            return -(-matches // size)
        raise ScheduleError(
            "TOO_MANY_MATCHES" if matches > most else "TOO_FEW_MATCHES",
            f"One round holds {most:,} matches, and {least:,} seat everybody; not {matches:,}.",
            "matches",
            f"ask for {least:,} to {most:,}",
        )

    def _enough(self, every: int, seats: float) -> int:
        """Return of how many groups a newcomer meets some: of a part, as many as others have."""
        if not self.form.matches:
            return every
        return min(every, max(1, round(self._groups * seats)))


def _tables(
    groups: Iterable[tuple[int, ...]], candidates: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(sorted((bot, *group))) for group in groups for bot in candidates)


def _check_count(blocks: int) -> None:
    if blocks > MOST_PAIRINGS:
        raise ScheduleError(
            "TOO_MANY_PAIRINGS",
            f"{blocks:,} tables are more than {MOST_PAIRINGS:,}.",
            "entrants",
            "play only a part, set by matches",
        )


def _check(candidates: int, field: int, players: int) -> None:
    if not 2 <= players <= 5:
        raise ScheduleError(
            "NO_SUCH_TABLE", f"A gauntlet at tables of {players} cannot be.", "players", "2 to 5"
        )
    if candidates == 0:
        raise ScheduleError(
            "NO_CANDIDATE",
            "A gauntlet needs a candidate.",
            "candidates",
            "name one entrant or more",
        )
    if field < players - 1:
        raise ScheduleError(
            "TOO_FEW_ENTRANTS",
            f"{field} bots of the field cannot fill a table of {players}.",
            "entrants",
            f"enter {players - 1 - field} more, or play at smaller tables",
        )
