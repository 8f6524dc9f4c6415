"""The sequential test that a tournament is stopped by: looks at what is new, says who lost."""

from collections.abc import Iterator

from saurodrome.server.contracts import EntrantStatus
from saurodrome.server.rating.score import BlockScores
from saurodrome.server.rating.sprt import Hypotheses, Model, Sprt, Verdict, sprt
from saurodrome.server.settings import Format, Seating, TournamentSettings
from saurodrome.server.tournament.course import Course
from saurodrome.server.tournament.ledger import rated_match


class SequentialTest:
    """One test; each result is read once, all anew after an event, which may void some."""

    def __init__(self, settings: TournamentSettings) -> None:
        """Begins without results."""
        self._rule = rule = settings.sprt
        self._whole = whole_block(settings)
        self._mark = f"test: {rule.bot} was "
        self._hypotheses = Hypotheses(
            rule.elo0, rule.elo1, rule.alpha, rule.beta, Model(rule.model)
        )
        self._events = -1
        self._seen = 0
        self._scores = BlockScores(rule.bot, rule.against)

    def look(self, course: Course) -> Sprt:
        """Where the test stands."""
        if len(course.events) != self._events:
            self._events, self._seen = len(course.events), 0
            self._scores = BlockScores(self._rule.bot, self._rule.against)
        for result in course.results[self._seen :]:
            match = rated_match(result)
            if match is not None and not course.void_reason(result):
                self._scores.add(match)
        self._seen = len(course.results)
        return sprt(self._scores.sample(self._whole), self._hypotheses)

    def lost(self, course: Course) -> Iterator[tuple[str, str]]:
        """The bots that lost and still play, and why they are to leave.

        Whoever an organiser takes back after that stays.
        """
        at, rule = self.look(course), self._rule
        if at.verdict is Verdict.OPEN:
            return
        losers = (rule.bot,) if at.verdict is Verdict.REJECTED else rule.against
        against = ", ".join(rule.against[:4]) + (", ..." if len(rule.against) > 4 else "")
        left = {event.bot for event in course.events if event.reason.startswith(self._mark)}
        for bot in losers:
            entrant = course.entrants.get(bot)
            plays = entrant is not None and entrant.status is EntrantStatus.PLAYING
            if plays and bot not in left:
                reason = (
                    f"{self._mark}{at.verdict} against {against}: LLR {at.llr:.2f} after"
                    f" {at.matches} matches, {rule.model} Elo {rule.elo0:g} to {rule.elo1:g}"
                )
                yield bot, reason


def whole_block(settings: TournamentSettings) -> int | None:
    """Matches of a whole block: all seatings of a table; None where that differs."""
    if settings.format in {Format.SWISS, Format.KNOCKOUT}:
        return None
    rotations = settings.seating is Seating.ROTATIONS
    return settings.players * (1 if rotations else max(1, settings.players - 1))
