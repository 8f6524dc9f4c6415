"""`saurodrome rating`: what moved a rating, how far two bots are apart, what looks arranged."""

from itertools import islice

import click

from saurodrome.client import InputError
from saurodrome.client.tournaments import TournamentClient
from saurodrome.server.cli import rating_screens as screens
from saurodrome.server.cli.failures import nearest_of
from saurodrome.server.cli.options import Connection, connection_options, json_option
from saurodrome.server.cli.rate import log_of
from saurodrome.server.cli.terminal import Terminal
from saurodrome.server.cli.values import whole
from saurodrome.server.rating.explain import explain as explained
from saurodrome.server.rating.fit import Fit
from saurodrome.server.rating.matches import RatedMatch, RatingError
from saurodrome.server.rating.pool import Pool
from saurodrome.server.rating.suspicion import concentrations, oddities
from saurodrome.server.tournament.table import MEAN

LAST = 10
"""Own matches back to which a rating is explained, unless told otherwise."""
LOOKED_AT = 20
"""Tournaments among which that of a bot is looked for."""
source_option = click.option(
    "--in", "source", default="", help="Tournament or export  [default: the bot's newest]"
)


@click.group()
def rating() -> None:
    """Explain ratings, compare bots, look for arranged results."""


@rating.command()
@click.argument("bot")
@source_option
@click.option(
    "--since", type=whole(0), help=f"Log position to begin at  [default: its last {LAST} matches]"
)
@click.option("--log", "position", type=whole(0), help="Log position to end at  [default: now]")
@connection_options
@json_option
@click.pass_obj
def explain(
    terminal: Terminal,
    bot: str,
    source: str,
    since: int | None,
    position: int | None,
    connection: Connection,
) -> None:
    """Say what moved a bot's rating, match by match.

    Own matches and those of others; the moves add up to the change, with nothing left over.
    """
    source = source or newest_of(bot, connection)
    log = log_of(source, connection)
    counted = log.counted(position)
    rated = log.rated(counted)
    where = {result.match_id: result.position for result in counted.results}
    begin = begin_of(bot, rated, where) if since is None else since
    old = [match for match_id, match in rated.items() if where[match_id] <= begin]
    news = {match_id: match for match_id, match in rated.items() if where[match_id] > begin}
    anchor = (log.settings.anchor, log.settings.anchor_rating) if log.settings.anchor else None
    try:
        said = explained(old, list(news.values()), bot, mean=MEAN, anchor=anchor)
    except RatingError as error:
        do = "saurodrome tournament standings shows who has rated matches; --in names another"
        raise InputError("NOT_RATED", f"{error} in {source}.", where="BOT", do=do) from None
    told = screens.Told(bot, log.settings.name, begin, counted.position, list(news.items()), said)
    if terminal.json:
        terminal.data(screens.explanation_json(told))
    else:
        terminal.print(screens.explanation(told, terminal.symbols))


@rating.command()
@click.argument("bot")
@click.argument("other")
@source_option
@connection_options
@json_option
@click.pass_obj
def compare(terminal: Terminal, bot: str, other: str, source: str, connection: Connection) -> None:
    """Say how far BOT is above OTHER, with an interval of its own."""
    if bot == other:
        do = "name two bots"
        raise InputError("SAME_BOT", f"{bot} would be compared with itself.", where="OTHER", do=do)
    source = source or newest_of(bot, connection)
    log = log_of(source, connection)
    counted = log.counted()
    fitted = log.fitted(counted)
    for component in fitted.components:
        if {bot, other} <= {line.name for line in component.bots}:
            apart = component.difference(bot, other)
            break
    else:
        raise not_compared(bot, other, rated_in(fitted), source)
    names, told = (bot, other), (log.settings.name, counted.position)
    if terminal.json:
        terminal.data(screens.difference_json(names, *told, apart))
    else:
        terminal.print(screens.difference(names, *told, apart, terminal.symbols))


@rating.command()
@click.argument("source")
@connection_options
@json_option
@click.pass_obj
def check(terminal: Terminal, source: str, connection: Connection) -> None:
    """Point out results that strengths do not explain.

    Bots that mostly met one other, and pairs of which one did better against the other than all
    results together say, as if it were helped. Reports to look at: no rating is changed.
    """
    log = log_of(source, connection)
    counted = log.counted()
    pool = Pool(log.rated(counted).values())
    found = concentrations(pool), oddities(pool)
    if terminal.json:
        terminal.data(screens.suspicion_json(counted.position, *found))
    else:
        terminal.print(screens.suspicion(counted.position, *found))


def rated_in(fitted: Fit) -> set[str]:
    """Gives the bots that have a rating."""
    return {line.name for component in fitted.components for line in component.bots}


def not_compared(bot: str, other: str, rated: set[str], source: str) -> InputError:
    """Tells why two bots cannot be compared: one has no rated match, or nothing links them."""
    unrated = [name for name in (bot, other) if name not in rated]
    if unrated:
        what = f"{' and '.join(unrated)} {'has' if len(unrated) == 1 else 'have'} no rated match"
        return InputError(
            "NOT_RATED",
            f"{what} in {source}.",
            where="BOT" if unrated[0] == bot else "OTHER",
            do="saurodrome tournament standings shows who has; --in names another tournament",
        )
    return InputError(
        "NOT_COMPARED",
        f"{bot} and {other} did not meet in {source}, not by way of others either.",
        where="OTHER",
        do="let them meet, or some that both met; --in names another tournament",
    )


def begin_of(bot: str, rated: dict[str, RatedMatch], where: dict[str, int]) -> int:
    """Gives the position before a bot's last matches."""
    own = [where[m] for m, match in rated.items() if bot in dict(match.placements)]
    return own[-LAST] - 1 if len(own) >= LAST else 0


def newest_of(bot: str, connection: Connection) -> str:
    """Gives the newest tournament in which a bot is.

    Raises:
        InputError: There is no such bot, or no tournament of it among the newest.
    """
    with connection.client() as client:
        known = [one.name for one in client.list_bots()]
        if bot not in known:
            what, do = f"There is no bot `{bot}`.", nearest_of(bot, known, "saurodrome bot list")
            raise InputError("UNKNOWN_BOT", what, where="BOT", do=do)
        for one in islice(client.list(), LOOKED_AT):
            if bot in one.settings.bots or entered(client, one.settings.name, bot):
                return one.settings.name
    raise InputError(
        "NO_TOURNAMENT", f"{bot} is in none of the newest tournaments.", do="name one with --in"
    )


def entered(client: TournamentClient, name: str, bot: str) -> bool:
    """Whether a bot entered a tournament after its creation."""
    return any(row.bot == bot for row in client.standings(name).standings)
