"""The screen of `tournament simulate`: how many matches tell two ranks apart."""

from collections.abc import Mapping, Sequence
from typing import Any

from saurodrome.server.cli.planning.separation import FEW, Summary, needed
from saurodrome.server.cli.text import Column, Symbols, count, percent, plural, span, table, wrapped
from saurodrome.server.settings import Format, TournamentSettings


class Question:
    """What was asked of a simulation."""

    def __init__(
        self,
        settings: TournamentSettings,
        strengths: Mapping[str, float],
        ranks: tuple[int, int],
        times: int,
        seconds: float,
    ) -> None:
        """Keeps it; strengths are listed best first, and ranks count from 1."""
        self.settings = settings
        self.strengths = strengths
        self.ranks = ranks
        self.times = times
        self.seconds = seconds

    @property
    def pair(self) -> tuple[str, str]:
        """The bots of these ranks."""
        order = list(self.strengths)
        return order[self.ranks[0] - 1], order[self.ranks[1] - 1]

    @property
    def gap(self) -> float:
        """By how many Elo they differ in truth."""
        a, b = self.pair
        return self.strengths[a] - self.strengths[b]


def simulation_lines(asked: Question, summaries: Sequence[Summary], symbols: Symbols) -> list[str]:
    """Give the screen."""
    s, (first, second) = asked.settings, asked.ranks
    heads = [
        Column("played"),
        Column("matches"),
        Column("a bot"),
        Column("after"),
        Column(f"{symbols.plus_minus} Elo"),
        Column("right order"),
        Column("told apart"),
        Column("misled"),
        Column("best first"),
    ]
    head = (
        f"{s.display_name or s.name}   {plural(asked.times, 'simulated tournament')} of"
        f" {plural(len(asked.strengths), 'bot')}, {s.format}, tables of {s.players};"
        f" ranks {first} and {second} differ by {asked.gap:.0f} Elo"
    )
    return [*wrapped(head, " "), *table(heads, map(_row, summaries)), *_verdict(asked, summaries)]


def simulation_json(asked: Question, summaries: Sequence[Summary]) -> dict[str, Any]:
    """Give the same figures for scripts."""
    return {
        "name": asked.settings.name,
        "format": asked.settings.format.value,
        "players": asked.settings.players,
        "bots": len(asked.strengths),
        "tournaments": asked.times,
        "ranks": list(asked.ranks),
        "gap_elo": asked.gap,
        "match_seconds": asked.seconds,
        "parts": [one._asdict() for one in summaries],
        "matches_a_bot_needed": needed(summaries[-1], asked.gap),
    }


def _row(one: Summary) -> list[str]:
    return [
        f"{one.part * 100:.3g} %",
        count(round(one.matches)),
        count(round(one.matches_a_bot)),
        span(one.seconds),
        "-" if one.err95 is None else f"{one.err95:.0f}",
        percent(one.right_order),
        percent(one.told_apart),
        percent(one.misled),
        percent(one.best_first),
    ]


def _verdict(asked: Question, summaries: Sequence[Summary]) -> list[str]:
    last = summaries[-1]
    enough = needed(last, asked.gap)
    lines = [
        "told apart: the 95 % interval of the difference leaves out 0; a bot: of these two ranks;"
        f" after: at {span(asked.seconds)} a match, {asked.settings.concurrency} at once at most"
    ]
    if asked.settings.format is Format.KNOCKOUT:
        lines.append("a knockout finds one winner; use another format to tell ranks apart")
    elif enough is None:
        lines.append(f"matches to tell these ranks apart: no saying from fewer than {FEW} a bot")
    else:
        share = enough / max(1.0, last.matches_a_bot)
        lines.append(
            f"these ranks are told apart in 4 of 5 tournaments from about {count(round(enough))}"
            f" matches a bot: {share:.1f} times this tournament"
        )
    return [line for text in lines for line in wrapped(text, " ")]
