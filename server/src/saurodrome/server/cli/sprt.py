"""`saurodrome sprt`: whether one bot is better than another by so much, while matches go on."""

from math import isfinite
from typing import Any

import click

from saurodrome.client import InputError
from saurodrome.server.cli.failures import AnswerIsNo
from saurodrome.server.cli.options import Connection, connection_options, json_option
from saurodrome.server.cli.rate import log_of
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.text import UNICODE, Symbols, count, plural, wrapped
from saurodrome.server.cli.values import Names
from saurodrome.server.rating.matches import RatingError
from saurodrome.server.rating.score import Sample, at_least, block_sample, report
from saurodrome.server.rating.sprt import Hypotheses, Model, Sprt, Verdict, sprt
from saurodrome.server.tournament.sequential import whole_block

HYPOTHESES_DO = "give --elo0 below --elo1, and --alpha and --beta between 0 and 0.5"
_WORDS = {
    Verdict.ACCEPTED: "ACCEPTED",
    Verdict.REJECTED: "REJECTED",
    Verdict.OPEN: "goes on",
}


@click.command("sprt")
@click.argument("bot")
@click.argument("against", type=Names())
@click.argument("source")
@click.option("--elo0", type=float, default=0.0, show_default=True, help="Lead not worth it")
@click.option("--elo1", type=float, default=10.0, show_default=True, help="Lead worth it")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="elo0 taken for elo1")
@click.option("--beta", type=float, default=0.05, show_default=True, help="elo1 taken for elo0")
@click.option(
    "--model",
    type=click.Choice([model.value for model in Model]),
    default=Model.NORMALISED.value,
    show_default=True,
    help="What Elo means; logistic for two players",
)
@connection_options
@json_option
@click.pass_obj
def command(
    terminal: Terminal,
    bot: str,
    against: tuple[str, ...],
    source: str,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    model: str,
    connection: Connection,
) -> None:
    """Test whether BOT is better than AGAINST, sequentially.

    AGAINST is one bot, or several with commas; SOURCE a tournament or an export. Only whole
    blocks count. Look as often as you like: either verdict is wrong as rarely as asked for.
    Exit code 1 if BOT is rejected.
    """
    if bot in against:
        what = f"{bot} would be tested against itself."
        raise InputError("SAME_BOT", what, where="AGAINST", do="name other bots than BOT")
    log = log_of(source, connection)
    counted = log.counted()
    strangers = {bot, *against} - {entrant.bot for entrant in counted.entrants}
    if strangers:
        what = f"{', '.join(sorted(strangers))} did not enter {source}."
        do = "saurodrome tournament standings shows who did"
        raise InputError("UNKNOWN_BOT", what, where="BOT, AGAINST", do=do)
    whole = whole_block(log.settings)
    sample = block_sample(log.rated(counted).values(), bot, against, size=whole)
    hypotheses = Hypotheses(elo0, elo1, alpha, beta, Model(model))
    try:
        at = sprt(sample, hypotheses)
    except RatingError as error:
        raise InputError("BAD_HYPOTHESES", f"{error}.", where="--elo0", do=HYPOTHESES_DO) from None
    if terminal.json:
        terminal.data(as_json(counted.position, sample, hypotheses, at))
    else:
        names = f"{bot} against {', '.join(against)}"
        terminal.print(lines(names, counted.position, sample, hypotheses, at, terminal.symbols))
    if at.verdict is Verdict.REJECTED:
        raise AnswerIsNo


def lines(
    names: str,
    position: int,
    sample: Sample,
    hypotheses: Hypotheses,
    at: Sprt,
    symbols: Symbols = UNICODE,
) -> list[str]:
    """Says where a test stands, and beside it what the same blocks say as a fixed sample."""
    blocks = f"{plural(at.blocks, 'block')} of {plural(sample.matches, 'match')}"
    h = hypotheses
    more = f", about {count(at.expected_matches)} more matches" if at.expected_matches else ""
    return [
        *wrapped(f"{names}   {blocks}   log position {count(position)}", " "),
        f" score    {bars(sample, symbols)}",
        f" SPRT     {h.model.value} Elo {h.elo0:g} to {h.elo1:g}, alpha {h.alpha:g},"
        f" beta {h.beta:g}",
        f" LLR      {at.llr:+.2f} of {at.lower:.2f} to {at.upper:.2f}: {_WORDS[at.verdict]}{more}",
    ]


def bars(sample: Sample, symbols: Symbols = UNICODE) -> str:
    """Says what a fixed sample of as many blocks would say; no verdict to stop at."""
    said, least = report(sample), at_least(sample)
    if not sample.blocks:
        return "no whole block yet"
    begin = f"{100 * said.score:.1f} %, "
    if least is not None:
        how = f"above {least:+.0f}" if said.score else f"below {-least:+.0f}"
        kind = "won" if said.score else "lost"
        return f"{begin}{how} Elo, every match was {kind}   fixed sample, 95 %"
    if not isfinite(said.elo_err95):
        return f"{begin}{said.elo:+.0f} Elo, with no error: all blocks scored alike"
    return (
        f"{begin}{said.elo:+.0f} {symbols.plus_minus}{said.elo_err95:.0f} Elo, normalised"
        f" {said.normalised:+.0f} {symbols.plus_minus}{said.normalised_err95:.0f}"
        "   fixed sample, 95 %"
    )


def as_json(position: int, sample: Sample, hypotheses: Hypotheses, at: Sprt) -> dict[str, Any]:
    """Gives the same as JSON; what is infinite, or cannot be measured, is null."""
    return {
        "log_position": position,
        "blocks": at.blocks,
        "matches_in_a_block": sample.matches,
        "matches": at.matches,
        "hypotheses": hypotheses._asdict() | {"model": hypotheses.model.value},
        "llr": at.llr,
        "lower": at.lower,
        "upper": at.upper,
        "verdict": at.verdict.value,
        "expected_matches": at.expected_matches,
        "fixed_sample": sample_json(sample),
    }


def sample_json(sample: Sample) -> dict[str, float | None]:
    """Gives what a fixed sample says, and how far at least one that won or lost all is apart."""
    said, least = report(sample), at_least(sample)
    finite = {n: value if isfinite(value) else None for n, value in said._asdict().items()}
    if not sample.variance:
        finite["superiority"] = None
    won = least is not None and said.score == 1
    lost = least is not None and said.score == 0
    return finite | {
        "elo_above": least if won else None,
        "elo_below": -least if lost and least is not None else None,
    }
