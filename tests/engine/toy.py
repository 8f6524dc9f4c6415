"""Cairns: a toy game that keeps the contract honest.

Each round everybody gets 0 to 3 hidden stones and stacks some of them in a sealed phase, step by
step; then the stacks are shown, wind may add a stone to each, and one player, in turn, keeps or
topples its cairn in the open. So it has hidden deals, hidden steps, a reveal with chance, a
sequential phase and actions that depend on what is hidden.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from saurodrome.engine.chance import Chance
from saurodrome.engine.errors import BadActionText, IllegalAction, WrongDeciders
from saurodrome.engine.game import Game, Outcome, placements

BUILD: Final = 0
OPEN: Final = 1
OVER: Final = 2
ROUNDS: Final = 2
TEXTS: Final = ("done", "stack", "keep", "topple")
DONE, STACK, KEEP, TOPPLE = range(4)


class View(NamedTuple):
    player: int | None
    public: tuple[object, ...]
    private: tuple[object, ...]


class CairnState(NamedTuple):
    start: int
    turn: int
    stage: int
    stones: tuple[int, ...]
    stacked: tuple[int, ...]
    building: tuple[bool, ...]
    cairns: tuple[int, ...]
    last: tuple[int, ...] = ()

    @property
    def phase(self) -> str:
        return ("build", "open", "over")[self.stage]

    @property
    def sealed(self) -> bool:
        return self.stage == BUILD

    @property
    def active(self) -> int:
        return (self.start + self.turn) % len(self.cairns)

    def deciders(self) -> tuple[int, ...]:
        if self.stage == BUILD:
            return tuple(player for player, builds in enumerate(self.building) if builds)
        return (self.active,) if self.stage == OPEN else ()

    def legal_actions(self, player: int) -> tuple[int, ...]:
        if player not in self.deciders():
            return ()
        if self.stage == OPEN:
            return (KEEP, TOPPLE)
        return (DONE, STACK) if self.stones[player] else (DONE,)

    def default_action(self, player: int) -> int:
        return DONE if self.stage == BUILD else KEEP

    def apply(self, actions: Mapping[int, int], chance: Chance) -> Self:
        deciders = self.deciders()
        given = set(actions)
        if not given or not given <= set(deciders):
            raise WrongDeciders(deciders, actions)
        if any(action not in self.legal_actions(player) for player, action in actions.items()):
            raise IllegalAction(*next(iter(actions.items())))
        if self.stage == BUILD:
            return self.built(actions, chance)
        fallen = actions[self.active] == TOPPLE
        cairns = list(self.cairns)
        cairns[self.active] *= not fallen
        after = self._replace(turn=self.turn + 1, cairns=tuple(cairns))
        if after.turn == ROUNDS:
            return after._replace(stage=OVER)
        return after.dealt(chance)

    def dealt(self, chance: Chance) -> Self:
        stones = tuple(chance.draw("stones", 4) for _ in self.cairns)
        none = (0,) * len(stones)
        return self._replace(
            stage=BUILD, stones=stones, stacked=none, building=(True,) * len(stones)
        )

    def built(self, actions: Mapping[int, int], chance: Chance) -> Self:
        stones, stacked, building = list(self.stones), list(self.stacked), list(self.building)
        for player, action in actions.items():
            if action == DONE:
                building[player] = False
            else:
                stones[player] -= 1
                stacked[player] += 1
        after = self._replace(
            stones=tuple(stones), stacked=tuple(stacked), building=tuple(building)
        )
        return after if any(building) else after.revealed(chance)

    def revealed(self, chance: Chance) -> Self:
        wind = chance.draw("wind", 2)
        cairns = zip(self.cairns, self.stacked, strict=True)
        none = (0,) * len(self.cairns)
        return self._replace(
            stage=OPEN,
            cairns=tuple(cairn + stack + wind for cairn, stack in cairns),
            last=self.stacked,
            stones=none,
            stacked=none,
        )

    def observation(self, player: int | None) -> View:
        return View(player, self.public(player), self.private(player))

    def public(self, player: int | None) -> tuple[object, ...]:
        return (self.start, self.turn, self.stage, self.cairns, self.last)

    def private(self, player: int | None) -> tuple[object, ...]:
        if player is None:
            return ()
        return (self.stones[player], self.stacked[player], self.building[player])

    def resample(self, player: int | None, chance: Chance) -> Self:
        if self.stage != BUILD:
            return self
        stones, stacked, building = list(self.stones), list(self.stacked), list(self.building)
        others = [seat for seat in range(len(stones)) if seat != player]
        for seat in others:
            dealt = chance.draw("stones", 4)
            stacked[seat] = chance.draw("stacked", dealt + 1)
            stones[seat] = dealt - stacked[seat]
            building[seat] = chance.draw("building", 2) == 1
        if not any(building):
            building[others[chance.draw("late", len(others))]] = True
        return self._replace(stones=tuple(stones), stacked=tuple(stacked), building=tuple(building))

    def outcome(self) -> Outcome | None:
        if self.stage != OVER:
            return None
        return Outcome(self.cairns, placements([(cairn,) for cairn in self.cairns]))

    def action_text(self, player: int, action: int) -> str:
        return TEXTS[action]

    def parse_action(self, player: int, text: str) -> int:
        if text not in TEXTS:
            raise BadActionText(text, "one of " + ", ".join(TEXTS))
        return TEXTS.index(text)


@dataclass(frozen=True)
class Cairns(Game):
    """The rules of the toy, or of a broken kind of it."""

    kind: type[CairnState] = CairnState

    def initial_state(
        self, variant: str, players: int, chance: Chance, start: int = 0
    ) -> CairnState:
        self.validate(variant, players, start)
        none = (0,) * players
        blank = self.kind(start, 0, BUILD, none, none, (True,) * players, none)
        return blank.dealt(chance)


GAME: Final = Cairns("cairns", ("plain",), 2, 4, 1)
