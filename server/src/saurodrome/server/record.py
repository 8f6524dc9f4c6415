"""The match record: the playthrough plus seats, versions, times and verdicts, as text."""

import zlib
from datetime import UTC, datetime

from saurodrome.engine import playthrough
from saurodrome.engine.game import Game
from saurodrome.server.deals import Deal
from saurodrome.server.match import MatchPlan, Played
from saurodrome.server.port import TimeControl

_LEVEL = 6


def record_match(
    plan: MatchPlan, deal: Deal, played: Played, when: float, version: str
) -> bytes | None:
    """Makes the record of an attempt.

    Args:
        plan: Who played what.
        deal: Its hidden chance; the record opens the secret, so anybody can check the draws.
        played: What came of it.
        when: Its end in Unix seconds.
        version: The server's version.

    Returns:
        The playthrough's text form, compressed by zlib; None where nothing was played.
    """
    if played.playthrough is None:
        return None
    tags = (
        ("match", plan.match_id),
        ("attempt", str(plan.attempt)),
        *_ruleset(plan.game),
        ("ended", datetime.fromtimestamp(when, UTC).isoformat(timespec="seconds")),
        ("server", version),
        ("decision-time", f"{plan.time.decision:g} s"),
        ("margin", f"{plan.time.margin:g} s"),
        *_allowances(plan.time),
        ("termination", played.termination.value),
        *_seats(plan, played),
        ("secret", deal.secret.hex()),
        ("commitment", deal.commitment.hex()),
    )
    text = playthrough.dumps(played.playthrough._replace(tags=tags))
    return zlib.compress(text.encode(), _LEVEL)


def _allowances(time: TimeControl) -> list[tuple[str, str]]:
    """Limits of kinds of phases, and the bank, where there are any."""
    tags = [("phase-times", ", ".join(f"{phase} {seconds:g} s" for phase, seconds in time.phases))]
    if time.bank:
        tags.append(("bank", f"{time.bank:g} s + {time.increment:g} s"))
    return [(name, value) for name, value in tags if value]


def _ruleset(game: Game) -> list[tuple[str, str]]:
    """What the components were worth, where a game has any."""
    if not game.ruleset:
        return []
    return [
        (playthrough.RULESET, game.ruleset),
        (playthrough.RULESET_HASH, game.ruleset_hash),
    ]


def _seats(plan: MatchPlan, played: Played) -> list[tuple[str, str]]:
    tags = []
    for seat, (player, outcome) in enumerate(zip(plan.players, played.seats, strict=True)):
        tags.append((f"seat{seat}", player.bot))
        if player.display_name != player.bot:
            tags.append((f"seat{seat}-display", player.display_name))
        result = f"place {outcome.placement}, {outcome.points} points"
        if outcome.timeouts or outcome.illegal:
            result += f", late {outcome.timeouts}, illegal {outcome.illegal}"
        tags.append((f"seat{seat}-result", result + ", forfeit" * outcome.forfeited))
    return tags
