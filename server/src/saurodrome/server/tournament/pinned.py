"""What a tournament pins at its creation: rules and component values that must not change."""

from saurodrome.engine import registry
from saurodrome.server.errors import Kind, Refused
from saurodrome.server.store import records


def check_pinned(record: records.Tournament) -> None:
    """Checks that this server plays what a tournament was begun with.

    Raises:
        Refused: RULES_CHANGED or RULESET_CHANGED.
    """
    game = registry.get(record.settings.game)
    if game.rules_version != record.rules_version:
        raise Refused(
            Kind.WRONG_STATE,
            "RULES_CHANGED",
            f"{record.settings.name} was begun under rules {record.rules_version} of"
            f" {game.name}; this server plays rules {game.rules_version}.",
            "rules_version",
            "finish it with the server version that began it, or cancel it and plan anew",
        )
    if game.ruleset_hash != record.settings.ruleset_hash:
        raise Refused(
            Kind.WRONG_STATE,
            "RULESET_CHANGED",
            f"{record.settings.name} was begun with ruleset {record.settings.ruleset} of"
            f" {game.name}; this server plays {game.ruleset}, and they differ.",
            "ruleset_hash",
            "finish it with the component data that it was begun with, or cancel it",
        )
