"""Counts a seat's faults in one match and says when they forfeit it."""

from collections import Counter

from saurodrome.server.port import Answer, FaultRule, Verdict

STRIKES = (Verdict.TIMED_OUT, Verdict.ILLEGAL)
"""The verdicts that are strikes; each kind is counted apart."""


class Strikes:
    """The strikes of one seat."""

    def __init__(self, rule: FaultRule) -> None:
        """Starts clean."""
        self._rule = rule
        self._row: Counter[Verdict] = Counter()
        self._total: Counter[Verdict] = Counter()
        self.illegal_replies = 0

    @property
    def timeouts(self) -> int:
        """Decisions that timed out."""
        return self._total[Verdict.TIMED_OUT]

    def total(self, verdict: Verdict) -> int:
        """Strikes of a kind so far."""
        return self._total[verdict]

    def count(self, answer: Answer) -> bool:
        """Counts an answer; true if the seat forfeits by it.

        A decision that was answered legally in the end is no strike and ends every row, even
        if it got illegal replies first.
        """
        self.illegal_replies += answer.illegal
        if answer.verdict not in STRIKES:
            self._row.clear()
            return False
        self._row[answer.verdict] += 1
        self._total[answer.verdict] += 1
        return (
            self._row[answer.verdict] >= self._rule.strikes_in_a_row
            or self._total[answer.verdict] >= self._rule.strikes_in_match
        )
