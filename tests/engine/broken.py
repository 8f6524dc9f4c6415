"""Kinds of the toy game that each break one promise of the contract."""

import itertools
from collections.abc import Mapping
from typing import Self

from saurodrome.engine.chance import Chance
from saurodrome.engine.errors import WrongDeciders
from saurodrome.engine.game import Outcome
from tests.engine.toy import BUILD, DONE, OPEN, OVER, STACK, TEXTS, CairnState, View

counter = itertools.count()


class Descending(CairnState):
    def legal_actions(self, player: int) -> tuple[int, ...]:
        return super().legal_actions(player)[::-1]


class Repeating(CairnState):
    def legal_actions(self, player: int) -> tuple[int, ...]:
        return super().legal_actions(player) * 2


class Stuck(CairnState):
    def legal_actions(self, player: int) -> tuple[int, ...]:
        return () if self.stage == OPEN else super().legal_actions(player)


class Talkative(CairnState):
    """Gives legal actions to those who have nothing to decide."""

    def legal_actions(self, player: int) -> tuple[int, ...]:
        return super().legal_actions(player) or (DONE,)


class BadDefault(CairnState):
    def default_action(self, player: int) -> int:
        return STACK if self.stage == BUILD else super().default_action(player)


class Remembering(CairnState):
    """Depends on how often it was asked."""

    def apply(self, actions: Mapping[int, int], chance: Chance) -> Self:
        after = super().apply(actions, chance)
        return after._replace(last=(next(counter),))


class Notebook(int):
    """A number with room for notes, so that something mutable can hide in a state."""

    notes: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Notebook) and self.notes == other.notes

    def __hash__(self) -> int:
        return 0


class Scribbling(CairnState):
    """Writes into what it shares with its next states."""

    def dealt(self, chance: Chance) -> Self:
        return super().dealt(chance)._replace(last=(Notebook(),))

    def apply(self, actions: Mapping[int, int], chance: Chance) -> Self:
        after = super().apply(actions, chance)
        self.scribble()
        return after

    def scribble(self) -> None:
        for page in self.last:
            if isinstance(page, Notebook):
                page.notes += 1


class Nosy(Scribbling):
    """Writes into itself when it is asked."""

    def apply(self, actions: Mapping[int, int], chance: Chance) -> Self:
        return super(Scribbling, self).apply(actions, chance)

    def legal_actions(self, player: int) -> tuple[int, ...]:
        self.scribble()
        return super().legal_actions(player)


class Fresh(CairnState):
    """Deals from its own luck."""

    def dealt(self, chance: Chance) -> Self:
        return super().dealt(chance)._replace(last=(next(counter),))


class Endless(CairnState):
    """Begins again where it should end."""

    def apply(self, actions: Mapping[int, int], chance: Chance) -> Self:
        after = super().apply(actions, chance)
        return after._replace(turn=0).dealt(chance) if after.stage == OVER else after


class Nameless(CairnState):
    def action_text(self, player: int, action: int) -> str:
        return "done"


class Multiline(CairnState):
    def action_text(self, player: int, action: int) -> str:
        return TEXTS[action] + "\n"

    def parse_action(self, player: int, text: str) -> int:
        return super().parse_action(player, text.strip())


class Forgiving(CairnState):
    def parse_action(self, player: int, text: str) -> int:
        return TEXTS.index(text) if text in TEXTS else DONE


class LeakToPlayers(CairnState):
    def private(self, player: int | None) -> tuple[object, ...]:
        own = super().private(player)
        return own if player is None else (*own, sum(self.stones) % 2)


class LeakToSpectator(CairnState):
    def private(self, player: int | None) -> tuple[object, ...]:
        return (self.stones,) if player is None else super().private(player)


class LeakByActions(CairnState):
    """Offers more when a neighbour has a stone."""

    def legal_actions(self, player: int) -> tuple[int, ...]:
        legal = super().legal_actions(player)
        return (*legal, 4) if legal and self.stones[player - 1] else legal

    def action_text(self, player: int, action: int) -> str:
        return "wait" if action == 4 else TEXTS[action]

    def parse_action(self, player: int, text: str) -> int:
        return 4 if text == "wait" else super().parse_action(player, text)

    def built(self, actions: Mapping[int, int], chance: Chance) -> Self:
        return super().built({p: 0 if a == 4 else a for p, a in actions.items()}, chance)


class LeakByDefault(CairnState):
    def default_action(self, player: int) -> int:
        if self.stage == BUILD and self.stones[player] and self.stones[player - 1]:
            return STACK
        return super().default_action(player)


class LeakByDeciders(CairnState):
    """Says in the open phase who must act, by what nobody may know."""

    def deciders(self) -> tuple[int, ...]:
        return (self.stones[0] % 2,) if self.stage == OPEN else super().deciders()

    def resample(self, player: int | None, chance: Chance) -> Self:
        if self.stage != OPEN:
            return super().resample(player, chance)
        return self._replace(stones=(chance.draw("x", 2), *self.stones[1:]))


class TwoTruths(CairnState):
    def public(self, player: int | None) -> tuple[object, ...]:
        return (*super().public(player), player is None)


class Lookalike(CairnState):
    """Hands out the observation of another player."""

    def observation(self, player: int | None) -> View:
        return super().observation(player)._replace(player=0)


class Moody(CairnState):
    def private(self, player: int | None) -> tuple[object, ...]:
        return (*super().private(player), next(counter))


class LazyResample(CairnState):
    def resample(self, player: int | None, chance: Chance) -> Self:
        return self


class LazyForSpectator(CairnState):
    def resample(self, player: int | None, chance: Chance) -> Self:
        return self if player is None else super().resample(player, chance)


class DeadTwin(CairnState):
    """Resamples into a state that cannot go on."""

    def resample(self, player: int | None, chance: Chance) -> Self:
        return super().resample(player, chance)._replace(start=self.start - len(self.cairns))

    def revealed(self, chance: Chance) -> Self:
        if self.start < 0:
            raise ZeroDivisionError("a cairn of nothing")
        return super().revealed(chance)

    def public(self, player: int | None) -> tuple[object, ...]:
        return super().public(player)[1:]


class OpenSteps(CairnState):
    """Shows stacks while they are built, to all or to resampled states alike."""

    def public(self, player: int | None) -> tuple[object, ...]:
        return (*super().public(player), self.stacked)

    def resample(self, player: int | None, chance: Chance) -> Self:
        return super().resample(player, chance)._replace(stacked=self.stacked)


class OpenLast(CairnState):
    """Shows the steps of the last builder while it still builds."""

    def public(self, player: int | None) -> tuple[object, ...]:
        late = self.deciders() if self.stage == BUILD else ()
        return (*super().public(player), self.stacked if len(late) == 1 else ())

    def resample(self, player: int | None, chance: Chance) -> Self:
        return self


class OpenDone(CairnState):
    """Shows who has finished."""

    def public(self, player: int | None) -> tuple[object, ...]:
        return (*super().public(player), self.building)

    def resample(self, player: int | None, chance: Chance) -> Self:
        return super().resample(player, chance)._replace(building=self.building)


class FirstComes(CairnState):
    """Rewards who finishes last."""

    def built(self, actions: Mapping[int, int], chance: Chance) -> Self:
        after = super().built(actions, chance)
        last = min(actions)
        cairns = tuple(c + 100 * (seat == last) for seat, c in enumerate(after.cairns))
        return after._replace(cairns=cairns) if after.stage == OPEN else after


class FirstNamed(CairnState):
    """Rewards whose action happens to come first in the mapping."""

    def built(self, actions: Mapping[int, int], chance: Chance) -> Self:
        after = super().built(actions, chance)
        first = next(iter(actions))
        cairns = tuple(c + (seat == first) for seat, c in enumerate(after.cairns))
        return after._replace(cairns=cairns)


class Backwards(CairnState):
    def deciders(self) -> tuple[int, ...]:
        return super().deciders()[::-1]


class Stranger(CairnState):
    def deciders(self) -> tuple[int, ...]:
        return (*super().deciders(), 7) if self.stage == BUILD else super().deciders()


class Impatient(CairnState):
    """Ends everybody's building with the first who is done."""

    def built(self, actions: Mapping[int, int], chance: Chance) -> Self:
        after = super().built(actions, chance)
        if after.stage == BUILD and DONE in actions.values():
            return after._replace(building=tuple(s == 0 for s in range(len(self.cairns))))
        return after


class Lenient(CairnState):
    """Takes any action."""

    def apply(self, actions: Mapping[int, int], chance: Chance) -> Self:
        legal = {p: a if a in self.legal_actions(p) else 0 for p, a in actions.items()}
        if self.stage == OPEN:
            legal = {p: a or 2 for p, a in legal.items()}
        return super().apply(legal, chance)


class AnyoneMay(CairnState):
    """Ignores actions of others."""

    def apply(self, actions: Mapping[int, int], chance: Chance) -> Self:
        mine = {p: a for p, a in actions.items() if p in self.deciders()}
        return super().apply(mine, chance)


class NobodyMay(CairnState):
    """Goes on without any action."""

    def apply(self, actions: Mapping[int, int], chance: Chance) -> Self:
        try:
            return super().apply(actions, chance)
        except WrongDeciders:
            if actions:
                raise
            return self


class BadPlaces(CairnState):
    def outcome(self) -> Outcome | None:
        outcome = super().outcome()
        return outcome and Outcome(outcome.points, (2,) * len(outcome.points))


class FewPoints(CairnState):
    def outcome(self) -> Outcome | None:
        outcome = super().outcome()
        return outcome and Outcome(outcome.points[1:], outcome.placements)


class EarlyOutcome(CairnState):
    def outcome(self) -> Outcome | None:
        return super().outcome() or Outcome(self.cairns, (1,) * len(self.cairns))


class NoOutcome(CairnState):
    def outcome(self) -> Outcome | None:
        return None


class BadStream(CairnState):
    def dealt(self, chance: Chance) -> Self:
        chance.draw("two words", 2)
        return super().dealt(chance)


class Crashing(CairnState):
    def default_action(self, player: int) -> int:
        raise KeyError(player)
