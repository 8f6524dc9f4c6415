"""How companies are played in a play-out: what looks best at once, a whole Build in one go."""

import math
from collections.abc import Callable, Sequence
from typing import Final

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur import build, draft, flow, gains, round_end, setup, steps
from saurodrome.engine.games.duelosaur.components import Gain
from saurodrome.engine.games.duelosaur.position import BUILD, Company, Position, bits
from saurodrome.engine.games.duelosaur.words import CARD, RARITY
from saurodrome.engine.search.duelosaur.builds import Builder, Outlook
from saurodrome.engine.search.duelosaur.values import DRAWN, Values, crowds_left

DECK: Final = 1.6
"""What a card from the deck is worth."""


class Policy:
    """Plays all seats of a play-out.

    Attributes:
        values: What companies are worth.
        builder: What they build.
    """

    def __init__(self, values: Values) -> None:
        """Play by these values."""
        self.values = values
        self.builder = Builder(values)
        self._judges: dict[str, Callable[[Position, int], int]] = {
            "draw": self._draw,
            "colour": self._colour,
            "pick": self._pick,
            "pr": self._pr,
            "discard": self._discard,
            "setup": self._setup,
        }
        self._orders: dict[str, Callable[[Position, int], list[float]]] = {
            "pick": self.pick_values,
            "build": self.build_values,
            "pr": self.pr_values,
            "setup": self.setup_values,
        }

    def play(self, position: Position, chance: Chance, last: int) -> Position:
        """Play on until a round is over, or the match.

        Args:
            position: Where somebody must decide, or nobody any more.
            chance: Where the chance outcomes come from.
            last: The last round that is played.
        """
        while position.round <= last:
            phase, deciders = flow.phase(position), flow.deciders(position)
            if phase is None or not deciders:
                break
            if position.stage == BUILD and not position.agenda:
                position = self._build(position, deciders)
            else:
                for seat in deciders:
                    position = phase.act(position, seat, self.choose(position, seat), chance)
            position = flow.proceed(position, chance)
        return position

    def judged(self, position: Position, seat: int, actions: Sequence[int]) -> list[float]:
        """Return what a company seems to be worth after each of a decider's actions."""
        phase = flow.phase(position)
        judge = self._orders.get(phase.name) if phase else None
        if judge is None:
            first = self.choose(position, seat)
            return [float(action == first) for action in actions]
        found = judge(position, seat)
        return [found[action] for action in actions]

    def build_values(self, position: Position, seat: int) -> list[float]:
        """Return what a company is worth if its Build goes on with each of its steps."""
        outlook, work = Outlook(position), position.works[seat]
        planned, found = self.builder.best_plan(outlook, work), []
        for step in steps.steps(position.setting, work):
            after = self.builder.carried_out(outlook, work, (step,))
            first = planned[:1] == (step,) or (not planned and step.kind == steps.DONE)
            found.append(self.builder.value(outlook, after.company) + first)
        return found

    def choose(self, position: Position, seat: int) -> int:
        """Return what a decider does outside Build, for which see `Builder`."""
        phase = flow.phase(position)
        if phase is None:
            raise ValueError("the match is over")
        judge = self._judges.get(phase.name, phase.default)
        return judge(position, seat)

    def _build(self, position: Position, deciders: tuple[int, ...]) -> Position:
        works = list(position.works)
        for seat in deciders:
            works[seat] = self.builder.finished(position, works[seat])
        return build.reveal(position._replace(works=tuple(works)))

    def after(self, company: Company, gain: Gain, crowds: int, builds: int) -> float:
        """Return what a company is worth after a gain, wild units and cards by guess."""
        extra = 0.0
        for key, amount in gain:
            if key == CARD:
                extra += DRAWN * amount
            elif key in RARITY:
                for _ in range(amount):
                    colour = self.values.wanted(company, key)
                    company = gains.credit(self.values.parts, company, colour, 1)
            else:
                company = gains.credit(self.values.parts, company, key, amount)
        return extra + self.values.worth(company, crowds, builds)

    def _draw(self, position: Position, seat: int) -> int:
        company, row = position.companies[seat], position.market.row
        crowds = crowds_left(position)
        found = [self.values.card(card, company, crowds) for card in row]
        deck = position.setting.components.levels.row_size
        if not found or max(found) < DECK:
            phase = flow.phase(position)
            return phase.default(position, seat) if phase else deck
        return found.index(max(found))

    def _colour(self, position: Position, seat: int) -> int:
        return self.values.wanted(position.companies[seat], position.agenda[0].key)

    def pick_values(self, position: Position, seat: int) -> list[float]:
        """Return what a company is worth after each of the picks that it can make."""
        company, crowds = position.companies[seat], crowds_left(position)
        found = []
        for pick in draft.picks(position, seat):
            gain = gains.coloured(draft.pick_gain(position, pick), pick.colours)
            own = draft.with_specialist(company, pick)
            found.append(self.after(own, gain, crowds, crowds))
        return found

    def _pick(self, position: Position, seat: int) -> int:
        """Choose an item first, its wild units coloured by guess, and then the colours."""
        company, crowds = position.companies[seat], crowds_left(position)
        options = draft.picks(position, seat)
        item, most = options[0], -math.inf
        for pick in {pick[:4]: pick for pick in options}.values():
            own = draft.with_specialist(company, pick)
            value = self.after(own, draft.pick_gain(position, pick), crowds, crowds)
            if value > most:
                item, most = pick, value
        gain = draft.pick_gain(position, item)
        alike = [n for n, pick in enumerate(options) if pick[:4] == item[:4]]
        if len(alike) == 1:
            return alike[0]
        return max(
            alike,
            key=lambda n: self.after(
                company, gains.coloured(gain, options[n].colours), crowds, crowds
            ),
        )

    def pr_values(self, position: Position, seat: int) -> list[float]:
        """Return what a company is worth after each of the bonuses that it can choose."""
        spaces = position.setting.components.tracks.pr_spaces
        company, crowds = position.companies[seat], crowds_left(position) - 1
        return [self.after(company, spaces[n], crowds, crowds) for n in range(position.limit)]

    def _pr(self, position: Position, seat: int) -> int:
        found = self.pr_values(position, seat)
        return found.index(max(found))

    def _discard(self, position: Position, seat: int) -> int:
        company, crowds = position.companies[seat], crowds_left(position)
        value = {card: self.values.card(card, company, crowds) for card in bits(company.hand)}
        choices = round_end.options(position, seat)
        lost = [sum([value[card] for card in cards]) for cards in choices]
        return lost.index(min(lost))

    def setup_values(self, position: Position, seat: int) -> list[float]:
        """Return what a company is worth after each choice of its starting cards."""
        company, crowds = position.companies[seat], crowds_left(position)
        phase = setup.SETUP_PHASE
        return [
            self.values.worth(setup.started(company, action), crowds, crowds)
            for action in phase.legal(position, seat)
        ]

    def _setup(self, position: Position, seat: int) -> int:
        found = self.setup_values(position, seat)
        return found.index(max(found))
