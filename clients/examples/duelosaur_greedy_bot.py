"""A bot for Duelosaur Island that looks at the present decision only: what brings most soon?

Its values are guesses: change one, run `saurodrome bot try`, and see whether it got better.
"""

from collections.abc import Callable

from saurodrome.client import Decision, LegalAction, Match, run
from saurodrome.client.games.duelosaur import (
    Company,
    Gain,
    Kind,
    Phase,
    Ruleset,
    State,
    ruleset,
)

GAMES = ["duelosaur"]

# About how many points one of these is worth.
VALUE = {
    **dict.fromkeys(("cyan", "purple", "blue", "basic"), 0.8),
    **dict.fromkeys(("green", "pink", "yellow", "advanced"), 1.8),
    "coins": 1.0,
    "visitors": 1.0,
    "security": 1.5,
    "card": 0.9,
}
KEEP = 2.5  # a specialist
EXCITEMENT = 3.0  # a step of excitement: it draws visitors in every round
MISSING = 1.5  # a unit of DNA that a dinosaur still needs
ICON, SCARCE_ICON = 1.0, 2.5  # an icon of an attraction; one that a set waits for
BLIND = 3.0  # a card from the deck


def prepare(match: Match) -> None:
    """Fetches the ruleset before the first decision."""
    ruleset(match)


def choose(d: Decision) -> LegalAction:
    """Takes the action that is worth most, the first of several; else the default."""
    judge = JUDGES.get(d.state.phase)
    if judge is None:
        return d.default
    rules = ruleset(d)
    return max(d.legal_actions, key=lambda action: judge(action, d.state, rules))


def worth(gain: Gain) -> float:
    """Adds up what a gain is worth."""
    return sum(VALUE[key] * amount for key, amount in gain.items())


def draw(action: LegalAction, state: State, rules: Ruleset) -> float:
    """Judges where a card comes from."""
    return BLIND if action.card is None else card(action.card, state.company, rules)


def card(number: int, company: Company, rules: Ruleset) -> float:
    """Judges what a card would bring soon, as a dinosaur or as an attraction."""
    dinosaur = rules.cards[number].dinosaur
    missing = sum(max(0, n - company.dna[colour]) for colour, n in dinosaur.cost.items())
    alive = dinosaur.visitors + 2 * dinosaur.excitement - MISSING * missing
    return max(alive, attraction(number, company, rules))


def attraction(number: int, company: Company, rules: Ruleset) -> float:
    """Judges a card as an attraction."""
    built = [rules.cards[one].attraction for one in company.attractions]
    icons = {
        kind: sum(a.icons for a in built if a.type == kind) for kind in ("food", "merch", "ride")
    }
    new = rules.cards[number].attraction
    scarce = icons[new.type] == min(icons.values())
    return new.visitors + new.icons * (SCARCE_ICON if scarce else ICON)


def pick(action: LegalAction, state: State, rules: Ruleset) -> float:
    """Judges a pick of the draft; wild units go where there are few."""
    if action.kind is Kind.KEEP:
        return KEEP
    if action.kind is Kind.SWAP:
        return 0
    common = sum(0.05 * state.company.dna[colour] for colour in action.colours)
    if action.kind is Kind.THROW:
        return worth(rules.specialists[action.specialist or 0].discard) - common
    slot = state.slots[action.slot or 0]
    gain = rules.faces[slot.face or 0].gain
    if slot.twist is None:
        return worth(gain) - common
    effect = rules.twists[slot.twist].effects[action.option or 0]
    dna = sum(VALUE[key] * n for key, n in gain.items() if key in DNA)
    return worth(gain) + (effect.mult - 1) * dna + worth(effect.gain) - common


DNA = ("cyan", "purple", "blue", "basic", "green", "pink", "yellow", "advanced")


def step(action: LegalAction, state: State, rules: Ruleset) -> float:
    """Judges a step of Build; `done` is worth nothing, so it comes when no other is."""
    mine, number = state.company, action.card or 0
    match action.kind:
        case Kind.COLOUR:
            return -sum(mine.dna[colour] for colour in action.colours)
        case Kind.CREATE:
            dinosaur = rules.cards[number].dinosaur
            return dinosaur.visitors + EXCITEMENT * dinosaur.excitement
        case Kind.ATTRACTION:
            return attraction(number, mine, rules)
        case Kind.SECURITY:
            return 20 if mine.threat + undrafted(state, rules) > mine.security else -1
        case Kind.DONE:
            return 0
        case _:
            return -1


def undrafted(state: State, rules: Ruleset) -> int:
    """Counts the threat of what nobody picked."""
    dice = sum(rules.faces[slot.face].threat for slot in state.slots if slot.face is not None)
    return dice + sum(rules.specialists[one].threat for one in state.offer)


def bonus(action: LegalAction, state: State, rules: Ruleset) -> float:
    """Judges a space of the PR track."""
    return worth(rules.pr_spaces[action.space or 0])


JUDGES: dict[Phase, Callable[[LegalAction, State, Ruleset], float]] = {
    Phase.DRAW: draw,
    Phase.PICK: pick,
    Phase.BUILD: step,
    Phase.PR: bonus,
}


if __name__ == "__main__":
    run(choose, prepare=prepare, games=GAMES, max_concurrent=4)
