"""A match that goes on: what was asked last, and what was replied."""

from dataclasses import dataclass

from saurodrome.bot.v1 import bot_pb2
from saurodrome.client._choice import Choice
from saurodrome.client._decision import Decision, Match
from saurodrome.client._host import Cancellable

_UINT32 = 2**32 - 1


@dataclass(slots=True, eq=False)
class OpenMatch:
    """A match that goes on.

    Attributes:
        match: The match.
        begun: When getting ready began, by the session's clock.
        prepared: `prepare` is through.
        took: What it took, in seconds.
        server_knows: The server has said on this stream that the bot is ready.
        asked: The newest decision.
        arrived: When it came, by the session's clock.
        thinking: It is not answered yet.
        faulted: The answer to it was a fault, which has been told.
        reply: The reply that was sent last.
        seconds: What `choose` took for it.
        preparing: The worker's job of getting ready.
        job: The worker's job of choosing.
    """

    match: Match
    begun: float = 0.0
    prepared: bool = False
    took: float = 0.0
    server_knows: bool = False
    asked: Decision | None = None
    arrived: float = 0.0
    thinking: bool = False
    faulted: bool = False
    reply: bot_pb2.PlayRequest | None = None
    seconds: float | None = None
    preparing: Cancellable | None = None
    job: Cancellable | None = None

    def asks(self, decision_id: str) -> bool:
        """Tells whether a decision is the newest."""
        return self.asked is not None and self.asked.message.decision_id == decision_id

    def ask(self, decision: Decision, now: float) -> None:
        """Takes a new decision, which came just now, in the place of the one before."""
        self.close_decision()
        self.asked = decision
        self.arrived = now
        self.thinking = True
        self.faulted = False
        self.reply = self.seconds = None

    def reply_with(
        self, decision: Decision, choice: Choice, note_chars: int, now: float
    ) -> bot_pb2.PlayRequest:
        """Makes the reply to the newest decision, and keeps it to be sent again.

        Args:
            decision: The decision.
            choice: What to answer; without an id, the reply has none either.
            note_chars: The most characters of a note that the server takes.
            now: The time by the session's clock.
        """
        note = choice.note[:note_chars].encode(errors="replace").decode()  # no half surrogates
        thought = min(max(1, round((now - self.arrived) * 1e6)), _UINT32)
        reply = bot_pb2.Reply(
            decision_id=decision.message.decision_id, note=note, thought_us=thought
        )
        if choice.action_id is not None:
            reply.action_id = choice.action_id
        self.reply = bot_pb2.PlayRequest(reply=reply)
        return self.reply

    @property
    def replied(self) -> int | None:
        """The id that was replied last, legal or not; None if none was."""
        if self.reply is None or not self.reply.reply.HasField("action_id"):
            return None
        return self.reply.reply.action_id

    def close_decision(self) -> None:
        """Stops choosing."""
        self.thinking = False
        if self.job is not None:
            self.job.cancel()

    def drop(self) -> None:
        """Stops all that is done for the match."""
        self.close_decision()
        if self.preparing is not None:
            self.preparing.cancel()
