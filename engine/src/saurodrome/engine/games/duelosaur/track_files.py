"""Reads levels and the printed tracks."""

from saurodrome.engine.games.duelosaur.components import Gain, Levels, Tracks
from saurodrome.engine.games.duelosaur.fields import Fields
from saurodrome.engine.games.duelosaur.words import LENGTHS


def read_levels(file: Fields) -> Levels:
    """Return the scalars of the rulebook.

    Raises:
        BadComponents: One is missing or out of its range.
    """
    thresholds, sell, mix = (
        file.inner("visitor_thresholds"),
        file.inner("sell"),
        file.inner("mix"),
    )
    file.whole("visitor_token_above")
    floor = file.whole("visitor_floor")
    start = file.whole("visitor_start", floor)
    levels = Levels(
        visitor_start=start,
        visitor_floor=floor,
        visitor_thresholds=tuple(thresholds.whole(length, start + 1) for length in LENGTHS),
        base_income=file.whole("base_income"),
        cards_per_income=file.whole("cards_per_income"),
        coins_per_food_icon=file.whole("coins_per_food_icon"),
        cards_per_merch_icon=file.whole("cards_per_merch_icon"),
        hand_limit=file.whole("hand_limit", 1),
        row_size=file.whole("row_size", 1, 6),
        row_reset_cost=file.whole("row_reset_cost", 1),
        specialist_limit=file.whole("specialist_limit", 1, 6),
        picks_per_player=file.whole("picks_per_player", 1),
        lawsuit_penalty=file.whole("lawsuit_penalty"),
        loss_factor=file.whole("loss_factor"),
        set_value=file.whole("set_value"),
        sell_basic=sell.whole("basic", 1, 3),
        sell_advanced=sell.whole("advanced", 1, 3),
        sell_coins=sell.whole("coins", 1),
        mix_basic=mix.whole("basic", 1, 3),
        mix_advanced=mix.whole("advanced", 1, 3),
        mix_discard=mix.whole("discard", 1, 2),
        dna_max=file.cap("dna_track_max", 1),
    )
    for fields in (thresholds, sell, mix, file):
        fields.close()
    return levels


def read_tracks(pr: Fields, excitement: Fields, security: Fields) -> Tracks:
    """Return the printed tracks.

    Raises:
        BadComponents: Something is wrong with one.
    """
    spaces = tuple(_space(pr, number, value) for number, value in enumerate(pr.items("spaces")))
    start = pr.whole("start_index", 0, len(spaces) - 1)
    pr.close()
    least = excitement.whole("start")
    secure = security.whole("start")
    prices = _prices(security.inner("price_to_reach"))
    tracks = Tracks(
        pr_spaces=spaces,
        pr_start=start,
        excitement_start=least,
        excitement_max=excitement.cap("max", least),
        income_spaces=excitement.wholes("income_spaces", 1),
        coins_per_income_space=excitement.whole("coins_per_income_space"),
        security_start=secure,
        security_max=security.cap("max", secure),
        security_prices=prices,
        security_price_past=security.whole("price_past_10", 1),
    )
    excitement.close()
    security.close()
    return tracks


def _space(pr: Fields, number: int, value: object) -> Gain:
    space = Fields(pr.file, f"spaces[{number}]", value)
    space.expect("index", number)
    gain = space.amounts("gain")
    space.close()
    return gain


def _prices(fields: Fields) -> dict[int, int]:
    prices = {}
    for level in fields.names():
        if not level.isascii() or not level.isdecimal() or level != str(int(level)):
            fields.refuse(f"{level!r} is no level")
        prices[int(level)] = fields.whole(level, 1)
    return prices
