"""Final scoring: what each park is worth, and who has won."""

from typing import NamedTuple

from saurodrome.engine.games.duelosaur import abilities
from saurodrome.engine.games.duelosaur.components import AiCard, Components
from saurodrome.engine.games.duelosaur.parks import (
    attraction_points,
    counted,
    dinosaur_points,
    icons,
    sets,
)
from saurodrome.engine.games.duelosaur.position import Company, Position, Rival
from saurodrome.engine.games.duelosaur.words import END_VISITORS


class Sheet(NamedTuple):
    """The score sheet of one player, or of an AI.

    Attributes:
        visitors: Visitors on the track.
        dinosaurs: Points of dinosaurs.
        attractions: Points of attractions.
        sets: Points of complete sets.
        specialists: Points that specialists bring.
        extra: Further points of an AI card.
        lawsuits: Points lost to lawsuits, 0 or more.
        herd: Dinosaurs in the park, which break ties.
    """

    visitors: int
    dinosaurs: int
    attractions: int
    sets: int
    specialists: int
    extra: int
    lawsuits: int
    herd: int

    @property
    def total(self) -> int:
        """All points together."""
        return sum(self[:6]) - self.lawsuits


def company_sheet(components: Components, company: Company) -> Sheet:
    """Return the score sheet of a player."""
    held = abilities.held(components, company, END_VISITORS)
    parks = company.dinosaurs, company.attractions
    levels = components.levels
    return Sheet(
        visitors=company.visitors,
        dinosaurs=dinosaur_points(components, company.dinosaurs),
        attractions=attraction_points(components, company.attractions),
        sets=levels.set_value * sets(icons(components, company.attractions)),
        specialists=sum(one.n * counted(components, *parks, one.what) for one in held),
        extra=0,
        lawsuits=levels.lawsuit_penalty * company.lawsuits,
        herd=company.dinosaurs.bit_count(),
    )


def rival_sheet(components: Components, card: AiCard, own: Rival) -> Sheet:
    """Return the score sheet of an AI: its visitors, and what its card says."""
    named = {
        "dinos": dinosaur_points(components, own.dinosaurs),
        "attractions": attraction_points(components, own.attractions),
        "sets": components.levels.set_value * sets(icons(components, own.attractions)),
    }
    dinosaurs, attractions, complete = (
        points if word in card.categories else 0 for word, points in named.items()
    )
    amounts = {"coins": own.coins, "dna_value": own.basic + 2 * own.advanced}
    extra = sum(amounts[per] // every * visitors for per, every, visitors in card.extra)
    herd = own.dinosaurs.bit_count()
    return Sheet(own.visitors, dinosaurs, attractions, complete, 0, extra, 0, herd)


def sheets(position: Position) -> tuple[Sheet, ...]:
    """Return the score sheets by seat, in a solo match the AI's last, as they are now."""
    components = position.setting.components
    found = [company_sheet(components, company) for company in position.companies]
    if position.setting.ai:
        found.append(rival_sheet(components, position.setting.ai, position.rivals[0]))
    return tuple(found)


def rank_key(sheet: Sheet) -> tuple[int, int]:
    """Return what ranks a sheet: points, then dinosaurs (R16)."""
    return sheet.total, sheet.herd


def winner(table: tuple[Sheet, ...]) -> int | None:
    """Return whose sheet wins, None if it is a draw."""
    best = max(map(rank_key, table))
    first, *others = [seat for seat, sheet in enumerate(table) if rank_key(sheet) == best]
    return None if others else first
