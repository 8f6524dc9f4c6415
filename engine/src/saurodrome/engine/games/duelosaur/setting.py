"""What is fixed for a whole match: the components, the length and the options."""

from dataclasses import dataclass, field
from typing import Final

from saurodrome.engine.games.duelosaur.ai_files import slug
from saurodrome.engine.games.duelosaur.components import AiCard, Card, Components, Gain
from saurodrome.engine.games.duelosaur.words import ACTION, CARD, LENGTHS, ON_MIX

USUAL: Final = "medium"


@dataclass(frozen=True)
class Setting:
    """The parameters of one variant; equal if the set and the variant are.

    Attributes:
        variant: Its name.
        content_hash: Which set of components it is.
        components: The set itself.
        threshold: Visitors that end the match.
        twists: Whether the players choose the plot twists.
        extra_round: Whether one whole round follows the one that reached the threshold.
        ai: The opponent of a solo match, or None.
        cards_in_build: Whether the set can give cards in Build, which the shipped one cannot.
    """

    variant: str
    content_hash: str
    components: Components = field(compare=False, repr=False)
    threshold: int = field(compare=False)
    twists: bool = field(compare=False)
    extra_round: bool = field(compare=False)
    ai: AiCard | None = field(compare=False)
    cards_in_build: bool = field(compare=False)

    @property
    def players(self) -> int:
        """The number of seats that bots take."""
        return 1 if self.ai else 2

    @property
    def cards(self) -> tuple[Card, ...]:
        """All park cards and starters."""
        return self.components.cards

    def __deepcopy__(self, memo: object) -> "Setting":
        return self


def settings(components: Components) -> tuple[Setting, ...]:
    """Return the variants that a set of components allows, the usual one first."""
    found = [
        _setting(components, "-".join(part for part in parts if part), length, parts)
        for length in sorted(LENGTHS, key=lambda length: length != USUAL)
        for parts in _options(length)
    ]
    for ai in components.ai_cards:
        length = LENGTHS[ai.length]
        found.append(_setting(components, f"solo-{slug(ai.name)}", length, (), ai))
    return tuple(found)


def _options(length: str) -> tuple[tuple[str, ...], ...]:
    """Return the name of a length with all choices of options."""
    return tuple(
        (length, *twists, *extra) for twists in ((), ("twists",)) for extra in ((), ("extra",))
    )


def _setting(
    components: Components,
    variant: str,
    length: str,
    parts: tuple[str, ...],
    ai: AiCard | None = None,
) -> Setting:
    return Setting(
        variant=variant,
        content_hash=components.content_hash,
        components=components,
        threshold=components.levels.visitor_thresholds[LENGTHS.index(length)],
        twists="twists" in parts,
        extra_round="extra" in parts,
        ai=ai,
        cards_in_build=_cards_in_build(components),
    )


def _cards_in_build(components: Components) -> bool:
    """Return whether a ride, an action or a mix can ever give a card."""
    tracks = components.tracks
    gains: list[Gain] = list(tracks.pr_spaces[tracks.pr_start :])
    gains.extend(
        one.ability.gain for one in components.specialists if one.ability.op in (ACTION, ON_MIX)
    )
    return any(key == CARD for gain in gains for key, _ in gain)
