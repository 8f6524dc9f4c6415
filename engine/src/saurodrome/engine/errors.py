"""Everything that the engine raises, as one small tree.

EngineError
    UnknownGame, UnknownVariant, BadPlayerCount, BadStart     a match that cannot exist
    WrongDeciders, IllegalAction                              a caller's bug in `apply`
    BadActionText                                             text that is no action
    BadComponents                                             a game's data that cannot be played
    ReplayMismatch                                            a record and the rules disagree
    PlaythroughError                                          a file that cannot be read
        Foreign, TooNew, Truncated, Edited, Malformed
    ConformanceError                                          a game that breaks the contract

Illegal replies of bots are not among them: the caller compares a reply with `legal_actions`
and never hands it to `apply`.
"""

from collections.abc import Iterable


class EngineError(Exception):
    """Base of all errors that the engine raises on purpose."""


class UnknownGame(EngineError):
    """No game of this name is registered.

    Attributes:
        name: The name asked for.
        known: The names that exist, sorted.
    """

    def __init__(self, name: str, known: Iterable[str]) -> None:
        """Keep what was asked and what exists."""
        self.name = name
        self.known = tuple(sorted(known))
        super().__init__(f"no game is called {name!r}; known: {', '.join(self.known)}")


class UnknownVariant(EngineError):
    """The game has no variant of this name.

    Attributes:
        game: Name of the game.
        name: The variant asked for.
        known: The variants that exist, in the game's order.
    """

    def __init__(self, game: str, name: str, known: Iterable[str]) -> None:
        """Keep what was asked and what exists."""
        self.game = game
        self.name = name
        self.known = tuple(known)
        super().__init__(f"{game} has no variant {name!r}; known: {', '.join(self.known)}")


class BadPlayerCount(EngineError):
    """The game is not played by that many.

    Attributes:
        game: Name of the game.
        players: The number asked for.
        known: The numbers that are allowed, ascending.
    """

    def __init__(self, game: str, players: int, known: Iterable[int]) -> None:
        """Keep what was asked and what is allowed."""
        self.game = game
        self.players = players
        self.known = tuple(known)
        allowed = ", ".join(str(count) for count in self.known)
        super().__init__(f"{game} cannot be played by {players}; allowed: {allowed}")


class BadStart(EngineError):
    """The start seat is not a seat of the match.

    Attributes:
        start: The seat asked for.
        players: The number of seats.
    """

    def __init__(self, start: int, players: int) -> None:
        """Keep what was asked and how many seats there are."""
        self.start = start
        self.players = players
        super().__init__(f"start seat {start} is not one of the seats 0 to {players - 1}")


class WrongDeciders(EngineError):
    """`apply` was given actions of other players than those who must act.

    Attributes:
        expected: The deciders of the state.
        given: The players whose actions came.
    """

    def __init__(self, expected: Iterable[int], given: Iterable[int]) -> None:
        """Keep who had to act and who did."""
        self.expected = tuple(expected)
        self.given = tuple(given)
        super().__init__(f"players {self.expected} must act, actions came from {self.given}")


class IllegalAction(EngineError):
    """`apply` was given an action that the player may not choose here.

    Attributes:
        player: The player.
        action: The action id.
    """

    def __init__(self, player: int, action: int) -> None:
        """Keep who chose what."""
        self.player = player
        self.action = action
        super().__init__(f"action {action} is not legal for player {player} here")


class BadActionText(EngineError):
    """The text is not the text form of an action.

    Attributes:
        text: The text.
        hint: What an action looks like.
    """

    def __init__(self, text: str, hint: str) -> None:
        """Keep the text and a hint for the user."""
        self.text = text
        self.hint = hint
        super().__init__(f"{text!r} is not an action: {hint}")


class BadComponents(EngineError):
    """A set of components (cards, dice, tokens) that cannot be played.

    Attributes:
        file: Name of the file.
        entry: The card, die, token or field concerned; "" for the file as a whole.
        reason: What is wrong.
    """

    def __init__(self, file: str, entry: str, reason: str) -> None:
        """Keep where and what."""
        self.file = file
        self.entry = entry
        self.reason = reason
        super().__init__(f"{file}, {entry}: {reason}" if entry else f"{file}: {reason}")


class ReplayMismatch(EngineError):
    """A recorded trajectory cannot have happened under these rules.

    Attributes:
        step: Number of the step, from 1; 0 is the setup.
        seat: The seat concerned, or None for the whole table.
        what: What differs, as a sentence without a full stop.
    """

    def __init__(self, step: int, seat: int | None, what: str) -> None:
        """Keep where the difference is and what it is."""
        self.step = step
        self.seat = seat
        self.what = what
        where = f"step {step}" if seat is None else f"step {step}, seat {seat}"
        super().__init__(f"{where}: {what}")


class PlaythroughError(EngineError):
    """A text is not a readable playthrough.

    Attributes:
        line: Number of the line, from 1.
        what: What is wrong with it.
        do: What the user can do about it.
    """

    def __init__(self, line: int, what: str, do: str) -> None:
        """Keep where, what, and the way out."""
        self.line = line
        self.what = what
        self.do = do
        super().__init__(f"line {line}: {what}; {do}")


class Foreign(PlaythroughError):
    """The text is something else than a playthrough."""


class TooNew(PlaythroughError):
    """The text was written by a newer version of the format."""


class Truncated(PlaythroughError):
    """The text ends early."""


class Edited(PlaythroughError):
    """The text is not what was written: its checksum does not fit."""


class Malformed(PlaythroughError):
    """The text is as it was written, but one line of it makes no sense."""


class ConformanceError(EngineError):
    """A game breaks the contract.

    Attributes:
        game: Name of the game.
        seed: Seed of the run and number of the game in it: enough to see it again.
        step: Number of applied steps when it showed.
        seat: The observer or decider concerned, None for the spectator or the table.
        what: The broken promise.
    """

    def __init__(self, game: str, seed: str, step: int, seat: int | None, what: str) -> None:
        """Keep which promise broke, and where."""
        self.game = game
        self.seed = seed
        self.step = step
        self.seat = seat
        self.what = what
        super().__init__(f"{game}, seed {seed}, step {step}, seat {seat}: {what}")
