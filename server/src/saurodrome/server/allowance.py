"""How long a seat may think: a limit by kind of phase, and a bank for the whole match."""

from saurodrome.server.port import TimeControl


class Allowance:
    """What one seat has left in one match.

    With a bank a decision is limited by what is in it, too, and gives the increment back once
    it is over (after R. J. Fischer, US patent 4,884,255). What went beyond the limit, into the
    margin, leaves the bank empty, not in debt.
    """

    def __init__(self, time: TimeControl) -> None:
        """Starts with a full bank."""
        self._time = time
        self._phases = dict(time.phases)
        self._bank = time.bank

    def limit(self, phase: str, *, sealed: bool = False) -> float:
        """Seconds for the next decision, or for all steps of a sealed phase together."""
        usual = self._time.sealed if sealed else self._time.decision
        limit = self._phases.get(phase, usual)
        return min(limit, self._bank) if self._time.bank else limit

    def spend(self, seconds: float) -> None:
        """A decision, or a sealed phase, is over and took so many seconds."""
        self._bank = max(0.0, self._bank - seconds) + self._time.increment
