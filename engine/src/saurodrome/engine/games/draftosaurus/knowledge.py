"""What each player and a spectator know, in normal form, and states that look alike to them.

Who has held a hand knows it for the rest of the round: it is passed on, and all that leaves it
is shown. Seat p holds in turn m of a round the hand that seat p - m began with, so it has seen
those of the seats p, p - 1, ..., p - m. The rest is unseen: drawn together from one bag, so any
split of the unseen dinosaurs over the unseen hands and the bag is possible, in proportion to
the number of ways to deal it.
"""

from typing import Final, NamedTuple, TypeVar

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.draftosaurus.board import Board
from saurodrome.engine.games.draftosaurus.boards import BOARDS
from saurodrome.engine.games.draftosaurus.kernel import draw_hand, pool_of, turns_a_round
from saurodrome.engine.games.draftosaurus.pens import hand_size, total
from saurodrome.engine.games.draftosaurus.position import PHASES, Position

P = TypeVar("P", bound=Position)

UNKNOWN: Final = -1
"""Stands for a hand that the observer does not know."""


class Public(NamedTuple):
    """What everybody at and around the table knows.

    Attributes:
        variant: Index of the board in `boards.BOARDS`.
        start: The seat that rolls in the first turn.
        turn: Turns finished, over the whole game: 0 to 12.
        stage: Index of the phase in `position.PHASES`.
        die: The face that lies on the table, FREE when none does.
        bag_size: Dinosaurs left in the bag.
        hand_sizes: Dinosaurs in each hand.
        zoos: Packed contents of each pen of each seat's board, in placement order.
        discards: What each seat put back in the box, a packed count.
        reveal: The actions revealed last, by seat, NO_ACTION where there was none to choose; ()
            before the first.
    """

    variant: int
    start: int
    turn: int
    stage: int
    die: int
    bag_size: int
    hand_sizes: tuple[int, ...]
    zoos: tuple[tuple[int, ...], ...]
    discards: tuple[int, ...]
    reveal: tuple[int, ...]

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return BOARDS[self.variant]

    @property
    def phase(self) -> str:
        """The kind of the running phase."""
        return PHASES[self.stage]

    @property
    def roller(self) -> int:
        """The seat that rolled in this turn, so the die does not bind it."""
        return (self.start + self.turn) % len(self.zoos)


class Private(NamedTuple):
    """What one observer knows of the dinosaurs that do not lie open.

    Attributes:
        hands: Each seat's hand as a packed count, UNKNOWN where the observer cannot tell.
        unseen: The dinosaurs in the bag and in the hands that it cannot tell, together.
    """

    hands: tuple[int, ...]
    unseen: int


class Observation(NamedTuple):
    """All that one observer may know of a position.

    Attributes:
        player: The observer; None is the spectator.
        public: What everybody knows.
        private: What this observer knows of hands and bag.
    """

    player: int | None
    public: Public
    private: Private


def observe(position: Position, player: int | None) -> Observation:
    """Return what a player, or the spectator (None), may know."""
    return _new(Observation, (player, _public(position), _private(position, player)))


_new: Final = tuple.__new__  # a NamedTuple's own takes twice as long


def reveal_all(position: Position) -> Observation:
    """Return the view with all hands open: for replays of finished matches only."""
    return Observation(None, _public(position), Private(position.hands, position.bag))


def resample(position: P, player: int | None, chance: Chance) -> P:
    """Return a random position that this observer cannot tell from this one."""
    known = _private(position, player)
    pool = pool_of(known.unseen)
    hands = tuple(
        draw_hand(pool, hand_size(position.hands[seat]), chance, "resample")
        if hand == UNKNOWN
        else hand
        for seat, hand in enumerate(known.hands)
    )
    bag = position.bag + sum(position.hands) - sum(hands)
    return position._replace(hands=hands, bag=bag)


_latest: tuple[Position, Public] | None = None
"""The position that was looked at last: its seats are asked one after the other."""


def _public(position: Position) -> Public:
    global _latest
    latest = _latest
    if latest is not None and latest[0] is position:
        return latest[1]
    variant, start, turn, stage, die, bag, hands, plots, discards, reveal = position
    sizes = tuple([hand_size(hand) for hand in hands])
    zoos = tuple([plot[3] for plot in plots])
    values = variant, start, turn, stage, die, total(bag), sizes, zoos, discards, reveal
    public = _new(Public, values)
    _latest = (position, public)
    return public


def _private(position: Position, player: int | None) -> Private:
    """Return what an observer has seen, and what follows from it."""
    _, _, turn, _, _, bag, hands, _, _, _ = position
    passed = _UNSEEN[len(hands)]
    unseen = passed[turn % len(passed)][-1 if player is None else player]
    known = list(hands)
    together = bag
    for seat in unseen:
        if hands[seat]:  # an empty hand is known to everybody
            together += hands[seat]
            known[seat] = UNKNOWN
    if together == bag or _is_certain(together, bag, known):
        return _new(Private, (hands, bag))
    return _new(Private, (tuple(known), together))


def _unseen(players: int, passes: int) -> tuple[tuple[int, ...], ...]:
    """Return for each player, and last for a spectator, whose hands it never held since the deal.

    Args:
        players: The number of seats.
        passes: How often the hands were passed on.
    """
    seats = range(players)
    own = [
        tuple([one for one in seats if (player - one + passes) % players > passes])
        for player in seats
    ]
    return (*own, tuple(seats))


_UNSEEN: Final = tuple(
    [
        tuple([_unseen(players, passes) for passes in range(turns_a_round(players))])
        for players in range(6)
    ]
)
"""By number of players and of passes: see `_unseen`."""


def _is_certain(unseen: int, bag: int, hands: list[int]) -> bool:
    """Return whether only one split of the unseen dinosaurs is possible.

    That is so if they are all of one species, or all in one single hand.
    """
    if bag == 0 and hands.count(UNKNOWN) == 1:
        return True
    lowest = (unseen & -unseen).bit_length() - 1
    return unseen >> (lowest & ~3) < 16
