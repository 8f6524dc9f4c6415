"""Frames from the server as bytes of PlayResponse messages."""

from collections.abc import Callable
from typing import Any, NamedTuple

from saurodrome.bot.v1 import bot_pb2
from saurodrome.engine.memo import Memo
from saurodrome.server.frames import (
    MAX_FRAME_BYTES,
    MAX_NOTE_CHARS,
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
from saurodrome.server.port import FaultRule, MatchEnd, TimeControl
from saurodrome.server.rpc.durations import duration, encoded
from saurodrome.server.rpc.encoding import delimited, number_tag, tag, varint

_DECISION = tag(bot_pb2.PlayResponse.DECISION_FIELD_NUMBER)
_DECISION_ID = tag(bot_pb2.Decision.DECISION_ID_FIELD_NUMBER)
_DEFAULT = number_tag(bot_pb2.Decision.DEFAULT_ACTION_ID_FIELD_NUMBER)
_PREVIOUS = tag(bot_pb2.Decision.PREVIOUS_FIELD_NUMBER)
_CHARGED = tag(bot_pb2.PreviousDecision.CHARGED_FIELD_NUMBER)
_IN_MARGIN = number_tag(bot_pb2.PreviousDecision.IN_MARGIN_FIELD_NUMBER) + varint(True)
_TIMED_OUT = number_tag(bot_pb2.PreviousDecision.TIMED_OUT_FIELD_NUMBER) + varint(True)
_ILLEGAL = number_tag(bot_pb2.PreviousDecision.ILLEGAL_REPLIES_FIELD_NUMBER)
_KINDS = {
    VerdictKind.ILLEGAL: bot_pb2.Verdict.KIND_ILLEGAL,
    VerdictKind.STALE: bot_pb2.Verdict.KIND_STALE,
    VerdictKind.DUPLICATE: bot_pb2.Verdict.KIND_DUPLICATE,
    VerdictKind.TIMED_OUT: bot_pb2.Verdict.KIND_TIMED_OUT,
}
_TERMINATIONS = {
    "finished": bot_pb2.TERMINATION_FINISHED,
    "forfeit": bot_pb2.TERMINATION_FORFEIT,
    "absent": bot_pb2.TERMINATION_ABSENT,
    "no_contest": bot_pb2.TERMINATION_NO_CONTEST,
    "abandoned": bot_pb2.TERMINATION_VOID,
    "void": bot_pb2.TERMINATION_VOID,
}


class About(NamedTuple):
    """What a welcome says of the server itself."""

    version: str
    max_surplus_frames: int
    """Surplus frames in a minute."""


class Encoder:
    """Turns outbound frames into bytes."""

    def __init__(self, about: About) -> None:
        """Keeps what a welcome says."""
        self._about = about
        self._encoders: dict[type, Callable[[Any], bytes]] = {
            Decision: decision,
            VerdictFrame: _verdict,
            MatchStarted: _match_started,
            Ended: _ended,
            Draining: _draining,
            Welcome: self._welcome,
        }

    def __call__(self, frame: Outbound) -> bytes:
        """The frame as a serialized PlayResponse."""
        return self._encoders[type(frame)](frame)

    def _welcome(self, frame: Welcome) -> bytes:
        message = bot_pb2.Welcome(
            bot=frame.bot,
            server_version=self._about.version,
            limits=bot_pb2.Limits(
                max_frame_bytes=MAX_FRAME_BYTES,
                max_note_chars=MAX_NOTE_CHARS,
                max_concurrent_matches=frame.max_concurrent,
                max_surplus_frames=self._about.max_surplus_frames,
            ),
            missed_results=[_match_ended(end) for end in frame.missed],
            open_matches=frame.open_matches,
        )
        return bot_pb2.PlayResponse(welcome=message).SerializeToString()


def decision(frame: Decision) -> bytes:
    """A decision: what it shares with others of its match, a small head, and the payload."""
    head = _openings[frame.match_id, frame.remaining]
    if frame.decision_id:
        head += delimited(_DECISION_ID, frame.decision_id.encode())
    if frame.default:
        head += _DEFAULT + varint(frame.default)
    if frame.previous is not None:
        head += delimited(_PREVIOUS, _previous(frame.previous))
    payload = frame.payload
    return b"".join((_DECISION, varint(len(head) + len(payload)), head, payload))


def _opening(of: tuple[str, float]) -> bytes:
    match_id, remaining = of
    head = bot_pb2.Decision(match_id=match_id, remaining=duration(remaining))
    return head.SerializeToString()


_openings = Memo(_opening, 1024)
"""What the decisions of a match have in common, by its id and the time that they have."""


def _previous(previous: Previous) -> bytes:
    told = delimited(_CHARGED, encoded(previous.charged))
    if previous.in_margin:
        told += _IN_MARGIN
    if previous.timed_out:
        told += _TIMED_OUT
    if previous.illegal:
        told += _ILLEGAL + varint(previous.illegal)
    return told


def _verdict(frame: VerdictFrame) -> bytes:
    message = bot_pb2.Verdict(
        kind=_KINDS[frame.kind],
        match_id=frame.match_id,
        decision_id=frame.decision_id,
        message=frame.message,
        remaining=duration(frame.remaining),
        replies_left=frame.replies_left,
    )
    if frame.kind is VerdictKind.TIMED_OUT:
        message.charged.CopyFrom(duration(frame.charged))
    return bot_pb2.PlayResponse(verdict=message).SerializeToString()


def _match_started(frame: MatchStarted) -> bytes:
    start = frame.start
    message = bot_pb2.MatchStarted(
        match_id=start.match_id,
        attempt=start.attempt,
        game=start.game,
        variant=start.variant,
        rules_version=start.rules_version,
        seat=start.seat,
        players=[bot_pb2.Player(bot=p.bot, display_name=p.display_name) for p in start.players],
        time_control=_time_controls[start.time],
        fault_rule=_fault_rules[start.faults],
        seed_commitment=start.commitment,
        ready=frame.ready,
        ruleset=start.ruleset,
        ruleset_hash=start.ruleset_hash,
    )
    return bot_pb2.PlayResponse(match_started=message).SerializeToString()


def _time_control(time: TimeControl) -> bot_pb2.TimeControl:
    return bot_pb2.TimeControl(
        ready=duration(time.ready),
        decision=duration(time.decision),
        margin=duration(time.margin),
        sealed=duration(time.sealed),
        phase_times=[
            bot_pb2.PhaseTime(phase=phase, time=duration(seconds)) for phase, seconds in time.phases
        ],
        bank_time=duration(time.bank) if time.bank else None,
        increment_time=duration(time.increment) if time.bank else None,
    )


def _fault_rule(faults: FaultRule) -> bot_pb2.FaultRule:
    return bot_pb2.FaultRule(**faults._asdict())


_time_controls = Memo(_time_control, 64)
_fault_rules = Memo(_fault_rule, 64)


def _ended(frame: Ended) -> bytes:
    return bot_pb2.PlayResponse(match_ended=_match_ended(frame.end)).SerializeToString()


def _match_ended(end: MatchEnd) -> bot_pb2.MatchEnded:
    return bot_pb2.MatchEnded(
        match_id=end.match_id,
        attempt=end.attempt,
        termination=_TERMINATIONS[end.termination],
        seat=end.seat,
        results=[bot_pb2.SeatResult(**result._asdict()) for result in end.results],
        seed=end.secret,
        reason=end.reason,
    )


def _draining(frame: Draining) -> bytes:
    message = bot_pb2.Draining(remaining=duration(frame.remaining), reason=frame.reason)
    return bot_pb2.PlayResponse(draining=message).SerializeToString()
