"""BayesElo's model of draws, which cutechess tests with: no part of the server."""

from math import log

from saurodrome.server.rating.elo import expected


def llr(wins: int, draws: int, losses: int, *, elo0: float, elo1: float) -> float:
    """Return the LLR of single games of two players under BayesElo's model of draws.

    The chance of draws is taken from the sample; every result counts half a game more than
    came up, so that no chance is 0.

    Source: R. Coulom, "Bayesian Elo rating" (2005), in the form that cutechess tests.
    """
    won, drawn, lost = wins + 0.5, draws + 0.5, losses + 0.5
    win, loss = won / (won + drawn + lost), lost / (won + drawn + lost)
    draw_elo = 200 * (log((1 - loss) / loss) + log((1 - win) / win)) / log(10)
    x = 10 ** (-draw_elo / 400)
    scale = 4 * x / (1 + x) ** 2
    ratio = 0.0
    for sign, elo in ((1, elo1 / scale), (-1, elo0 / scale)):
        win, loss = expected(elo - draw_elo), expected(-elo - draw_elo)
        ratio += sign * (won * log(win) + lost * log(loss) + drawn * log(1 - win - loss))
    return ratio
