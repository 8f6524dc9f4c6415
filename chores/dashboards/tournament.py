"""How one tournament goes: for its organiser, and for whoever looks at a screen on the wall."""

from chores.dashboards.panels import BLUE, GREEN, GREY, RED, YELLOW, Panel, Query
from chores.dashboards.promql import count, mean, metric, now, quantile

ONE = 'tournament=~"$tournament"'
DONE = f'{ONE}, state="done"'
PACE = f"sum(deriv({metric('tournament_matches', DONE)}[5m]))"
NONE_YET = "no tournament of this name has begun"
NO_ROWS = "no result yet, or not the newest tournament"


def matches(state: str) -> str:
    """Give the matches of the chosen tournament in a state."""
    return now("tournament_matches", f'{ONE}, state="{state}"')


def column(name: str) -> str:
    """Give a column of the table of bots."""
    return f"max by (bot) ({metric(f'bot_{name}', ONE)})"


WELL = (
    Panel(
        "Done",
        "Share of the tournament's matches that have a result.",
        "percentunit",
        (Query(f"{matches('done')} / {now('tournament_matches', ONE)}"),),
        NONE_YET,
        "stat",
        4,
        4,
        ((None, BLUE), (1, GREEN)),
        decimals=1,
        top=1,
    ),
    Panel(
        "Matches left",
        "Without a result and not in flight.",
        "locale",
        (Query(matches("left")),),
        NONE_YET,
        "stat",
        4,
        4,
        ((None, BLUE),),
    ),
    Panel(
        "In flight",
        "Matches that are played now. 0 with matches left: see the second row.",
        "short",
        (Query(matches("running")),),
        NONE_YET,
        "stat",
        4,
        4,
        ((None, GREY), (1, GREEN)),
    ),
    Panel(
        "Results a minute",
        "How many of this tournament's matches got a result, at the pace of the last 5 minutes.",
        "short",
        (Query(f"60 * {PACE}"),),
        NONE_YET,
        "stat",
        4,
        4,
        ((None, BLUE),),
        decimals=1,
    ),
    Panel(
        "Time left",
        "At the pace of the last 5 minutes.",
        "s",
        (Query(f"({matches('left')} + {matches('running')}) / ({PACE} > 0)"),),
        "nothing moves",
        "stat",
        4,
        4,
        ((None, BLUE),),
        decimals=0,
    ),
    Panel(
        "Waits",
        "YES while nothing of it is played and something keeps it so: tournament list says what.",
        "short",
        (Query(now("tournament_waiting", ONE, how="max")),),
        "it does not run",
        "stat",
        4,
        4,
        words={"0": ("no", GREEN), "1": ("YES", RED)},
    ),
)

WHY = (
    Panel(
        "What the scheduler does",
        "Why nothing starts, for all tournaments together: waiting_for_bots, max_matches,"
        " store_failing or draining.",
        "short",
        (Query(now("scheduler_state", by="state", how="max"), "{{state}}"),),
        "no server answers",
        "state-timeline",
        words={"0": ("", GREY), "1": ("now", BLUE)},
    ),
    Panel(
        "Bots that are not here",
        "Of the table's first 50 bots. Their matches wait, then they forfeit.",
        "short",
        (Query(f"count({metric('bot_connected', ONE)} == 0) or vector(0)", "away"),),
        NO_ROWS,
        steps=((None, GREEN), (1, YELLOW)),
    ),
    Panel(
        "Late decisions by bot",
        "So far, of the table's first 50 bots; the ten with most.",
        "short",
        (Query(f"topk(10, {column('timeouts')} > 0)", "{{bot}}"),),
        "nobody was late",
    ),
    Panel(
        "Illegal decisions by bot",
        "Decisions for which every reply was illegal; the ten with most.",
        "short",
        (Query(f"topk(10, {column('illegal')} > 0)", "{{bot}}"),),
        "nobody was illegal",
    ),
    Panel(
        "Forfeited matches by bot",
        "By strikes or by absence; the ten with most.",
        "short",
        (Query(f"topk(10, {column('forfeits')} > 0)", "{{bot}}"),),
        "nobody forfeited",
    ),
    Panel(
        "Void attempts",
        "Attempts that do not count, by reason: the arbiter's fault or an organiser's will. Their"
        " matches are played again.",
        "short",
        (Query(count("attempts_void_total", by="reason"), "{{reason}}"),),
        "none, as it should be",
    ),
)

TABLE = (
    Panel(
        "Table",
        "The first 50 of the newest tournament. A rating differs from another one only if their"
        " intervals (± is half of one) say so; what it refers to is on the tournament's own page.",
        "none",
        (
            Query(column("rank"), "rank"),
            Query(column("rating_elo"), "Elo"),
            Query(column("rating_error_elo"), "± 95 %"),
            Query(column("matches"), "matches"),
            Query(column("score_ratio"), "score"),
            Query(column("points"), "points"),
            Query(column("timeouts"), "late"),
            Query(column("illegal"), "illegal"),
            Query(column("forfeits"), "forfeited"),
        ),
        NO_ROWS,
        "table",
        12,
        12,
    ),
    Panel(
        "Rating",
        "Published rating of the first ten. Lines that lie closer than their intervals tell"
        " nothing.",
        "none",
        (Query(f"topk(10, {column('rating_elo')})", "{{bot}}"),),
        NO_ROWS,
        width=12,
        height=12,
        decimals=0,
        from_zero=False,
    ),
    Panel(
        "Matches done and left",
        "How the tournament goes on.",
        "locale",
        (
            Query(matches("done"), "done"),
            Query(matches("running"), "running"),
            Query(matches("left"), "left"),
        ),
        NONE_YET,
        stack=True,
        width=6,
    ),
    Panel(
        "How long a match takes",
        "From an attempt's start to its result, of all tournaments.",
        "s",
        (Query(quantile(0.9, "match"), "90 %"), Query(quantile(0.5, "match"), "50 %")),
        "no match yet",
        width=6,
    ),
    Panel(
        "How long a decision takes",
        "Time charged to bots, of all tournaments.",
        "s",
        (Query(quantile(0.99, "decision"), "99 %"), Query(mean("decision"), "mean")),
        "no decision yet",
        width=6,
    ),
    Panel(
        "Acts of organisers and rules",
        "Entries, withdrawals, disqualifications and the like, of all tournaments, in the time"
        " shown. saurodrome tournament events tells who did what and why.",
        "short",
        (Query(count("tournament_events_total", by="kind"), "{{kind}}"),),
        "no server answers",
        width=6,
    ),
)


ROWS = (("Is it well?", WELL), ("Why not?", WHY), ("Table", TABLE))
