"""`saurodrome demo`: a whole small world in a minute, that checks what it claims."""

import shutil
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from saurodrome.client import InputError
from saurodrome.client.tournaments import Seating, Standings, Tournament, TournamentSettings
from saurodrome.engine import registry
from saurodrome.server.cli import demo_claims, export
from saurodrome.server.cli import standings as table
from saurodrome.server.cli.arbiter import Arbiter, private_arbiter
from saurodrome.server.cli.children import Children
from saurodrome.server.cli.examples import example
from saurodrome.server.cli.failures import AnswerIsNo, OwnTrouble
from saurodrome.server.cli.home import HOME, running_server
from saurodrome.server.cli.house import GREEDY, KINDS
from saurodrome.server.cli.states import is_over
from saurodrome.server.cli.terminal import Progress, Terminal
from saurodrome.server.cli.text import bar, count, percent, plural, span

FOLDER = HOME / "demo"
BOTS = {
    "greedy": "",
    "random": "random_bot.py",
    "random-2": "random_bot.py",
    "slow": "demo/slow_bot.py",
    "illegal": "demo/illegal_bot.py",
    "dropping": "demo/dropping_bot.py",
}
"""Their files; greedy's is that of the game."""
AT_ONCE = "4"
DECISION = 0.4
"""Seconds for a decision: the slow bot's sleeps are made of it, so it bounds the whole."""
MOST_SECONDS = 120.0
LOOK_EVERY = 0.25


class Plan(NamedTuple):
    """One of the demo's tournaments."""

    name: str
    players: int
    variant: str
    game: str = "draftosaurus"

    @property
    def title(self) -> str:
        """What people read."""
        return f"Demo, {self.variant}, tables of {self.players}"


PLANS = {
    "draftosaurus": (Plan("demo-2p", 2, "summer"), Plan("demo-4p", 4, "winter")),
    "duelosaur": (Plan("demo-2p", 2, "medium", "duelosaur"),),
}
"""30 matches, 10 a bot, and 60 matches, 40 a bot: every table in its rotations."""


def plans_for(game: str, variant: str | None) -> list[Plan]:
    """Gives the tournaments of a game, all of them in a variant if one is named.

    Raises:
        EngineError: The variant does not exist, or not for so many players.
    """
    plans = [plan._replace(variant=variant or plan.variant) for plan in PLANS[game]]
    for plan in plans:
        registry.get(game).validate(plan.variant, plan.players)
    return plans


@click.command()
@click.option("--game", type=click.Choice(list(PLANS)), default="draftosaurus", show_default=True)
@click.option(
    "--variant",
    help="Of all tables  [default: summer for two, winter for four; medium of duelosaur]",
)
@click.pass_obj
def demo(terminal: Terminal, game: str, variant: str | None) -> None:
    """Play a small tournament and check it.

    An arbiter and six bots run in processes of their own: greedy, two random ones, one that is
    late, one that answers illegally, one that loses its connection. They play a round robin at
    tables of two and, in Draftosaurus, one at tables of four. Takes about a minute. Exit code 1
    if the tables do not show what they should.
    """
    plans = plans_for(game, variant)
    folder = fresh(FOLDER)
    with Children() as children, private_arbiter(children, folder / "data") as arbiter:
        terminal.note(f"arbiter    {arbiter.running.address}   pages {arbiter.web}")
        start_bots(children, arbiter, folder, game)
        terminal.note(f"bots       {', '.join(BOTS)}")
        watch(terminal, children, arbiter, start_tournaments(arbiter, plans))
        ok = show(terminal, arbiter, folder, plans)
    if not ok:
        raise AnswerIsNo


def fresh(folder: Path) -> Path:
    """Gives an empty folder in place of the last demo's.

    Raises:
        InputError: Another demo runs there.
    """
    running = running_server(folder / "data")
    if running is not None:
        what = f"Another demo runs in {folder} (process {running.pid})."
        raise InputError("DEMO_RUNS", what, do="wait until it is over, or use another folder")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "data").mkdir(parents=True)
    return folder


def start_bots(children: Children, arbiter: Arbiter, folder: Path, game: str) -> None:
    """Registers the bots and starts each in a process of its own."""
    for name, file in (BOTS | {"greedy": KINDS[GREEDY[game]]}).items():
        token = arbiter.client.register_bot(name, owner="demo").token
        options = ["--max-concurrent", AT_ONCE] if not file.startswith("demo/") else []
        children.start(
            name,
            [str(example(file)), *options],
            folder / f"{name}.log",
            {"SAURODROME_SERVER": arbiter.running.address, "SAURODROME_TOKEN": token},
            folder=folder,  # where it keeps a decision with a fault: an author's lies here
        )


def start_tournaments(arbiter: Arbiter, plans: Sequence[Plan]) -> list[str]:
    """Creates and starts the tournaments; gives their names."""
    for plan in plans:
        settings = TournamentSettings(
            name=plan.name,
            display_name=plan.title,
            game=plan.game,
            variant=plan.variant,
            players=plan.players,
            seating=Seating.SEATING_ROTATIONS,
            bots=list(BOTS),
            anchor="random",
            anchor_rating=1000,
        )
        settings.decision_time.FromNanoseconds(round(DECISION * 1e9))
        arbiter.client.create(settings)
        arbiter.client.start(plan.name)
    return [plan.name for plan in plans]


def watch(terminal: Terminal, children: Children, arbiter: Arbiter, names: list[str]) -> None:
    """Shows the progress of tournaments until all are over.

    Raises:
        OwnTrouble: A process ended, or it takes too long.
    """
    progress = Progress(terminal)
    began = time.monotonic()
    line = ""
    try:
        while True:
            now = [arbiter.client.get(name) for name in names]
            line = progress_line(now, time.monotonic() - began)
            if all(is_over(one) for one in now):
                return
            progress.show(line)
            check_alive(children, time.monotonic() - began)
            time.sleep(LOOK_EVERY)
    finally:
        progress.close(line)


def progress_line(now: list[Tournament], seconds: float) -> str:
    """Says how far all of it is."""
    done = sum(one.matches_done for one in now)
    total = sum(one.matches_total for one in now)
    share = done / total
    state = "   finished" if all(is_over(one) for one in now) else ""
    return (
        f"{count(done)} of {plural(total, 'match')}   {bar(share)}   {percent(share)}"
        f"   {span(seconds)}{state}"
    )


def check_alive(children: Children, seconds: float) -> None:
    """Ends a demo that cannot come to its end.

    Raises:
        OwnTrouble: A process ended, or it takes too long.
    """
    for child in children:
        if child.exit_code is not None:
            raise OwnTrouble(
                "PROCESS_ENDED",
                f"{child.name} ended with {child.exit_code} in the middle of the demo.",
                where=f"{child.log}\n{child.said()}",
                do="read its last words above",
            )
    if seconds > MOST_SECONDS:
        raise OwnTrouble(
            "DEMO_TOO_SLOW",
            f"not finished after {span(MOST_SECONDS)}.",
            where=str(FOLDER),
            do="is the machine busy? try again when it is not",
        )


def show(terminal: Terminal, arbiter: Arbiter, folder: Path, plans: Sequence[Plan]) -> bool:
    """Prints the tables, checks them, keeps everything; tells whether all is as it should be."""
    names = [plan.name for plan in plans]
    tables = [arbiter.client.standings(name) for name in names]
    for shown in tables:
        terminal.print(table.heading(shown.tournament, terminal.symbols))
        terminal.print([*table.table_lines(shown, (), terminal.symbols), ""])
    claims = demo_claims.check(gather(arbiter, tables, folder, names))
    terminal.print([*demo_claims.lines(claims), "", *kept(folder, names)])
    terminal.next(f"saurodrome replay list {folder}/demo-2p/records")
    return all(claim.holds for claim in claims)


def gather(
    arbiter: Arbiter, tables: Sequence[Standings], folder: Path, names: Sequence[str]
) -> demo_claims.Evidence:
    """Keeps records and metrics in the folder, and puts together what the claims rest on."""
    for name in names:
        export.write(arbiter.client, name, folder / name)
    with urllib.request.urlopen(f"{arbiter.web}/metrics", timeout=10) as answer:
        metrics = answer.read().decode()
    (folder / "metrics.txt").write_text(metrics)
    return demo_claims.Evidence(
        tables=tables,
        faults=[fault for name in names for fault in arbiter.client.faults(name)],
        records=[path for name in names for path in (folder / name / "records").iterdir()],
        metrics=metrics,
        bots=len(BOTS),
    )


def kept(folder: Path, names: Sequence[str]) -> list[str]:
    """Says where everything lies."""
    return [
        f"records    {'   '.join(f'{folder / name}/records' for name in names)}",
        f"metrics    {folder}/metrics.txt   as they stood at the end",
        f"logs       {folder}/*.log (bots)   {folder}/data (arbiter)",
    ]
