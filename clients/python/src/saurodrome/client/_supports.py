"""Which games and variants a bot says that it plays."""

import re
from collections.abc import Iterable, Sequence

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client._errors import InputError
from saurodrome.client.games import GAMES

_WORD = "[a-z0-9][a-z0-9._-]*"
_NAME = re.compile(f"({_WORD})(?:/{_WORD})?")


def game_names(named: object, where: str = "games=") -> tuple[str, ...] | None:
    """Checks what an author named.

    Args:
        named: A list of texts, ``game`` or ``game/variant`` each, or one such text; None means
            all games that this client knows.
        where: Where it comes from, for people.

    Raises:
        InputError: UNKNOWN_GAME or BAD_ARGUMENT.
    """
    if named is None:
        return None
    names = tuple(named) if isinstance(named, Iterable) and not isinstance(named, str) else (named,)
    if not names:
        raise _bad("no games are named.", where)
    return tuple(_checked(name, where) for name in names)


def _checked(name: object, where: str) -> str:
    match = _NAME.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        raise _bad(f"{name!r} is no name of a game.", where)
    if match[1] not in GAMES:
        raise InputError(
            "UNKNOWN_GAME",
            f"this client knows no game {match[1]}.",
            where=where,
            do=f"name {' or '.join(sorted(GAMES))}, or update saurodrome-client",
        )
    return match[0]


def _bad(what: str, where: str) -> InputError:
    game = min(GAMES)
    do = f'write a list such as ["{game}"] or ["{game}/VARIANT"]'
    return InputError("BAD_ARGUMENT", what, where=where, do=do)


def supports(names: Sequence[str] | None) -> list[bot_pb2.GameSupport]:
    """Gives what hello declares; a game that is named without a variant is played in all."""
    wanted: dict[str, set[str]] = {}
    for name in sorted(GAMES) if names is None else names:
        game, _, variant = name.partition("/")
        wanted.setdefault(game, set()).add(variant)
    return [
        bot_pb2.GameSupport(game=game, variants=() if "" in variants else sorted(variants))
        for game, variants in sorted(wanted.items())
    ]
