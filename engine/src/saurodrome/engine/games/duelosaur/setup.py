"""Before the first round: the deal, the choice of plot twists, the starting cards."""

from functools import cache
from itertools import permutations
from typing import Final

from saurodrome.engine.chance import Chance
from saurodrome.engine.games.duelosaur import market
from saurodrome.engine.games.duelosaur.ai_files import fits
from saurodrome.engine.games.duelosaur.components import Components
from saurodrome.engine.games.duelosaur.phase import Phase
from saurodrome.engine.games.duelosaur.position import (
    AI,
    EMPTY_DRAFT,
    INCOME,
    NOTHING,
    SETUP,
    TWIST,
    Company,
    Market,
    Position,
    Rival,
    Staff,
    bits,
    mask,
)
from saurodrome.engine.games.duelosaur.setting import Setting

START_THREAT: Final = 1
STARTERS: Final = 3


def first_position(setting: Setting, start: int, chance: Chance) -> Position:
    """Return the position in which a match begins.

    Args:
        setting: The variant.
        start: The seat that the drawn first player is counted from.
        chance: Where the deal comes from.
    """
    parts = setting.components
    solo = setting.ai is not None
    position = Position(
        setting=setting,
        first=AI if solo else (start + chance.draw("first-player", 2)) % 2,
        round=0,
        stage=SETUP,
        queue=(),
        final=False,
        agenda=(),
        companies=tuple(_company(setting, seat) for seat in range(setting.players)),
        rivals=(_rival(parts),) if solo else (),
        market=Market((), (mask(n for n, card in enumerate(parts.cards) if card.company < 0),), 0),
        staff=Staff(_specialists(setting), 0, 0),
        draft=EMPTY_DRAFT,
        tokens=(),
        offered=(),
        marker=parts.tracks.pr_start,
        limit=0,
        plan=0,
        choices=(NOTHING,) * setting.players,
        works=(),
        reserves=(),
        scripts=(),
    )
    return _deal_ai(market.deal_row(_with_tokens(position, chance), chance), chance)


def _company(setting: Setting, seat: int) -> Company:
    levels, tracks = setting.components.levels, setting.components.tracks
    return Company(
        coins=0,
        dna=(0,) * 6,
        threat=START_THREAT,
        security=tracks.security_start,
        excitement=tracks.excitement_start,
        visitors=levels.visitor_start,
        lawsuits=0,
        seen=mask(n for n, card in enumerate(setting.cards) if card.company == seat),
        hidden=0,
        dinosaurs=0,
        attractions=0,
        specialists=(),
    )


def _rival(parts: Components) -> Rival:
    excitement, visitors = parts.tracks.excitement_start, parts.levels.visitor_start
    return Rival(0, 0, 0, excitement, visitors, 0, 0, 0)


def _specialists(setting: Setting) -> int:
    """Return the specialists that are in play."""
    solo = setting.ai is not None
    known = setting.components.specialists
    return mask(number for number, one in enumerate(known) if one.solo or not solo)


def _with_tokens(position: Position, chance: Chance) -> Position:
    """Draw the plot twists, or those to choose from."""
    setting = position.setting
    in_play = setting.components.tokens_in_play
    if setting.twists:
        second = 1 - position.first
        queue = tuple((position.first, second)[turn % 2] for turn in range(in_play))
        offered = tuple(sorted(_tokens(setting, 2 * in_play, chance)))
        return position._replace(stage=TWIST, queue=queue, offered=offered)
    tokens = _tokens(setting, in_play, chance)
    while setting.ai and not suffices(setting, tokens):
        tokens = _tokens(setting, in_play, chance)
    return position._replace(tokens=tokens)


def _tokens(setting: Setting, count: int, chance: Chance) -> tuple[int, ...]:
    left = list(range(len(setting.components.tokens)))
    return tuple(left.pop(chance.draw("twists", len(left))) for _ in range(count))


def suffices(setting: Setting, tokens: tuple[int, ...]) -> bool:
    """Return whether plot twists are such as the AI card requires."""
    required = setting.ai.twists_required if setting.ai else ()
    known = setting.components.tokens
    return all(any(fits(known[token], word) for token in tokens) for word in required)


def _deal_ai(position: Position, chance: Chance) -> Position:
    """Deal the AI of a solo match its hand, which lies open."""
    for _ in range(position.setting.ai.hand if position.setting.ai else 0):
        position, card = market.draw_top(position, chance)
        rival = position.rivals[0]
        position = market.show(position, 1 << card)
        position = position._replace(rivals=(rival._replace(hand=rival.hand | 1 << card),))
    return position


# Choosing plot twists: action ids are keep * number of tokens + drop.


def _twist_legal(position: Position, seat: int) -> tuple[int, ...]:
    total = len(position.setting.components.tokens)
    return tuple(keep * total + drop for keep, drop in permutations(position.offered, 2))


def _twist_default(position: Position, seat: int) -> int:
    return position.offered[0] * len(position.setting.components.tokens) + position.offered[1]


def _twist_act(position: Position, seat: int, action: int, chance: Chance) -> Position:
    keep, drop = divmod(action, len(position.setting.components.tokens))
    queue = position.queue[1:]
    return position._replace(
        tokens=(*position.tokens, keep),
        offered=tuple(one for one in position.offered if one not in (keep, drop)) if queue else (),
        queue=queue,
        stage=TWIST if queue else SETUP,
    )


def _twist_text(position: Position, seat: int, action: int) -> str:
    tokens = position.setting.components.tokens
    keep, drop = divmod(action, len(tokens))
    return f"keep {tokens[keep].id} drop {tokens[drop].id}"


# The starting cards: action ids number the pairs (dinosaur, attraction) of the three starters.


@cache
def _pairs() -> tuple[tuple[int, int], ...]:
    return tuple((one, other) for one, other in permutations(range(STARTERS), 2))


def _setup_legal(position: Position, seat: int) -> tuple[int, ...]:
    return tuple(range(len(_pairs())))


def _setup_default(position: Position, seat: int) -> int:
    return 0


def _setup_act(position: Position, seat: int, action: int, chance: Chance) -> Position:
    choices = (*position.choices[:seat], action, *position.choices[seat + 1 :])
    position = position._replace(choices=choices)
    if NOTHING in choices:
        return position
    companies = tuple(map(started, position.companies, choices))
    return position._replace(companies=companies, choices=(), stage=INCOME)


def started(company: Company, action: int) -> Company:
    """Return a company with its starting park; the third card is its hand (R1, R2)."""
    starters = bits(company.seen)
    dinosaur, attraction = (1 << starters[index] for index in _pairs()[action])
    return company._replace(
        seen=company.seen & ~dinosaur & ~attraction, dinosaurs=dinosaur, attractions=attraction
    )


def _setup_text(position: Position, seat: int, action: int) -> str:
    starters = bits(position.companies[seat].seen)
    dinosaur, attraction = (
        position.setting.cards[starters[index]].id for index in _pairs()[action]
    )
    return f"dino {dinosaur} attr {attraction}"


TWIST_PHASE: Final = Phase("twist", _twist_legal, _twist_default, _twist_act, _twist_text)
SETUP_PHASE: Final = Phase(
    "setup", _setup_legal, _setup_default, _setup_act, _setup_text, sealed=True
)
