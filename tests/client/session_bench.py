"""A session on the bench: its host only notes what it is asked for."""

from pathlib import Path

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client import (
    BotFault,
    Decision,
    Event,
    Match,
)
from saurodrome.client._choice import Answer, Choice
from saurodrome.client._session import Session
from saurodrome.client.testing import match
from saurodrome.client.testing._arbiter import ended
from saurodrome.client.testing._draftosaurus import seconds

ILLEGAL, STALE, TIMED_OUT = (
    bot_pb2.Verdict.KIND_ILLEGAL,
    bot_pb2.Verdict.KIND_STALE,
    bot_pb2.Verdict.KIND_TIMED_OUT,
)
LAST = Path("last.decision")


class Job:
    """A job that only knows whether it was dropped."""

    def __init__(self, of: Match | Decision) -> None:
        self.of = of
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Bench:
    """A host that notes what the session asks for, and the session."""

    def __init__(self, *, matches: int | None = None, strict: bool = False) -> None:
        self.sent: list[bot_pb2.PlayRequest] = []
        self.preparing: list[Job] = []
        self.thinking: list[Job] = []
        self.kept: list[Decision] = []
        self.events: list[Event] = []
        self.failure: BotFault | None = None
        self.now = 0.0
        hello = bot_pb2.Hello(max_concurrent_matches=2)
        self.session = Session(
            self, hello, server="arena:7741", matches=matches, strict=strict, clock=lambda: self.now
        )

    def send(self, frame: bot_pb2.PlayRequest, /) -> None:
        self.sent.append(frame)

    def prepare(self, match: Match, /) -> Job:
        self.preparing.append(Job(match))
        return self.preparing[-1]

    def think(self, decision: Decision, /) -> Job:
        self.thinking.append(Job(decision))
        return self.thinking[-1]

    def keep(self, decision: Decision, /) -> Path:
        self.kept.append(decision)
        return LAST

    def tell(self, event: Event, /) -> None:
        self.events.append(event)

    def fail(self, error: BotFault, /) -> None:
        self.failure = error

    def kinds(self) -> list[str]:
        """Takes what was sent, by name."""
        kinds = [str(frame.WhichOneof("frame")) for frame in self.sent]
        self.sent.clear()
        return kinds

    def replies(self) -> list[int | None]:
        """Takes what was sent, as ids; None stands for a reply without one."""
        replies = [frame.reply for frame in self.sent]
        self.sent.clear()
        return [r.action_id if r.HasField("choice") else None for r in replies]

    def open(
        self,
        open_matches: int = 0,
        missed: tuple[bot_pb2.MatchEnded, ...] = (),
        limits: bot_pb2.Limits | None = None,
    ) -> None:
        """Opens a stream and welcomes the bot."""
        self.session.opened()
        welcome = bot_pb2.Welcome(
            bot="rex", open_matches=open_matches, missed_results=missed, limits=limits
        )
        self.session.receive(bot_pb2.PlayResponse(welcome=welcome))

    def start(self, wanted: Match) -> None:
        self.session.receive(bot_pb2.PlayResponse(match_started=wanted.message))

    def prepared(self, fault: BotFault | None = None) -> None:
        """Lets the newest `prepare` come back."""
        of = self.preparing[-1].of
        assert isinstance(of, Match)
        self.session.prepared(of, fault)

    def ask(self, asked: Decision) -> None:
        self.session.receive(bot_pb2.PlayResponse(decision=asked.message))

    def answer(
        self,
        action_id: int | None,
        fault: BotFault | None = None,
        index: int = -1,
        note: str = "",
    ) -> None:
        """Lets a `choose` come back, the newest unless told otherwise."""
        of = self.thinking[index].of
        assert isinstance(of, Decision)
        self.session.answered(of, Answer(Choice(action_id, note, fault), 0.04))

    def judge(
        self, kind: bot_pb2.Verdict.Kind.ValueType, asked: Decision, replies_left: int = 0
    ) -> None:
        verdict = bot_pb2.Verdict(
            kind=kind,
            match_id=asked.match_id,
            decision_id=asked.message.decision_id,
            message="so it is",
            replies_left=replies_left,
            charged=seconds(1.05),
        )
        self.session.receive(bot_pb2.PlayResponse(verdict=verdict))

    def end(self, of: Match, placements: tuple[int, ...] = (1, 2)) -> None:
        self.session.receive(bot_pb2.PlayResponse(match_ended=ended(of, placements)))

    def forfeit(self, of: Match) -> None:
        """Ends a match that the bot's seat did not come to."""
        over = ended(of, (2, 1))
        over.termination = bot_pb2.TERMINATION_ABSENT
        over.results[of.seat].forfeited = True
        self.session.receive(bot_pb2.PlayResponse(match_ended=over))

    def playing(self, wanted: Match | None = None, limits: bot_pb2.Limits | None = None) -> Match:
        """Comes as far as a match that is played."""
        wanted = wanted or match()
        self.open(limits=limits)
        self.start(wanted)
        self.prepared()
        self.sent.clear()
        return wanted
