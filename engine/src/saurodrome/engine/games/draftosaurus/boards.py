"""The boards of Draftosaurus as data.

Sources: the published rulebooks and the printed boards. The River is the last entry of every
board; it is not a pen, so no zone, side, die face or T-Rex bonus concerns it.
"""

from typing import Final

from saurodrome.engine.games.draftosaurus.board import (
    FOOD_COURT,
    FREE,
    GRASSLANDS,
    NO_LIMIT,
    RESTROOMS,
    SCORE_ALONE,
    SCORE_COUPLES,
    SCORE_MOST,
    SCORE_PAIRS,
    SCORE_SLOTS,
    SCORE_TABLE,
    SCORE_WATCH,
    WOODLANDS,
    Board,
    Pen,
    Score,
    make_board,
)
from saurodrome.engine.games.draftosaurus.pens import (
    RULE_ALTERNATE,
    RULE_ANY,
    RULE_DIFFERENT,
    RULE_PYRAMID,
    RULE_SAME,
)

RIVER: Final = Pen("river", "river", FREE, FREE, RULE_ANY, NO_LIMIT)

SUMMER: Final = make_board(
    0,
    "summer",
    (
        Pen("forest_of_sameness", "forest", WOODLANDS, FOOD_COURT, RULE_SAME, 6),
        Pen("woody_trio", "trio", WOODLANDS, FOOD_COURT, RULE_ANY, 3),
        Pen("king_of_the_jungle", "king", WOODLANDS, RESTROOMS, RULE_ANY, 1),
        Pen("prairie_of_love", "prairie", GRASSLANDS, FOOD_COURT, RULE_ANY, 6),
        Pen("meadow_of_differences", "meadow", GRASSLANDS, RESTROOMS, RULE_DIFFERENT, 6),
        Pen("solitary_island", "island", GRASSLANDS, RESTROOMS, RULE_ANY, 1),
        RIVER,
    ),
    (
        Score("forest_of_sameness", SCORE_TABLE, 0, (0, 2, 4, 8, 12, 18, 24)),
        Score("woody_trio", SCORE_TABLE, 1, (0, 0, 0, 7)),
        Score("king_of_the_jungle", SCORE_MOST, 2, (7,)),
        Score("prairie_of_love", SCORE_COUPLES, 3, (5,)),
        Score("meadow_of_differences", SCORE_TABLE, 4, (0, 1, 3, 6, 10, 15, 21)),
        Score("solitary_island", SCORE_ALONE, 5, (7,)),
        Score("river", SCORE_TABLE, 6, tuple(range(13))),
    ),
    fences=(2, 4),
)

WINTER: Final = make_board(
    1,
    "winter",
    (
        Pen("well_ordered_wood", "wood", WOODLANDS, FOOD_COURT, RULE_ALTERNATE, 6),
        Pen("lovers_bridge_left", "lbridge", WOODLANDS, FOOD_COURT, RULE_ANY, NO_LIMIT),
        Pen("lovers_bridge_right", "rbridge", GRASSLANDS, RESTROOMS, RULE_ANY, NO_LIMIT),
        Pen("pyramid", "pyramid", GRASSLANDS, RESTROOMS, RULE_PYRAMID, 6, slots=6),
        Pen("lookout", "lookout", WOODLANDS, RESTROOMS, RULE_ANY, 1),
        Pen("quarantine_zone", "quarantine", GRASSLANDS, FOOD_COURT, RULE_ANY, 1),
        RIVER,
    ),
    (
        Score("well_ordered_wood", SCORE_TABLE, 0, (0, 2, 4, 8, 12, 18, 24)),
        Score("lovers_bridge", SCORE_PAIRS, 1, (6,), partner=2),
        Score("pyramid", SCORE_SLOTS, 3, (2, 2, 2, 4, 4, 7)),
        Score("lookout", SCORE_WATCH, 4, (2,)),
        Score("quarantine_zone", SCORE_TABLE, 5, (0, 0)),
        Score("river", SCORE_TABLE, 6, tuple(range(13))),
    ),
    fences=(3, 4),
    quarantine=5,
)

BOARDS: Final[tuple[Board, ...]] = (SUMMER, WINTER)
