"""Park cards: draws, refills, reshuffles, a row that closes up."""

import pytest

from saurodrome.engine.chance import FastChance, SecureChance
from saurodrome.engine.games.duelosaur import market
from saurodrome.engine.games.duelosaur.position import (
    INCOME_TURN,
    NOTHING,
    RESET,
    Due,
    Market,
    Position,
)
from saurodrome.engine.games.duelosaur.state import DuelosaurState
from saurodrome.engine.games.duelosaur.words import CARD
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.samples import CARDS, act, cards, company, position


class Streams:
    """Draws the first outcome and remembers the streams."""

    def __init__(self) -> None:
        self.drawn: list[tuple[str, int]] = []

    def draw(self, stream: str, n: int) -> int:
        self.drawn.append((stream, n))
        return 0


def drawing(
    row: tuple[str, ...], deck: tuple[str, ...], discards: tuple[str, ...] = (), n: int = 1
) -> DuelosaurState:
    """Return a state in which seat 0 has some draws."""
    table = samples.market(row, deck, discards)
    return position(agenda=(Due(0, CARD, n),), market=table, stage=RESET, queue=(1,))


def test_a_draw_offers_the_slots_and_the_deck() -> None:
    state = drawing(("P01", "P02", "P03"), ("P04",))
    assert samples.texts(state) == ["slot 0", "slot 1", "slot 2", "deck"]
    assert state.legal_actions(0) == (0, 1, 2, 3)
    assert samples.default(state) == "deck"


def test_the_deck_keeps_its_id_when_the_row_is_short() -> None:
    state = drawing(("P01",), ("P04",))
    assert state.legal_actions(0) == (0, 3)


def test_a_card_from_the_deck_is_hidden_one_from_the_row_is_seen() -> None:
    state = drawing(("P01", "P02", "P03"), ("P04", "P05", "P06"), n=2)
    state = act(state, "slot 1", "deck")
    own = state.companies[0]
    assert own.seen == cards("P02")
    assert own.hidden.bit_count() == 1
    assert len(state.market.row) == 3
    assert state.market.row[0] == CARDS["P01"]
    assert market.deck(state).bit_count() == 1


def test_an_empty_deck_is_reshuffled_only_when_a_card_is_needed() -> None:
    state = drawing(("P01", "P02", "P03"), ("P04",), ("P10", "P11"), n=3)
    state = act(state, "deck")
    assert state.market.discards == cards("P10", "P11")
    state = act(state, "deck")
    assert state.market.discards == 0
    assert state.companies[0].hidden & cards("P10", "P11")
    assert len(state.market.layers) == 2


def test_each_reshuffle_has_a_stream_of_its_own() -> None:
    streams = Streams()
    state = position(market=Market((), (cards("P01", "P02"),), cards("P03")))
    at: Position = state
    at = market.take_hidden(at, 0, streams)
    at = market.take_hidden(at, 0, streams)
    at = market.take_hidden(at, 0, streams)
    at = market.discard(at.with_company(0, company(hidden=cards("P03"))), cards("P01", "P02"))
    at = market.take_hidden(at, 1, streams)
    assert streams.drawn == [
        ("park-deck", 2),
        ("park-deck", 1),
        ("reshuffle-1", 1),
        ("reshuffle-2", 2),
    ]


def test_the_deck_has_one_order_whoever_draws() -> None:
    def order(seats: list[int]) -> list[int]:
        at: Position = samples.start()
        chance, found = SecureChance(bytes(32)), []
        for seat in seats:
            before = at.companies[seat].hidden
            at = market.take_hidden(at, seat, chance)
            found.append(at.companies[seat].hidden & ~before)
        return found

    assert order([0, 0, 0, 1, 1, 1]) == order([1, 0, 1, 0, 1, 0])


def test_without_any_card_the_row_closes_up_and_the_deck_yields_nothing() -> None:
    state = drawing(("P01", "P02", "P03"), (), n=4)
    assert samples.default(state) == "slot 0"
    state = act(state, "slot 1")
    assert state.market.row == (CARDS["P01"], CARDS["P03"])
    assert state.legal_actions(0) == (0, 1, 3)
    state = act(state, "deck")
    assert state.companies[0].hand == cards("P02")
    state = act(state, "slot 0")
    assert samples.texts(state) == ["slot 0", "deck"]
    assert state.market.row == (CARDS["P03"],)


def test_a_short_row_stays_short_until_it_is_dealt_anew() -> None:
    state = drawing(("P01",), ("P02", "P03", "P04", "P05"))
    state = act(state, "slot 0")
    assert len(state.market.row) == 1
    renewed = market.renew_row(state, FastChance(1))
    assert len(renewed.market.row) == 3


def resetting(coins: int, row: tuple[str, ...] = ("P01", "P02", "P03")) -> DuelosaurState:
    state = position(
        companies=(company(coins=coins), company()),
        stage=INCOME_TURN,
        queue=(0, 1),
        market=samples.market(row, ("P04", "P05", "P06", "P07", "P08")),
    )
    return samples.settled(state)


def test_reset_costs_a_coin_and_discards_the_row_first() -> None:
    state = act(resetting(1), "reset row")
    assert state.companies[0].coins == 0
    assert state.market.discards == cards("P01", "P02", "P03")
    assert {samples.PARTS.cards[one].id for one in state.market.row} <= {
        "P04",
        "P05",
        "P06",
        "P07",
        "P08",
    }
    assert (state.phase, state.deciders()) == ("draw", (0,))


def test_reset_is_asked_only_of_those_who_can_pay() -> None:
    assert resetting(1).phase == "reset"
    assert resetting(0).phase == "draw"
    assert samples.default(resetting(1)) == "leave row"


def test_reset_is_legal_whatever_the_row_has() -> None:
    assert len(act(resetting(1, ("P01",)), "reset row").market.row) == 3


def test_reset_comes_once_before_the_own_first_draw() -> None:
    state = act(resetting(9), "reset row")
    assert state.phase == "draw"
    state = act(state, "deck")
    assert state.deciders() == (1,)


@pytest.mark.parametrize("coins", [0, 5])
def test_one_player_finishes_before_the_other_begins(coins: int) -> None:
    state = resetting(coins)
    assert state.deciders() == (0,)
    while state.deciders() == (0,):
        state = act(state, samples.default(state))
    assert state.companies[0].hand.bit_count() == 1
    assert state.companies[1].hand.bit_count() == 0


def test_no_card_at_all() -> None:
    at, card = market.draw_top(position(market=Market((), (0,), 0)), FastChance(0))
    assert card == NOTHING
    assert at.market == Market((), (0,), 0)
