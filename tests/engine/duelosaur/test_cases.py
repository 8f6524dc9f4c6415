"""Every worked example of the rules, named by its id."""

from collections.abc import Callable
from typing import Any

import pytest

from saurodrome.engine.games.duelosaur import (
    abilities,
    build,
    draft,
    gains,
    income,
    market,
    parks,
    preparation,
    rival,
    rival_build,
    round_end,
    scoring,
    steps,
    visitors,
)
from saurodrome.engine.games.duelosaur.components import Effect
from saurodrome.engine.games.duelosaur.position import (
    END_CHECK,
    HAND_LIMIT,
    NOTHING,
    OVER,
    PICK,
    PR_TURN,
)
from saurodrome.engine.games.duelosaur.scoring import Sheet
from saurodrome.engine.games.duelosaur.words import ATTRACTION_TYPES, COLOURS, DINOSAUR_TYPES
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.samples import CARDS, PARTS, SOLO, SPECIALISTS

Case = dict[str, Any]


def prep_dice(state: Case, action: Case) -> Case:
    orders = preparation.placements(len(state["dice"]))
    assign = tuple(action["assign"])
    if assign not in orders:
        return {"legal": False}
    under = [*state["tokens"], None]
    slots = [[state["dice"][die], under[slot]] for slot, die in enumerate(assign)]
    return {"slots": slots, "legal": True, "legal_count": len(orders)}


def _effects(token: Case | None) -> list[Effect]:
    if token is None:
        return [Effect(1, ())]
    parts = token.get("options", [token])
    return [Effect(part.get("mult", 1), samples.gain(part.get("gain", {}))) for part in parts]


def draft_die(state: Case, action: Case) -> Case:
    effect = _effects(state["token"])[action.get("choice", 0)]
    gained = draft.die_gain(samples.gain(state["face"]["gain"]), effect)
    colours = tuple(COLOURS.index(colour) for colour in action["colours"])
    if colours not in gains.colourings(*gains.wild_units(gained)):
        return {"legal": False}
    company = samples.company(
        coins=state["coins"], dna=samples.dna(state["dna"]), security=state["security"]
    )
    for key, amount in gains.coloured(gained, colours):
        company = gains.credit(PARTS, company, key, amount)
    counts = dict(zip(COLOURS, company.dna, strict=True))
    return {"dna": counts, "coins": company.coins, "legal": True}


def draft_specialist(state: Case, action: Case) -> Case:
    held = samples.specialists(*state["specialists"])
    hand = samples.cards("P01", "P02")
    assert hand.bit_count() == state["hand"]
    before = samples.position(
        companies=(samples.company(specialists=held, seen=hand), samples.company()),
        draft=samples.draft(offer=samples.specialists(action["card"], "X01"), picks=1),
        stage=PICK,
        queue=(0,),
        staff=samples.start().staff._replace(discards=0),
    )
    out = f" for {action['out']}" if "out" in action else ""
    text = f"{action['mode']} {action['card']}{out}"
    if text not in samples.texts(before):
        return {"legal": False}
    after = samples.act(before, text)
    if after.phase == "draw":
        after = samples.act(after, "slot 0")
    own = after.companies[0]
    thrown = after.staff.discards
    return {
        "specialists": [PARTS.specialists[one].id for one in own.specialists],
        "hand": own.hand.bit_count(),
        "discard": [one.id for n, one in enumerate(PARTS.specialists) if thrown >> n & 1],
        "legal": True,
    }


def draft_order(state: Case, action: Case) -> Case:
    faces = tuple(die[0] for die in PARTS.dice[:5])
    offer = samples.specialists("X01", "X02")
    at = samples.position(first=state["first"], draft=samples.draft(slots=faces, offer=offer))
    pickers = []
    while not draft.is_over(at):
        pickers.append(draft.picker(at))
        slot = next((n for n, one in enumerate(at.draft.slots) if one != NOTHING), NOTHING)
        kind, item = (draft.DIE, slot) if slot != NOTHING else (draft.THROW, at.draft.offer[0])
        at = type(at)._make(draft.taken(at, draft.Pick(kind, item)))
    left = sum(face != NOTHING for face in at.draft.slots) + len(at.draft.offer)
    return {"pickers": pickers, "left_over": left}


def _card(name: str) -> str:
    if name != "@ride2":
        return name
    return next(
        card.id
        for card in PARTS.cards
        if (card.attraction.type, card.attraction.icons, card.attraction.cost) == (2, 2, 4)
    )


def _letters(colours: list[str]) -> str:
    return "".join({"pink": "k"}.get(colour, colour[0]) for colour in colours)


def _text(kind: str, *rest: Any) -> str:
    """Return the text of a step that a case writes down."""
    if kind == "mix_up":
        return f"mix up {rest[0]} {_letters(rest[1])} to {_letters([rest[2]])}"
    if kind == "mix_down":
        return f"mix down {rest[0]} {_letters([rest[1]])} to {_letters(rest[2])}"
    if kind == "sell":
        return f"sell {_letters(rest[0])}"
    words = {"attr": "attraction ", "dino": "create ", "security": "security", "gain_colour": ""}
    return words[kind] + (_card(rest[0]) if rest else "")


def build_script(state: Case, action: Case) -> Case:
    company = samples.company(
        coins=state["coins"],
        dna=samples.dna(state["dna"]),
        seen=samples.cards(*map(_card, state["hand"])),
        excitement=state["exc"],
        threat=state["threat"],
        security=state["sec"],
        specialists=samples.specialists(*state["specialists"]),
    )
    work = samples.work(company)
    for index, entry in enumerate(action["script"]):
        options = steps.steps(samples.setting(), work)
        found = [s for s in options if steps.step_text(PARTS, s) == _text(*entry)]
        if not found:
            return {"legal": False, "illegal_index": index, "work": work}
        work = build.stepped(samples.setting(), state["marker"], work, found[0])
    after = work.company
    return {
        "legal": True,
        "coins": after.coins,
        "dna": dict(zip(COLOURS, after.dna, strict=True)),
        "hand": samples.names(after.hand),
        "exc": after.excitement,
        "threat": after.threat,
        "sec": after.security,
        "attrs": samples.names(after.attractions),
        "dinos": samples.names(after.dinosaurs),
    }


def escape(state: Case, action: Case) -> Case:
    company = samples.company(**{k: v for k, v in state.items() if k != "undrafted"})
    after = visitors.escaped(PARTS, company, state["undrafted"])
    return {"visitors": after.visitors, "lawsuits": after.lawsuits}


def gain_visitors(state: Case, action: Case) -> Case:
    company = samples.company(visitors=state["visitors"], excitement=state["exc"])
    return {"visitors": visitors.crowded(PARTS, company).visitors}


def pr_order(state: Case, action: Case) -> Case:
    order = visitors.usual_order(state["exc"], state["park_cards"], state["first"])
    return {"order": list(order)}


def pr_round(state: Case, action: Case) -> Case:
    order = visitors.usual_order(state["exc"], state["park_cards"], state["first"])
    at = samples.position(stage=PR_TURN, queue=order, limit=state["marker"], marker=state["marker"])
    at = samples.settled(at)
    options, gained = [], []
    for pick in action["picks"]:
        options.append(len(at.legal_actions(at.deciders()[0])) if at.phase == "pr" else 0)
        if pick is None:
            continue
        if pick not in at.legal_actions(at.deciders()[0]):
            return {"legal": False}
        gained.append(samples.plain(PARTS.tracks.pr_spaces[pick]))
        at = type(at)._make(visitors.chosen(at, at.queue[0], pick)._replace(agenda=()))
        at = samples.settled(at) if at.queue else at
    return {"order": list(order), "options": options, "gains": gained, "legal": True}


def final_score(state: Case, action: Case) -> Case:
    levels = PARTS.levels
    sheet = Sheet(
        visitors=state["visitors"],
        dinosaurs=state["dinos"],
        attractions=state["attractions"],
        sets=levels.set_value * state["sets"],
        specialists=state["specialists"],
        extra=0,
        lawsuits=levels.lawsuit_penalty * state["lawsuits"],
        herd=0,
    )
    return {"total": sheet.total}


def sets(state: Case, action: Case) -> Case:
    found = parks.sets((state["food"], state["merch"], state["ride"]))
    return {"sets": found, "visitors": PARTS.levels.set_value * found}


def winner(state: Case, action: Case) -> Case:
    sheets = [
        Sheet(total, 0, 0, 0, 0, 0, 0, herd)
        for total, herd in zip(state["totals"], state["dinos"], strict=True)
    ]
    return {"winner": scoring.winner(tuple(sheets))}


def end_check(state: Case, action: Case) -> Case:
    variant = {25: "short", 35: "medium", 45: "long"}[state["threshold"]]
    variant += "-extra" if state["variant_extra_round"] else ""
    companies = tuple(samples.company(visitors=count) for count in state["visitors"])
    at = samples.position(variant, companies=companies, stage=END_CHECK, round=3)
    after = visitors.check_end(at)
    assert after.stage in (OVER, HAND_LIMIT)
    return {"ends": after.stage == OVER}


def coins_income(state: Case, action: Case) -> Case:
    return {"coins": income.coins(PARTS, state["exc"], state["food"])}


def cards_income(state: Case, action: Case) -> Case:
    return {"cards": income.draws(PARTS, state["merch"])}


class Stacked:
    """A deck whose order is known: the wanted cards come, one after the other."""

    def __init__(self, *order: str) -> None:
        self.order = [CARDS[one] for one in order]
        self.left = sorted(self.order)

    def draw(self, stream: str, n: int) -> int:
        index = self.left.index(self.order.pop(0)) if self.order else 0
        if self.left:
            self.left.pop(index)
        return index


def row_draw(state: Case, action: Case) -> Case:
    deck, discards = tuple(state["deck_top"]), tuple(state["discard"])
    at = samples.position(market=samples.market(tuple(state["row"]), deck, discards))
    after, card = market.take_slot(at, action["take"], Stacked(*deck))
    return {
        "hand_add": PARTS.cards[card].id,
        "row": [PARTS.cards[one].id for one in after.market.row],
        "deck_top": samples.names(market.deck(after)),
    }


def hand_limit(state: Case, action: Case) -> Case:
    held = samples.specialists("X06") if state["plus"] else ()
    assert abilities.hand_limit(PARTS, samples.company(specialists=held)) == 3 + state["plus"]
    hand = (1 << state["hand"]) - 1
    company = samples.company(seen=hand, specialists=held)
    return {"discard": round_end.excess(samples.position(companies=(company, company)), 0)}


def marker_move(state: Case, action: Case) -> Case:
    assert len(PARTS.tracks.pr_spaces) == state["length"]
    return {"marker": round_end.end_round(samples.position(marker=state["marker"])).marker}


def _of_type(name: str, among: range) -> int:
    return next(n for n in among if PARTS.cards[n].dinosaur.type == DINOSAUR_TYPES.index(name))


def ai_income(state: Case, action: Case) -> Case:
    card = samples.setting(SOLO[state["ai"]]).ai
    assert card is not None
    row = [_of_type(name, range(44)) for name in state["row_types"]]
    hand = sum(1 << _of_type(name, range(44)) for name in state["hand_types"])
    slot = rival.best_slot(PARTS, card, row, hand)
    coins = rival.coins(PARTS, card, state["exc"], 0)
    return {"take": "deck" if slot == NOTHING else slot, "coins": coins}


def ai_draft(state: Case, action: Case) -> Case:
    at = samples.position(SOLO[state["ai"]])
    items = [(samples.gain(item["gain"]), item["threat"]) for item in state["items"]]
    return {"pick": rival.best_item(at, items)}


def ai_build(state: Case, action: Case) -> Case:
    owned = 0
    for name, wanted in state["attr_icons"].items():
        plain = (card for card in PARTS.cards if card.attraction.icons == 1 and card.company >= 0)
        ids = [c.id for c in plain if c.attraction.type == ATTRACTION_TYPES.index(name)]
        owned |= samples.cards(*ids[:wanted])
    own = samples.rival(hand=samples.cards(*state["hand"]), attractions=owned)
    at = samples.position(SOLO[state["ai"]], rivals=(own,), round=1)
    played = {}
    for name in ("dino", "attr"):
        order = rival_build.next_order(at)
        assert order is not None
        (best,) = rival_build.candidates(PARTS, at.rivals[0], order)
        played[name] = PARTS.cards[best].id
        at = type(at)._make(rival_build.played(at, order, best)._replace(agenda=()))
    return played


def ai_pr(state: Case, action: Case) -> Case:
    return {"pick": rival.best_space(samples.position(SOLO[state["ai"]]), state["marker"])}


def ai_undrafted(state: Case, action: Case) -> Case:
    card = samples.setting(SOLO[state["ai"]]).ai
    assert card is not None
    own = samples.rival(visitors=state["visitors"])
    return {"visitors": rival.lose(PARTS, card, own, state["undrafted"]).visitors, "lawsuits": 0}


def ai_extra(state: Case, action: Case) -> Case:
    card = samples.setting(SOLO[state["ai"]]).ai
    assert card is not None
    return {"visitors": scoring.rival_sheet(PARTS, card, samples.rival(coins=state["coins"])).extra}


OPS: dict[str, Callable[[Case, Case], Case]] = {
    "prep_dice": prep_dice,
    "draft_die": draft_die,
    "draft_specialist": draft_specialist,
    "draft_order": draft_order,
    "build": build_script,
    "escape": escape,
    "gain_visitors": gain_visitors,
    "pr_order": pr_order,
    "pr_round": pr_round,
    "final_score": final_score,
    "sets": sets,
    "winner": winner,
    "end_check": end_check,
    "coins_income": coins_income,
    "cards_income": cards_income,
    "row_draw": row_draw,
    "hand_limit": hand_limit,
    "marker_move": marker_move,
    "ai_income": ai_income,
    "ai_draft": ai_draft,
    "ai_build": ai_build,
    "ai_pr": ai_pr,
    "ai_undrafted": ai_undrafted,
    "ai_extra": ai_extra,
}


@pytest.mark.parametrize("case", samples.cases(), ids=lambda case: case["id"])
def test_case(case: Case) -> None:
    found = OPS[case["op"]](case["state"], case["action"])
    assert {key: found.get(key) for key in case["expect"]} == case["expect"]


def test_every_case_is_here() -> None:
    assert len(samples.cases()) == 51
    assert {case["op"] for case in samples.cases()} == OPS.keys()
    assert len(SPECIALISTS) == 22
