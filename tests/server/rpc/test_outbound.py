"""Frames to bots: the bytes that are put together are those of the whole message."""

import pytest
from google.protobuf.duration_pb2 import Duration
from hypothesis import given
from hypothesis import strategies as st

from saurodrome.bot.v1 import bot_pb2
from saurodrome.server.frames import (
    MAX_FRAME_BYTES,
    Decision,
    Draining,
    Ended,
    MatchStarted,
    Outbound,
    Previous,
    VerdictFrame,
    VerdictKind,
    Welcome,
)
from saurodrome.server.port import (
    FaultRule,
    MatchEnd,
    MatchStart,
    PlayerName,
    SeatEnd,
    TimeControl,
)
from saurodrome.server.rpc.durations import encoded, put
from saurodrome.server.rpc.encoding import varint
from saurodrome.server.rpc.outbound import About, Encoder
from saurodrome.server.store.records import Termination

ENCODE = Encoder(About("1.2.3", 60))


def sent(frame: Outbound) -> bot_pb2.PlayResponse:
    """What the bot reads."""
    return bot_pb2.PlayResponse.FromString(ENCODE(frame))


@given(st.integers(1, 2**63 - 1))
def test_varints_are_those_of_protobuf(number: int) -> None:
    tag = b"\x08"  # field 1, a varint
    assert tag + varint(number) == Duration(seconds=number).SerializeToString()


charges = st.floats(-10, 1e6) | st.sampled_from([0.0, -0.0, 4e-7, 5e-7, -5e-7, 1.0, 0.9999999])
counted = st.builds(Previous, charges, st.booleans(), st.booleans(), st.integers(0, 2**32 - 1))


@given(
    match_id=st.text(max_size=40),
    decision_id=st.text(max_size=200),
    remaining=st.floats(0, 3600),
    default=st.integers(0, 2**32 - 1),
    previous=st.none() | counted,
    actions=st.lists(st.integers(0, 2**32 - 1), max_size=60),
)
def test_a_decision_is_made_of_the_bytes_that_protobuf_makes(
    match_id: str,
    decision_id: str,
    remaining: float,
    default: int,
    previous: Previous | None,
    actions: list[int],
) -> None:
    legal = [bot_pb2.LegalAction(id=action) for action in actions]
    payload = bot_pb2.Decision(legal_actions=legal).SerializeToString()
    opening = bot_pb2.Decision(match_id=match_id)
    opening.remaining.FromMicroseconds(round(remaining * 1e6))
    head = bot_pb2.Decision(decision_id=decision_id, default_action_id=default)
    if previous is not None:
        put(head.previous.charged, previous.charged)
        head.previous.in_margin = previous.in_margin
        head.previous.timed_out = previous.timed_out
        head.previous.illegal_replies = previous.illegal
    body = opening.SerializeToString() + head.SerializeToString() + payload
    data = ENCODE(Decision(match_id, decision_id, remaining, default, previous, payload))
    whole = bot_pb2.PlayResponse(decision=bot_pb2.Decision.FromString(body))
    assert bot_pb2.PlayResponse.FromString(data) == whole
    assert data[-len(body) :] == body
    assert len(data) == whole.ByteSize()


@given(charges)
def test_a_duration_is_encoded_as_protobuf_does(seconds: float) -> None:
    message = Duration()
    put(message, seconds)
    assert encoded(seconds) == message.SerializeToString()


def test_the_first_decision_has_no_previous_one_and_no_time_is_a_time() -> None:
    got = sent(Decision("m", "d", 0.0, 0, None, b"")).decision
    assert not got.HasField("previous")
    assert got.HasField("remaining")


@pytest.mark.parametrize("kind", VerdictKind)
def test_every_verdict_has_its_kind(kind: VerdictKind) -> None:
    got = sent(VerdictFrame(kind, "m", "d", "why", 0.25, 2, 1.5)).verdict
    assert bot_pb2.Verdict.Kind.Name(got.kind) == f"KIND_{kind.name}"
    assert (got.match_id, got.decision_id, got.message, got.replies_left) == ("m", "d", "why", 2)
    assert got.remaining.ToMicroseconds() == 250_000
    assert got.HasField("charged") == (kind is VerdictKind.TIMED_OUT)


def test_match_started_tells_all() -> None:
    start = MatchStart(
        "weekend/1/2/3",
        2,
        "draftosaurus",
        "summer",
        1,
        1,
        (PlayerName("ada", "Ada"), PlayerName("bob", "Бob")),
        TimeControl(20.0, 0.2, 0.05),
        FaultRule(3, 5, 3),
        b"c" * 32,
    )
    got = sent(MatchStarted(start, ready=True)).match_started
    assert (got.match_id, got.attempt, got.seat, got.rules_version) == ("weekend/1/2/3", 2, 1, 1)
    assert (got.game, got.variant, got.ready) == ("draftosaurus", "summer", True)
    assert [(p.bot, p.display_name) for p in got.players] == [("ada", "Ada"), ("bob", "Бob")]
    assert got.time_control.decision.ToMilliseconds() == 200
    assert got.time_control.margin.ToMilliseconds() == 50
    assert got.time_control.ready.ToSeconds() == 20
    assert got.fault_rule.strikes_in_match == 5
    assert got.fault_rule.replies_per_decision == 3
    assert got.seed_commitment == b"c" * 32


def test_every_termination_can_be_told() -> None:
    for termination in (*Termination, "void"):
        got = sent(Ended(MatchEnd("m", 1, termination, 0))).match_ended
        assert got.termination != bot_pb2.TERMINATION_UNSPECIFIED
    finished = Ended(MatchEnd("m", 1, "finished", 0))
    assert sent(finished).match_ended.termination == bot_pb2.TERMINATION_FINISHED


def test_match_ended_opens_the_seed_and_tells_the_results() -> None:
    results = (SeatEnd(1, 31, False, True, 1500.5, 1508.5), SeatEnd(2, -3, True, False, 1500, 1492))
    got = sent(Ended(MatchEnd("m", 1, "forfeit", 1, results, b"s" * 32, "why"))).match_ended
    assert (got.seat, got.seed, got.reason) == (1, b"s" * 32, "why")
    first, second = got.results
    assert (first.placement, first.points, first.forfeited, first.rated) == (1, 31, False, True)
    assert (first.elo_before, first.elo_after) == (1500.5, 1508.5)
    assert (second.placement, second.points, second.forfeited) == (2, -3, True)


def test_draining_tells_how_long() -> None:
    got = sent(Draining(2.5, "update")).draining
    assert (got.remaining.ToMilliseconds(), got.reason) == (2500, "update")


def test_the_largest_welcome_fits_into_a_frame() -> None:
    seats = tuple(SeatEnd(5, 2**31 - 1, True, True, 1500.123, 1500.456) for _ in range(5))
    missed = MatchEnd("n" * 32 + "/10000/500000/20", 99, "finished", 4, seats, b"s" * 32, "r" * 500)
    data = ENCODE(Welcome("b" * 32, 64, (missed,) * 32, 64))
    assert len(data) <= MAX_FRAME_BYTES
    welcome = bot_pb2.PlayResponse.FromString(data).welcome
    assert len(welcome.missed_results) == 32
    assert welcome.limits.max_concurrent_matches == 64
    assert welcome.limits.max_note_chars == 2_000


def test_a_negative_number_has_no_varint_of_ours() -> None:
    with pytest.raises(ValueError, match="range"):
        varint(-1)
