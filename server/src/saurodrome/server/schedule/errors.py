"""What cannot be scheduled, said so that the organiser can act on it."""


class ScheduleError(ValueError):
    """A schedule that was asked for cannot be made.

    Attributes:
        code: the machine-readable reason, `UPPER_SNAKE`.
        what: what is wrong, a sentence.
        where: the argument at fault.
        do: what would work instead.
    """

    def __init__(self, code: str, what: str, where: str, do: str) -> None:
        """Keep the four parts."""
        super().__init__(f"[{code}] {what} (where: {where}; do: {do})")
        self.code = code
        self.what = what
        self.where = where
        self.do = do
