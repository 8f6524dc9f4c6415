"""Duelosaur Island as a game of the engine: its states and its rules object."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources.abc import Traversable
from typing import Final

from saurodrome.engine.chance import Chance
from saurodrome.engine.errors import IllegalAction, WrongDeciders
from saurodrome.engine.game import Game, Outcome, placements
from saurodrome.engine.games.duelosaur import export, flow, knowledge, scoring, setup
from saurodrome.engine.games.duelosaur.components import Components
from saurodrome.engine.games.duelosaur.knowledge import Observation
from saurodrome.engine.games.duelosaur.loading import SHIPPED, load, shipped
from saurodrome.engine.games.duelosaur.position import OVER, Position
from saurodrome.engine.games.duelosaur.resample import resample
from saurodrome.engine.games.duelosaur.setting import Setting, settings
from saurodrome.engine.games.duelosaur.text import find


class DuelosaurState(Position):
    """One position of a match of Duelosaur Island, as the engine's contract sees it."""

    __slots__ = ()

    @property
    def phase(self) -> str:
        """The kind of the running phase, "over" at the end."""
        phase = flow.phase(self)
        return phase.name if phase else "over"

    @property
    def sealed(self) -> bool:
        """Whether all decide in secret: at setup, in Build, and for the hand limit."""
        phase = flow.phase(self)
        return phase is not None and phase.sealed

    def deciders(self) -> tuple[int, ...]:
        """Return the players who must act, ascending; nobody when the match is over."""
        return flow.deciders(self)

    def legal_actions(self, player: int) -> tuple[int, ...]:
        """Return the ids that a player may choose, ascending; none unless it is a decider."""
        phase = flow.phase(self)
        if phase is None or player not in flow.deciders(self):
            return ()
        return phase.legal(self, player)

    def default_action(self, player: int) -> int:
        """Return what is played for a decider who does not answer.

        Raises:
            WrongDeciders: The player has nothing to decide.
        """
        phase = flow.phase(self)
        if phase is None or player not in flow.deciders(self):
            raise WrongDeciders(flow.deciders(self), (player,))
        return phase.default(self, player)

    def apply(self, actions: Mapping[int, int], chance: Chance) -> "DuelosaurState":
        """Return the state after the actions and all that follows without a decision.

        Args:
            actions: The action of the decider; in a sealed phase of any deciders.
            chance: Where the following chance outcomes come from.

        Raises:
            WrongDeciders: Actions are missing, or come from others.
            IllegalAction: An action is not legal.
        """
        phase, deciders = flow.phase(self), flow.deciders(self)
        if phase is None or not actions or not set(actions) <= set(deciders):
            raise WrongDeciders(deciders, actions)
        for player, action in actions.items():
            if action not in phase.legal(self, player):
                raise IllegalAction(player, action)
        position: Position = self
        for player in sorted(actions):
            position = phase.act(position, player, actions[player], chance)
        return DuelosaurState._make(flow.proceed(position, chance))

    def observation(self, player: int | None) -> Observation:
        """Return what a player, or the spectator (None), may know."""
        return knowledge.observe(self, player)

    def reveal_all(self) -> Observation:
        """Return the view with nothing hidden: for replays of finished matches only."""
        return knowledge.reveal_all(self)

    def resample(self, player: int | None, chance: Chance) -> "DuelosaurState":
        """Return a random state that this observer cannot tell from this one."""
        return DuelosaurState._make(resample(self, player, chance))

    def outcome(self) -> Outcome | None:
        """Return points and placements, or None while the match runs.

        In a solo match there is one seat: it is first if it beat the AI, second if not (V16; a
        draw is no victory). The AI's points are in `sheets`.
        """
        if self.stage != OVER:
            return None
        sheets = scoring.sheets(self)
        points = tuple(sheet.total for sheet in sheets[: len(self.companies)])
        if self.solo:
            return Outcome(points, (1 if scoring.winner(sheets) == 0 else 2,))
        return Outcome(points, placements([scoring.rank_key(sheet) for sheet in sheets]))

    def sheets(self) -> tuple[scoring.Sheet, ...]:
        """Return the score sheets by seat, in a solo match the AI's last, as they are now."""
        return scoring.sheets(self)

    def action_text(self, player: int, action: int) -> str:
        """Return the text of a legal action, such as "die 2 as ccg" or "sell cc".

        Raises:
            ValueError: The action is not legal here, so it has no meaning.
        """
        phase = flow.phase(self)
        if phase is None or action not in self.legal_actions(player):
            raise ValueError(f"action {action} of player {player} means nothing here")
        return phase.text(self, player, action)

    def parse_action(self, player: int, text: str) -> int:
        """Return the id of the legal action that a text names.

        Raises:
            BadActionText: No action that is legal here is called so.
        """
        return find(_texts(self, player), text)


@lru_cache(maxsize=8)
def _texts(state: DuelosaurState, player: int) -> dict[str, int]:
    """Return the ids of a player's legal actions, by text."""
    return {state.action_text(player, action): action for action in state.legal_actions(player)}


@dataclass(frozen=True)
class Duelosaur(Game):
    """The rules of Duelosaur Island with one set of components.

    Attributes:
        settings: The parameters of each variant.
    """

    settings: tuple[Setting, ...]

    @property
    def components(self) -> Components:
        """The set of components; it has a ruleset id and a content hash."""
        return self.settings[0].components

    @property
    def ruleset(self) -> str:
        """The id of the set of components."""
        return self.components.ruleset

    @property
    def ruleset_hash(self) -> str:
        """What is in the set: SHA-256 of what its files say."""
        return self.components.content_hash

    @property
    def phases(self) -> tuple[str, ...]:
        """The kinds of phases; see `Game.phases`."""
        return tuple(phase.name for phase in flow.ALL_PHASES)

    @property
    def ruleset_note(self) -> str:
        """That the values of the shipped set are reconstructed; "" for other sets."""
        return export.NOTE if self.ruleset == SHIPPED else ""

    def ruleset_json(self) -> str:
        """Return the set as JSON, see `export.document`."""
        return export.document(self.components, self.ruleset_note)

    def setting(self, variant: str) -> Setting:
        """Return the parameters of one of the variants."""
        return self.settings[self.variants.index(variant)]

    def initial_state(
        self, variant: str, players: int, chance: Chance, start: int = 0
    ) -> DuelosaurState:
        """Return the first state: the first player drawn, plot twists and the row dealt.

        Args:
            variant: A length with its options, or a solo match.
            players: 2; 1 in a solo match.
            chance: Where the deal comes from.
            start: The seat that the drawn first player is counted from.

        Raises:
            UnknownVariant, BadPlayerCount, BadStart: There is no such match.
        """
        self.validate(variant, players, start)
        position = setup.first_position(self.setting(variant), start, chance)
        return DuelosaurState._make(flow.proceed(position, chance))

    def player_counts(self, variant: str) -> tuple[int, ...]:
        """Return how many can play a variant: two, in a solo match one."""
        return (self.setting(variant).players,)

    def hides(self, variant: str, observer: int | None) -> bool:
        """Return whether something is ever hidden: in a solo match only from spectators."""
        setting = self.setting(variant)
        return observer is None or setting.ai is None or setting.cards_in_build


def make_game(components: Components) -> Duelosaur:
    """Return the game with a set of components."""
    found = settings(components)
    return Duelosaur("duelosaur", tuple(one.variant for one in found), 1, 2, 1, found)


def load_game(folder: Traversable) -> Duelosaur:
    """Return the game with a corrected set of components.

    Args:
        folder: See `loading.load`.

    Raises:
        BadComponents: The set cannot be played; the error names file, entry and reason.
    """
    return make_game(load(folder))


GAME: Final = make_game(shipped())
