"""A set of components as one JSON document, with the numbers that messages and masks use."""

import json
from typing import Any, Final

from saurodrome.engine.games.duelosaur.components import (
    NO_CAP,
    Ability,
    AiCard,
    Card,
    Components,
    Face,
    Gain,
    Levels,
    Specialist,
    Token,
    Tracks,
)
from saurodrome.engine.games.duelosaur.words import (
    ATTRACTION_TYPES,
    COLOURS,
    DINOSAUR_TYPES,
    DISCOUNT,
    DISCOUNTED,
    END_VISITORS,
    KEYS,
    LENGTHS,
    OPS,
    PER,
)

NOTE: Final = (
    "Component values are reconstructed: the rulebook does not print them, and no public table"
    " does. Corrected data can be loaded; see the README."
)
"""What everybody should know who plays with the shipped set."""


def document(components: Components, note: str) -> str:
    """Return a set as JSON: an object of lists; a number of a message is an index into one.

    Args:
        components: The set.
        note: What people should know of its values.
    """
    said = {
        "ruleset": components.ruleset,
        "hash": components.content_hash,
        "note": note,
        "colours": COLOURS,
        "cards": [_card(card) for card in components.cards],
        "companies": components.companies,
        "specialists": [_specialist(one) for one in components.specialists],
        "twists": [_token(token) for token in components.tokens],
        "twists_in_play": components.tokens_in_play,
        "faces": [_face(face) for face in components.faces],
        "dice": components.dice,
        "dice_rolled": components.dice_rolled,
        "levels": _levels(components.levels),
        "tracks": _tracks(components.tracks),
        "ai_cards": [_ai(card) for card in components.ai_cards],
    }
    return json.dumps(said, separators=(",", ":"), ensure_ascii=False)


def _gain(gain: Gain) -> dict[str, int]:
    return {KEYS[key]: amount for key, amount in gain}


def _card(card: Card) -> dict[str, Any]:
    dinosaur, attraction = card.dinosaur, card.attraction
    return {
        "id": card.id,
        "dinosaur": dinosaur._asdict() | {"type": DINOSAUR_TYPES[dinosaur.type]},
        "attraction": attraction._asdict() | {"type": ATTRACTION_TYPES[attraction.type]},
        "company": None if card.company < 0 else card.company,
    }


def _specialist(one: Specialist) -> dict[str, Any]:
    said = {"ability": _ability(one.ability), "discard": _gain(one.discard)}
    return one._asdict() | said


def _ability(ability: Ability) -> dict[str, Any]:
    what = {DISCOUNT: DISCOUNTED, END_VISITORS: PER}.get(ability.op)
    return ability._asdict() | {
        "op": OPS[ability.op],
        "gain": _gain(ability.gain),
        "pay": _gain(ability.pay),
        "what": what[ability.what] if what else None,
    }


def _token(token: Token) -> dict[str, Any]:
    effects = [{"mult": one.mult, "gain": _gain(one.gain)} for one in token.effects]
    return token._asdict() | {"effects": effects}


def _face(face: Face) -> dict[str, Any]:
    return face._asdict() | {"gain": _gain(face.gain)}


def _levels(levels: Levels) -> dict[str, Any]:
    thresholds = dict(zip(LENGTHS, levels.visitor_thresholds, strict=True))
    said = {"visitor_thresholds": thresholds, "dna_max": _cap(levels.dna_max)}
    return levels._asdict() | said


def _tracks(tracks: Tracks) -> dict[str, Any]:
    return tracks._asdict() | {
        "pr_spaces": [_gain(space) for space in tracks.pr_spaces],
        "excitement_max": _cap(tracks.excitement_max),
        "security_max": _cap(tracks.security_max),
        "security_prices": {str(level): n for level, n in tracks.security_prices.items()},
    }


def _cap(most: int) -> int | None:
    return None if most == NO_CAP else most


def _ai(card: AiCard) -> dict[str, Any]:
    build = [[order._asdict() for order in plan] for plan in card.build]
    extra = [{"per": per, "every": every, "visitors": n} for per, every, n in card.extra]
    return card._asdict() | {"length": LENGTHS[card.length], "build": build, "extra": extra}
