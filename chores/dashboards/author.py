"""One bot, for its author: how strong, how sure, and what goes wrong."""

from chores.dashboards.panels import BLUE, GREEN, GREY, RED, YELLOW, Panel, Query
from chores.dashboards.promql import BOT, STEP, metric, ratio

EMPTY = "not among the first 50 of the newest tournament"


def own(name: str) -> str:
    """Give a number of the chosen bots."""
    return f"max by (bot) ({metric(f'bot_{name}', BOT)})"


def pace(name: str) -> str:
    """Give how often a second a counter of the chosen bots counts."""
    return f"sum by (bot) (rate({metric(f'bot_{name}_total', BOT)}[{STEP}]))"


THINKS = ratio(pace("thinking_seconds"), pace("decisions"))

WELL = (
    Panel(
        "Connected",
        "Whether the bot's stream is open. NO: is it running? Its own output says why it was"
        " refused.",
        "short",
        (Query(own("connected"), "{{bot}}"),),
        EMPTY,
        "stat",
        4,
        4,
        words={"0": ("NO", RED), "1": ("yes", GREEN)},
    ),
    Panel(
        "Rank",
        "In the table of the newest tournament. Neighbours may well be equal: see the interval.",
        "none",
        (Query(own("rank"), "{{bot}}"),),
        EMPTY,
        "stat",
        4,
        4,
        ((None, BLUE),),
    ),
    Panel(
        "Elo",
        "Published rating, from all rated matches of the tournament.",
        "none",
        (Query(own("rating_elo"), "{{bot}}"),),
        EMPTY,
        "stat",
        4,
        4,
        ((None, BLUE),),
        decimals=0,
    ),
    Panel(
        "± 95 %",
        "Half of the rating's interval. It shrinks with the square root of the matches.",
        "none",
        (Query(own("rating_error_elo"), "{{bot}}"),),
        "too few matches",
        "stat",
        4,
        4,
        ((None, GREY),),
        decimals=0,
    ),
    Panel(
        "Thinks",
        "Mean time charged for a decision now.",
        "s",
        (Query(THINKS, "{{bot}}"),),
        "it does not play now",
        "stat",
        4,
        4,
        ((None, BLUE),),
    ),
    Panel(
        "Matches",
        "With a result, in the newest tournament.",
        "locale",
        (Query(own("matches"), "{{bot}}"),),
        EMPTY,
        "stat",
        4,
        4,
        ((None, BLUE),),
    ),
)

WHY = (
    Panel(
        "Late decisions",
        "For these the default action was played. More than a few: think less, or more in advance.",
        "short",
        (Query(own("timeouts"), "{{bot}}"),),
        EMPTY,
        steps=((None, GREEN), (1, YELLOW)),
    ),
    Panel(
        "Illegal decisions",
        "Every reply was illegal. saurodrome bot try stops at the first one and shows the"
        " position.",
        "short",
        (Query(own("illegal"), "{{bot}}"),),
        EMPTY,
        steps=((None, GREEN), (1, YELLOW)),
    ),
    Panel(
        "Forfeited matches",
        "By too many strikes, or because the bot was not there.",
        "short",
        (Query(own("forfeits"), "{{bot}}"),),
        EMPTY,
        steps=((None, GREEN), (1, RED)),
    ),
)

PLAYS = (
    Panel(
        "Rating with its interval",
        "The middle line is the rating; the truth is between the others, 19 times out of 20.",
        "none",
        (
            Query(f"{own('rating_elo')} + {own('rating_error_elo')}", "{{bot}} at most"),
            Query(own("rating_elo"), "{{bot}}"),
            Query(f"{own('rating_elo')} - {own('rating_error_elo')}", "{{bot}} at least"),
        ),
        EMPTY,
        width=12,
        height=8,
        decimals=0,
        from_zero=False,
    ),
    Panel(
        "How long it thinks",
        "Mean time charged for a decision. Time in which the arbiter itself stood still is not"
        " in it.",
        "s",
        (Query(THINKS, "{{bot}}"),),
        "it does not play now",
        width=12,
        height=8,
    ),
    Panel(
        "Share of opponents beaten",
        "0.5 is the average of the table; ties count half.",
        "percentunit",
        (Query(own("score_ratio"), "{{bot}}"),),
        EMPTY,
        top=1,
    ),
    Panel(
        "Points a match",
        "The game's own score, over the matches that were played to an end.",
        "short",
        (Query(own("points"), "{{bot}}"),),
        EMPTY,
    ),
    Panel(
        "Decisions a second",
        "How much it is asked. 0 while it plays no match.",
        "short",
        (Query(pace("decisions"), "{{bot}}"),),
        "not asked since the server's start",
    ),
)

ROWS = (("Is it well?", WELL), ("Why not?", WHY), ("How it plays", PLAYS))
