"""What each player and a spectator know, in normal form.

Of the park cards that do not lie open, all know which layer of the deck each belongs to (see
`position.Market`), how many of the layer are still in the deck and how many each player drew
without showing them. A player knows its own besides. Where that leaves one place only for a
layer's cards, the observer knows them: after a reshuffle, for example, each player knows what
the other holds since before, and a spectator knows what both hold together.
"""

from typing import NamedTuple

from saurodrome.engine.games.duelosaur import flow, market
from saurodrome.engine.games.duelosaur.position import (
    NOTHING,
    Due,
    Position,
    Rival,
    Step,
    Work,
    mask,
)
from saurodrome.engine.games.duelosaur.scoring import Sheet, sheets
from saurodrome.engine.games.duelosaur.setting import Setting


class Pool(NamedTuple):
    """Park cards of one layer whose places an observer cannot tell.

    Attributes:
        cards: The cards, a bit mask.
        deck: How many of them are in the deck; layers are drawn from in order.
        hands: How many of them each seat holds.
    """

    cards: int
    deck: int
    hands: tuple[int, ...]


class Premises(NamedTuple):
    """What everybody knows of a company; attributes as in `position.Company`.

    Attributes:
        hand: Number of its hand cards.
    """

    coins: int
    dna: tuple[int, ...]
    threat: int
    security: int
    excitement: int
    visitors: int
    lawsuits: int
    hand: int
    dinosaurs: int
    attractions: int
    specialists: tuple[int, ...]


class Public(NamedTuple):
    """What everybody at and around the table knows; most attributes as in `position.Position`.

    Attributes:
        phase: The kind of the decision that is due, "over" at the end.
        active: The seat that must act in the open, NOTHING in sealed phases and at the end.
        hands: The cards that everybody knows to be in each seat's hand.
        pools: Where the other park cards can be.
        row: The park cards that lie open.
        discards: The discard pile of the park cards.
        staff_left: The specialists that nobody has seen yet, the pool of the first player's
            choice included.
        staff_discards: The specialists thrown away.
        pool: How many specialists the first player chooses from now.
    """

    setting: Setting
    phase: str
    active: int
    round: int
    first: int
    final: bool
    agenda: tuple[Due, ...]
    companies: tuple[Premises, ...]
    rivals: tuple[Rival, ...]
    hands: tuple[int, ...]
    pools: tuple[Pool, ...]
    row: tuple[int, ...]
    discards: int
    staff_left: int
    staff_discards: int
    pool: int
    rolled: tuple[int, ...]
    slots: tuple[int, ...]
    offer: tuple[int, ...]
    picks: int
    queue: tuple[int, ...]
    rerolls: int
    tokens: tuple[int, ...]
    offered: tuple[int, ...]
    marker: int
    limit: int
    plan: int
    scripts: tuple[tuple[Step, ...], ...]
    sheets: tuple[Sheet, ...]


class Private(NamedTuple):
    """What one observer knows of what does not lie open.

    Attributes:
        hands: The cards that it knows to be in each seat's hand; all of its own.
        pools: Where the other park cards can be, as far as it knows.
        specialists: Those from which it chooses now, in the order drawn.
        choice: What it chose in secret in this phase, NOTHING if nothing.
        work: Its work behind the screen in Build.
    """

    hands: tuple[int, ...]
    pools: tuple[Pool, ...]
    specialists: tuple[int, ...]
    choice: int
    work: Work | None


class Observation(NamedTuple):
    """All that one observer may know of a position.

    Attributes:
        player: The observer; None is the spectator.
        public: What everybody knows.
        private: What this observer knows besides.
    """

    player: int | None
    public: Public
    private: Private


def observe(position: Position, player: int | None) -> Observation:
    """Return what a player, or the spectator (None), may know."""
    return Observation(player, _public(position), _private(position, player))


def reveal_all(position: Position) -> Observation:
    """Return the view with all hands and screens open: for replays of finished matches only."""
    if position.works:
        shown = position
        for work in position.works:
            shown = market.discard(shown, work.thrown)
            shown = market.show(shown, work.company.dinosaurs | work.company.attractions)
        position = shown._replace(
            companies=tuple(work.company for work in position.works),
            scripts=tuple(work.script for work in position.works),
        )
    hidden, nobody = position.hidden, (0,) * len(position.companies)
    decks = [layer & ~hidden for layer in position.market.layers]
    rest = tuple(Pool(deck, deck.bit_count(), nobody) for deck in decks if deck)
    hands = tuple(company.hand for company in position.companies)
    private = Private(hands, rest, position.draft.pool, NOTHING, None)
    return Observation(None, _public(position), private)


def own_draws(position: Position, player: int) -> int:
    """Return the cards that a player drew blind in this Build."""
    if not position.reserves:
        return 0
    return mask(position.reserves[player][: position.works[player].drawn])


def pools(position: Position, player: int | None) -> tuple[tuple[int, ...], tuple[Pool, ...]]:
    """Return which cards an observer knows to be in each hand, and where the rest can be."""
    hands = [company.seen for company in position.companies]
    own = 0
    if player is not None:
        company = position.companies[player]
        own = company.hidden | own_draws(position, player)
        hands[player] = position.works[player].company.hand if position.works else company.hand
    hidden, left = position.hidden | own, []
    for layer in position.market.layers:
        deck = (layer & ~hidden).bit_count()
        counts = tuple(
            0 if seat == player else (layer & company.hidden & ~own).bit_count()
            for seat, company in enumerate(position.companies)
        )
        holders = [seat for seat, count in enumerate(counts) if count]
        if deck == 0 and len(holders) == 1:
            hands[holders[0]] |= layer & ~own
        elif layer & ~own:
            left.append(Pool(layer & ~own, deck, counts))
    return tuple(hands), tuple(left)


def _public(position: Position) -> Public:
    phase, draft, staff = flow.phase(position), position.draft, position.staff
    known, rest = pools(position, None)
    deciders = flow.deciders(position)
    return Public(
        setting=position.setting,
        phase=phase.name if phase else "over",
        active=deciders[0] if phase and not phase.sealed else NOTHING,
        round=position.round,
        first=position.first,
        final=position.final,
        agenda=position.agenda,
        companies=tuple(
            Premises(*company[:7], company.hand.bit_count(), *company[9:])
            for company in position.companies
        ),
        rivals=position.rivals,
        hands=known,
        pools=rest,
        row=position.market.row,
        discards=position.market.discards,
        staff_left=staff.deck | mask(draft.pool),
        staff_discards=staff.discards,
        pool=len(draft.pool),
        rolled=draft.rolled,
        slots=draft.slots,
        offer=draft.offer,
        picks=draft.picks,
        queue=position.queue,
        rerolls=draft.rerolls,
        tokens=position.tokens,
        offered=position.offered,
        marker=position.marker,
        limit=position.limit,
        plan=position.plan,
        scripts=position.scripts,
        sheets=sheets(position),
    )


def _private(position: Position, player: int | None) -> Private:
    known, rest = pools(position, player)
    if player is None:
        return Private(known, rest, (), NOTHING, None)
    looks = position.draft.pool if position.queue[:1] == (player,) else ()
    choice = max(NOTHING, position.choices[player]) if position.choices else NOTHING
    work = position.works[player] if position.works else None
    return Private(known, rest, looks, choice, work)
