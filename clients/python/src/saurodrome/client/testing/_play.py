"""Asks a bot without any network."""

from collections.abc import Callable, Iterable
from typing import Any

from saurodrome.client._decision import Decision, Match
from saurodrome.client._strategy import strategy_of


def play(
    choose: Any,
    decisions: Iterable[Decision],
    *,
    prepare: Callable[[Match], object] | None = None,
) -> list[str]:
    """Asks a bot for decisions, as a server would, and gives what it chose in words.

    Args:
        choose: The bot's function or object.
        decisions: The decisions, of one match or of several.
        prepare: Called once a match, before its first decision.

    Returns:
        The chosen actions as text, such as ``S forest``.

    Raises:
        BotFault: The bot raised, or gave no legal action.
    """
    strategy = strategy_of(choose, prepare)
    seen: set[tuple[str, int]] = set()
    chosen = []
    for asked in decisions:
        if (asked.match.id, asked.match.attempt) not in seen:
            seen.add((asked.match.id, asked.match.attempt))
            strategy.get_ready(asked.match)
        action_id = strategy.answer(asked)
        chosen.append(next(str(a) for a in asked.legal_actions if a.id == action_id))
    return chosen
