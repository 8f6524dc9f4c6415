"""A recorder plays a match and keeps what happened, no more."""

import pytest

from saurodrome.engine import registry
from saurodrome.engine.chance import FastChance
from saurodrome.engine.errors import IllegalAction
from saurodrome.engine.playthrough import Choice, Recorder, replay
from tests.engine.playthrough.samples import play


def test_it_keeps_choices_as_text_with_notes() -> None:
    recorder = Recorder(registry.get("draftosaurus"), "summer", 2, FastChance(1))
    state = recorder.state
    first = {seat: state.legal_actions(seat)[0] for seat in (1, 0)}
    recorder.step(first, {1: "12 ms"})
    (step,) = recorder.playthrough().steps
    assert step.choices == (
        Choice(0, state.action_text(0, first[0]), ""),
        Choice(1, state.action_text(1, first[1]), "12 ms"),
    )
    assert step.draws == ()  # two players discard next: nothing is dealt or rolled yet


def test_it_keeps_the_draws_of_setup_and_steps_apart() -> None:
    record = play(players=3).playthrough()
    streams = [[draw.stream for draw in draws] for draws in (record.setup, record.steps[0].draws)]
    assert streams == [["bag"] * 18 + ["die"], ["die"]]


def test_its_state_is_the_replay_s_last_state() -> None:
    recorder = play(players=4)
    *_, last = replay(recorder.playthrough())
    assert last == recorder.state
    assert recorder.playthrough().outcome == recorder.state.outcome()


def test_an_unfinished_match_has_no_outcome() -> None:
    recorder = Recorder(registry.get("draftosaurus"), "summer", 2, FastChance(1))
    assert recorder.playthrough().outcome is None


def test_a_refused_step_leaves_nothing() -> None:
    recorder = Recorder(registry.get("draftosaurus"), "summer", 2, FastChance(1))
    before = recorder.state
    with pytest.raises(IllegalAction):
        recorder.step({0: -1, 1: -1})
    assert recorder.state == before
    assert recorder.playthrough().steps == ()


def test_tags_keep_their_order_and_can_come_late() -> None:
    recorder = Recorder(
        registry.get("draftosaurus"), "summer", 2, FastChance(1), 0, {"b": "1", "a": "2"}
    )
    recorder.tag("z", "3")
    recorder.tag("b", "4")
    assert recorder.playthrough().tags == (("b", "4"), ("a", "2"), ("z", "3"))
