"""A match that the bot is put to: positions by the rules, the other seats play at random."""

from random import Random
from typing import NamedTuple

from saurodrome.engine.chance import FastChance
from saurodrome.engine.game import Game
from saurodrome.server.frames import Decision, Previous
from saurodrome.server.port import FaultRule, MatchStart, PlayerName, TimeControl
from saurodrome.server.rpc.codec import Codec

RULE = FaultRule()


class Board(NamedTuple):
    """What is played."""

    game: Game
    variant: str
    players: int


class Sitting:
    """One attempt at a match; the bot has seat 0.

    Attributes:
        start: What the bot is told of it.
        legal: The ids that are legal in the open decision.
        default: Its default.
        decision_id: Its id.
    """

    def __init__(
        self,
        board: Board,
        name: str,
        time: TimeControl,
        seed: int,
        others: tuple[str, ...] = (),
        attempt: int = 1,
    ) -> None:
        """Deals.

        Args:
            board: What is played.
            name: Of the match; its id follows from it.
            time: The limits.
            seed: Decides deal, ids and what the others play.
            others: Display names of the others; else plain ones.
            attempt: Which attempt it is.
        """
        self._random = Random(f"{name} {seed} {attempt}")
        self._chance = FastChance(self._random.getrandbits(32))
        self._codec = Codec(board.game.name, board.variant)
        self._state = board.game.initial_state(board.variant, board.players, self._chance)
        names = ["you", *others][: board.players]
        names += [f"other {seat}" for seat in range(len(names), board.players)]
        seats = tuple(
            PlayerName("you" if seat == 0 else f"other-{seat}", shown)
            for seat, shown in enumerate(names)
        )
        self.start = MatchStart(
            f"check/{name}/1/1",
            attempt,
            board.game.name,
            board.variant,
            board.game.rules_version,
            0,
            seats,
            time,
            RULE,
            self._random.randbytes(32),
            board.game.ruleset,
            board.game.ruleset_hash,
        )
        self.legal: tuple[int, ...] = ()
        self.default = 0
        self.decision_id = ""

    def goes_on(self) -> bool:
        """Plays the others' moves up to the bot's next decision; false at the end."""
        while deciders := self._state.deciders():
            if 0 in deciders:
                self.legal = self._state.legal_actions(0)
                self.default = self._state.default_action(0)
                self.decision_id = f"{self._random.getrandbits(64):016x}"
                return True
            self._apply({})
        return False

    def question(self, remaining: float, previous: Previous | None = None) -> Decision:
        """The open decision as a frame.

        Args:
            remaining: Seconds left.
            previous: How the one before was counted.
        """
        observation = self._state.observation(0)
        payload = self._codec.payload(self._codec.public(observation), observation, self.legal)
        return Decision(
            self.start.match_id, self.decision_id, remaining, self.default, previous, payload
        )

    def play(self, action: int) -> None:
        """Plays a legal action of the bot, and the others' choices with it."""
        self._apply({0: action})

    @property
    def seats(self) -> int:
        """How many seats the match has."""
        return len(self.start.players)

    def _apply(self, actions: dict[int, int]) -> None:
        if not (self._state.sealed and actions):
            for seat in self._state.deciders():
                if seat not in actions:
                    actions[seat] = self._random.choice(self._state.legal_actions(seat))
        self._state = self._state.apply(actions, self._chance)
