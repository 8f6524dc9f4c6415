"""Sealed phases: steps show to nobody else, and their order between players does not matter."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.engine.chance import FastChance, SecureChance
from saurodrome.engine.errors import IllegalAction, WrongDeciders
from saurodrome.engine.games.duelosaur.position import HAND_LIMIT, OPEN_BUILD
from saurodrome.engine.games.duelosaur.state import DuelosaurState
from tests.engine.duelosaur import samples
from tests.engine.duelosaur.samples import act, cards, company, position, settled

RICH = company(
    coins=12,
    dna=(3, 3, 3, 2, 2, 2),
    hidden=cards("P04", "P08", "P10"),
    seen=cards("P01", "P23"),
    specialists=samples.specialists("X07", "X10", "X05"),
)
OTHER = RICH._replace(hidden=cards("P05", "P27", "P28"), seen=cards("P02", "P31"))


def at_build() -> DuelosaurState:
    deck = ("P04", "P08", "P10", "P05", "P27", "P28", "P40", "P41", "P42")
    table = samples.market(("P11", "P12", "P13"), deck)
    return settled(
        position(companies=(RICH, OTHER), stage=OPEN_BUILD, round=2, marker=6, market=table)
    )


def at_discard() -> DuelosaurState:
    return settled(position(companies=(RICH, OTHER), stage=HAND_LIMIT, round=2))


def walk(
    state: DuelosaurState, order: list[int], picks: dict[int, list[int]]
) -> tuple[DuelosaurState, list[tuple[int, int]]]:
    """Let seats act in some order, each by its own list of choices, until the reveal.

    Returns:
        The state after the reveal and the actions in the order in which they were played.
    """
    phase, left = state.phase, {seat: list(rest) for seat, rest in picks.items()}
    played = []
    for seat in order + [0, 1] * 200:
        if state.phase != phase:
            break
        if seat in state.deciders():
            legal = state.legal_actions(seat)
            action = legal[left[seat].pop(0) % len(legal)] if left[seat] else legal[0]
            played.append((seat, action))
            state = state.apply({seat: action}, SecureChance(bytes(32)))
    return state, played


PICKS = st.lists(st.integers(0, 600), max_size=12)


@pytest.mark.parametrize(
    "begin", [at_build, at_discard, samples.start], ids=lambda begin: begin.__name__
)
@given(order=st.lists(st.integers(0, 1), max_size=20), one=PICKS, other=PICKS)
def test_any_interleaving_ends_in_the_same_state(
    begin: Callable[[], DuelosaurState], order: list[int], one: list[int], other: list[int]
) -> None:
    picks = {0: one, 1: other}
    straight, _ = walk(begin(), [0] * 30, picks)
    mixed, _ = walk(begin(), order, picks)
    assert straight == mixed


@given(order=st.lists(st.integers(0, 1), max_size=20), one=PICKS, other=PICKS)
def test_no_step_shows_before_the_reveal(
    order: list[int], one: list[int], other: list[int]
) -> None:
    state, before = at_build(), at_build().observation(None)
    _, played = walk(state, order, {0: one, 1: other})
    for seat, action in played[:-1]:
        rival = state.observation(1 - seat)
        state = state.apply({seat: action}, FastChance(0))
        assert state.observation(1 - seat) == rival
        assert state.observation(None) == before
        assert (state.phase, state.sealed) == ("build", True)


@pytest.mark.parametrize(
    "begin", [at_build, at_discard, samples.start], ids=lambda begin: begin.__name__
)
def test_whoever_has_finished_decides_no_more(begin: Callable[[], DuelosaurState]) -> None:
    state = begin()
    while 0 in state.deciders():
        state = act(state, samples.default(state, 0), seat=0)
    assert state.deciders() == (1,)
    assert state.legal_actions(0) == ()
    with pytest.raises(WrongDeciders):
        state.apply({0: 0}, FastChance(0))
    with pytest.raises(WrongDeciders):
        state.default_action(0)


def test_an_action_that_is_not_legal_is_refused() -> None:
    state = at_build()
    for action in (-1, len(state.legal_actions(0))):
        with pytest.raises(IllegalAction):
            state.apply({0: action, 1: 0}, FastChance(0))
        with pytest.raises(ValueError, match="means nothing here"):
            state.action_text(0, action)
    with pytest.raises(WrongDeciders):
        state.apply({}, FastChance(0))


def test_defaults_end_a_build_and_keep_what_was_done() -> None:
    state = act(at_build(), "attraction P08", seat=0)  # a ride with two icons
    for _ in range(9):
        if state.phase == "build":
            state = state.apply(
                {seat: state.default_action(seat) for seat in state.deciders()}, FastChance(0)
            )
    assert state.companies[0].attractions == cards("P08")
    assert state.companies[0].dna == (4, 4, 3, 3, 3, 2)
    assert state.phase == "pr"


def test_solo_shows_a_build_to_spectators_only_at_its_end() -> None:
    own = company(coins=3, seen=cards("P01"))
    before = settled(position("solo-sima-saurus", companies=(own,), stage=OPEN_BUILD, round=1))
    after = act(before, "attraction P01")
    assert after.observation(None) == before.observation(None)
    assert act(after, "done").observation(None).public.companies[0].attractions == cards("P01")
