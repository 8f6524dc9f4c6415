"""The course of a dry run: tournaments against the house, kept records, the first fault."""

import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from saurodrome.client import (
    Bot,
    BotFault,
    Event,
    Status,
    Strategy,
)
from saurodrome.client.tournaments import TournamentSettings
from saurodrome.server.cli import trial as trials
from saurodrome.server.cli.arbiter import Arbiter
from saurodrome.server.cli.failures import AnswerIsNo, OwnTrouble
from saurodrome.server.cli.home import HOME
from saurodrome.server.cli.position import Fault, fault_json, fault_lines
from saurodrome.server.cli.terminal import Progress, Terminal
from saurodrome.server.cli.text import bar, count, percent, plural, span
from saurodrome.server.cli.tournament_create import one_round
from saurodrome.server.cli.trial import Trial

FOLDER = HOME / "try"
"""Where the match records of the newest dry run lie."""
NAME = "try"
ENDS_WITHIN = 10.0
"""Seconds that the match of a fault may take to end without the bot."""


class Wish(NamedTuple):
    """What to play: `limit` is the seconds for a decision, `against` bots of the house."""

    game: str
    variant: str
    players: int
    matches: int
    limit: float
    against: tuple[str, ...] = ()


class DryRun:
    """One dry run of one bot."""

    def __init__(
        self, terminal: Terminal, strategy: Strategy, wish: Wish, arbiter: Arbiter
    ) -> None:
        """Plays nothing yet."""
        self._terminal = terminal
        self._strategy = strategy
        self._wish = wish
        self._arbiter = arbiter
        self._trial = Trial()
        self._progress = Progress(terminal)
        self._began = time.monotonic()
        self._status = Status()

    def play(self) -> None:
        """Plays, keeps every match, and says how it went.

        Raises:
            AnswerIsNo: The bot made a fault.
        """
        wish = self._wish
        token = self._arbiter.client.register_bot(self._strategy.name).token
        self._start_tournaments()
        bot = Bot(
            # It is wanted for what the command line says, and for nothing else.
            replace(self._strategy, games=None),
            server=self._arbiter.running.address,
            token=token,
            matches=wish.matches,
            strict=True,
            give_up_after=10.0,
            on_event=self._hear,
            last_decision=FOLDER / "last.decision",
        )
        try:
            self._status = bot.run()
        except BotFault as fault:
            self._status = bot.status
            self._faulted(fault)
        self._progress.close(self._line(finished=True))
        self._keep()
        if self._status.stopped_by:
            raise KeyboardInterrupt
        self._done()

    def _start_tournaments(self) -> None:
        wish = self._wish
        tables = trials.opponents(wish.game, wish.players, wish.against)
        for number, others in enumerate(tables):
            share = len(range(number, wish.matches, len(tables)))
            settings = TournamentSettings(
                name=f"{NAME}-{others[0] if others else 'alone'}",
                game=wish.game,
                variant=wish.variant,
                players=wish.players,
                bots=(self._strategy.name, *others),
                # The bot leaves after its matches: a last round need not be whole.
                rounds=-(-share // one_round(wish.players, wish.players, "balanced")) or 1,
                concurrency=1,
            )
            settings.decision_time.FromNanoseconds(round(wish.limit * 1e9))
            self._arbiter.client.create(settings)
            self._arbiter.client.start(settings.name)

    def _hear(self, event: Event, status: Status) -> None:
        self._trial.hear(event)
        self._status = status
        self._progress.show(self._line())

    def _line(self, finished: bool = False) -> str:
        done, planned = len(self._trial.ended), self._wish.matches
        parts = [
            f"{count(done)} of {plural(planned, 'match')}",
            bar(done / planned),
            percent(done / planned),
            span(time.monotonic() - self._began),
        ]
        if finished:
            parts.append("finished" if done == planned else "stopped")
        return "   ".join(parts)

    def _keep(self) -> None:
        """Writes the records of all matches that ended, in place of the last dry run's."""
        FOLDER.mkdir(parents=True, exist_ok=True)
        for old in FOLDER.glob("*.play"):
            old.unlink()
        for number, match_id in enumerate(self._trial.ended, 1):
            record = self._arbiter.client.record(match_id)
            (FOLDER / f"{number}.play").write_bytes(record)

    def _done(self) -> None:
        trial, status, wish, terminal = self._trial, self._status, self._wish, self._terminal
        if terminal.json:
            terminal.data({**trials.as_json(trial, status, wish.limit, wish.matches), "ok": True})
            return
        terminal.print(trials.lines(trial, status, wish.limit))
        terminal.print(f"No faults. Every match is kept: saurodrome replay list {FOLDER}")
        name = self._strategy.name
        terminal.next(
            "saurodrome serve",
            f"saurodrome bot register {name} && saurodrome bot run {self._strategy.path}",
        )

    def _faulted(self, fault: BotFault) -> None:
        """Lets the match of a fault end, keeps it, and shows the position.

        Raises:
            AnswerIsNo: Always.
        """
        match_id = fault.match.id if fault.match is not None else ""
        self._progress.close(self._line(finished=True))
        played = fault.decision is not None  # without one it was about getting ready
        recorded = played and self._ends(match_id)
        if recorded:
            self._trial.ended.append(match_id)
        self._keep()
        shown = Fault(
            error=fault,
            match=len(self._trial.ended) + (not recorded),
            step=self._trial.step.get(match_id, 0) if recorded else 0,
            file=self._strategy.path or Path("bot.py"),
            record=FOLDER / f"{len(self._trial.ended)}.play",
        )
        if self._terminal.json:
            self._terminal.data(fault_json(shown))
        else:
            self._terminal.note(fault_lines(shown, self._wish.matches))
        if played and not recorded:
            what = f"match {match_id} did not end within {ENDS_WITHIN:.0f} s after the fault."
            do = "mend the fault all the same; its position was not kept"
            trouble = OwnTrouble("MATCH_DID_NOT_END", what, do=do)
            self._terminal.note(trouble.format(kind="warning"))
        raise AnswerIsNo

    def _ends(self, match_id: str) -> bool:
        """Waits until a match ended without the bot, whose seat forfeits; false if it does not."""
        client = self._arbiter.client
        name = match_id.partition("/")[0]
        client.pause(name)
        until = time.monotonic() + ENDS_WITHIN
        while time.monotonic() < until:
            if any(match.match_id == match_id for match in client.matches(name)):
                return True
            time.sleep(0.05)
        return False
