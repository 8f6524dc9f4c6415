"""`saurodrome analyse`: what a search thinks of every choice in a match record."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from saurodrome.client import InputError
from saurodrome.engine.game import State
from saurodrome.engine.games.draftosaurus.knowledge import Observation as Drafto
from saurodrome.engine.games.duelosaur.knowledge import Observation as Duel
from saurodrome.engine.search.bandit import Estimate
from saurodrome.engine.search.draftosaurus import Search as DraftoSearch
from saurodrome.engine.search.duelosaur.search import Search as DuelSearch
from saurodrome.server.cli import records
from saurodrome.server.cli.options import FILE, json_option
from saurodrome.server.cli.records import Record
from saurodrome.server.cli.terminal import Progress, Terminal
from saurodrome.server.cli.text import Column, cut, plural, table, wrapped
from saurodrome.server.cli.values import whole

MISTAKE = 0.1
"""From this regret on a choice is called a mistake, if the estimates bear it out."""
SURE = 3.0
"""Standard errors by which a regret must exceed nothing to be borne out."""
USUAL = {"draftosaurus": 100, "duelosaur": 8}
"""Play-outs for each legal action, by game: one of Duelosaur's takes some fifty times as long."""
COLUMNS = (
    Column("step"),
    Column("chosen", right=False),
    Column("value"),
    Column("best", right=False),
    Column("value"),
    Column("regret"),
    Column("+-"),
    Column("", right=False),
)


class Judged(NamedTuple):
    """One choice of a match, and what the search thinks of it.

    Attributes:
        step: Its step, from 1.
        seat: Who chose.
        phase: What was asked for.
        chosen: The estimate of what was chosen.
        estimates: Those of all legal actions, the best first.
        texts: The texts of the actions, by id.
    """

    step: int
    seat: int
    phase: str
    chosen: Estimate
    estimates: tuple[Estimate, ...]
    texts: dict[int, str]

    @property
    def best(self) -> Estimate:
        """The estimate of the best action."""
        return self.estimates[0]

    @property
    def regret(self) -> float:
        """What the best action is worth more than the chosen one."""
        return self.best.value - self.chosen.value

    @property
    def error(self) -> float:
        """The standard error of the regret."""
        return math.hypot(self.best.error, self.chosen.error) if self.regret else 0.0

    @property
    def is_mistake(self) -> bool:
        """Whether the regret is large, and surely there."""
        return self.regret >= MISTAKE and self.regret > SURE * self.error


@click.command()
@click.argument("file", type=FILE)
@click.option("--seat", type=whole(0), help="Only this seat, from 0  [default: all]")
@click.option(
    "--playouts",
    type=click.IntRange(2, 100_000),
    help="For each legal action  [default: 100; 8 in Duelosaur Island]",
)
@click.option("--all", "every", is_flag=True, help="Show every legal action")
@json_option
@click.pass_obj
def analyse(
    terminal: Terminal, file: Path, seat: int | None, playouts: int | None, every: bool
) -> None:
    """Show what a search thinks of the choices in a match.

    FILE is a match record. A value of 1 is a sure win, 0 a sure loss, and each point of
    advantage counts a hundredth more. The regret is what the best action is worth more than
    the chosen one; !! marks it from 0.1 on if it exceeds three standard errors. The search
    knows what the seat knew, no more.
    """
    record = records.read(file)
    check(record, seat)
    playouts = playouts or USUAL[record.played.game]
    seats = range(record.played.players) if seat is None else [seat]
    progress = Progress(terminal)
    found = []
    for one in judged(record, seats, playouts):
        found.append(one)
        progress.show(f"step {one.step} of {record.steps}")
    progress.close(f"{plural(len(found), 'choice')} looked at")
    if terminal.json:
        terminal.data(as_json(record, found, playouts))
        return
    for number in seats:
        own = [one for one in found if one.seat == number]
        terminal.print(lines(record, number, own, every))


def check(record: Record, seat: int | None) -> None:
    """Refuses what cannot be looked at.

    Raises:
        InputError: NO_SEARCH, NO_SEAT.
    """
    if record.played.game not in USUAL:
        what = f"{record.name} is a match of {record.played.game}, for which there is no search."
        raise InputError("NO_SEARCH", what, do=f"give a record of {' or '.join(USUAL)}")
    players = record.played.players
    if seat is not None and seat >= players:
        what = f"{record.name} has {plural(players, 'seat')}, no seat {seat}."
        raise InputError("NO_SEAT", what, where="--seat", do=f"0 to {players - 1}")


def judged(record: Record, seats: Sequence[int], playouts: int) -> Iterator[Judged]:
    """Looks at the choices of some seats, step by step; forced ones are left out."""
    states = record.states()
    for number, step in enumerate(record.played.steps, 1):
        state = states[number - 1]
        for choice in step.choices:
            legal = state.legal_actions(choice.seat)
            if choice.seat in seats and len(legal) > 1:
                yield judge(state, number, choice.seat, choice.action, playouts)


def judge(state: State, step: int, seat: int, text: str, playouts: int) -> Judged:
    """Looks at one choice."""
    legal = state.legal_actions(seat)
    search = searching(state, seat, legal, step)
    search.spread(playouts)
    estimates = search.estimates()
    chosen = state.parse_action(seat, text)
    return Judged(
        step,
        seat,
        state.phase,
        next(one for one in estimates if one.action == chosen),
        estimates,
        {action: state.action_text(seat, action) for action in legal},
    )


def searching(
    state: State, seat: int, legal: Sequence[int], seed: int
) -> DraftoSearch | DuelSearch:
    """Starts the search of a decision from what its seat knew."""
    match state.observation(seat):
        case Drafto() as observation:
            return DraftoSearch(observation, legal, seed)
        case Duel() as observation:
            return DuelSearch(observation, legal, seed)
    raise AssertionError("a game without a search is refused before")


def lines(record: Record, seat: int, found: Sequence[Judged], every: bool) -> list[str]:
    """Gives the choices of a seat as a table, and under each all its actions if wanted."""
    shown = table(COLUMNS, [row(one) for one in found])
    body = shown[1:]
    if every:
        body = [
            line
            for top, one in zip(body, found, strict=True)
            for line in (top, *wrapped(f"        {actions(one)}", " " * 8))
        ]
    mistakes = sum(one.is_mistake for one in found)
    regret = sum(one.regret for one in found)
    end = f"{plural(mistakes, 'mistake')}; regret of all choices {regret:.2f}"
    return [f"seat {seat}   {cut(record.names[seat])}", shown[0], *body, end, ""]


def row(one: Judged) -> list[str]:
    """Gives the cells of one choice."""
    return [
        str(one.step),
        one.texts[one.chosen.action],
        f"{one.chosen.value:.2f}",
        one.texts[one.best.action],
        f"{one.best.value:.2f}",
        f"{one.regret:.2f}",
        f"{one.error:.2f}",
        "!!" if one.is_mistake else "",
    ]


def actions(one: Judged) -> str:
    """Gives all legal actions with their values, the best first."""
    return "   ".join(f"{one.texts[found.action]} {found.value:.2f}" for found in one.estimates)


def as_json(record: Record, found: Sequence[Judged], playouts: int) -> dict[str, Any]:
    """Gives it all as JSON."""
    return {
        "record": record.name,
        "playouts": playouts,
        "choices": [
            {
                "step": one.step,
                "seat": one.seat,
                "bot": record.names[one.seat],
                "phase": one.phase,
                "chosen": one.texts[one.chosen.action],
                "regret": round(one.regret, 4),
                "error": round(one.error, 4),
                "mistake": one.is_mistake,
                "actions": [
                    {
                        "action": one.texts[estimate.action],
                        "value": round(estimate.value, 4),
                        "error": round(estimate.error, 4),
                        "playouts": estimate.visits,
                    }
                    for estimate in one.estimates
                ],
            }
            for one in found
        ],
    }
