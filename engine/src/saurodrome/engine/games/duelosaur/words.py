"""The words of the component files, and the numbers that the rules use for them."""

from collections.abc import Iterable
from typing import Final

COLOURS: Final = ("cyan", "purple", "blue", "green", "pink", "yellow")
"""The DNA tracks: three basic colours, then three advanced ones."""

LETTERS: Final = "cpbgky"
"""One letter a colour, in texts."""

BASIC_COLOURS: Final = (0, 1, 2)
ADVANCED_COLOURS: Final = (3, 4, 5)

KEYS: Final = (*COLOURS, "basic", "advanced", "coins", "visitors", "security", "card")
"""What a gain can consist of; a colour's number is its key."""

BASIC: Final = 6
ADVANCED: Final = 7
COINS: Final = 8
VISITORS: Final = 9
SECURITY: Final = 10
CARD: Final = 11

RARITY: Final = {BASIC: BASIC_COLOURS, ADVANCED: ADVANCED_COLOURS}
"""The colours that a wild unit can become."""

DINOSAUR_TYPES: Final = ("herbivore", "small_carnivore", "large_carnivore")
HERBIVORE: Final = 0
CARNIVORES: Final = (1, 2)

ATTRACTION_TYPES: Final = ("food", "merch", "ride")
FOOD: Final = 0
MERCH: Final = 1
RIDE: Final = 2

LENGTHS: Final = ("short", "medium", "long")

TOKEN_CATEGORIES: Final = ("multiplier", "multiplier_bonus", "bonus", "dna", "choice")

SPECIALIST_PHASES: Final = (
    "income",
    "draft",
    "build",
    "visitors",
    "round_end",
    "endgame",
)

PER: Final = ("food_icon", "merch_icon", "ride_icon", "herbivore", "carnivore")
"""What `end_visitors` counts; the first three in the order of the attraction types."""

PER_HERBIVORE: Final = 3

DISCOUNTED: Final = ("attraction", "security")
ON_ATTRACTION: Final = 0
ON_SECURITY: Final = 1

OPS: Final = (
    "income",
    "prep_specialist_pool",
    "prep_reroll",
    "action",
    "free_mix",
    "on_mix",
    "sell_rate",
    "discount",
    "threat_mod",
    "ignore_undrafted",
    "loss_factor",
    "visitors",
    "pr_first",
    "hand_limit",
    "end_visitors",
)
(
    INCOME,
    PREP_SPECIALIST_POOL,
    PREP_REROLL,
    ACTION,
    FREE_MIX,
    ON_MIX,
    SELL_RATE,
    DISCOUNT,
    THREAT_MOD,
    IGNORE_UNDRAFTED,
    LOSS_FACTOR,
    MORE_VISITORS,
    PR_FIRST,
    HAND_LIMIT,
    END_VISITORS,
) = range(len(OPS))

OFF_IN_SOLO: Final = (PREP_SPECIALIST_POOL, PREP_REROLL, PR_FIRST)
"""Abilities on the steps that solo automates; their cards stay out of it."""

AI_DRAWS: Final = ("type_not_in_hand", "most_excitement", "deck", *DINOSAUR_TYPES)
AI_WORDS: Final = (
    "advanced_dna",
    "total_dna",
    "coins",
    "visitors",
    "cards",
    "threat",
    "threat_low",
)
AI_PR_WORDS: Final = AI_WORDS[:5]
AI_PLAYS: Final = ("dino", "attr")
AI_BY: Final = (
    "visitors",
    "excitement",
    "completes_set",
    *DINOSAUR_TYPES,
    *ATTRACTION_TYPES,
)
AI_LOSSES: Final = ("visitors", "coins", "dna")
AI_CATEGORIES: Final = ("dinos", "attractions", "sets")
AI_EXTRAS: Final = ("coins", "dna_value")


def letters(colours: Iterable[int]) -> str:
    """Return the letters of some colours, one a unit."""
    return "".join(LETTERS[colour] for colour in colours)
