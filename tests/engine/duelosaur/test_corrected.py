"""Corrected values are played as they are written: scalars, caps and prices."""

from pathlib import Path
from typing import Any

import pytest

from saurodrome.engine.chance import FastChance
from saurodrome.engine.games.duelosaur import (
    abilities,
    build,
    gains,
    income,
    rival,
    scoring,
    steps,
    visitors,
)
from saurodrome.engine.games.duelosaur.components import Components
from saurodrome.engine.games.duelosaur.loading import load
from saurodrome.engine.games.duelosaur.position import Company, Step
from saurodrome.engine.games.duelosaur.setting import Setting, settings
from saurodrome.engine.games.duelosaur.state import load_game
from tests.engine.duelosaur import samples, sets
from tests.engine.duelosaur.players import at_random, play
from tests.engine.duelosaur.samples import cards, company, dna, gain, work


def levels(content: Any) -> None:
    content.update(
        base_income=5,
        coins_per_food_icon=2,
        cards_per_merch_icon=3,
        hand_limit=4,
        loss_factor=3,
        visitor_floor=2,
        set_value=7,
        lawsuit_penalty=9,
        dna_track_max=3,
        sell={"basic": 1, "advanced": 2, "coins": 3},
        mix={"basic": 3, "advanced": 2, "discard": 2},
    )


def security(content: Any) -> None:
    content.update(max=4, price_past_10=6)
    content["price_to_reach"] = {"2": 5}


def excitement(content: Any) -> None:
    content.update(max=3, income_spaces=[1, 2], coins_per_income_space=4)


EDITS = {
    "levels.json": levels,
    "security_prices.json": security,
    "excitement_track.json": excitement,
}


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Components:
    return load(sets.write(Path(tmp_path_factory.mktemp("set")), EDITS))


@pytest.fixture
def setting(parts: Components) -> Setting:
    return settings(parts)[0]


def texts(setting: Setting, own: Company) -> list[str]:
    found = steps.steps(setting, work(own))
    return [steps.step_text(setting.components, step) for step in found]


def test_income(parts: Components) -> None:
    assert income.coins(parts, 2, 3) == 5 + 2 * 3 + 4 * 2
    assert income.draws(parts, 2) == 1 + 3 * 2
    card = parts.ai_cards[4]  # food and income spaces pay it
    assert rival.coins(parts, card, 1, 2) == 3 + 2 * 2 + 4


def test_dna_beyond_the_end_of_a_track_is_lost(parts: Components) -> None:
    own = gains.credit(parts, company(dna=dna(cyan=2)), 0, 5)
    assert own.dna == dna(cyan=3)


def test_excitement_and_security_stop_at_their_ends(setting: Setting) -> None:
    own = company(excitement=2, dna=(3,) * 6, seen=cards("P34"), coins=99, security=3)
    assert "security" in texts(setting, own)
    assert "security" not in texts(setting, own._replace(security=4))
    assert gains.credit(setting.components, own, 10, 9).security == 4
    create = next(s for s in steps.steps(setting, work(own)) if s.kind == steps.CREATE)
    assert build.stepped(setting, 3, work(own), create).company.excitement == 3


def test_prices_of_levels(parts: Components) -> None:
    assert steps.security_price(parts, company(security=1)) == 5
    assert steps.security_price(parts, company(security=2)) == 6


def test_sales_and_mixes(setting: Setting) -> None:
    own = company(dna=(3, 0, 0, 2, 0, 0), seen=cards("P01", "P02", "P03"))
    found = texts(setting, own)
    assert {"sell c", "sell gg", "mix up P01 P02 ccc to gk"} <= set(found)
    assert len([text for text in found if text.startswith("mix up")]) == 3 * 6
    assert len([text for text in found if text.startswith("mix down")]) == 3 * 10
    sale = Step(steps.SELL, spent=(0,))
    assert build.stepped(setting, 3, work(own), sale).company.coins == 3


def test_escapes_limits_and_points(parts: Components) -> None:
    own = company(visitors=9, threat=3, security=1)
    assert visitors.escaped(parts, own, 0).visitors == 9 - 6
    assert visitors.escaped(parts, own, 1) == own._replace(visitors=2, lawsuits=1)
    assert abilities.hand_limit(parts, own) == 4
    park = company(lawsuits=1, attractions=cards("S01", "S02", "S03"))
    sheet = scoring.company_sheet(parts, park)
    assert (sheet.sets, sheet.lawsuits) == (7, 9)


def test_an_action_can_ask_for_dna_and_coins(tmp_path: Path) -> None:
    pay = {"cyan": 1, "basic": 2, "coins": 3}
    ability = sets.ability("X07", op="action", pay=pay, gain={"visitors": 4}, per_round=2)
    setting = settings(load(sets.write(tmp_path, {"specialists.json": ability})))[0]
    own = company(coins=7, dna=dna(cyan=3, blue=3), specialists=samples.specialists("X07"))
    found = [text for text in texts(setting, own) if text.startswith("action")]
    assert found == ["action X07 cc", "action X07 cb", "action X07 bb"]
    step = next(s for s in steps.steps(setting, work(own)) if s.spent == (0, 2) and s.item == 6)
    after = build.stepped(setting, 3, work(own), step)
    assert after.company == own._replace(coins=4, dna=dna(cyan=1, blue=2), visitors=9)
    again = build.stepped(setting, 3, after, steps.steps(setting, after)[-1])
    assert again.used == (2,)
    poor = own._replace(coins=2)
    assert not [text for text in texts(setting, poor) if text.startswith("action")]
    assert not [
        text for text in texts(setting, own._replace(dna=dna(blue=9))) if text.startswith("action")
    ]


def test_the_loss_of_an_ai_stops_at_the_floor(parts: Components) -> None:
    card = parts.ai_cards[2]  # 2 visitors for each icon
    assert rival.lose(parts, card, samples.rival(visitors=9), 6).visitors == 2


def test_such_a_set_plays_to_the_end(tmp_path: Path) -> None:
    game = load_game(sets.write(tmp_path, EDITS))
    for seed in range(2):
        end = play("short", [at_random(seed), at_random(seed + 9)], FastChance(seed), game)
        assert end.outcome() is not None
        for own in end.companies:
            assert max(own.dna) <= 3
            assert own.security <= 4
            assert own.excitement <= 3


def test_gains_keep_their_written_order(tmp_path: Path) -> None:
    turned = sets.changed("T08", gain={"coins": 1, "card": 1})
    found = load(sets.write(tmp_path, {"plot_twists.json": turned}))
    token = next(token for token in found.tokens if token.id == "T08")
    assert token.effects[0].gain == gain({"coins": 1, "card": 1})
