"""Where the time of a decision went, as records and faults tell it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.server.ledger import Entry, bare, millis, note, read, split
from saurodrome.server.port import Answer, Verdict

OK, MARGIN, LATE = Verdict.ACCEPTED, Verdict.IN_MARGIN, Verdict.TIMED_OUT
LATE_SPLIT = Answer(0, MARGIN, 0.612, 0, "", 0.001, 0.598, 0.0003, 0.0, 0.00004)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (Answer(0, OK, 0.0123), "12.3 ms"),
        (Answer(0, MARGIN, 1.02), "in_margin 1020.0 ms"),
        (Answer(0, LATE, 1.05), "timed_out 1050.0 ms"),
        (Answer(0, OK, 0.5, 2, "why not"), "500.0 ms, illegal 2: why not"),
        (Answer(0, OK, 0.004, thought=0.003), "4.0 ms"),  # too short to be worth a split
        (Answer(0, OK, 0.005, thought=0.004), "5.0 ms (bot 4.0, wire 1.0)"),
        (Answer(0, OK, 0.001, queue=0.0012), "1.0 ms (queue 1.2)"),
        (LATE_SPLIT, "in_margin 612.0 ms (bot 598.0, wire 14.0, queue 0.3, stall 1.0)"),
        (
            Answer(0, OK, 0.02, 1, "ha: 1", thought=0.01),
            "20.0 ms (bot 10.0, wire 10.0), illegal 1: ha: 1",
        ),
    ],
)
def test_the_record_says_how_an_answer_was_judged(answer: Answer, text: str) -> None:
    assert note(answer) == text


def test_a_fault_tells_the_split_in_words() -> None:
    assert split(LATE_SPLIT) == (
        "split: bot 598.0, wire 14.0 ms; not charged: queue 0.3, stall 1.0 ms"
    )
    assert split(Answer(0, LATE, 1.0)) == ""
    assert split(Answer(0, LATE, 1.0, stalled=0.02)) == "not charged: stall 20.0 ms"


def test_a_record_without_a_split_is_read() -> None:
    assert read("12.3 ms") == Entry("accepted", 0.0123)
    assert read("timed_out 1050.0 ms") == Entry("timed_out", 1.05)


@pytest.mark.parametrize("text", ["", "12 ms", "fast", "1.0 ms (bot)", "won 1.0 ms", "1.0 ms, x"])
def test_what_no_server_wrote_is_not_read(text: str) -> None:
    assert read(text) is None


near_ties = st.builds(
    lambda tenths, ulps: (tenths + 0.5) / 10_000 + ulps * math.ulp(tenths / 10_000),
    st.integers(0, 120_000),
    st.integers(-3, 3),
)


@given(
    st.floats() | st.floats(0.0, 20.0) | near_ties | st.integers(0, 10**6).map(lambda n: n / 8e4)
)
def test_milliseconds_are_rounded_as_formats_round_them(seconds: float) -> None:
    assert millis(seconds) == f"{seconds * 1000:.1f}"


shares = st.floats(0.0, 100.0)
answers = st.builds(
    Answer,
    st.just(0),
    st.sampled_from([OK, MARGIN, LATE, Verdict.ILLEGAL]),
    shares,
    st.integers(0, 3),
    st.text(),
    shares,
    st.just(0.0),
    shares,
    shares,
    shares,
)


@given(answers, st.floats(0.0, 1.0))
def test_what_is_written_is_read_again_to_a_tenth_of_a_millisecond(
    answer: Answer, share: float
) -> None:
    answer.thought = answer.charged * share
    entry = read(note(answer))
    assert entry is not None
    assert (entry.verdict, entry.illegal) == (answer.verdict, answer.illegal)
    assert entry.remark == answer.note
    assert entry.charged == pytest.approx(answer.charged, abs=0.0001)
    if entry.bot is not None and entry.wire is not None:
        assert entry.bot + entry.wire == pytest.approx(answer.charged, abs=0.0002)


def test_without_the_remark_all_stays_that_the_server_says() -> None:
    answer = Answer(4, Verdict.IN_MARGIN, 0.2104, thought=0.2, note="my plan: S, then N")
    text = note(answer)
    assert text.endswith(": my plan: S, then N")
    assert bare(text) == text.removesuffix(": my plan: S, then N")
    assert bare(bare(text)) == bare(text)
    assert bare("12.0 ms") == "12.0 ms"


def test_of_a_note_that_no_server_wrote_nothing_stays() -> None:
    assert bare("my plan: S, then N") == ""
