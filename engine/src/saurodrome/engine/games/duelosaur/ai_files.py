"""Reads the AI cards of solo matches."""

from collections.abc import Sequence

from saurodrome.engine.games.duelosaur.components import AiCard, Order, Token
from saurodrome.engine.games.duelosaur.fields import Fields, Source
from saurodrome.engine.games.duelosaur.words import (
    AI_BY,
    AI_CATEGORIES,
    AI_DRAWS,
    AI_EXTRAS,
    AI_LOSSES,
    AI_PLAYS,
    AI_PR_WORDS,
    AI_WORDS,
    LENGTHS,
    TOKEN_CATEGORIES,
)


def read_ai_cards(
    source: Source, file: Fields, tokens: Sequence[Token], in_play: int
) -> list[AiCard]:
    """Return the AI cards.

    Args:
        source: Keeps the ids apart.
        file: The file.
        tokens: The plot twists, which must be able to fulfil what a card requires.
        in_play: How many of them are in play.

    Raises:
        BadComponents: Something is wrong with a card.
    """
    cards = [_card(entry, tokens, in_play) for entry in source.entries(file, "cards")]
    names = [slug(card.name) for card in cards]
    for card, name in zip(cards, names, strict=True):
        if not name or names.count(name) > 1 or len(name) > 20:
            Fields(file.file, card.id, {}).refuse(f"{card.name!r} gives no name of its own", "name")
    file.close()
    return cards


def slug(name: str) -> str:
    """Return a name as part of an id: lower case, digits and single hyphens."""
    kept = "".join(c if c.isascii() and c.isalnum() else " " for c in name.lower())
    return "-".join(kept.split())


def _card(entry: Fields, tokens: Sequence[Token], in_play: int) -> AiCard:
    setup, income, draft, loss, pr, scoring = (
        entry.inner(name)
        for name in ("setup", "income", "draft", "undrafted_loss", "pr", "scoring")
    )
    coins = income.inner("coins")
    card = AiCard(
        id=entry.entry,
        name=entry.text("name"),
        length=entry.word("length", LENGTHS),
        difficulty=entry.whole("difficulty", 1, 9),
        hand=setup.whole("hand", 0, 20),
        twists_required=_required(entry, tokens, in_play),
        draw=income.whole("draw", 0, 20),
        draw_priority=income.words("draw_priority", AI_DRAWS),
        coins=coins.whole("base"),
        coins_food=coins.flag("food"),
        coins_excitement=coins.flag("income_spaces"),
        draft_first=draft.flag("first"),
        draft_priority=draft.words("priority", AI_WORDS),
        build=_build(entry),
        loss_what=AI_LOSSES[loss.word("what", AI_LOSSES)],
        loss_per_threat=loss.whole("per_threat"),
        pr_first=pr.flag("first"),
        pr_priority=pr.words("priority", AI_PR_WORDS),
        categories=scoring.words("categories", AI_CATEGORIES),
        extra=tuple(_extra(entry, value) for value in scoring.items("extra")),
    )
    for fields in (setup, coins, income, draft, loss, pr, scoring, entry):
        fields.close()
    return card


def _required(entry: Fields, tokens: Sequence[Token], in_play: int) -> tuple[str, ...]:
    words = entry.words("twists_required", TOKEN_CATEGORIES[:-1])
    for word in words:
        if not any(fits(token, word) for token in tokens):
            entry.refuse(f"no plot twist is a {word}", "twists_required")
    if len(words) > in_play:
        entry.refuse(f"only {in_play} plot twists are in play", "twists_required")
    return words


def fits(token: Token, word: str) -> bool:
    """Return whether a plot twist is of a required kind."""
    return token.category.startswith(word)


def _build(entry: Fields) -> tuple[tuple[Order, ...], ...]:
    plans = []
    for plan in entry.items("build"):
        if not isinstance(plan, list):
            entry.refuse("expected lists of steps", "build")
        plans.append(tuple(_order(entry, step) for step in plan))
    if not plans:
        entry.refuse("expected at least one plan", "build")
    return tuple(plans)


def _order(entry: Fields, value: object) -> Order:
    step = Fields(entry.file, f"{entry.entry}.build", value)
    order = Order(step.word("play", AI_PLAYS) == 1, step.words("by", AI_BY))
    step.close()
    return order


def _extra(entry: Fields, value: object) -> tuple[str, int, int]:
    fields = Fields(entry.file, f"{entry.entry}.scoring.extra", value)
    extra = (
        AI_EXTRAS[fields.word("per", AI_EXTRAS)],
        fields.whole("every", 1),
        fields.whole("visitors"),
    )
    fields.close()
    return extra
