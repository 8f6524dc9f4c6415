"""Proof by play that a game keeps the contract of `saurodrome.engine.game`.

`check` plays random games and tests every promise at every step. Everything follows from the
seed, so a failure can be seen again.
"""

import copy
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from saurodrome.engine.chance import SecureChance
from saurodrome.engine.errors import BadActionText, ConformanceError, IllegalAction, WrongDeciders
from saurodrome.engine.game import Game, Outcome, State
from saurodrome.engine.playthrough import Recorder, dumps, loads, replay

Codec = Callable[[Any], bytes]
"""Turns an observation of the game into the bytes that its observer is sent."""

S = TypeVar("S", int, int | None)

_MAX_STEPS = 20_000


def check(
    game: Game,
    variant: str,
    players: int,
    *,
    seed: int = 0,
    games: int = 10,
    codec: Codec | None = None,
) -> None:
    """Play random games and test every promise of the contract.

    The first game is played with default actions only.

    Args:
        game: The game.
        variant: One of its variants.
        players: Number of seats.
        seed: Another seed plays other games.
        games: How many games to play.
        codec: If given, encoded observations must not differ either.

    Raises:
        ConformanceError: A promise is broken.
    """
    run = _Run(game, variant, players, codec)
    for number in range(games):
        run.play(f"{seed}/{number}")
    run.check_variation(str(seed))


class _Run:
    """Several games of one game under test.

    It keeps where it is, so that any error, also an unexpected one, says it.
    """

    def __init__(self, game: Game, variant: str, players: int, codec: Codec | None) -> None:
        self._game = game
        self._variant = variant
        self._players = players
        self._codec = codec
        self._observers: tuple[int | None, ...] = (*range(players), None)
        self._varied: set[int | None] = set()
        self._twins: list[State] = []
        self._seed = ""
        self._step = 0
        self._seat: int | None = None

    def play(self, seed: str) -> None:
        """Play and check one game."""
        self._seed, self._step, self._seat = seed, 0, None
        self._twins.clear()
        try:
            self._play()
        except ConformanceError:
            raise
        except Exception as error:  # whatever a game under test raises is its failure
            raise self._broken(f"raised {type(error).__name__}: {error}") from error

    def check_variation(self, seed: str) -> None:
        """Check that `resample` varied something for all from whom something is hidden."""
        self._seed, self._step = seed, 0
        for observer in self._each(self._observers):
            hides = self._game.hides(self._variant, observer)
            self._require(
                observer in self._varied or not hides,
                "resample never changed anything, though the game hides something",
            )
            self._require(
                observer not in self._varied or hides,
                "resample changed something, though the game says that it hides nothing",
            )

    def _broken(self, what: str) -> ConformanceError:
        return ConformanceError(self._game.name, self._seed, self._step, self._seat, what)

    def _require(self, kept: bool, what: str) -> None:
        if not kept:
            raise self._broken(what)

    def _each(self, observers: Iterable[S]) -> Iterator[S]:
        """Yield observers, remembering the current one as the seat concerned."""
        for observer in observers:
            self._seat = observer
            yield observer
        self._seat = None

    def _chance(self, purpose: str) -> SecureChance:
        """Return a source that is the same whenever asked for again at this step."""
        label = f"{self._game.name} {self._seed} {self._step} {purpose}"
        return SecureChance(hashlib.sha256(label.encode()).digest())

    def _play(self) -> None:
        start = self._chance("start").draw("start", self._players)
        recorder = self._recorder(start)
        again = self._recorder(start).state
        self._require(again == recorder.state, "equal chance gave two different initial states")
        while recorder.state.deciders():
            self._check_state(recorder.state)
            actions = self._choose(recorder.state)
            self._check_apply(recorder.state, actions)
            recorder.step(actions)
            self._step += 1
            self._require(self._step < _MAX_STEPS, f"no end after {_MAX_STEPS} steps")
        self._check_state(recorder.state)
        self._check_outcome(recorder.state.outcome())
        self._check_replay(recorder)
        for twin in self._twins:
            self._play_out(twin)

    def _recorder(self, start: int) -> Recorder:
        chance = self._chance("match")
        return Recorder(self._game, self._variant, self._players, chance, start)

    def _choose(self, state: State) -> dict[int, int]:
        """Return random actions; defaults in the first game; in sealed phases of some only."""
        chance = self._chance("choose")
        actions = {}
        for player in state.deciders():
            legal = state.legal_actions(player)
            actions[player] = legal[chance.draw(f"action-{player}", len(legal))]
            if self._seed.endswith("/0"):
                actions[player] = state.default_action(player)
        if state.sealed:
            for player in state.deciders():
                if len(actions) > 1 and chance.draw(f"wait-{player}", 3) == 0:
                    del actions[player]
        return actions

    def _check_state(self, state: State) -> None:
        before = copy.deepcopy(state)
        hash(state)
        deciders = state.deciders()
        self._require(deciders == tuple(sorted(set(deciders))), "deciders are not ascending")
        self._require(set(deciders) <= set(range(self._players)), "a decider is no seat")
        self._require(
            (state.outcome() is None) == bool(deciders),
            "there must be deciders, or else an outcome",
        )
        for player in self._each(range(self._players)):
            self._check_actions(state, player, player in deciders)
        public = state.observation(None).public
        for observer in self._each(self._observers):
            self._check_observation(state, observer, public)
            self._check_interference(state, observer)
        self._require(state == before, "asking a state changed it")

    def _check_actions(self, state: State, player: int, decides: bool) -> None:
        legal = state.legal_actions(player)
        self._require(legal == tuple(sorted(set(legal))), f"ids are not ascending: {legal}")
        self._require(
            bool(legal) == decides, f"a decider needs legal actions, others none: {legal}"
        )
        if not decides:
            return
        self._require(state.default_action(player) in legal, "the default action is not legal")
        for action in legal:
            text = state.action_text(player, action)
            plain = text.isprintable() and text.strip() == text and '"' not in text and text
            self._require(bool(plain), f"{text!r} is no plain action text")
            back = state.parse_action(player, text)
            self._require(back == action, f"{action} is called {text!r}, which means {back}")
        try:
            state.parse_action(player, "?")
        except BadActionText:
            return
        raise self._broken("parse_action accepts '?'")

    def _check_observation(self, state: State, observer: int | None, public: object) -> None:
        seen = state.observation(observer)
        hash((seen.public, seen.private))
        self._require(seen.player == observer, f"the observation says player {seen.player}")
        self._require(seen == state.observation(observer), "two looks give two observations")
        self._require(seen.public == public, "the public part differs from the spectator's")

    def _check_interference(self, state: State, observer: int | None) -> None:
        """Check that an observer notices nothing of what it may not know."""
        chance = self._chance(f"resample {observer}")
        twin = state.resample(observer, chance)
        if twin != state:
            self._varied.add(observer)
        self._require(
            self._view(twin, observer) == self._view(state, observer),
            "what it may not know changes its observation, encoding, actions or default",
        )
        self._require(
            twin.sealed or twin.deciders() == state.deciders(),
            "what it may not know changes who must act",
        )
        if observer == self._step % (self._players + 1):
            self._twins.append(twin)

    def _view(self, state: State, observer: int | None) -> tuple[object, ...]:
        """Return all that an observer gets to see of a state."""
        seen = state.observation(observer)
        encoded = self._codec(seen) if self._codec else b""
        shown = (seen, encoded, state.phase, state.sealed, state.outcome())
        if observer is None or observer not in state.deciders():
            return shown
        legal = state.legal_actions(observer)
        texts = tuple(state.action_text(observer, action) for action in legal)
        return (*shown, legal, texts, state.default_action(observer))

    def _play_out(self, state: State) -> None:
        """Play a resampled state on to its end."""
        chance = self._chance("play-out")
        for _ in range(_MAX_STEPS):
            deciders = state.deciders()
            if not deciders:
                return
            legal = {player: state.legal_actions(player) for player in deciders}
            state = state.apply(
                {player: ids[chance.draw("play-out", len(ids))] for player, ids in legal.items()},
                chance,
            )
        raise self._broken("a resampled state does not end")

    def _check_apply(self, state: State, actions: Mapping[int, int]) -> None:
        before = copy.deepcopy(state)
        after = state.apply(actions, self._chance("apply"))
        self._require(state == before, "apply changed its state")
        turned = {player: actions[player] for player in sorted(actions, reverse=True)}
        again = state.apply(turned, self._chance("apply"))
        self._require(after == again, "equal actions and chance gave two different states")
        self._check_refusals(state, actions)
        if state.sealed:
            self._check_sealed(state, actions, after)

    def _check_refusals(self, state: State, actions: Mapping[int, int]) -> None:
        """Check that apply refuses what a caller must not do."""
        player, action = next(iter(actions.items()))
        wrong = [{}, {**actions, self._players: action}]
        if not state.sealed:
            wrong.append({other: actions[other] for other in actions if other != player})
        for mapping in wrong:
            try:
                state.apply(mapping, self._chance("apply"))
            except WrongDeciders:
                continue
            raise self._broken(f"apply accepts actions of {tuple(mapping)}")
        legal = state.legal_actions(player)
        gaps = (set(range(-1, legal[-1] + 2)) - set(legal)) if legal[-1] < 10_000 else {-1}
        for illegal in sorted(gaps):
            try:
                state.apply({**actions, player: illegal}, self._chance("apply"))
            except IllegalAction:
                continue
            self._seat = player
            raise self._broken(f"apply accepts action {illegal}, which is not legal")

    def _check_sealed(self, state: State, actions: Mapping[int, int], after: State) -> None:
        """Check that steps stay hidden until the phase ends, whatever their order."""
        others = set(state.deciders()) - set(actions)
        single = len(state.deciders()) == 1 and after.deciders() == state.deciders()
        goes_on = others or (single and after.sealed and after.phase == state.phase)
        if goes_on:
            self._require(others <= set(after.deciders()), "a step took another player's turn")
            for observer in self._each(self._observers):
                if observer not in actions:
                    same = self._view(after, observer) == self._view(state, observer)
                    self._require(same, f"it sees a sealed step of {tuple(actions)}")
        for order in (sorted(actions), sorted(actions, reverse=True)):
            chance = self._chance("apply")
            stepped = state
            for player in order:
                self._require(player in stepped.deciders(), "a step took another player's turn")
                stepped = stepped.apply({player: actions[player]}, chance)
            self._require(stepped == after, f"sealed steps in the order {order} end elsewhere")

    def _check_outcome(self, outcome: Outcome | None) -> None:
        if outcome is None:
            raise self._broken("the match is over without an outcome")
        places = outcome.placements
        self._require(len(outcome.points) == self._players, "the points do not fit the seats")
        ranked = tuple(1 + sum(other < place for other in places) for place in places)
        if self._players == 1:
            ranked = (1 if places == (1,) else 2,)
        fits = len(places) == self._players and places == ranked
        self._require(fits, f"{places} are no placements")

    def _check_replay(self, recorder: Recorder) -> None:
        """Check that the record of the game, as text, leads to the same end."""
        record = recorder.playthrough()
        text = dumps(record)
        self._require(loads(text) == record, "the record's text holds something else")
        *_, last = replay(loads(text), self._game)
        self._require(last == recorder.state, "the replay ends elsewhere")
