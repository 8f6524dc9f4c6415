"""Reads dice, plot twists and specialists."""

from typing import Final

from saurodrome.engine.games.duelosaur.components import Ability, Effect, Face, Specialist, Token
from saurodrome.engine.games.duelosaur.fields import Fields, Source
from saurodrome.engine.games.duelosaur.words import (
    COLOURS,
    DISCOUNTED,
    OFF_IN_SOLO,
    OPS,
    PER,
    SPECIALIST_PHASES,
    TOKEN_CATEGORIES,
)

FACES_PER_DIE: Final = 6
_PAYABLE: Final = (*COLOURS, "basic", "advanced", "coins", "card")


def read_dice(source: Source, file: Fields) -> tuple[list[Face], list[tuple[int, ...]], int]:
    """Return all faces, the faces of each die, and how many dice are rolled.

    Raises:
        BadComponents: Something is wrong with a die.
    """
    faces: list[Face] = []
    dice: list[tuple[int, ...]] = []
    for entry in source.entries(file, "dice"):
        sides = [_face(entry, len(dice), side) for side in entry.items("faces")]
        if len(sides) != FACES_PER_DIE:
            entry.refuse(f"expected {FACES_PER_DIE} faces, found {len(sides)}")
        dice.append(tuple(range(len(faces), len(faces) + len(sides))))
        faces.extend(sides)
        entry.close()
    rolled = file.whole("rolled_per_round", 2, len(dice))
    file.close()
    return faces, dice, rolled


def _face(die: Fields, number: int, value: object) -> Face:
    side = Fields(die.file, f"{die.entry}.faces", value)
    face = Face(number, side.amounts("gain"), side.whole("threat"))
    side.close()
    return face


def read_tokens(source: Source, file: Fields, rolled: int) -> tuple[list[Token], int]:
    """Return the plot twists and how many are in play.

    Raises:
        BadComponents: Something is wrong with one, or there are not enough to choose from.
    """
    tokens = [_token(entry) for entry in source.entries(file, "tokens")]
    in_play = file.whole("in_play", 1)
    if in_play != rolled - 1:
        file.refuse(f"expected one less than the {rolled} dice rolled, found {in_play}", "in_play")
    if len(tokens) < 2 * in_play:
        file.refuse(f"choosing {in_play} needs {2 * in_play} tokens, found {len(tokens)}")
    file.close()
    return tokens, in_play


def _token(entry: Fields) -> Token:
    category = TOKEN_CATEGORIES[entry.word("category", TOKEN_CATEGORIES)]
    if category == "choice":
        effects = tuple(
            _effect(Fields(entry.file, f"{entry.entry}.options", option))
            for option in entry.items("options")
        )
        if len(effects) != 2:
            entry.refuse(f"expected two options, found {len(effects)}", "options")
        entry.close()
    else:
        effects = (_effect(entry),)
    return Token(entry.entry, category, effects)


def _effect(fields: Fields) -> Effect:
    if "mult" not in fields and "gain" not in fields:
        fields.refuse("has neither 'mult' nor 'gain'")
    mult = fields.whole("mult", 2) if "mult" in fields else 1
    gain = fields.amounts("gain") if "gain" in fields else ()
    fields.close()
    return Effect(mult, gain)


def read_specialists(source: Source, file: Fields) -> tuple[list[Specialist], int]:
    """Return the specialists and how many a player may hold.

    Raises:
        BadComponents: Something is wrong with one.
    """
    specialists = [_specialist(entry) for entry in source.entries(file, "cards")]
    limit = file.whole("max_per_player", 1)
    file.close()
    return specialists, limit


def _specialist(entry: Fields) -> Specialist:
    specialist = Specialist(
        id=entry.entry,
        name=entry.text("name"),
        threat=entry.whole("threat"),
        phase=SPECIALIST_PHASES[entry.word("phase", SPECIALIST_PHASES)],
        ability=_ability(entry.inner("ability")),
        discard=entry.amounts("discard"),
        solo=entry.flag("solo"),
    )
    if specialist.solo and specialist.ability.op in OFF_IN_SOLO:
        word = OPS[specialist.ability.op]
        entry.refuse(f"{word} acts on a step that solo automates, so it must be false", "solo")
    entry.close()
    return specialist


def _ability(fields: Fields) -> Ability:
    """Return an ability; each word of the vocabulary has fields of its own."""
    op = fields.word("op", OPS)
    ability = Ability(op)
    match OPS[op]:
        case "income" | "on_mix":
            ability = ability._replace(gain=fields.amounts("gain"))
        case "prep_specialist_pool":
            ability = ability._replace(n=fields.whole("draw", 3))
        case "prep_reroll":
            ability = ability._replace(n=fields.whole("dice", 1))
        case "action":
            pay, gain = fields.amounts("pay", _PAYABLE), fields.amounts("gain")
            ability = ability._replace(pay=pay, gain=gain, n=fields.whole("per_round", 1))
        case "free_mix":
            ability = ability._replace(n=fields.whole("per_round", 1))
        case "sell_rate":
            ability = ability._replace(n=fields.whole("coins", 1))
        case "discount":
            what, least = fields.word("what", DISCOUNTED), fields.whole("min", 1)
            ability = ability._replace(n=fields.whole("n", 1), minimum=least, what=what)
        case "threat_mod":
            ability = ability._replace(n=fields.whole("n", -1000))
        case "loss_factor":
            ability = ability._replace(n=fields.whole("n"))
        case "visitors":
            ability = ability._replace(n=fields.whole("n", 1))
        case "hand_limit":
            ability = ability._replace(n=fields.whole("plus", 1))
        case "end_visitors":
            ability = ability._replace(what=fields.word("per", PER), n=fields.whole("n", 1))
        case _:  # ignore_undrafted and pr_first have no fields
            pass
    fields.close()
    return ability
