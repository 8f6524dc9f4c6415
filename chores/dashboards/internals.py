"""The arbiter's inside, for whoever looks for the cause of something."""

from chores.dashboards.panels import GREEN, RED, YELLOW, Panel, Query
from chores.dashboards.promql import (
    answers,
    buckets,
    count,
    grpc,
    means,
    metric,
    now,
    process,
    processor,
    quantile,
    rate,
    streams,
)

NOBODY = "no server answers"

WELL = (
    Panel(
        "Loop lag, 99 %",
        "How late the one thread comes to its timers. Clocks of bots are corrected for it.",
        "s",
        (Query(quantile(0.99, "loop_lag")),),
        NOBODY,
        "stat",
        4,
        4,
        ((None, GREEN), (0.02, YELLOW), (0.1, RED)),
    ),
    Panel(
        "Taken back from clocks",
        "Seconds a minute in which the arbiter stood still while a bot's clock ran, summed over"
        " bots.",
        "s",
        (Query(f"60 * {rate('arbiter_stalled_seconds_total')}"),),
        NOBODY,
        "stat",
        4,
        4,
        ((None, GREEN), (10, YELLOW), (60, RED)),
    ),
    Panel(
        "Results wait, 99 %",
        "From a match's end until its result is stored.",
        "s",
        (Query(quantile(0.99, "recorder_wait")),),
        "nothing to store",
        "stat",
        4,
        4,
        ((None, GREEN), (0.2, YELLOW), (1, RED)),
    ),
    Panel(
        "Own mistakes",
        "Errors of the arbiter in the time shown. Each has its traceback in the log.",
        "short",
        (Query(count("errors_total")),),
        NOBODY,
        "stat",
        4,
        4,
        ((None, GREEN), (0.5, RED)),
        decimals=0,
    ),
    Panel(
        "Log lines lost",
        "In the time shown: the log's disk or reader is too slow.",
        "short",
        (Query(count("log_lines_dropped_total")),),
        NOBODY,
        "stat",
        4,
        4,
        ((None, GREEN), (0.5, RED)),
        decimals=0,
    ),
    Panel(
        "Sum of live Elo is off by",
        "Matches move as many points up as down. Not 0: see SaurodromeEloDrift in the runbook.",
        "short",
        (Query(now("elo_drift", how="max")),),
        "no result yet",
        "stat",
        4,
        4,
        ((None, GREEN), (0.01, RED)),
        decimals=2,
    ),
)

WHY = (
    Panel(
        "Times it stood still",
        "Stalls of the event loop above 5 ms, by length: the darker, the more.",
        "s",
        (Query(buckets("loop_stall")),),
        "it never stood still",
        "heatmap",
    ),
    Panel(
        "The arbiter's own share of a decision",
        "From the first byte of a reply to the verdict, and writing the question.",
        "s",
        (
            Query(quantile(0.99, "arbiter_overhead"), "99 %"),
            Query(quantile(0.5, "arbiter_overhead"), "50 %"),
        ),
        "no decision yet",
    ),
    Panel(
        "What waits",
        "Items for the store, lines for the log, frames for bots that do not read, decisions that"
        " wait for a reply.",
        "short",
        (
            Query(now("recorder_queue_items"), "for the store"),
            Query(now("log_queue_lines"), "for the log"),
            Query(now("outbox_frames"), "for bots to read"),
            Query(now("decisions_open"), "for replies"),
        ),
        NOBODY,
    ),
    Panel(
        "How long results wait",
        "The whole wait, and the commit alone, which is one sync of the disk.",
        "s",
        (
            Query(quantile(0.99, "recorder_wait"), "wait, 99 %"),
            Query(quantile(0.99, "commit"), "commit, 99 %"),
            Query(quantile(0.5, "commit"), "commit, 50 %"),
        ),
        "nothing to store",
    ),
    Panel(
        "Commits that failed",
        "By code, in the time shown.",
        "short",
        (Query(count("commit_failures_total", by="code"), "{{code}}"),),
        "none, as it should be",
    ),
    Panel(
        "Days until the certificate ends",
        "Renewed files are taken up without a restart.",
        "d",
        (
            Query(
                f"({metric('certificate_expiry_timestamp_seconds')} - time()) / 86400",
                "{{instance}}",
            ),
        ),
        "served without TLS",
        steps=((None, RED), (14, GREEN)),
    ),
    Panel(
        "Where a decision's time goes",
        "Mean by part. bot and wire are charged to the bot; queue, encode and decode are ours.",
        "s",
        (Query(means("decision_part", "part"), "{{part}}"),),
        "no decision in this time",
        width=12,
        stack=True,
    ),
    Panel(
        "Decisions that it stood still in",
        "A minute. No bot is charged for that time; a long stall makes an attempt void.",
        "short",
        (Query(f"60 * {rate('arbiter_stalled_decisions_total')}", "decisions"),),
        NOBODY,
        width=12,
    ),
)

CALLS = (
    Panel(
        "Calls a second",
        "gRPC calls that ended, by method.",
        "short",
        (Query(grpc("handled_total", "grpc_method"), "{{grpc_method}}"),),
        "no call yet",
        width=6,
    ),
    Panel(
        "How calls end",
        "By status, a second. CANCELLED: the caller vanished or let go.",
        "short",
        (Query(grpc("handled_total", "grpc_code"), "{{grpc_code}}"),),
        "no call yet",
        width=6,
    ),
    Panel(
        "How quick answers are",
        "Of calls that stream nothing; these are organisers and dashboards, bots play on a stream.",
        "s",
        (Query(answers(0.99), "99 %"), Query(answers(0.5), "50 %")),
        "no call in this time",
        width=6,
    ),
    Panel(
        "Frames without a grant",
        "Stale, duplicate and unknown frames a minute. 60 a minute and bot are borne.",
        "short",
        (Query(f"60 * {rate('surplus_frames_total', by='kind')}", "{{kind}}"),),
        "none",
        width=6,
    ),
)

PROCESS = (
    Panel(
        "Processor",
        "Cores that it uses; one thread does nearly all.",
        "short",
        (Query(processor(), "{{instance}}"),),
        NOBODY,
        steps=((None, GREEN), (0.9, RED)),
        width=6,
    ),
    Panel(
        "Memory",
        "Resident. A steady climb over days is a leak.",
        "bytes",
        (Query(process("resident_memory_bytes"), "{{instance}}"),),
        NOBODY,
        width=6,
    ),
    Panel(
        "Tasks, files, streams",
        "About two tasks and one file a bot. They must come back to where they were when bots go.",
        "short",
        (
            Query(now("loop_tasks"), "tasks"),
            Query(f"sum({process('open_fds')})", "files"),
            Query(streams(), "streams"),
        ),
        NOBODY,
        width=6,
    ),
    Panel(
        "Database",
        "Size of the file; records are most of it.",
        "bytes",
        (Query(metric("store_bytes"), "{{instance}}"),),
        NOBODY,
        width=6,
    ),
    Panel(
        "Log lines a second",
        "Written, by level, and left out as repeats.",
        "short",
        (
            Query(rate("log_lines_total", by="level"), "{{level}}"),
            Query(rate("log_lines_left_out_total"), "left out"),
        ),
        NOBODY,
        width=12,
    ),
    Panel(
        "What metrics cost",
        "Time that the last page of metrics took; it is made in slices between other work.",
        "s",
        (Query(metric("scrape_seconds"), "{{instance}}"),),
        NOBODY,
        width=12,
    ),
)

ROWS = (("Is it well?", WELL), ("Why not?", WHY), ("Calls", CALLS), ("Process", PROCESS))
