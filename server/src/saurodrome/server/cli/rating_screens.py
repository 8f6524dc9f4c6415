"""What `saurodrome rating` prints: explanations, differences, suspicions; pure functions."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from saurodrome.server.cli.faults import short_id
from saurodrome.server.cli.text import UNICODE, Column, Symbols, count, cut, percent, table, wrapped
from saurodrome.server.rating.explain import Explanation
from saurodrome.server.rating.fit import Difference
from saurodrome.server.rating.matches import RatedMatch
from saurodrome.server.rating.suspicion import Concentration, Oddity

OTHERS = 5
"""Bots whose own matches moved the rating that are named."""
NAMED = 3
"""Opponents of a match that are named."""


class Told(NamedTuple):
    """An explanation, and of what."""

    bot: str
    tournament: str
    since: int
    position: int
    news: Sequence[tuple[str, RatedMatch]]
    """New matches with their ids."""
    said: Explanation


def explanation(told: Told, symbols: Symbols = UNICODE) -> list[str]:
    """Gives a rating's change match by match, what others did, and all opponents."""
    said = told.said
    return [
        *wrapped(
            f"{told.bot} in {told.tournament}: {said.before:.1f} at log position"
            f" {count(told.since)}, {said.after:.1f} at {count(told.position)},"
            f" {said.after - said.before:+.1f}",
            " ",
        ),
        *(_moves(told) if said.own else [" no match of its own since"]),
        *_others(said),
        "",
        " opponents in all rated matches: share of tables above them, and expected",
        *_opponents(said, symbols),
    ]


def _moves(told: Told) -> list[str]:
    heads = [
        Column("match", right=False),
        Column("against", right=False, drop=1),
        Column("place"),
        Column("score"),
        Column("expected"),
        Column("moved"),
    ]
    rows = []
    for move in told.said.own:
        match_id, match = told.news[move.match]
        places = dict(match.placements)
        rows.append(
            [
                short_id(match_id),
                _against(places, told.bot),
                f"{places[told.bot]} of {len(places)}",
                percent(move.score),
                percent(move.expected),
                f"{move.elo:+.1f}",
            ]
        )
    return table(heads, rows)


def _against(places: dict[str, int], bot: str) -> str:
    others = sorted(other for other in places if other != bot)
    more = ", ..." if len(others) > NAMED else ""
    return ", ".join(cut(other, 12) for other in others[:NAMED]) + more


def _others(said: Explanation) -> list[str]:
    lines = []
    if said.others:
        largest = sorted(said.others.items(), key=lambda one: -abs(one[1]))
        named = ", ".join(f"{cut(bot, 12)} {moved:+.1f}" for bot, moved in largest[:OTHERS])
        more = ", ..." if len(largest) > OTHERS else ""
        total = sum(said.others.values())
        lines.append(f" matches of others, which change what its own are worth: {total:+.1f}")
        lines += wrapped(f"   {named}{more}", "   ")
    if said.prior:
        lines.append(f" the prior, which stands in where results set no bound: {said.prior:+.1f}")
    return lines


def _opponents(said: Explanation, symbols: Symbols) -> list[str]:
    heads = [
        Column("opponent", right=False),
        Column("matches"),
        Column("score"),
        Column("expected"),
    ]
    return table(
        heads,
        [
            [cut(one.bot), count(one.matches), percent(one.score), percent(one.expected)]
            for one in said.opponents
        ],
    )


def explanation_json(told: Told) -> dict[str, Any]:
    """Gives the same as JSON."""
    said = told.said
    return {
        "bot": told.bot,
        "tournament": told.tournament,
        "since": told.since,
        "log_position": told.position,
        "rating_before": said.before,
        "rating": said.after,
        "own": [
            move._asdict()
            | {"match": told.news[move.match][0]}
            | {"placements": dict(told.news[move.match][1].placements)}
            for move in said.own
        ],
        "others": dict(said.others),
        "prior": said.prior,
        "opponents": [one._asdict() for one in said.opponents],
    }


def difference(
    names: tuple[str, str],
    tournament: str,
    position: int,
    apart: Difference,
    symbols: Symbols = UNICODE,
) -> list[str]:
    """Says how far two bots are apart, and whether that is told apart from nothing."""
    first, second = names
    side = "below" if apart.elo < 0 else "above"
    told = "told apart" if apart.certain else "not told apart"
    return [
        *wrapped(
            f"{tournament}: {first} is"
            f" {abs(apart.elo):.0f} {symbols.plus_minus}{apart.err95:.0f} Elo"
            f" {side} {second}: {told}",
            " ",
        ),
        f" stronger with a chance of {percent(apart.superiority)}",
        f" 95 %, of the difference itself, fixed sample   log position {count(position)}",
    ]


def difference_json(
    names: tuple[str, str], tournament: str, position: int, apart: Difference
) -> dict[str, Any]:
    """Gives the same as JSON."""
    return {
        "bot": names[0],
        "other": names[1],
        "tournament": tournament,
        "log_position": position,
        "elo": apart.elo,
        "err95": apart.err95,
        "told_apart": apart.certain,
        "superiority": apart.superiority,
    }


def suspicion(
    position: int, concentrated: Sequence[Concentration], odd: Sequence[Oddity]
) -> list[str]:
    """Lists what looks arranged, or says that nothing does."""
    told = [
        f" {one.bot}: {percent(one.share)} of its matches are against {one.opponent}"
        for one in concentrated
    ]
    told += [
        f" {one.bot}: {percent(one.score)} against {one.opponent}, {percent(one.expected)}"
        f" expected, {count(one.blocks)} blocks   chance {one.chance:.1g}"
        for one in odd
    ]
    lines = [line for text in told for line in wrapped(text, "   ")]
    head = f"log position {count(position)}: "
    return [head + ("to look at" if lines else "nothing that strengths do not explain"), *lines]


def suspicion_json(
    position: int, concentrated: Sequence[Concentration], odd: Sequence[Oddity]
) -> dict[str, Any]:
    """Gives the same as JSON."""
    return {
        "log_position": position,
        "concentrations": [one._asdict() for one in concentrated],
        "oddities": [one._asdict() for one in odd],
    }
