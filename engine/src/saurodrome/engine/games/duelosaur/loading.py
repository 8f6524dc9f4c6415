"""Loads sets of components: the one that ships with the engine, or a corrected one."""

import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from saurodrome.engine.errors import BadComponents
from saurodrome.engine.games.duelosaur.ai_files import read_ai_cards
from saurodrome.engine.games.duelosaur.card_files import read_park_cards, read_starters
from saurodrome.engine.games.duelosaur.components import Components
from saurodrome.engine.games.duelosaur.draft_files import (
    read_dice,
    read_specialists,
    read_tokens,
)
from saurodrome.engine.games.duelosaur.fields import Source
from saurodrome.engine.games.duelosaur.track_files import read_levels, read_tracks

SHIPPED: Final = "duelosaur-recon-1"
"""The reconstructed set: complete and playable, but not the printed one."""

FILES: Final = (
    "park_cards.json",
    "starters.json",
    "specialists.json",
    "dna_dice.json",
    "plot_twists.json",
    "pr_track.json",
    "excitement_track.json",
    "security_prices.json",
    "levels.json",
    "ai_cards.json",
)
_RULESET: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")


@cache
def shipped() -> Components:
    """Return the set that ships with the engine."""
    return _loaded(SHIPPED, data())


def data() -> Traversable:
    """Return the folder with the files of the shipped set."""
    return files("saurodrome.engine.games.duelosaur") / "data"


def load(folder: Traversable) -> Components:
    """Return a set of components from a folder of its own.

    Args:
        folder: A folder (such as a `pathlib.Path`) with the files of the shipped set, and
            ruleset.json with `schema` and `id`.

    Raises:
        BadComponents: A file is missing or wrong; the error names file, entry and reason.
    """
    file = Source().opened("ruleset.json", _text(folder, "ruleset.json"))
    ruleset = file.text("id")
    if not _RULESET.fullmatch(ruleset):
        file.refuse("expected lower-case letters, digits and . _ -, at most 32", "id")
    if ruleset == SHIPPED:
        file.refuse(f"{ruleset} is the id of the set that ships with the engine", "id")
    file.close()
    return _loaded(ruleset, folder)


def content_hash(texts: dict[str, str]) -> str:
    """Return the SHA-256 of what files say, whatever their line ends and blanks.

    The order of fields counts, since gains take effect in written order.
    """
    said = [[name, json.loads(text)] for name, text in sorted(texts.items())]
    return hashlib.sha256(json.dumps(said, separators=(",", ":")).encode()).hexdigest()


def _text(folder: Traversable, name: str) -> str:
    try:
        return (folder / name).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadComponents(name, "", f"is no UTF-8 text: {error}") from error
    except OSError as error:
        raise BadComponents(name, "", f"cannot be read: {error.strerror or error}") from error


def _loaded(ruleset: str, folder: Traversable) -> Components:
    texts = {name: _text(folder, name) for name in FILES}
    source = Source()
    opened = {name: source.opened(name, text) for name, text in texts.items()}
    park = read_park_cards(source, opened["park_cards.json"])
    starters, companies = read_starters(source, opened["starters.json"])
    specialists, limit = read_specialists(source, opened["specialists.json"])
    faces, dice, rolled = read_dice(source, opened["dna_dice.json"])
    tokens, in_play = read_tokens(source, opened["plot_twists.json"], rolled)
    components = Components(
        ruleset=ruleset,
        content_hash=content_hash(texts),
        cards=tuple(sorted([*park, *starters], key=lambda card: card.id)),
        companies=companies,
        faces=tuple(faces),
        dice=tuple(dice),
        dice_rolled=rolled,
        tokens=tuple(tokens),
        tokens_in_play=in_play,
        specialists=tuple(specialists),
        levels=read_levels(opened["levels.json"]),
        tracks=read_tracks(*(opened[name] for name in FILES[5:8])),
        ai_cards=tuple(read_ai_cards(source, opened["ai_cards.json"], tokens, in_play)),
    )
    _check_together(components, limit)
    return components


def _check_together(components: Components, limit: int) -> None:
    """Refuse a set whose files contradict each other or cannot be dealt.

    Raises:
        BadComponents: They do.
    """
    levels = components.levels
    if levels.specialist_limit != limit:
        reason = f"specialist_limit is {levels.specialist_limit}, max_per_player is {limit}"
        raise BadComponents("levels.json", "specialist_limit", reason)
    items = components.dice_rolled + 2
    if 2 * levels.picks_per_player < items - 1:
        reason = f"{items} items need more picks, so that one alone stays over"
        raise BadComponents("levels.json", "picks_per_player", reason)
    _check_deck(components)


def _check_deck(components: Components) -> None:
    park = sum(card.company < 0 for card in components.cards)
    needed = components.levels.row_size + max(
        (card.hand for card in components.ai_cards), default=0
    )
    if park < needed:
        raise BadComponents("park_cards.json", "", f"{park} cards cannot be dealt as {needed}")
    for solo in (False, True):
        kept = sum(one.solo or not solo for one in components.specialists)
        if kept < 1:
            reason = "no specialist is left" + (" for solo" if solo else "")
            raise BadComponents("specialists.json", "", reason)
