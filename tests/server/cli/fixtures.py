"""A tournament that shows everything: ties, late and illegal bots, a name that bites."""

from saurodrome.client.tournaments import (
    Fault,
    Match,
    Standing,
    Standings,
    Tournament,
    TournamentSettings,
    TournamentState,
)

EVIL = "<b>\"'&\u202e🦖"
"""A display name with markup, quotes, a direction mark and a wide picture."""
WIDE = "恐" * 64
"""The longest display name, in letters that take two cells."""
HOUSE = frozenset({"greedy", "random"})
START = 1_790_000_000


def tournament(
    state: str = "RUNNING", done: int = 18_204, total: int = 38_452, **facts: object
) -> Tournament:
    """Makes a tournament as the server tells it."""
    made = Tournament(
        settings=TournamentSettings(
            name="winter-course-2026",
            display_name="Winter course 2026",
            game="draftosaurus",
            variant="summer",
            players=4,
        ),
        state=TournamentState.Value(f"TOURNAMENT_STATE_{state}"),
        matches_total=total,
        matches_done=done,
        log_position=done,
        rate=0.6,
        **facts,  # type: ignore[arg-type]  # by the fields' names
    )
    made.started.seconds = START
    return made


def standing(rank: int, bot: str, **facts: object) -> Standing:
    """Makes a row of the table, with a rating and its bar unless told otherwise."""
    usual: dict[str, object] = {
        "display_name": bot,
        "rating": 1500.0,
        "rating_error": 7.0,
        "rank_low": rank,
        "rank_high": rank,
        "matches": 6556,
        "won": 2688,
        "shared": 131,
        "lost": 3737,
        "score": 0.41,
        "mean_points": 32.4,
        "elo_live": 1498.0,
    }
    return Standing(rank=rank, bot=bot, **(usual | facts))  # type: ignore[arg-type]


def standings(now: Tournament | None = None) -> Standings:
    """Makes a table of six bots."""
    return Standings(
        tournament=now or tournament("FINISHED", 38_452),
        standings=[
            standing(1, "brontosearch", rating=1712.0),
            standing(2, "mctsaur", rating=1684.0, rank_low=2, rank_high=3, display_name=EVIL),
            standing(3, "dino-net", rating=1679.0, rank_low=2, rank_high=3, timeouts=4),
            standing(4, "greedy", rating=1540.0, display_name=WIDE),
            standing(5, "x" * 32, rating=1120.0, timeouts=41, illegal=7, forfeits=20),
            standing(6, "random", rating=1000.0, rating_error=None),
        ],
        seat_wins=[0.221, 0.247, 0.243, 0.289],
        rating_method="Bradley-Terry over all rated matches, 95 % intervals robust to blocks",
        rating_reference="the pool's mean is set to 1500, ± about the mean",
    )


def fault(kind: str = "TIMED_OUT", bot: str = "rexy", **facts: object) -> Fault:
    """Makes a fault."""
    usual: dict[str, object] = {
        "match_id": "winter-course-2026/1/17/3",
        "attempt": 1,
        "turn": 9,
        "charged_to": "bot",
        "counted_as": "default move, strike 2 of 5",
    }
    made = Fault(kind=kind, bot=bot, **(usual | facts))  # type: ignore[arg-type]
    made.when.seconds = START
    made.limit.FromMilliseconds(500)
    made.took.FromMilliseconds(612)
    return made


def match(position: int, placements: dict[str, int], **facts: object) -> Match:
    """Makes a result: placement by bot, in the order of the seats."""
    usual: dict[str, object] = {
        "match_id": f"winter-course-2026/1/1/{position}",
        "attempt": 1,
        "termination": "finished",
        "has_record": True,
    }
    made = Match(log_position=position, **(usual | facts))  # type: ignore[arg-type]
    for bot, placement in placements.items():
        made.seats.add(bot=bot, placement=placement, points=30 - placement, rated=True)
    made.ended.seconds = START + position
    return made
