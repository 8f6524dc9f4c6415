"""The first dashboard of an operator: is it well, and if not, why not."""

from chores.dashboards.panels import BLUE, GREEN, GREY, RED, YELLOW, Panel, Query
from chores.dashboards.promql import (
    SERVERS,
    buckets,
    count,
    metric,
    now,
    process,
    processor,
    quantile,
    rate,
    ratio,
)

TIMED_OUT = 'verdict="timed_out"'
LATE = ratio(rate("decisions_total", TIMED_OUT), rate("decisions_total"))
ALERTS = f'ALERTS{{{SERVERS}, alertname=~"Saurodrome.*", alertstate="firing"}}'
WAITED = f"({metric('since_match_seconds')} and {metric('matches_left')} > 0)"
STATES = {"0": ("", GREY), "1": ("now", BLUE)}

WELL = (
    Panel(
        "Servers",
        "Servers that answer. If it is less than you run, see SaurodromeDown in the runbook.",
        "short",
        (Query(f"count({metric('build_info')})"),),
        "none answers",
        "stat",
        3,
        4,
        ((None, RED), (1, GREEN)),
    ),
    Panel(
        "Waiting for a result",
        "How long no match has finished although there are matches to play; 0 while there are"
        " none.",
        "s",
        (Query(f"max({WAITED} or 0 * {metric('since_match_seconds')})"),),
        "no server answers",
        "stat",
        4,
        4,
        ((None, GREEN), (120, YELLOW), (600, RED)),
        decimals=0,
    ),
    Panel(
        "Matches a minute",
        "Results stored. 0 is well if nothing is left to play.",
        "short",
        (Query(f"60 * {rate('matches_total')}"),),
        "no match yet",
        "stat",
        4,
        4,
        ((None, BLUE),),
        decimals=1,
    ),
    Panel(
        "Bots here",
        "Open streams of bots.",
        "short",
        (Query(now("sessions")),),
        "no server answers",
        "stat",
        3,
        4,
        ((None, GREY), (1, GREEN)),
    ),
    Panel(
        "Late decisions",
        "Share of decisions that no reply came to in time. Some bots are slow by nature; a jump is"
        " the network or the machine.",
        "percentunit",
        (Query(LATE),),
        "no decision in this time",
        "stat",
        3,
        4,
        ((None, GREEN), (0.01, YELLOW), (0.05, RED)),
    ),
    Panel(
        "Results are stored",
        "NO while commits fail: matches go on, their results wait, and no more are begun.",
        "short",
        (Query(now("store_failing", how="max")),),
        "no server answers",
        "stat",
        3,
        4,
        words={"0": ("yes", GREEN), "1": ("NO", RED)},
    ),
    Panel(
        "Alerts",
        "Alerts that fire now.",
        "short",
        (Query(f"count({ALERTS}) or vector(0)"),),
        "Prometheus has no rules",
        "stat",
        4,
        4,
        ((None, GREEN), (1, RED)),
    ),
)

WHY = (
    Panel(
        "What the scheduler does",
        "Why nothing starts: waiting_for_bots (see tournament list), max_matches (all places"
        " taken),"
        " store_failing, draining (the server stops). idle and playing are well.",
        "short",
        (Query(now("scheduler_state", by="state", how="max"), "{{state}}"),),
        "no server answers",
        "state-timeline",
        words=STATES,
    ),
    Panel(
        "Matches left and running",
        "Left: matches of running tournaments without a result. Running: in flight now.",
        "locale",
        (Query(now("matches_left"), "left"), Query(now("matches_running"), "running")),
        "no server answers",
    ),
    Panel(
        "Why bots went",
        "Streams that ended, by reason. disconnected: the peer vanished; goodbye: in order;"
        " SUPERSEDED:"
        " a second program with the same token; SLOW_READER: it did not read.",
        "short",
        (Query(count("sessions_closed_total", by="reason"), "{{reason}}"),),
        "no bot has gone",
    ),
    Panel(
        "Who is refused",
        "Calls and streams refused, by code, a minute. proto/README.md says what each means.",
        "short",
        (Query(f"60 * {rate('refusals_total', by='code')}", "{{code}}"),),
        "nobody was refused",
    ),
    Panel(
        "Late, illegal, forfeited",
        "What goes wrong in matches, a minute. tournament faults tells whose fault.",
        "short",
        (
            Query(f"60 * {rate('decisions_total', TIMED_OUT)}", "late"),
            Query(f"60 * {rate('illegal_replies_total')}", "illegal"),
            Query(f"60 * {rate('forfeits_total')}", "forfeited"),
            Query(f"60 * {rate('attempts_void_total')}", "void"),
        ),
        "no match yet",
    ),
    Panel(
        "Free disk",
        "Share of the data's disk that is free. Below a tenth is a ticket, below a hundredth a"
        " page.",
        "percentunit",
        (Query(f"{metric('disk_free_bytes')} / {metric('disk_size_bytes')}", "{{instance}}"),),
        "no server answers",
        steps=((None, RED), (0.1, GREEN)),
        top=1,
    ),
)

DOES = (
    Panel(
        "Decisions a second",
        "Decisions closed, by verdict. in_margin: a reply came in the grace time and counts.",
        "short",
        (Query(rate("decisions_total", by="verdict"), "{{verdict}}"),),
        "no decision yet",
        stack=True,
    ),
    Panel(
        "Results a minute",
        "How matches end. abandoned means that the arbiter failed three times.",
        "short",
        (Query(f"60 * {rate('matches_total', by='termination')}", "{{termination}}"),),
        "no match yet",
        stack=True,
    ),
    Panel(
        "How long bots think",
        "Time charged for a decision: the darker, the more decisions.",
        "s",
        (Query(buckets("decision")),),
        "no decision yet",
        "heatmap",
    ),
    Panel(
        "Loop lag",
        "How late the arbiter's one thread comes. Above 0.1 s for 5 minutes is a page.",
        "s",
        (Query(quantile(0.99, "loop_lag"), "99 %"), Query(quantile(0.5, "loop_lag"), "50 %")),
        "no server answers",
        steps=((None, GREEN), (0.1, RED)),
    ),
    Panel(
        "Processor",
        "Cores that the arbiter uses; it cannot use more than a little above one.",
        "short",
        (Query(processor(), "{{instance}}"),),
        "no server answers",
        steps=((None, GREEN), (0.9, RED)),
    ),
    Panel(
        "Memory",
        "Resident memory of the arbiter. A steady climb over days is a leak.",
        "bytes",
        (Query(process("resident_memory_bytes"), "{{instance}}"),),
        "no server answers",
    ),
)

ROWS = (("Is it well?", WELL), ("Why not?", WHY), ("What it does", DOES))
