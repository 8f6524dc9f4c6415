"""What an observation of Duelosaur Island leaves possible, as positions to play on from.

Cards that the player cannot see are dealt anew each time. What others have chosen in secret is
left to the player of the play-outs, who begins their sealed phase anew.
"""

from typing import Final

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur import build, resample, round_end
from saurodrome.engine.games.duelosaur.knowledge import Observation, Premises
from saurodrome.engine.games.duelosaur.position import (
    BUILD,
    DISCARD,
    INCOME_TURN,
    NEXT_PICK,
    NOTHING,
    PR_TURN,
    SETUP,
    STAGES,
    TWIST,
    Company,
    Draft,
    Market,
    Position,
    Staff,
    bits,
    mask,
)

_ASKS: Final = ("draw", "colour")
"""Phases of gains: they interrupt a stage in which nobody decides."""


class Worlds:
    """All positions that a player cannot tell apart."""

    def __init__(self, observation: Observation) -> None:
        """Read an observation of a player.

        Raises:
            ValueError: It is a spectator's.
        """
        if observation.player is None:
            raise ValueError("a spectator has nothing to decide")
        self.player: int = observation.player
        self.position = rebuilt(observation)

    def draw(self, chance: Chance) -> Position:
        """Return one of them, cards as likely as their places allow."""
        return resample.unseen(self.position, self.player, chance)


def rebuilt(observation: Observation) -> Position:
    """Return a position that fits an observation; of an observation's sheets nothing is read.

    The card that a company has taken, but not shown, may be any of those that it can be. In
    Build, what the observer did behind its screen is kept, others begin anew. Where the last
    bonus of the PR track is space 0 and asks a question, the position is taken for the end of
    the draft, which looks the same.
    """
    public, known = observation.public, observation.private
    hands, layers = _dealt(observation)
    companies = tuple(
        _company(premises, hand, shown)
        for premises, hand, shown in zip(public.companies, hands, public.hands, strict=True)
    )
    position = Position(
        setting=public.setting,
        first=public.first,
        round=public.round,
        stage=_stage(observation),
        queue=public.queue,
        final=public.final,
        agenda=public.agenda,
        companies=companies,
        rivals=public.rivals,
        market=Market(public.row, layers, public.discards),
        staff=Staff(0, public.staff_discards, 0),
        draft=Draft((), public.rolled, public.rerolls, public.slots, public.offer, public.picks),
        tokens=public.tokens,
        offered=public.offered,
        marker=public.marker,
        limit=public.limit,
        plan=public.plan,
        choices=(),
        works=(),
        reserves=(),
        scripts=public.scripts,
    )
    pool = known.specialists or tuple(bits(public.staff_left)[: public.pool])
    staff = position.staff._replace(deck=public.staff_left & ~mask(pool))
    position = position._replace(draft=position.draft._replace(pool=pool), staff=staff)
    return _behind_screens(position, observation)


def _dealt(observation: Observation) -> tuple[list[int], tuple[int, ...]]:
    """Return the hands by seat, and the layers of the deck with what of them is in hands."""
    hands, layers = list(observation.private.hands), []
    for pool in observation.private.pools:
        left = bits(pool.cards)
        for seat, count in enumerate(pool.hands):
            hands[seat] |= mask(left[:count])
            left = left[count:]
        layers.append(pool.cards)
    return hands, tuple(layers)


def _company(premises: Premises, hand: int, shown: int) -> Company:
    return Company(*premises[:7], hand & shown, hand & ~shown, *premises[8:])


def _stage(observation: Observation) -> int:
    """Return the stage; while a gain asks, the one that goes on afterwards."""
    public = observation.public
    if public.phase not in _ASKS:
        return STAGES.index(public.phase)
    if not public.slots:
        return INCOME_TURN
    return PR_TURN if public.limit or public.queue else NEXT_PICK


def _behind_screens(position: Position, observation: Observation) -> Position:
    """Return the position with what is done in secret: the observer's, and nothing else."""
    seats, known = range(len(position.companies)), observation.private
    if position.stage in (TWIST, SETUP):
        choices = tuple(known.choice if seat == observation.player else NOTHING for seat in seats)
        return position._replace(choices=choices)
    if position.stage == DISCARD:
        asked = tuple(
            NOTHING if round_end.excess(position, seat) else round_end.NOT_ASKED for seat in seats
        )
        return position._replace(choices=asked)
    if position.stage != BUILD:
        return position
    works = [build.opened(company) for company in position.companies]
    if known.work is not None and observation.player is not None:
        works[observation.player] = known.work
    return position._replace(works=tuple(works))
