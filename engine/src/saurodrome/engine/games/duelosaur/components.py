"""What a set of components consists of, once it is read and found consistent."""

from typing import Final, NamedTuple

Gain = tuple[tuple[int, int], ...]
"""What is gained or paid, as (key, amount) in the order in which it takes effect."""

NO_CAP: Final = 1 << 30
"""Stands for the end of a track that has none."""


class Dinosaur(NamedTuple):
    """The half of a card that is created.

    Attributes:
        name: Name of the species.
        type: Index in `words.DINOSAUR_TYPES`.
        cost: DNA units by colour.
        excitement: Added to the owner's track for good.
        threat: Likewise.
        visitors: Points at the end.
    """

    name: str
    type: int
    cost: tuple[int, ...]
    excitement: int
    threat: int
    visitors: int


class Attraction(NamedTuple):
    """The half of a card that is built.

    Attributes:
        name: Name of the attraction.
        type: Index in `words.ATTRACTION_TYPES`.
        icons: How many icons of its type it has, 1 or 2.
        cost: Coins.
        visitors: Points at the end.
    """

    name: str
    type: int
    icons: int
    cost: int
    visitors: int


class Card(NamedTuple):
    """A park card or a starter.

    Attributes:
        id: Its id in the files.
        dinosaur: One half.
        attraction: The other half.
        company: Index of the company that starts with it, -1 for park cards.
    """

    id: str
    dinosaur: Dinosaur
    attraction: Attraction
    company: int


class Face(NamedTuple):
    """One side of one die.

    Attributes:
        die: Index of the die.
        gain: What it gives.
        threat: Its icons, which count while it stays undrafted.
    """

    die: int
    gain: Gain
    threat: int


class Effect(NamedTuple):
    """What a plot twist does to the die above it.

    Attributes:
        mult: Factor of the die's own DNA.
        gain: Gained besides, never multiplied.
    """

    mult: int
    gain: Gain


class Token(NamedTuple):
    """A plot twist.

    Attributes:
        id: Its id in the files.
        category: One of `words.TOKEN_CATEGORIES`.
        effects: One effect, or the two between which the drafter chooses.
    """

    id: str
    category: str
    effects: tuple[Effect, ...]


class Ability(NamedTuple):
    """What a specialist does; `op` says which of the other fields count.

    Attributes:
        op: Index in `words.OPS`.
        gain: What is gained.
        pay: What it costs.
        n: The amount: dice, cards, coins, uses a round, visitors, ...
        minimum: The price below which a discount does not go.
        what: Index in `words.DISCOUNTED` or `words.PER`.
    """

    op: int
    gain: Gain = ()
    pay: Gain = ()
    n: int = 0
    minimum: int = 0
    what: int = 0


class Specialist(NamedTuple):
    """A specialist.

    Attributes:
        id: Its id in the files.
        name: Its profession.
        threat: Its icons, which count while it stays undrafted.
        phase: When its ability works; a label.
        ability: What it does for the owner.
        discard: Gained when it is drafted and thrown away at once.
        solo: Whether it is part of solo matches.
    """

    id: str
    name: str
    threat: int
    phase: str
    ability: Ability
    discard: Gain
    solo: bool


class Levels(NamedTuple):
    """The scalars of the rulebook, named as in levels.json; amounts are coins or cards."""

    visitor_start: int
    visitor_floor: int
    visitor_thresholds: tuple[int, ...]
    base_income: int
    cards_per_income: int
    coins_per_food_icon: int
    cards_per_merch_icon: int
    hand_limit: int
    row_size: int
    row_reset_cost: int
    specialist_limit: int
    picks_per_player: int
    lawsuit_penalty: int
    loss_factor: int
    set_value: int
    sell_basic: int
    sell_advanced: int
    sell_coins: int
    mix_basic: int
    mix_advanced: int
    mix_discard: int
    dna_max: int


class Tracks(NamedTuple):
    """The printed tracks.

    Attributes:
        pr_spaces: The gain of each space of the PR track, left to right.
        pr_start: Where the marker begins.
        excitement_start: Where excitement begins.
        excitement_max: Its end, or NO_CAP.
        income_spaces: Excitement values that pay at every income, ascending.
        coins_per_income_space: What each of them pays.
        security_start: Where security begins.
        security_max: Its end, or NO_CAP.
        security_prices: Coins for the step to each level, by level.
        security_price_past: Coins for the step to any other level.
    """

    pr_spaces: tuple[Gain, ...]
    pr_start: int
    excitement_start: int
    excitement_max: int
    income_spaces: tuple[int, ...]
    coins_per_income_space: int
    security_start: int
    security_max: int
    security_prices: dict[int, int]
    security_price_past: int


class Order(NamedTuple):
    """One step of an AI's plan.

    Attributes:
        attraction: Whether it plays the attraction half, else the dinosaur.
        by: What makes a card the best, most important first; words of `words.AI_BY`.
    """

    attraction: bool
    by: tuple[str, ...]


class AiCard(NamedTuple):
    """An opponent for solo matches; the fields are those of ai_cards.json.

    Attributes:
        id: Its id in the files.
        name: Its name.
        length: Index in `words.LENGTHS`.
        difficulty: A label.
        hand: Cards it starts with.
        twists_required: Beginnings of token categories that must be in play.
        draw: Cards a round.
        draw_priority: Where its cards come from, words of `words.AI_DRAWS`.
        coins: Base of its income.
        coins_food: Whether food icons pay it.
        coins_excitement: Whether income spaces pay it.
        draft_first: Whether it picks before the human.
        draft_priority: What it likes, words of `words.AI_WORDS`.
        build: Its plans, one a round, in turn.
        loss_what: What it loses to the undrafted item, a word of `words.AI_LOSSES`.
        loss_per_threat: How much of it an icon costs.
        pr_first: Whether it chooses its PR bonus before the human.
        pr_priority: What it likes there, words of `words.AI_PR_WORDS`.
        categories: What scores besides its visitors, words of `words.AI_CATEGORIES`.
        extra: Further points, as (word of `words.AI_EXTRAS`, every, visitors).
    """

    id: str
    name: str
    length: int
    difficulty: int
    hand: int
    twists_required: tuple[str, ...]
    draw: int
    draw_priority: tuple[str, ...]
    coins: int
    coins_food: bool
    coins_excitement: bool
    draft_first: bool
    draft_priority: tuple[str, ...]
    build: tuple[tuple[Order, ...], ...]
    loss_what: str
    loss_per_threat: int
    pr_first: bool
    pr_priority: tuple[str, ...]
    categories: tuple[str, ...]
    extra: tuple[tuple[str, int, int], ...]


class Components(NamedTuple):
    """A whole set; indexes are numbers of cards, faces, tokens and specialists everywhere.

    Attributes:
        ruleset: Id of the set.
        content_hash: SHA-256 of what the files say, in hexadecimal digits.
        cards: Park cards and starters, by id.
        companies: Names of the companies, by seat.
        faces: All faces of all dice.
        dice: The faces of each die, as indexes.
        dice_rolled: How many dice are rolled each round.
        tokens: The plot twists, by id.
        tokens_in_play: How many of them a match uses.
        specialists: The specialists, by id.
        levels: The scalars.
        tracks: The printed tracks.
        ai_cards: The opponents for solo matches, by id.
    """

    ruleset: str
    content_hash: str
    cards: tuple[Card, ...]
    companies: tuple[str, ...]
    faces: tuple[Face, ...]
    dice: tuple[tuple[int, ...], ...]
    dice_rolled: int
    tokens: tuple[Token, ...]
    tokens_in_play: int
    specialists: tuple[Specialist, ...]
    levels: Levels
    tracks: Tracks
    ai_cards: tuple[AiCard, ...]
